/* Inline definitions that every file of the program has: C99 wants an external definition in one of them, and there is none. */
#ifndef INLINE_H
#define INLINE_H

shared [2] int a[2 * THREADS];

inline int get(shared [2] int *p);
inline int get(shared [2] int *p) { return *p; }
inline shared [2] int *at(int i) { return a + i; }
inline int here(void) { return MYTHREAD; }
__inline__ __attribute__((always_inline)) int forced(int x) { return x + 1; }
inline int trailing(int x) { return x + 2; }
inline int later(int), never_called(int);
inline int earlier(int x) { return x == 0 ? 0 : later(x - 1) + 1; }
inline int later(int x) { return x == 0 ? 0 : earlier(x - 1) + 1; }
inline int never_called(int x) { return x; }
__extension__ inline long long wide(long long x) { return x << 40; }
inline struct pair {
    int x, y;
} swapped(struct pair p) {
    return (struct pair){p.y, p.x};
}
/* other.upc has the external definitions of the first two, by a declaration that is extern, or is not inline. */
inline int external(int x) { return x + 3; }
inline int external_too(int x), inline_beside_it(int x);
inline int external_too(int x) { return x + 4; }
inline int inline_beside_it(int x) { return x + 5; }

int other_file(void);
int (*address_in_other_file(void))(int);
#endif

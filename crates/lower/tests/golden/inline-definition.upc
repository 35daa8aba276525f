/* Inline definitions serve their own file; one with an external declaration, and a static one, stay as they are. */
shared int x;
inline int plain(int y);
inline int plain(int y) { return y; }
inline shared int *place(shared int *p) { return p + 1; }
__extension__ inline int reads(void) { return x; }
inline int first(int), second(int);
inline int first(int y) { return second(y); }
inline int second(int y) { return y; }
int second(int);
extern inline int external(int y) { return y + x; }
static inline int local(int y) { return y; }
int f(void) {
    int plain(int);
    return plain(1) + *place(&x) + reads() + first(1) + local(1);
}

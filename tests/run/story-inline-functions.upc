// threads: 1 2
/* inline in its C99 and GNU89 forms, always_inline, noinline, static inline with static shared objects in it, attributes in all places. */
#include "check.h"

shared [2] int a[4 * THREADS];

static inline int get(shared [2] int *p, int i) { return p[i]; }
static __inline__ __attribute__((always_inline)) void put(shared [2] int *p, int i, int v) { p[i] = v; }
extern inline __attribute__((gnu_inline)) int twice(int i);
extern inline __attribute__((gnu_inline)) int twice(int i) { return 2 * a[i]; }
int twice(int i) { return 2 * a[i]; }
inline int thrice(int i) { return 3 * a[i]; }
extern int thrice(int);
static __attribute__((noinline)) shared [2] int *self(shared [2] int *p) { return p; }
static inline int next(void) {
    static shared int n[THREADS];
    return n[MYTHREAD]++;
}
__attribute__((pure, unused)) static int sum(shared [2] int *p __attribute__((unused)), int n) {
    int s __attribute__((aligned(16))) = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
static int (*volatile pointer)(shared [2] int *, int) = get;
_Noreturn static void leave(int status) { exit(status); }
typedef int aligned_int __attribute__((aligned(8)));
struct __attribute__((packed)) tight {
    char c;
    int i;
};
shared struct tight t[THREADS];

int main(void) {
    int me = 2 * MYTHREAD;
    put(a, me, 5);
    put(a, me + 1, 6);
    CHECK_EQ(5, get(a, me));
    CHECK_EQ(12, twice(me + 1));
    CHECK_EQ(18, thrice(me + 1));
    CHECK_EQ(6, pointer(self(a), me + 1));
    CHECK_EQ(0, next());
    CHECK_EQ(1, next());
    CHECK_EQ(11, sum(a + me, 2));
    CHECK_EQ(5, sizeof t[0]);
    t[MYTHREAD].i = 0x01020304;
    CHECK_EQ(0x01020304, t[MYTHREAD].i);
    CHECK_EQ(1, upc_addrfield(&t[MYTHREAD].i) - upc_addrfield(&t[MYTHREAD].c));
    aligned_int z = t[MYTHREAD].i;
    CHECK_EQ(0, (uintptr_t)&z % 8);
    leave(0);
}

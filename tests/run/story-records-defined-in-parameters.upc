// Records and enumerations that the parameters of a function, or a cast, define in the types of shared objects.
// flags: -w
#include "check.h"

struct T {
    char other;
};
static int no_tag(shared [] const struct { int a; } *q) { return q->a; }
static int blocked(shared [2] struct { int a, b; } *q, int n) { return q[n].b; }
static int with_tag(shared [] struct T { int a; enum E { e1 = 4, e2 } e; } *q, int more) {
    struct T k = *q;
    return k.a * 100 + q->e * 10 + e2 + more;
}
static int two(shared [] union { int a; char b; } *q, shared [] enum { one = 1, three = 3 } *r) { return q->a + (*r == three); }
static int old(q, r, n) shared [] struct { int z, a; } *q, *r; int n; { return q->a + r[n].z; }
static shared [] struct { int z; } *result(shared [] int *p) { return (shared void *)p; }
static int cast(shared void *p) {
    return ((shared [] struct { int a, b; } *)p)->b + (*(shared [] struct Pair { int a, b; } *)p).a;
}

int main(void) {
    shared [] int *d = upc_alloc(64);
    for (int i = 0; i < 16; i++) d[i] = i + 3;
    shared void *p = d;
    CHECK_EQ(3, no_tag(p));
    CHECK_EQ(4, blocked(p, 0));
    CHECK_EQ(6, blocked(p, 1));
    CHECK_EQ(353, with_tag(p, 8));
    CHECK_EQ(4, two(p, p));
    CHECK_EQ(4 + 5, old(d, d, 1));
    CHECK_EQ(3, result(d)->z);
    CHECK_EQ(4 + 3, cast(p));
    CHECK_EQ(1, sizeof(struct T));
    return 0;
}

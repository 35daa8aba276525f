// threads: 1 2 3 4
/* C 6.7.8 on shared objects, B.3.1.1: initialisers of shared scalars, structures, unions, pointers (with affinity to thread 0) have
 * taken effect on it before main begins, once. */
#include "check.h"

enum { FIVE = 5 };
struct inner {
    short a, b;
};
struct outer {
    char name[8];
    struct inner in[2];
    double d;
    unsigned bits : 4, more : 6;
    const char *text;
};

shared int i = 42;
shared long l = -(1L << 40);
shared double d = 1.0 / 3;
shared float f = 1;
shared char c = 'A' + 2;
shared _Bool b = 7;
static shared unsigned u = ~0u;
strict shared int s = FIVE * 2;
shared [4] int blocked = sizeof(struct outer);
shared struct outer o = {"name", {{1, 2}, {.b = 4}}, 2.5, 9, 33, "text"};
shared struct outer designated = {.d = -1, .in[1].a = 8, .name = {'x'}};
shared struct inner copies = {FIVE, -FIVE};
shared union {
    int i;
    float f;
    char c[4];
} un = {.f = 1.0f};
shared enum { RED, GREEN } colour = GREEN;

shared int *shared pi = &i;
shared long *pl = &l;             /* a private pointer on each thread */
static shared double *shared pd = &d;
shared void *generic = &o;
shared [] short *member = &o.in[1].b;
shared [4] int *pb = &blocked;
shared int *shared nothing = 0;
shared [3] int array[9 * THREADS];
shared [3] int *middle = &array[5];
shared [3] int *beyond = array + 9;
shared [3] int *shared shared_middle = array + 5;
shared int *table[] = {&i, 0, &i};
struct entry {
    const char *name;
    shared void *where;
    shared [3] int *element;
} entries[] = {{"i", &i, array}, {.element = &array[4], .where = &l}};
shared struct {
    shared int *p;
    shared [3] int *q;
    int n;
} holder = {&i, &array[7], 3};
static int private_static = 6;
int *private_pointer = &private_static;

int main(void) {
    static shared int local = 12;
    static shared [3] int *local_pointer = &array[8];
    CHECK_EQ(42, i);
    CHECK_EQ(-(1L << 40), l);
    CHECK(d == 1.0 / 3 && f == 1.0f);
    CHECK_EQ('C', c);
    CHECK_EQ(1, b);
    CHECK_EQ(~0u, u);
    CHECK_EQ(10, s);
    CHECK_EQ(sizeof(struct outer), blocked);
    CHECK(o.name[0] == 'n' && o.name[3] == 'e' && o.name[4] == 0);
    CHECK(o.in[0].a == 1 && o.in[0].b == 2 && o.in[1].a == 0 && o.in[1].b == 4);
    CHECK(o.d == 2.5 && o.bits == 9 && o.more == 33);
    if (MYTHREAD == 0) CHECK(strcmp(o.text, "text") == 0);
    CHECK(designated.d == -1 && designated.in[1].a == 8 && designated.in[0].a == 0 && designated.name[0] == 'x');
    CHECK_EQ(0, designated.name[1]);
    CHECK(copies.a == 5 && copies.b == -5);
    CHECK_EQ(0x3f800000, un.i);
    CHECK_EQ(GREEN, colour);
    CHECK(pi == &i && *pi == 42);
    CHECK(pl == &l && *pl == l);
    CHECK(pd == &d);
    CHECK(generic == (shared void *)&o);
    CHECK(member == &o.in[1].b && *member == 4);
    CHECK(pb == &blocked);
    CHECK(!nothing);
    CHECK(middle == &array[5]);
    CHECK_EQ(2, upc_phaseof(middle));
    CHECK_EQ(1 % THREADS, upc_threadof(middle));
    CHECK_EQ(9, beyond - array);
    CHECK(shared_middle == middle);
    CHECK_EQ(2, upc_phaseof(shared_middle));
    CHECK(table[0] == &i && table[1] == NULL && table[2] == table[0]);
    CHECK_EQ(3, sizeof table / sizeof *table);
    CHECK(entries[0].where == (shared void *)&i && entries[0].element == array);
    CHECK(entries[1].where == (shared void *)&l && entries[1].element == &array[4] && entries[1].name == NULL);
    CHECK_EQ(1, upc_phaseof(entries[1].element));
    CHECK(holder.p == &i && holder.q == &array[7] && holder.n == 3);
    CHECK_EQ(12, local);
    CHECK(local_pointer == &array[8]);
    CHECK(private_pointer == &private_static);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) *pi = 43;
    upc_barrier;
    CHECK_EQ(43, i);
    for (int k = 0; k < 9 * THREADS; k++) CHECK_EQ(0, array[k]);
    return 0;
}

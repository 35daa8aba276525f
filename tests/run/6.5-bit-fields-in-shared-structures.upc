// threads: 1 2 3
/* Bit-fields of shared structures: signed, unsigned, _Bool, across bytes, beside zero-width and unnamed ones; every operator;
 * neighbours stay. A private structure is the model. */
#include "check.h"

struct fields {
    unsigned a : 3;
    signed b : 5;
    _Bool c : 1;
    unsigned : 2;
    unsigned long wide : 37;
    unsigned : 0;
    unsigned char d : 7;
    int e;
    long f : 13;
};
shared struct fields s[THREADS];
shared [] struct fields *shared remote[THREADS];
strict shared struct fields strict_one[THREADS];

#define STEP(operation)                        \
    do {                                       \
        long long m = (long long)(MODEL operation), g = (long long)(GOT operation); \
        CHECK_EQ(m, g);                        \
        same(n, &model);                       \
    } while (0)

static void same(int n, const struct fields *m) {
    CHECK_EQ(m->a, s[n].a);
    CHECK_EQ(m->b, s[n].b);
    CHECK_EQ(m->c, s[n].c);
    CHECK_EQ(m->wide, s[n].wide);
    CHECK_EQ(m->d, s[n].d);
    CHECK_EQ(m->e, s[n].e);
    CHECK_EQ(m->f, s[n].f);
}

int main(void) {
    struct fields model = {5, -9, 1, 0x1234567890ul, 99, -7, -4000};
    int n = (MYTHREAD + 1) % THREADS;
    s[n] = model;
    same(n, &model);
#define MODEL model.a
#define GOT s[n].a
    STEP(= 6);
    STEP(++);
    STEP(++);
    STEP(--);
    STEP(+= 3);
    STEP(^= 7);
    STEP(= -1);
#undef MODEL
#undef GOT
#define MODEL model.b
#define GOT s[n].b
    STEP(= 15);
    STEP(-= 20);
    STEP(/= 2);
    STEP(--);
    STEP(*= 3);
#undef MODEL
#undef GOT
#define MODEL model.c
#define GOT s[n].c
    STEP(= 0);
    STEP(= 4);
    STEP(--);
    STEP(|= 2);
#undef MODEL
#undef GOT
#define MODEL model.wide
#define GOT s[n].wide
    STEP(= 0x1ffffffffful);
    STEP(-= 0x1000000000ul);
    STEP(>>= 3);
    STEP(++);
#undef MODEL
#undef GOT
#define MODEL model.f
#define GOT s[n].f
    STEP(+= 17);
    STEP(= -1);
    STEP(&= 0xf5);
#undef MODEL
#undef GOT
    shared struct fields *p = &s[n];
    p->d = 5;
    model.d = 5;
    same(n, &model);
    CHECK_EQ(5, p->d++);
    CHECK_EQ(7, ++p->d);
    strict_one[n].b = -3;
    strict_one[n].b += 1;
    CHECK_EQ(-2, strict_one[n].b);
    remote[MYTHREAD] = (shared [] struct fields *)upc_alloc(sizeof(struct fields));
    upc_barrier;
    remote[n]->wide = 0;
    remote[n]->wide--;
    CHECK_EQ(0x1ffffffffful, remote[n]->wide);
    remote[n]->e = 12;
    CHECK_EQ(0x1ffffffffful, remote[n]->wide);
    return 0;
}

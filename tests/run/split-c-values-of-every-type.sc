// threads: 1 2 3 4 5 8
/* docs/split-c.md: values of every type through `=`, `:=` and `:-`; spread arrays that are static, automatic in recursive
 * functions, of structures, with several dimensions; pointers to functions and to global pointers. */
#include "check-split-c.h"
#include <string.h>

#define NEXT ((MYPROC + 1) % PROCS)
typedef struct {
    int a[4];
    char name[10];
    double d;
} rec_t;
typedef struct node {
    struct node *global next;
    int value;
    int (*f)(int);
} node_t;
rec_t recs[PROCS]::[3];
rec_t one;
node_t head;
static int twice(int x) { return 2 * x; }
int counter(void) {
    static int k[PROCS]::;
    k[MYPROC]++;
    return k[MYPROC];
}
int rec(int n) {
    int A[PROCS]::[n];
    int i, s = 0;
    for (i = 0; i < n; i++) A[MYPROC][i] = n;
    barrier();
    for (i = 0; i < n; i++) s += A[NEXT][i];
    barrier();
    CHECK(s == n * n);
    if (n > 1) s += rec(n - 1);
    for (i = 0; i < n; i++) CHECK(A[MYPROC][i] == n);
    barrier();
    return s;
}
int global_ = 1;
union u {
    int i;
    float f;
} us[PROCS]::;
enum color { RED, GREEN } cs[PROCS]::;
struct bits {
    unsigned a : 3, b : 5;
} bs[PROCS]::;
long double ld[PROCS]::;
_Complex double cd[PROCS]::;
int matrix[3][PROCS]::[2][2];
int *table[PROCS]::;
void put(int *global *p, int *global q) { *p = q; }
int splitc_main(int argc, char **argv) {
    rec_t r, *rp = &r;
    rec_t *global g = &recs[NEXT][1];
    int i, j, k;
    memset(&r, 0, sizeof r);
    r.a[2] = MYPROC;
    strcpy(r.name, "hello");
    r.d = 1.5;
    *g := r;
    sync();
    barrier();
    one := recs[MYPROC][1];
    sync();
    CHECK(one.a[2] == (MYPROC + PROCS - 1) % PROCS && !strcmp(one.name, "hello"));
    rp->d := g->d;
    sync();
    CHECK(r.d == 1.5);
    r.a[0] := g->a[2];
    sync();
    CHECK(r.a[0] == MYPROC);
    g->a[3] := 12;
    sync();
    barrier();
    CHECK(tolocal(recs[MYPROC])[1].a[3] == 12);
    g->d :- 3.5;
    all_store_sync();
    CHECK(recs[MYPROC][1].d == 3.5);
    barrier();
    *g :- *rp;
    all_store_sync();
    CHECK(recs[MYPROC][1].a[0] == (MYPROC + PROCS - 1) % PROCS);
    head.value = 10 * MYPROC;
    head.f = twice;
    head.next = toglobal(NEXT, &head);
    barrier();
    node_t *global n = toglobal(MYPROC, &head);
    for (k = i = 0; i < PROCS; i++) {
        k += n->value;
        n = n->next;
    }
    CHECK(k == 10 * PROCS * (PROCS - 1) / 2);
    CHECK(n == (node_t * global) & head || toproc(n) == MYPROC);
    CHECK((*head.next).f(4) == 8);
    CHECK(counter() == 1 && counter() == 2);
    barrier();
    rec(5);
    us[NEXT].f = 1.0f;
    cs[NEXT] = GREEN;
    bs[NEXT].b = 17;
    bs[NEXT].a := 3;
    ld[NEXT] = 2.5L;
    cd[NEXT] := 1.0 + 2.0i;
    sync();
    barrier();
    CHECK(us[MYPROC].i == 0x3f800000 && cs[MYPROC] == GREEN && bs[MYPROC].b == 17 && bs[MYPROC].a == 3 &&
          ld[MYPROC] == 2.5L);
    CHECK(cd[MYPROC] == 1.0 + 2.0i);
    for (i = 0; i < 3; i++)
        for (j = 0; j < PROCS; j++)
            if (toproc(&matrix[i][j]) == MYPROC)
                for (k = 0; k < 4; k++) matrix[i][j][k / 2][k % 2] = 100 * i + 10 * j + k;
    barrier();
    for (i = 0; i < 3; i++)
        for (j = 0; j < PROCS; j++)
            for (k = 0; k < 4; k++) CHECK(matrix[i][j][k / 2][k % 2] == 100 * i + 10 * j + k);
    int *global pp;
    put(&pp, toglobal(NEXT, &global_));
    CHECK(toproc(pp) == NEXT && *pp == 1);
    (*pp)++;
    barrier();
    CHECK(global_ == 2);
    table[NEXT] = (int *)0;
    barrier();
    CHECK(!table[MYPROC]);
    {
        int *spread sp = (int *spread) & matrix[0][0][0][0];
        int(*spread sq)[2][2] = matrix[1];
        CHECK((*sq)[1][1] == 103);
        sq++;
        CHECK((*sq)[0][1] == 100 + 10 * (1 % PROCS) + 1 || PROCS == 1);
        CHECK(sp != 0);
    }
    i = 0;
    on_one { i = 1; }
    CHECK(i == !MYPROC);
    i = PROCS > 2 ? 1 :-1;
    CHECK(i == (PROCS > 2 ? 1 : -1));
    const int *global cp = &recs[0][0].a[1];
    CHECK(*cp == 0);
    char *global text = toglobal(NEXT, one.name);
    CHECK(text[1] == 'e' && *(text + 4) == 'o');
    char buf[16];
    bulk_get(buf, text, 6);
    sync();
    CHECK(!strcmp(buf, "hello"));
    void *global v = text;
    CHECK(tolocal(v) == (void *)one.name);
    switch (*text) {
    case 'h': break;
    default: CHECK(0);
    }
    while (*text) text++;
    CHECK(text - toglobal(NEXT, one.name) == 5);
    barrier();
    return 0;
}

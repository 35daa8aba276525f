// threads: 1 2 3 5
/* docs/split-c.md, pointers: local and global arithmetic, extraction, construction, null, conversions. */
#include "check-split-c.h"

struct node {
    int value;
    struct node *global next;
    double weights[3];
};

int scalar;
double row[8];
struct node here;
int *global table[4];
int *global *global handle;

int sum_of_ring(struct node *global p, int steps) {
    int sum = 0;
    while (steps-- > 0) {
        sum += p->value;
        p = p->next;
    }
    return sum;
}

splitc_main() {
    int next = (MYPROC + 1) % PROCS, i;
    int *global p = toglobal(next, &scalar);
    double *global r = toglobal(next, row);
    int *spread s;
    void *global generic;

    scalar = 10 + MYPROC;
    for (i = 0; i < 8; i++) row[i] = 100 * MYPROC + i;
    here.value = MYPROC + 1;
    here.next = toglobal(next, &here);
    here.weights[2] = MYPROC / 2.0;
    for (i = 0; i < 4; i++) table[i] = toglobal((MYPROC + i) % PROCS, &scalar);
    barrier();

    /* Dereference; local arithmetic stays on its processor. */
    CHECK_EQ(10 + next, *p);
    CHECK_EQ(100 * next + 3, *(r + 3));
    CHECK_EQ(100 * next + 7, r[7]);
    CHECK_EQ(next, toproc(r + 7));
    CHECK_EQ(5, &r[7] - &r[2]);
    CHECK(r + 2 < r + 3 && r + 3 > r && r != r + 1 && r == r + 0);
    r++;
    CHECK_EQ(100 * next + 1, *r);
    r += 4;
    CHECK_EQ(100 * next + 5, *r--);
    CHECK_EQ(100 * next + 4, *r);

    /* Extraction and construction are each other's opposite. */
    CHECK_EQ(next, toproc(p));
    CHECK(tolocal(p) == &scalar);
    CHECK((int *)p == &scalar);
    CHECK(toglobal(toproc(p), tolocal(p)) == p);
    CHECK(tolocal((double *global)&row[3]) == &row[3]);
    CHECK(toproc((double *global)&row[3]) == MYPROC);

    /* Null. */
    p = 0;
    CHECK(!p && p == NULL && tolocal(p) == NULL);
    p = toglobal(0, &scalar);
    CHECK(p && p != 0);

    /* Global arithmetic goes over the processors first. */
    s = (int *spread)toglobal(0, &scalar);
    for (i = 0; i < PROCS; i++) CHECK_EQ(10 + i, *(s + i));
    CHECK(s + PROCS == (int *spread)((int *global)s + 1));
    CHECK_EQ(PROCS, (s + PROCS) - s);
    CHECK_EQ(1 % PROCS, toproc(s + (PROCS + 1)));
    CHECK_EQ((PROCS - 1) % PROCS, toproc(s + 2 * PROCS - 1));
    CHECK(s + PROCS - PROCS == s);

    /* To void and back; pointers to pointers; pointers in structures. */
    generic = p;
    p = generic;
    CHECK_EQ(10, *p);
    handle = toglobal(next, table);
    CHECK_EQ(10 + (next + 1) % PROCS, *handle[1]);
    CHECK_EQ(10 + next, **handle);
    CHECK_EQ(PROCS * (PROCS + 1) / 2, sum_of_ring(&here ? (struct node *global)&here : 0, PROCS));
    CHECK_EQ(next, 2 * here.next->weights[2]);
    return 0;
}

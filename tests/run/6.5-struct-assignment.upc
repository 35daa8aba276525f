// threads: 1 2 3 4
/* C 6.5.16.1 on shared structures and unions: private to shared, shared to private, shared to shared on other threads, as argument,
 * return value, initialiser, operand of ?: and comma; of sizes from 1 byte to a page. */
#include "check.h"

struct tiny {
    char c;
};
struct odd {
    char c[7];
};
struct point {
    double x, y;
};
struct page {
    int head;
    unsigned char body[4096];
};
struct nest {
    struct point p[2];
    struct odd o;
    struct tiny t;
};
union either {
    long l;
    struct odd o;
};

shared struct tiny tiny[THREADS];
shared [2] struct odd odd[4 * THREADS];
shared struct point point[2 * THREADS];
shared struct page page[THREADS];
shared struct nest nest[THREADS];
shared union either either[THREADS];
shared [] struct point *shared where;

static struct point make(double x) {
    struct point p = {x, -x};
    return p;
}
static double sum(struct point p) { return p.x + 2 * p.y; }
static struct nest fetch(shared struct nest *p) { return *p; }

int main(void) {
    int n = (MYTHREAD + 1) % THREADS, m = (MYTHREAD + THREADS - 1) % THREADS;

    struct tiny t = {(char)(65 + MYTHREAD)};
    tiny[n] = t;
    struct odd o = {{1, 2, 3, 4, 5, 6, (char)MYTHREAD}};
    odd[2 * n] = o;
    odd[2 * n + 1] = odd[2 * n];
    point[n] = make(MYTHREAD + 1);
    point[n + THREADS] = (struct point){7, MYTHREAD};
    struct page big;
    big.head = MYTHREAD;
    for (int i = 0; i < 4096; i++) big.body[i] = (unsigned char)(i * 3 + MYTHREAD);
    page[n] = big;
    struct nest k = {{{1, 2}, {3, 4}}, {{9, 9, 9, 9, 9, 9, 9}}, {'z'}};
    nest[n] = k;
    nest[n].p[1] = point[n];
    nest[n].o = odd[2 * n];
    nest[n].t = tiny[n];
    union either e;
    memset(&e, 0, sizeof e);
    e.o = o;
    either[n] = e;
    upc_barrier;

    CHECK_EQ(65 + m, tiny[MYTHREAD].c);
    struct odd got = odd[2 * MYTHREAD + 1];
    for (int i = 0; i < 6; i++) CHECK_EQ(i + 1, got.c[i]);
    CHECK_EQ(m, got.c[6]);
    CHECK(sum(point[MYTHREAD]) == -(m + 1));
    CHECK(point[MYTHREAD + THREADS].x == 7 && point[MYTHREAD + THREADS].y == m);
    struct page page_copy = page[MYTHREAD];
    CHECK_EQ(m, page_copy.head);
    for (int i = 0; i < 4096; i++) CHECK_EQ((unsigned char)(i * 3 + m), page_copy.body[i]);
    struct nest nest_copy = fetch(&nest[MYTHREAD]);
    CHECK(nest_copy.p[0].x == 1 && nest_copy.p[0].y == 2 && nest_copy.p[1].x == m + 1 && nest_copy.p[1].y == -m - 1);
    CHECK(nest_copy.o.c[6] == m && nest_copy.t.c == 65 + m);
    CHECK_EQ(m, either[MYTHREAD].o.c[6]);
    CHECK(fetch(&nest[MYTHREAD]).p[1].x == m + 1);
    upc_barrier;

    /* Shared to shared between two other threads, by the last one; chained; conditional; comma. */
    if (MYTHREAD == THREADS - 1) {
        where = (shared [] struct point *)upc_alloc(3 * sizeof(struct point));
        where[0] = where[1] = where[2] = (struct point){5, 6};
        point[0] = THREADS > 1 ? point[1] : where[0];
        where[1] = (where[0].x = 8, where[0]);
        page[0] = page[THREADS - 1];
        *(shared [] struct point *)&where[2] = *(struct point *)&where[1];
    }
    upc_barrier;
    CHECK(where[0].x == 8 && where[0].y == 6 && where[1].x == 8 && where[2].x == 8);
    CHECK(point[0].x == point[THREADS > 1].x || THREADS == 1);
    CHECK_EQ(page[THREADS - 1].head, page[0].head);
    CHECK_EQ(page[THREADS - 1].body[4095], page[0].body[4095]);
    return 0;
}

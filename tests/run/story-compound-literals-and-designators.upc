// threads: 1 2 4
/* Compound literals and designated initialisers whose values are shared objects, and that are assigned to shared objects. */
#include "check.h"

struct point {
    int x, y;
    shared [2] int *where;
};
shared [2] int a[6 * THREADS];
shared struct point pts[THREADS];

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int first(const int *p) { return p[0]; }
static struct point *keep(struct point *p) { return p; }

int main(void) {
    int me = MYTHREAD, k = 2 * me;
    a[k] = 3;
    a[k + 1] = 4;
    CHECK_EQ(25, norm((struct point){a[k], a[k + 1], 0}));
    CHECK_EQ(25, norm((struct point){.y = a[k + 1], .x = a[k]}));
    pts[me] = (struct point){.x = a[k + 1], .where = &a[k + 1]};
    CHECK(pts[me].x == 4 && pts[me].y == 0 && *pts[me].where == 4);
    CHECK_EQ(1, upc_phaseof(pts[me].where));
    struct point copy = pts[me], all[] = {pts[me], [2] = {a[k], a[k], &a[k]}, [1].y = a[k + 1]};
    CHECK_EQ(3, sizeof all / sizeof *all);
    CHECK(all[0].x == 4 && all[1].y == 4 && all[1].x == 0 && all[2].where == &a[k] && copy.where == &a[k + 1]);
    CHECK_EQ(4, first((int[]){a[k + 1], a[k], 9}));
    CHECK_EQ(9, ((int[]){a[k], a[k + 1], 9})[a[k] - 1]);
    int *p = (int[4]){[3] = a[k], [0] = a[k + 1]};
    CHECK(p[0] == 4 && p[1] == 0 && p[3] == 3);
    CHECK_EQ(4, keep(&(struct point){a[k + 1]})->x);
    int matrix[2][3] = {{a[k]}, {[1] = a[k + 1]}}, n = {a[k]};
    CHECK(matrix[0][0] == 3 && matrix[1][1] == 4 && matrix[1][2] == 0 && n == 3);
    (int){0} = a[k];
    struct {
        int tag;
        union {
            int i;
            double d;
        };
        shared [2] int *list[2];
    } u = {1, {.d = a[k]}, {&a[k], &a[k] + 1}};
    CHECK(u.d == 3.0 && u.list[1] - u.list[0] == 1 && *u.list[1] == 4);
    *(struct point[]){pts[me]}[0].where += 6;
    CHECK_EQ(10, a[k + 1]);
    for (shared [2] int *q[] = {&a[k], &a[k + 1]}, **r = q; r < q + 2; r++) n += **r;
    CHECK_EQ(16, n);
    return 0;
}

// threads: 1 2 3 4
/* 6.5.1.1p11-12, 6.5.2 footnote: layout qualifiers may stand in all declarators: scalars, members' referenced types,
 * parameters, casts, typedefs, in any order with other qualifiers; constant expressions of every kind. */
#include "check.h"

shared [3] int scalar;
int shared [2] order[4 * THREADS];
const shared [2 + 2 * 1] int *pointer;
static shared [sizeof(int) == 4 ? 5 : 6] char sized[10 * THREADS];
typedef shared [4] double quad;
typedef quad *to_quad;
quad quads[8 * THREADS];
typedef int vec[3];
shared [2] vec vecs[2 * THREADS];
struct carrier {
    shared [7] short *p;
    shared [] char *q;
    quad *r;
};
shared ['\5'] long by_char[10 * THREADS];

static size_t phase_in(shared [4] double p[]) { return upc_phaseof(p); }
static size_t phase_of_const(const shared [2] int *p) { return upc_phaseof(p == 0 ? 0 : (shared void *)p); }

int main(void) {
    CHECK_EQ(3, upc_blocksizeof(scalar));
    CHECK_EQ(0, upc_threadof(&scalar));
    CHECK_EQ(0, upc_phaseof(&scalar));
    CHECK_EQ(2, upc_blocksizeof(order));
    CHECK_EQ(1, upc_phaseof(&order[3]));
    CHECK_EQ(1, phase_of_const(&order[3]));
    CHECK_EQ(1 % THREADS, upc_threadof(&order[3]));
    CHECK_EQ(4, upc_blocksizeof(*pointer));
    CHECK_EQ(5, upc_blocksizeof(sized));
    CHECK_EQ(4, upc_blocksizeof(quads));
    CHECK_EQ(4, upc_blocksizeof(quads[0]));
    to_quad t = &quads[6];
    CHECK_EQ(2, upc_phaseof(t));
    CHECK_EQ(2, phase_in(t));
    CHECK_EQ(3, phase_in(&quads[7]));
    CHECK_EQ(2, upc_blocksizeof(vecs));
    CHECK_EQ(1, upc_phaseof(&vecs[1]));
    CHECK_EQ(1 % THREADS, upc_threadof(&vecs[1]));
    struct carrier c = {0};
    CHECK_EQ(7, upc_blocksizeof(*c.p));
    CHECK_EQ(0, upc_blocksizeof(*c.q));
    c.r = quads + 5;
    CHECK_EQ(1, upc_phaseof(c.r));
    CHECK_EQ(4, upc_blocksizeof(*c.r));
    CHECK_EQ(5, upc_blocksizeof(by_char));
    scalar = 8;
    upc_barrier;
    CHECK_EQ(8, scalar);
    return 0;
}

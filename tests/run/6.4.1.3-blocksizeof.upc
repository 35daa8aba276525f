// threads: 1 2 3 4
/* 6.4.1.3p2-5: upc_blocksizeof is the value of the layout qualifier (1 without one, 0 for an indefinite one) of the
 * ultimate element type; an integer constant of type size_t; the operand is not evaluated. */
#include "check.h"

#define SEVEN 7
shared int cyclic[4 * THREADS];
shared [1] int one[4 * THREADS];
shared [3] int three[4 * THREADS];
shared [SEVEN * 2 - 1] char thirteen[4 * THREADS];
shared [] int indefinite[4];
shared [0] int zero[4];
shared [*] int star[6 * THREADS];
shared [*] int star2[THREADS][7];
shared int scalar;
shared [9] int blocked_scalar;
shared [4] struct {
    int a, b;
} records[2 * THREADS];
typedef shared [5] int five_t;
five_t through_typedef[THREADS];
typedef int row_t[10];
shared [3] row_t rows[3 * THREADS];
shared [12] int *pointer;
shared [] int *to_indefinite;
shared [6] int (*to_array)[3];
shared [sizeof(double)] char by_sizeof[THREADS];
enum { BLOCK = 11 };
shared [BLOCK] long by_enum[THREADS];

enum { CONSTANT = upc_blocksizeof(three) };
static char sized[upc_blocksizeof(through_typedef)];

static int calls;
static int index_of(int i) {
    calls++;
    return i;
}

int main(void) {
    CHECK_EQ(1, upc_blocksizeof(cyclic));
    CHECK_EQ(1, upc_blocksizeof(one));
    CHECK_EQ(3, upc_blocksizeof(three));
    CHECK_EQ(3, upc_blocksizeof three);
    CHECK_EQ(3, upc_blocksizeof(three[1]));
    CHECK_EQ(13, upc_blocksizeof(thirteen));
    CHECK_EQ(0, upc_blocksizeof(indefinite));
    CHECK_EQ(0, upc_blocksizeof(zero));
    CHECK_EQ(6, upc_blocksizeof(star));
    CHECK_EQ(7, upc_blocksizeof(star2));
    CHECK_EQ(7, upc_blocksizeof(star2[0]));
    CHECK_EQ(1, upc_blocksizeof(scalar));
    CHECK_EQ(9, upc_blocksizeof(blocked_scalar));
    CHECK_EQ(4, upc_blocksizeof(records));
    CHECK_EQ(5, upc_blocksizeof(through_typedef));
    CHECK_EQ(3, upc_blocksizeof(rows));
    CHECK_EQ(3, upc_blocksizeof(rows[0]));
    CHECK_EQ(3, upc_blocksizeof(rows[0][0]));
    CHECK_EQ(12, upc_blocksizeof(*pointer));
    CHECK_EQ(12, upc_blocksizeof(pointer[3]));
    CHECK_EQ(0, upc_blocksizeof(*to_indefinite));
    CHECK_EQ(6, upc_blocksizeof(*to_array));
    CHECK_EQ(6, upc_blocksizeof((*to_array)[0]));
    CHECK_EQ(8, upc_blocksizeof(by_sizeof));
    CHECK_EQ(11, upc_blocksizeof(by_enum));
    CHECK_EQ(1, upc_blocksizeof(shared int));
    CHECK_EQ(8, upc_blocksizeof(shared [8] int));
    CHECK_EQ(0, upc_blocksizeof(shared [] double[10]));
    CHECK_EQ(5, upc_blocksizeof(five_t));
    CHECK_EQ(3, CONSTANT);
    CHECK_EQ(5, sizeof sized);
    CHECK_EQ(3, upc_blocksizeof(three[index_of(0)]));
    CHECK_EQ(0, calls);
    CHECK_EQ(sizeof(size_t), sizeof(upc_blocksizeof(three)));
    CHECK(upc_blocksizeof(three) - 4 > 0);
    return 0;
}

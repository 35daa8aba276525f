// threads: 1 2 3 4 7 8
/* 6.4.1.1p1 and C 6.5.3.4: sizeof a shared array is the size of all of it; under dynamic THREADS it is a run-time value.
 * The operand is not evaluated. */
#include "check.h"

struct s3 {
    char c[3];
};

shared int cyclic[10 * THREADS];
shared [5] double blocked[THREADS][7];
shared [*] short star[6 * THREADS];
shared [] struct s3 indefinite[4];
shared char scalar;
shared [3] int (*to_array)[5];
typedef int row[6];
shared [2] row rows[THREADS];

static int calls;
static int index_of(int i) {
    calls++;
    return i;
}

int main(void) {
    size_t t = (size_t)THREADS;
    CHECK_EQ(10 * t * sizeof(int), sizeof cyclic);
    CHECK_EQ(10 * t * sizeof(int), sizeof(cyclic));
    CHECK_EQ(7 * t * sizeof(double), sizeof blocked);
    CHECK_EQ(7 * sizeof(double), sizeof blocked[0]);
    CHECK_EQ(7 * sizeof(double), sizeof *blocked);
    CHECK_EQ(sizeof(double), sizeof blocked[0][0]);
    CHECK_EQ(6 * t * sizeof(short), sizeof star);
    CHECK_EQ(12, sizeof indefinite);
    CHECK_EQ(1, sizeof scalar);
    CHECK_EQ(5 * sizeof(int), sizeof *to_array);
    CHECK_EQ(6 * t * sizeof(int), sizeof rows);
    CHECK_EQ(6 * sizeof(int), sizeof(shared [2] row));
    CHECK_EQ(10 * t, sizeof cyclic / sizeof cyclic[0]);
    CHECK_EQ(3 * t * 8, sizeof(shared [4] double[THREADS][3]));
    CHECK_EQ(sizeof(struct s3), sizeof(shared struct s3));
    CHECK_EQ(4, sizeof cyclic[index_of(1)]);
    CHECK_EQ(0, calls);
    /* Its type is size_t: unsigned. */
    CHECK(sizeof cyclic - sizeof cyclic - 1 > 0);
    int private_copy[sizeof cyclic / sizeof cyclic[0]];
    CHECK_EQ(10 * t * sizeof(int), sizeof private_copy);
    return 0;
}

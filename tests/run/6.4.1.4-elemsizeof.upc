// threads: 1 2 3 4
/* 6.4.1.4p2-4: upc_elemsizeof is the size of the ultimate element type, past every dimension and typedef; sizeof itself
 * for what is no array; an integer constant of type size_t; the operand is not evaluated. */
#include "check.h"

struct odd {
    char c[5];
};
shared int vector[4 * THREADS];
shared [2] double cube[THREADS][3][5];
typedef short line[12];
typedef line page[4];
shared [6] page book[THREADS];
shared struct odd odds[THREADS];
shared struct {
    int inner[10];
} holder;
shared [] char *p;
shared [3] int (*to_array)[2][7];
shared double *shared pointers[THREADS];

enum { CONSTANT = upc_elemsizeof(cube) };

static int calls;
static int index_of(int i) {
    calls++;
    return i;
}

int main(void) {
    CHECK_EQ(sizeof(int), upc_elemsizeof(vector));
    CHECK_EQ(sizeof(int), upc_elemsizeof vector);
    CHECK_EQ(sizeof(double), upc_elemsizeof(cube));
    CHECK_EQ(sizeof(double), upc_elemsizeof(cube[0]));
    CHECK_EQ(sizeof(double), upc_elemsizeof(cube[0][1][2]));
    CHECK_EQ(sizeof(short), upc_elemsizeof(book));
    CHECK_EQ(sizeof(short), upc_elemsizeof(book[0]));
    CHECK_EQ(sizeof(short), upc_elemsizeof(shared page));
    CHECK_EQ(5, upc_elemsizeof(odds));
    CHECK_EQ(sizeof holder, upc_elemsizeof(holder));
    CHECK_EQ(sizeof(int), upc_elemsizeof(holder.inner));
    CHECK_EQ(1, upc_elemsizeof(*p));
    CHECK_EQ(sizeof(int), upc_elemsizeof(*to_array));
    CHECK_EQ(sizeof(shared double *), upc_elemsizeof(pointers));
    CHECK_EQ(sizeof(double), upc_elemsizeof(*pointers[0]));
    CHECK_EQ(sizeof(long), upc_elemsizeof(shared [9] long[4][5]));
    CHECK_EQ(sizeof(double), CONSTANT);
    CHECK_EQ(sizeof(double), upc_elemsizeof(cube[index_of(1)]));
    CHECK_EQ(0, calls);
    CHECK_EQ(sizeof(size_t), sizeof(upc_elemsizeof(vector)));
    CHECK(upc_elemsizeof(vector) - 5 > 0);
    return 0;
}

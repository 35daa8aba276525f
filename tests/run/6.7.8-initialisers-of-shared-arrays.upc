// threads: 1 2 3 4
/* 6.5.2.1p4 leaves the behaviour of an initialiser on a shared array to the implementation. Fathom does what C says:
 * element by element in row-major order, wherever each lives; the rest is zero. */
#include "check.h"

shared int first[4 * THREADS] = {10, 11, 12};
shared [2] double blocked[4 * THREADS] = {[1] = 1.5, 2.5, [0] = -1};
shared [] char text[] = "shared text";
shared [] int indefinite[6] = {1, 2, 3, [5] = 6};
shared [3] struct {
    int a;
    char b[3];
} records[4 * THREADS] = {{1, "x"}, {2, {'y', 'z'}}, [3] = {.a = 4}};
shared [4] int matrix[THREADS][3] = {{1, 2, 3}};
shared int *shared pointers[2 * THREADS] = {&first[0], first + 1};

int main(void) {
    for (int i = 0; i < 4 * THREADS; i++) {
        CHECK_EQ(i < 3 ? 10 + i : 0, first[i]);
        CHECK(blocked[i] == (i == 0 ? -1 : i == 1 ? 1.5 : i == 2 ? 2.5 : 0));
        CHECK_EQ(i == 0 ? 1 : i == 1 ? 2 : i == 3 ? 4 : 0, records[i].a);
    }
    CHECK_EQ(12, sizeof text);
    for (int i = 0; i < 12; i++) CHECK_EQ("shared text"[i], text[i]);
    for (int i = 0; i < 6; i++) CHECK_EQ(i < 3 ? i + 1 : i == 5 ? 6 : 0, indefinite[i]);
    CHECK(records[0].b[0] == 'x' && records[0].b[1] == 0 && records[1].b[1] == 'z' && records[1].b[2] == 0);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < 3; j++) CHECK_EQ(i == 0 ? j + 1 : 0, matrix[i][j]);
    CHECK(pointers[0] == first && pointers[1] == &first[1] && pointers[2 * THREADS - 1] == (THREADS == 1 ? &first[1] : NULL));
    upc_barrier;
    return 0;
}

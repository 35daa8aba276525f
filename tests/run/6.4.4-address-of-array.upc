// threads: 1 2 3 4
/* 6.4.4p2: & of a shared array points to its beginning and has the array's type as referenced type: a step is the whole array;
 * 6.5.2.1p7: its phase is zero. * and & undo one another. */
#include "check.h"
#include "layout.h"

shared [3] int m[4 * THREADS][5];
shared double d[6 * THREADS];
shared [] char text[20];
shared [4] int big[THREADS][2][6];

int main(void) {
    CHECK_EQ(0, upc_phaseof(&m));
    CHECK_EQ(0, upc_threadof(&m));
    CHECK_EQ(0, upc_phaseof(&d));
    CHECK_EQ(0, upc_phaseof(&text));
    CHECK_EQ(sizeof m, sizeof *&m);
    CHECK_EQ(sizeof(int[5]), sizeof *&m[0]);
    CHECK((shared void *)&m == (shared void *)&m[0][0]);
    CHECK((shared void *)&d == &d[0]);
    CHECK(&(*&d)[3] == &d[3]);
    CHECK(&text[4] == (*&text) + 4);
    shared [] char(*pt)[20] = &text;
    CHECK_EQ(20, (long)(upc_addrfield(pt + 1) - upc_addrfield(pt)));
    CHECK_EQ(1, (pt + 1) - pt);
    for (int i = 0; i < 4 * THREADS; i++) {
        shared [3] int(*row)[5] = &m[i];
        CHECK_EQ(owner_of(5 * i, 3, THREADS), upc_threadof(row));
        CHECK_EQ(phase_of(5 * i, 3), upc_phaseof(row));
        CHECK(row == m + i);
        CHECK((shared void *)row == (shared void *)&m[i][0]);
        CHECK_EQ(i, row - m);
        for (int j = 0; j < 5; j++) CHECK(&(*row)[j] == &m[i][j]);
    }
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < 2; j++) {
            shared [4] int(*line)[6] = &big[i][j];
            CHECK_EQ(owner_of(12 * i + 6 * j, 4, THREADS), upc_threadof(line));
            CHECK_EQ(phase_of(12 * i + 6 * j, 4), upc_phaseof(line));
            CHECK(line == &(&big[i])[0][j]);
            CHECK(*line == &big[i][j][0]);
        }
    return 0;
}

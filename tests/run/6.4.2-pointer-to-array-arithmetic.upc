// threads: 1 2 3 4 7 8
/* 6.4.2p4: a step of a pointer to an array moves sizeof(T) / upc_elemsizeof elements, so that it may end inside a block:
 * shared [3] int (*p)[5] steps by five in blocks of three. The model is the flat array. */
#include "check.h"
#include "layout.h"

#define ROWS 9
#define COLS 5
shared [3] int blocked[ROWS * THREADS][COLS];
shared int cyclic[ROWS * THREADS][COLS];
shared [] int indefinite[ROWS][COLS];
shared [7] int cube[2 * THREADS][3][4];

static void expect(shared void *p, shared [] int *elem, long flat, long b) {
    CHECK_EQ(owner_of(flat, b, THREADS), upc_threadof(p));
    CHECK_EQ(phase_of(flat, b), upc_phaseof(p));
    CHECK_EQ(upc_addrfield(elem), upc_addrfield(p));
}
#define AT(x) ((shared [] int *)&(x))

int main(void) {
    long rows = ROWS * THREADS;
    for (long r = 0; r < rows; r++) {
        shared [3] int(*p)[COLS] = &blocked[r];
        expect(p, AT(blocked[r][0]), r * COLS, 3);
        for (long s = 0; s < rows; s++) {
            shared [3] int(*q)[COLS] = p + (s - r);
            expect(q, AT(blocked[s][0]), s * COLS, 3);
            CHECK_EQ(s - r, q - p);
            CHECK((q < p) == (s < r));
            CHECK((q == p) == (s == r));
            for (int c = 0; c < COLS; c++) {
                expect(&(*q)[c], AT(blocked[s][c]), s * COLS + c, 3);
                expect(&p[s - r][c], AT(blocked[s][c]), s * COLS + c, 3);
                expect(*q + c, AT(blocked[s][c]), s * COLS + c, 3);
            }
        }
        shared int(*pc)[COLS] = cyclic + r;
        expect(pc, AT(cyclic[r][0]), r * COLS, 1);
        if (r > 0) expect(--pc, AT(cyclic[r - 1][0]), (r - 1) * COLS, 1);
    }
    shared [] int(*pi)[COLS] = indefinite;
    for (int r = 0; r < ROWS; r++, pi++) {
        expect(pi, AT(indefinite[r][0]), r * COLS, 0);
        CHECK_EQ(r, pi - indefinite);
        CHECK_EQ(r * COLS * (long)sizeof(int), (long)(upc_addrfield(pi) - upc_addrfield(indefinite)));
    }
    /* Three levels: pages of 12, lines of 4, elements, in blocks of 7. */
    shared [7] int(*page)[3][4] = cube;
    for (long i = 0; i < 2 * THREADS; i++, ++page) {
        expect(page, AT(cube[i][0][0]), i * 12, 7);
        shared [7] int(*line)[4] = *page;
        for (int j = 0; j < 3; j++, line++) {
            expect(line, AT(cube[i][j][0]), i * 12 + j * 4, 7);
            shared [7] int *e = *line;
            for (int k = 0; k < 4; k++, e++) {
                expect(e, AT(cube[i][j][k]), i * 12 + j * 4 + k, 7);
                CHECK_EQ(i * 12 + j * 4 + k, e - &cube[0][0][0]);
            }
        }
    }
    return 0;
}

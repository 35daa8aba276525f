/* The C side of stencil.upc: one thread's share in private arrays. */
#ifndef N
#define N 32768
#endif
#ifndef ROWS
#define ROWS 64
#define COLS 512
#endif

/* On pages of their own, as shared arrays of this size are: where arrays lie to each other within a page changes speed. */
#define PAGES __attribute__((aligned(4096)))
static double a[N] PAGES, b[N] PAGES;
static double now[ROWS + 2][COLS] PAGES, next[ROWS + 2][COLS] PAGES;

void stencil_c(void) {
    for (long i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];
}

/* As many rows as a thread of the UPC program updates: all but the plate's first and last. */
int heat_c_rows = ROWS;

void heat_c(void) {
    for (int i = 1; i <= heat_c_rows; i++)
        for (int j = 1; j < COLS - 1; j++)
            next[i][j] =
                now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
}

/* Gives the arrays pages of their own. To be called by each thread: what is written before the threads are forked would be
 * one copy for all of them. */
void stencil_c_touch(void) {
    for (long i = 0; i < N; i++) a[i] = (double)i, b[i] = 1;
    for (int i = 0; i < ROWS + 2; i++)
        for (int j = 0; j < COLS; j++) now[i][j] = i + j, next[i][j] = 1;
}
double stencil_c_check(void);
double stencil_c_check(void) { return b[N / 2] + next[ROWS / 2][COLS / 2]; }

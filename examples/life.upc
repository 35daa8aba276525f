/* Conway's game of life on a torus, dealt to the threads in blocks of rows.
 *
 * A glider moves one cell down and one to the right in four generations; the program checks that it is where it should
 * be, and that nothing else lives.
 */
#include <stdio.h>
#include <string.h>
#include <upc.h>

#define ROWS 16 /* of each thread */
#define COLS 40
#define HEIGHT (ROWS * THREADS)
#define GENERATIONS 160 /* the glider crosses the torus once from left to right */

typedef unsigned char cell;
shared [ROWS * COLS] cell board[ROWS * THREADS][COLS];

static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};

/* One row with its left and right end wrapped around, so that every cell has neighbours in the copy. */
static void fetch_row(cell to[COLS + 2], int row) {
    upc_memget(to + 1, board[(row + HEIGHT) % HEIGHT], COLS);
    to[0] = to[COLS];
    to[COLS + 1] = to[1];
}

static void print_board(void) {
    for (int i = 0; i < HEIGHT; i++) {
        for (int j = 0; j < COLS; j++) putchar(board[i][j] ? '#' : '.');
        putchar('\n');
    }
}

int main(int argc, char **argv) {
    cell old[ROWS + 2][COLS + 2]; /* my rows, and one above and below */

    if (MYTHREAD == 0)
        for (int g = 0; g < 5; g++) board[glider[g][0]][glider[g][1]] = 1;

    for (int generation = 0; generation < GENERATIONS; generation++) {
        upc_barrier; /* all have written */
        for (int i = 0; i < ROWS + 2; i++) fetch_row(old[i], MYTHREAD * ROWS + i - 1);
        upc_barrier; /* all have read */
        for (int i = 1; i <= ROWS; i++)
            for (int j = 1; j <= COLS; j++) {
                int n = old[i - 1][j - 1] + old[i - 1][j] + old[i - 1][j + 1] + old[i][j - 1] + old[i][j + 1] +
                        old[i + 1][j - 1] + old[i + 1][j] + old[i + 1][j + 1];
                board[MYTHREAD * ROWS + i - 1][j - 1] = n == 3 || (n == 2 && old[i][j]);
            }
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        int alive = 0, right = 0, moved = GENERATIONS / 4;
        for (int i = 0; i < HEIGHT; i++)
            for (int j = 0; j < COLS; j++) alive += board[i][j];
        for (int g = 0; g < 5; g++) right += board[(glider[g][0] + moved) % HEIGHT][(glider[g][1] + moved) % COLS];
        if (argc > 1 && strcmp(argv[1], "--print") == 0) print_board();
        printf("%d generations of %d x %d cells on %d threads: %d alive\n", GENERATIONS, HEIGHT, COLS, THREADS, alive);
        if (alive != 5 || right != 5) upc_global_exit(1);
    }
    return 0;
}

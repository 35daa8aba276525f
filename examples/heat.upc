/* Heat spreads through a metal plate whose rim is kept at 0 degrees.
 *
 * The plate is a grid of temperatures, shared by all threads: each holds ROWS whole rows of it, and each computes
 * the rows it holds. A point's next temperature depends on its four neighbours; only the first and the last row of a
 * thread look at rows of another thread, and nothing in the program has to say so.
 *
 * The plate starts as one half wave of a sine in both directions. Such a wave keeps its shape and shrinks by the same
 * factor in every step, so the program knows what it must find in the end, and checks it.
 */
#include <math.h>
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>

#define ROWS 64 /* of each thread */
#define COLS 256
#define HEIGHT (ROWS * THREADS)
#define STEPS 500
#define RATE 0.2 /* how much heat flows to a neighbour in one step; stable up to 0.25 */
#define PI 3.14159265358979323846

/* Blocks of ROWS * COLS elements go to the threads in turn: thread 0 has rows 0 to ROWS - 1, and so on. */
shared [ROWS * COLS] double now[ROWS * THREADS][COLS];
shared [ROWS * COLS] double next[ROWS * THREADS][COLS];

shared double change[THREADS]; /* the largest change of the last step, as each thread saw it */
shared double max_change;

/* The factor by which a half wave over `points` points loses height in one step, along one direction. */
static double loss(int points) {
    double s = sin(PI / (2 * (points - 1)));
    return 4 * RATE * s * s;
}

int main(void) {
    int i, j;

    /* The fourth expression of upc_forall says who executes an iteration: the thread that holds this element. */
    upc_forall (i = 0; i < HEIGHT; i++; &now[i][0])
        for (j = 0; j < COLS; j++)
            now[i][j] = 100 * sin(PI * i / (HEIGHT - 1)) * sin(PI * j / (COLS - 1));
    upc_barrier;

    for (int step = 0; step < STEPS; step++) {
        upc_forall (i = 1; i < HEIGHT - 1; i++; &next[i][0])
            for (j = 1; j < COLS - 1; j++)
                next[i][j] = now[i][j] + RATE * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] -
                                                 4 * now[i][j]);
        upc_barrier;

        double largest = 0;
        upc_forall (i = 1; i < HEIGHT - 1; i++; &now[i][0])
            for (j = 1; j < COLS - 1; j++) {
                double d = fabs(next[i][j] - now[i][j]);
                if (d > largest) largest = d;
                now[i][j] = next[i][j];
            }
        change[MYTHREAD] = largest;
        upc_barrier;
    }

    /* The largest of THREADS elements, one on each thread, into one. */
    upc_all_reduceD(&max_change, change, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    if (MYTHREAD == 0) {
        int ci = HEIGHT / 2, cj = COLS / 2;
        double start = 100 * sin(PI * ci / (HEIGHT - 1)) * sin(PI * cj / (COLS - 1));
        double expected = start * pow(1 - loss(HEIGHT) - loss(COLS), STEPS);
        double centre = now[ci][cj];

        printf("grid %d x %d, %d threads, %d steps\n", HEIGHT, COLS, THREADS, STEPS);
        printf("largest change in the last step %.6f\n", max_change);
        printf("temperature at the centre       %.6f (exact: %.6f)\n", centre, expected);
        if (fabs(centre - expected) > 1e-9) {
            printf("WRONG\n");
            upc_global_exit(1);
        }
    }
    return 0;
}

/* Barriers for so many seconds, for a computer that others use as well: the mean of one, in microseconds. Compiled with
 * -DBY_MPI it is the same program over MPI. bench/crowd/busy.sh runs both beside busy processes.
 *
 *     busy SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef BY_MPI
#include <mpi.h>
static int start(int *argc, char ***argv) {
    int me;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    return me;
}
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void from_first(int *value) { MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD); }
static void end(void) { MPI_Finalize(); }
#else
#include "gas.h"
static int start(int *argc, char ***argv) {
    gas_start(argc, argv);
    return gas_me();
}
static void barrier(void) { gas_barrier(); }
static void from_first(int *value) { gas_broadcast(gas_world(), value, value, sizeof *value, 0, 0); }
static void end(void) {}
#endif

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

enum { AT_ONCE = 20 };

int main(int argc, char **argv) {
    int me = start(&argc, &argv), goes_on = 1;
    double us = 1e6 * (argc > 1 ? atof(argv[1]) : 1);
    long n = 0;
    barrier();
    double begin = now_us(), last = begin;
    while (goes_on) {
        for (int i = 0; i < AT_ONCE; i++) barrier();
        n += AT_ONCE;
        last = now_us();
        goes_on = last - begin < us;
        from_first(&goes_on);
    }
    if (me == 0) printf("%.1f\n", (last - begin) / (double)n);
    barrier();
    end();
    return 0;
}

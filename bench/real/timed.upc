/* A program of examples/, timed from the first barrier to the last: -DPROGRAM='"heat.upc"' names it, -DHAS_ARGUMENTS if its
 * main has parameters. Prints `time SECONDS` behind what the program prints. */
#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>

#define main program
#include PROGRAM
#undef main

int main(int argc, char **argv) {
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
#ifdef HAS_ARGUMENTS
    int status = program(argc, argv);
#else
    int status = program();
#endif
    upc_barrier;
    if (MYTHREAD == 0) printf("time whole %.3f\n", upc_ticks_to_ns(upc_ticks_now() - start) / 1000.0);
    return status;
}

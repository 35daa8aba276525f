/* Each thread stops so many times: it reads its clock. `fathom simulate` takes a turn of the thread for each. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

int main(int argc, char **argv) {
    int reads = argc > 1 ? atoi(argv[1]) : 1;
    upc_tick_t last = 0;
    upc_barrier;
    for (int i = 0; i < reads; i++) last = upc_ticks_now();
    upc_barrier;
    if (MYTHREAD == 0) printf("%d reads, the last at %llu ns\n", reads, (unsigned long long)upc_ticks_to_ns(last));
    return 0;
}

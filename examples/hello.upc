/* Every thread says who it is, in order. Threads run the same program; THREADS and MYTHREAD tell them apart. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD) {
            printf("hello from thread %d of %d\n", MYTHREAD, THREADS);
            fflush(stdout);
        }
        upc_barrier; /* nobody starts the next turn before this one has spoken */
    }
    return 0;
}

// expect-exit: 4
// expect-stdout: all of this line
/* 7.2.1p2: upc_global_exit flushes all I/O, also what stdio still held. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD == 0) {
        setvbuf(stdout, NULL, _IOFBF, 1 << 16);
        printf("all of this line");
        upc_global_exit(4);
    }
    for (;;) upc_barrier;
}

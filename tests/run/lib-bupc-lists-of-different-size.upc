// expect-exit: nonzero
// expect-stderr: bupc_memput_fstrided: source and destination differ in size
// threads: 1 2
/* bupc_mem*: the two sides must have as many bytes. */
#include <upc.h>

shared [10] char a[10 * THREADS];

int main(void) {
    char b[10] = {0};
    bupc_memput_fstrided(a, 1, 2, 5, b, 1, 2, 4);
    return 0;
}

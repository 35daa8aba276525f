// expect-exit: nonzero
// expect-stderr: null destination
// threads: 1 2
/* 7.4.2.3: a collective needs somewhere to put its data. */
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];

int main(void) {
    upc_all_gather(NULL, a, sizeof(int), 0);
    return 0;
}

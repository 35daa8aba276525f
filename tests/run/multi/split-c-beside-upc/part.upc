#include <upc.h>

shared int table[THREADS];

shared [] int *from_upc(int thread) {
    table[MYTHREAD] = 1000 + MYTHREAD;
    upc_barrier;
    return (shared [] int *)&table[thread];
}
int upc_reads(shared [] int *p) { return *p; }
void upc_writes(shared int *p, int n) {
    for (int k = 0; k < n; k++) p[k] = k * k;
}

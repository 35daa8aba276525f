// threads: 1 2 3
/* Split-C, UPC and C in one program: a global pointer is a `shared []` pointer, a spread one of scalars a cyclic one. */
#include "../../check-split-c.h"

int of_split_c;
int *global from_upc(int processor);
int upc_reads(int *global p);
void upc_writes(int *spread p, int n);
int *c_allocates(int n);
int spread_here[3 * PROCS]::;

splitc_main() {
    int next = (MYPROC + 1) % PROCS, k, *heap = c_allocates(10);
    int *global p;
    of_split_c = 3 * MYPROC;
    barrier();
    CHECK_EQ(3 * next, upc_reads(toglobal(next, &of_split_c)));
    p = from_upc(next);
    CHECK_EQ(next, toproc(p));
    CHECK_EQ(1000 + next, *p);
    barrier();
    if (MYPROC == 0) upc_writes(spread_here, 3 * PROCS);
    barrier();
    for (k = 0; k < 3 * PROCS; k++) CHECK_EQ(k * k, spread_here[k]);
    heap[4] = 44;
    CHECK_EQ(44, upc_reads((int *global)heap + 4));
    free(heap);
    return 0;
}

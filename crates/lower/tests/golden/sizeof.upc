shared [4] int a[16 * THREADS];
shared int *p;
unsigned long sizes(void) {
    return sizeof a + sizeof a[0] + sizeof p + upc_localsizeof(a) + upc_blocksizeof(a) + upc_elemsizeof(a) +
           upc_blocksizeof(*p);
}

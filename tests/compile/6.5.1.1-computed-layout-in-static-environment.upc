// flags: -T 4
// [*] divides the elements by THREADS, rounding up.
shared [*] int a[10], b[4], c[1], d[3][5];
_Static_assert(upc_blocksizeof(a) == 3 && upc_blocksizeof(b) == 1 && upc_blocksizeof(c) == 1, "rounded up");
_Static_assert(upc_blocksizeof(d) == 4, "15 elements");
shared [3] int *p = a;

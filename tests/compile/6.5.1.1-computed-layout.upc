// [*] spreads an array in one block a thread; the block size is a constant in both environments.
shared [*] int a[10 * THREADS];
static shared [*] double b[THREADS];
typedef int row[5];
shared [*] row m[2 * THREADS];
shared [*] struct { char c[3]; } s[7 * THREADS];
shared [*] char wide[3][THREADS];
extern strict shared [*] int e[4 * THREADS];
_Static_assert(upc_blocksizeof(a) == 10 && upc_blocksizeof(b) == 1 && upc_blocksizeof(m) == 10, "elements a thread");
_Static_assert(upc_blocksizeof(s) == 7 && upc_blocksizeof(wide) == 3, "elements a thread");
void f(void) {
    static shared [*] int inner[2 * THREADS];
    shared [10] int *p = a;
    shared [2] int *q = inner;
    shared [10] int (*r)[5] = m;
    (void)p, (void)q, (void)r;
}

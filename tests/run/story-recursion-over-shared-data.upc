// threads: 1 2 4
/* Deep and mutual recursion over shared arrays: quicksort of each thread's part and of a blocked array as a whole, merge, Ackermann with a shared
 * memo, a maze in a shared matrix. */
#include "check.h"

#define K 50
shared [7] int a[K * THREADS];
shared [] int *shared part[THREADS];
shared long memo[64 * THREADS];
shared [16] char maze[16 * THREADS][16];

static void sort(shared [7] int *lo, long n) {
    if (n < 2) return;
    int pivot = lo[n / 2];
    long i = 0, j = n - 1;
    while (i <= j) {
        while (lo[i] < pivot) i++;
        while (lo[j] > pivot) --j;
        if (i <= j) {
            int t = lo[i];
            lo[i++] = lo[j];
            lo[j--] = t;
        }
    }
    sort(lo, j + 1);
    sort(lo + i, n - i);
}
static void isort(shared [] int *p, int n) {
    if (n < 2) return;
    isort(p, n - 1);
    int last = p[n - 1], i = n - 1;
    for (; i > 0 && p[i - 1] > last; i--) p[i] = p[i - 1];
    p[i] = last;
}
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static long fib(int n) {
    shared long *m = &memo[n * THREADS + MYTHREAD];
    if (n < 2) return n;
    return *m ? *m : (*m = fib(n - 1) + fib(n - 2));
}
static int reach(int r, int c) {
    if (r < 0 || c < 0 || r >= 16 || c >= 16 || maze[16 * MYTHREAD + r][c]) return 0;
    maze[16 * MYTHREAD + r][c] = 'v';
    return 1 + reach(r + 1, c) + reach(r - 1, c) + reach(r, c + 1) + reach(r, c - 1);
}

int main(void) {
    int n = K * THREADS;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 0; i < n; i++) a[i] = i * 7919 % 1009;
        sort(a, n);
    }
    part[MYTHREAD] = (shared [] int *)upc_alloc(40 * sizeof(int));
    for (int i = 0; i < 40; i++) part[MYTHREAD][i] = (i * 31 + MYTHREAD) % 40;
    upc_barrier;
    for (int i = 1; i < n; i++) CHECK(a[i - 1] <= a[i]);
    long sum = 0, model = 0;
    for (int i = 0; i < n; i++) sum += a[i], model += i * 7919 % 1009;
    CHECK_EQ(model, sum);
    isort(part[(MYTHREAD + 1) % THREADS], 40);
    upc_barrier;
    for (int i = 0; i < 40; i++) CHECK_EQ(i, part[MYTHREAD][i]);
    CHECK_EQ(1, even(1000) + odd(998));
    CHECK_EQ(12586269025L, fib(50));
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) maze[16 * MYTHREAD + r][c] = (r % 4 == 2 && c != r % 5) ? '#' : 0;
    int free_cells = 0;
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) free_cells += !maze[16 * MYTHREAD + r][c];
    CHECK_EQ(free_cells, reach(0, 0));
    return 0;
}

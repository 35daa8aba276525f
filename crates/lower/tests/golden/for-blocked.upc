shared [16] int a[16 * THREADS], b[16 * THREADS];
shared [4] int c[4 * THREADS];
int f(shared [20] int *p, int n) {
    int i, sum = 0;
    for (i = 0; i < n; i++) a[i] = b[i] + c[i];
    for (i = 1; i <= n; i++)
        if ((sum += p[i - 1] + p[i]) < 0) break;
#pragma GCC unroll 2
    for (i = 0; i < n; i++) sum += b[i];
    return sum;
}
int g(int j) {
    int sum = 0;
    for (int k = a[j]; k < a[j + 1]; k++) sum += b[k];
    return sum;
}

shared [16] int a[16 * THREADS], b[16 * THREADS];
int f(int n) {
    int i, sum = 0;
    void shrink(void) { n--; }
    for (i = 0; i < n; i++) {
        sum += a[i];
        shrink();
    }
    for (i = 0; i < 16; i++) {
        static int before;
        b[i] = before;
        before = a[i];
    }
    for (i = 0; i < 16; i++)
#pragma omp atomic
        sum += a[i];
    return sum;
}

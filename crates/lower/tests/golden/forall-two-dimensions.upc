shared [16] double a[16 * THREADS][16], b[16 * THREADS][16];
void f(int n) {
    int i, j;
    upc_forall (i = 0; i < n; i++; &a[i][0])
        for (j = 0; j < 16; j++) a[i][j] = 2 * b[i][j];
}

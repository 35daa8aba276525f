enum { N = 32 };
shared [N] double a[N * THREADS][N], c[N * THREADS][N];
shared [N] double b[N][N * THREADS];
void multiply(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

shared [1024] double a[1024 * THREADS], b[1024 * THREADS], c[1024 * THREADS];
double s, k;
void f(int n) {
    int i;
    upc_forall (i = 1; i < n - 1; i++; &a[i]) a[i] = b[i] * k + s * c[i] + b[i - 1] + b[i + 1];
}

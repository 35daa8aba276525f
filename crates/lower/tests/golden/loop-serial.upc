/* One thread walks over everybody's elements. */
shared int a[100 * THREADS];
shared [] int b[100];
shared [7] int c[700 * THREADS];
long sum(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i] + b[i];
    for (int i = n - 1; i >= 0; i--) s -= c[i];
    return s;
}

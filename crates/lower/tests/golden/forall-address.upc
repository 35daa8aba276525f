/* Affinity by an address: the elements are this thread's own. */
shared int a[100 * THREADS], b[100 * THREADS];
shared [8] double c[80 * THREADS];
void f(int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + 1;
    upc_forall (i = 1; i < n - 1; i++; &c[i]) c[i] = c[i] * 2 + c[i - 1];
}

/* Between long blocks the runtime is called; a pointer need not be aligned with the affinity, and stays inlined. */
enum { B = 8192 };
shared [B] double a[B * THREADS], b[B * THREADS];
void aligned(int n) {
    upc_forall (int i = 1; i < n - 1; i++; &a[i]) a[i] = b[i - 1] + b[i + 1];
}
void perhaps(shared [B] double *p, int n) {
    upc_forall (int i = 1; i < n - 1; i++; &a[i]) a[i] = p[i - 1] + p[i + 1];
}

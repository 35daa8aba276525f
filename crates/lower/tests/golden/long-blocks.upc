/* Long blocks are cut into pieces; a pointer need not be aligned with the affinity, and a loop over one has a general body. */
enum { B = 8192 };
shared [B] double a[B * THREADS], b[B * THREADS];
void aligned(int n) {
    upc_forall (int i = 1; i < n - 1; i++; &a[i]) a[i] = b[i - 1] + b[i + 1];
}
void perhaps(shared [B] double *p, int n) {
    upc_forall (int i = 1; i < n - 1; i++; &a[i]) a[i] = p[i - 1] + p[i + 1];
}

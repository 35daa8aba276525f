/* Without affinity, with continue, nested, with a body that leaves. */
shared int a[100 * THREADS];
int f(int n) {
    int i, j;
    upc_forall (i = 0; i < n; i++; continue) a[i] = 1;
    upc_forall (i = 0; i < n; i++;) a[i] += 2;
    upc_forall (i = 0; i < n; i++; i) {
        if (a[i] < 0) continue;
        upc_forall (j = 0; j < 3; j++; j) a[j] += i;
    }
    return i;
}

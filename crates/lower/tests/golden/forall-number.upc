/* Affinity by a number: also one that is not the loop's variable. */
shared int a[100 * THREADS];
void f(int n) {
    int i;
    upc_forall (i = 0; i < n; i++; i) a[i] = i;
    upc_forall (int j = 0; j < n; j += 3; j / 2) a[j] += 1;
    upc_forall (i = n; i > 0; i--; i) a[i] = 0;
}

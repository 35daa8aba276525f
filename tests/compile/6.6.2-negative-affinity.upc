// An affinity that is a negative constant is undefined: a warning.
shared int a[THREADS];
void f(int n) {
    int i;
    upc_forall (i = 0; i < n; i++; -1) a[i] = 1; // warning: 6.6.2 p8
    upc_forall (i = 0; i < n; i++; 1 - 1) a[i] = 1;
    upc_forall (i = 0; i < n; i++; -i) a[i] = 1;
}

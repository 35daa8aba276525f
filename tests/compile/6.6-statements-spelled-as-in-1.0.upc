// The statements of UPC 1.0 had no prefix: they are taken, with a warning, where their names are not declared.
shared int a[THREADS];
void f(int n) {
    forall (int i = 0; i < THREADS; i++; i) a[i] = n; // warning: 6.6
    barrier; // warning: 6.6
    forall(n); // warning: C 6.5.1 p2
}
void g(int barrier) { barrier; }

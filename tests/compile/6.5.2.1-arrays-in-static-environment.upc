// flags: -T 4
// With a static number of threads THREADS is a constant like any other and no dimension must contain it.
shared int a[10 + THREADS];
shared [] int b[THREADS];
shared int c[10];
shared int d[THREADS][4 * THREADS];
shared int e[THREADS * THREADS];
shared int f[THREADS * 100 * 20];
shared int (**p)[THREADS][THREADS];
typedef shared int (*t)[THREADS][13][THREADS];
shared [3] int g[10];
shared [*] int h[3];
shared [2] int i[THREADS / 2][THREADS - 1];
extern shared int j[1];
t k;
void *f2(shared void *q) {
    shared void *r = (shared int (*)[THREADS][THREADS])q;
    (void)r;
    return 0;
}

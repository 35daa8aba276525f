// Array declarations that both environments accept.
enum { K = 4 };
typedef int row[10];
typedef row grid[3];
typedef shared [5] int R[5];
shared int a[10 * THREADS];
shared int b[THREADS * (100 * 20)];
shared [] int c[10];
shared int d[THREADS];
shared [3] row e[3 * THREADS];
shared [K] int f[K * THREADS][2][3];
shared int g[7][THREADS];
shared [2] grid h[THREADS * K];
R i[THREADS];
shared int j[(THREADS)];
shared int k[((K + 1) * THREADS)];
shared int l[sizeof(row) * THREADS];
shared [2] int m[2][(THREADS)][2];
shared [] row n[5];
shared [4] int (*p)[4];
shared int (*q)[THREADS];
shared int (*r)[10];
shared [2] int (*(*s)[3])[2];
shared int *list[4];
int *shared t[THREADS];
int u[4], *v[K];
void x(shared int y[10], shared [3] int z[][3], shared int w[THREADS][2]) {
    int vla[THREADS * THREADS + 1];
    static shared int inner[2 * THREADS];
    shared void *g = (shared int (*)[5])y;
    (void)vla, (void)inner, (void)z, (void)w, (void)g;
}

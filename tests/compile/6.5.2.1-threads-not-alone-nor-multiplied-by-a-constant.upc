// dynamic-only
// In the dynamic environment THREADS stands alone or times a positive integer constant expression, and in no other form.
int n = 3;
shared int a[10 + THREADS]; // error: 6.5.2.1 p2
shared int b[THREADS * 100 * 20]; // warning: 6.5.2.1 p2
shared int c[THREADS - 1]; // error: 6.5.2.1 p2
shared int d[THREADS / 2]; // error: 6.5.2.1 p2
shared int e[n * THREADS]; // error: 6.5.2.1 p2
shared int f[THREADS << 1]; // error: 6.5.2.1 p2
shared int g[THREADS ? THREADS : 1]; // error: 6.5.2.1 p2
shared int h[2 * (THREADS + 1)]; // error: 6.5.2.1 p2
shared int i[-THREADS]; // error: 6.5.2.1 p2
shared int (*p)[THREADS + 1]; // error: 6.5.2.1 p2
shared [2] int j[THREADS % 4][2]; // error: 6.5.2.1 p2
shared int k[MYTHREAD + 1]; // error: 6.5.2.1 p2
shared [4] int l[THREADS * THREADS / THREADS]; // error: 6.5.2.1 p2

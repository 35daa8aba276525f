// Any nonnegative integer constant expression is a block size: 0 and nothing mean indefinite, absence means 1.
enum { B = 3 };
struct s { int x, y; };
shared [B * 2 - 1] int a[10 * THREADS];
shared [sizeof(struct s)] char b[8 * THREADS];
shared [1 ? 4 : 2] int c[4 * THREADS];
shared ['\2'] int d[2 * THREADS];
shared [0] int e[5];
shared [] int f[5];
shared [1] int g[THREADS];
shared int h[THREADS];
shared [7] int scalar;
shared [(unsigned char)257] int *one = 0;
shared [upc_blocksizeof(a)] int *five = a;
_Static_assert(upc_blocksizeof(a) == 5 && upc_blocksizeof(b) == 8 && upc_blocksizeof(c) == 4, "computed");
void x(void) {
    shared [] int *p = e;
    shared [0] int *q = f;
    shared int *r = g;
    shared [1] int *s = h;
    one = h, p = q, r = s;
    shared [7] int *t = &scalar;
    (void)t;
}

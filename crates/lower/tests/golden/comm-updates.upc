/* With -fcomm-opt: updates whose value nobody wants are computed by the thread that has the object. */
shared int a[10 * THREADS];
shared double d[10 * THREADS];
shared float f[10 * THREADS];
shared [] unsigned char *p;
struct node { long n; int bits : 3; double x[4]; };
shared struct node nodes[THREADS];
int used(int i) { return a[i]++; }
void count(int i, long by) { a[i] += by; a[i]--; (void)(a[i] ^= 1), p[i] >>= by; }
void add(int i, double x, float y) { d[i] += x; d[i] *= y; f[i] -= x; f[i] += y; ++f[i]; }
void members(int i) { nodes[i].n |= 4; nodes[i].x[1] -= i; nodes[i].bits++; a[i] /= 2; }
void own(int i) { upc_forall (i = 0; i < 10 * THREADS; i++; &a[i]) a[i] += 2; }
void all(int n, const int *by) { for (int i = 0; i < n; i++) a[by[i]] += 1; }

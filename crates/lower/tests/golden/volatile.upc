volatile shared long x;
shared volatile double a[10 * THREADS];
struct s { volatile int v; int w : 3; };
shared struct s q;
int f(volatile shared [] int *p, int i) {
    ++x;
    a[i] = 1;
    q.v = 1;
    while (!*p) {}
    return q.v + q.w;
}

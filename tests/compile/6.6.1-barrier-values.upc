// Every arithmetic value can be given to a barrier statement, shared or private, and none need be given.
shared int s, a[THREADS];
shared struct s { int x; unsigned b : 3; } st;
shared int *p;
double d;
_Bool b;
enum e { E } en;
long long ll;
float _Complex c;
int g(void);
void f(int n) {
    upc_notify; upc_wait;
    upc_barrier;
    upc_fence;
    upc_notify s; upc_wait s;
    upc_notify(1); upc_wait(1);
    upc_barrier a[MYTHREAD] - a[0];
    upc_barrier d;
    upc_barrier b;
    upc_barrier en;
    upc_barrier ll, 3;
    upc_barrier st.x + st.b;
    upc_barrier *p;
    upc_barrier 'x';
    upc_barrier g();
    upc_barrier n = 3;
    upc_barrier 2.5f;
    upc_barrier c;
    if (n) upc_barrier; else upc_fence;
    for (;; upc_blocksizeof(s)) { upc_barrier -1; break; }
    do upc_barrier ~n; while (0);
    switch (n) case 1: upc_barrier (n, n);
label:
    upc_fence;
    if (n > 99) goto label;
}

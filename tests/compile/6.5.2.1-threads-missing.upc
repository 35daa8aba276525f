// dynamic-only
// In the dynamic environment a shared array of definite block size has THREADS in one dimension.
typedef int S[10];
shared int a[10]; // error: 6.5.2.1 p2
shared [2] int b[4]; // error: 6.5.2.1 p2
shared [*] int c[10]; // error: 6.5.2.1 p2
static shared int d[3][4]; // error: 6.5.2.1 p2
shared S e; // error: 6.5.2.1 p2
shared [3] S f[7]; // error: 6.5.2.1 p2
typedef shared int SS[10];
SS g; // error: 6.5.2.1 p2
extern shared int h[5]; // error: 6.5.2.1 p2
shared struct { int x; } i[4]; // error: 6.5.2.1 p2
int *shared j[4]; // error: 6.5.2.1 p2
void k(void) {
    static shared [4] int inner[4]; // error: 6.5.2.1 p2
    extern shared int outer[8]; // error: 6.5.2.1 p2
}
shared [] int fine[10];

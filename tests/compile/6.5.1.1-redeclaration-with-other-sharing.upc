// Sharedness and block size belong to the type: every declaration of one object or function agrees on them.
extern shared int a[4 * THREADS];
shared [2] int a[4 * THREADS]; // error: 6.5.1.1 p13
extern shared int b;
int b; // error: 6.5.1.1 p13
extern int *c;
extern shared int *c; // error: 6.5.1.1 p13
void f(shared int *);
void f(shared [4] int *); // error: 6.5.1.1 p13
shared int *g(void);
shared [] int *g(void) { return 0; } // error: 6.5.1.1 p13
extern shared [2] int d[2 * THREADS];
extern shared [2] int d[4 * THREADS]; // error: C 6.7
extern shared [3] int e[3 * THREADS];
shared [3] int e[3 * THREADS];
extern shared [*] int h[3 * THREADS];
shared [3] int h[3 * THREADS];

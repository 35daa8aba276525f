// A block size is an integer constant expression and not negative.
int n = 4;
const int k = 4;
shared [-1] int *a; // error: 6.5.1.1 p11
shared [n] int *b; // error: 6.5.1.1 p3
shared [k] int *c; // error: 6.5.1.1 p3
shared [2.5] int *d; // error: 6.5.1.1 p3
shared [3 - 4] int e[THREADS]; // error: 6.5.1.1 p11
shared ["four"] int *f; // error: 6.5.1.1 p3
shared [MYTHREAD] int *g; // error: 6.5.1.1 p3
void h(int m, shared [m] int *p); // error: 6.5.1.1 p3

// dynamic-only
// In the dynamic environment THREADS occurs in one dimension only, and only once, typedefs included.
typedef int row[10];
typedef shared int R[THREADS];
typedef shared [2] int RR[THREADS][2 * THREADS]; // error: 6.5.2.1 p2
shared int a[THREADS][4 * THREADS]; // error: 6.5.2.1 p2
shared int b[THREADS * THREADS]; // error: 6.5.2.1 p2
R c[THREADS]; // error: 6.5.2.1 p2
shared [5] row d[THREADS][2][THREADS]; // error: 6.5.2.1 p2
shared int (**p)[THREADS][THREADS]; // error: 6.5.2.1 p2
typedef shared int (*t)[THREADS][13][THREADS]; // error: 6.5.2.1 p2
shared void *q;
void f(shared int (*param)[THREADS][THREADS]) { // error: 6.5.2.1 p2
    q = (shared int (*)[THREADS][THREADS])q; // error: 6.5.2.1 p2
    unsigned long n = sizeof(shared int [THREADS][THREADS]); // error: 6.5.2.1 p2
    shared [3] int (*local)[THREADS * THREADS]; // error: 6.5.2.1 p2
    R *fine;
}
struct m { shared int (*p)[THREADS][2 * THREADS]; }; // error: 6.5.2.1 p2

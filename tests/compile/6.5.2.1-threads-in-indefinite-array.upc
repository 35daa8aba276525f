// dynamic-only
// An indefinitely blocked array type never contains THREADS in the dynamic environment.
typedef shared [] int T[THREADS]; // error: 6.5.2.1 p3
shared [] int a[THREADS]; // error: 6.5.2.1 p3
shared [0] int b[4 * THREADS]; // error: 6.5.2.1 p3
shared [] int c[3][THREADS]; // error: 6.5.2.1 p3
shared [] int (*p)[THREADS]; // error: 6.5.2.1 p3
void f(shared [] double (*param)[2 * THREADS]) { // error: 6.5.2.1 p3
    static shared [] char inner[THREADS]; // error: 6.5.2.1 p3
    unsigned long n = sizeof(shared [] int [THREADS]); // error: 6.5.2.1 p3
}
extern shared [] int d[THREADS]; // error: 6.5.2.1 p3

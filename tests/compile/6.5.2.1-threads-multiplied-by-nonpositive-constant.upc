// dynamic-only
// The constant that multiplies THREADS is positive.
enum { ZERO, NEGATIVE = -2 };
shared int a[0 * THREADS]; // error: 6.5.2.1 p2
shared int b[THREADS * -1]; // error: 6.5.2.1 p2
shared int c[ZERO * THREADS]; // error: 6.5.2.1 p2
shared int d[THREADS * NEGATIVE]; // error: 6.5.2.1 p2
shared [3] int e[(5 - 5) * THREADS][3]; // error: 6.5.2.1 p2

/* As in C (6.7.6.2 p1), the elements of an array have a complete type. */
extern shared int a[THREADS][]; // error: 6.5.2.1 p2
shared [] int b[2][]; // error: 6.5.2.1 p2
extern shared [2] int c[][THREADS][]; // error: 6.5.2.1 p2
extern shared int d[][THREADS];
int f(void) { return d[1][0]; }

// dynamic-only
// An extern declaration that leaves out the dimension with THREADS relies on the definition: accepted, with a warning.
extern shared int a[]; // warning: 6.5.2.1 p2
extern shared [4] int b[]; // warning: 6.5.2.1 p2
extern shared [] int fine[];
extern shared int c[THREADS];
void f(void) { a[3] = b[1] = fine[2]; }

// [*] needs an array to distribute: no pointer type can have it.
shared [*] int *p; // error: 6.5.1.1 p6
shared [*] int a[4 * THREADS], *q; // error: 6.5.1.1 p6
shared [*] int (*row)[4]; // error: 6.5.1.1 p6
shared [*] int *f(void); // error: 6.5.1.1 p6
void g(shared [*] int *param); // error: 6.5.1.1 p6
struct m { shared [*] int *p; }; // error: 6.5.1.1 p6
shared [*] int *arr[3]; // error: 6.5.1.1 p6
void h(void) {
    shared void *v = (shared [*] int *)0; // error: 6.5.1.1 p6
    shared [*] double *local; // error: 6.5.1.1 p6
    unsigned long n = sizeof(shared [*] int *); // error: 6.5.1.1 p6
}
shared [*] int fine[4 * THREADS];

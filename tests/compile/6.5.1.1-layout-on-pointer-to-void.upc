// void has no elements: a pointer to shared void takes no layout qualifier of any kind.
shared [2] void *a; // error: 6.5.1.1 p8
shared [] void *b; // error: 6.5.1.1 p8
shared [0] void *c; // error: 6.5.1.1 p8
shared [1] const void *d; // error: 6.5.1.1 p8
void f(strict shared [4] void *param); // error: 6.5.1.1 p8
shared [] void *g(void); // error: 6.5.1.1 p8
struct m { shared [] void *p; }; // error: 6.5.1.1 p8
void h(shared int *p) {
    shared void *v = (shared [] void *)p; // error: 6.5.1.1 p8
    shared [] void *shared *deep; // error: 6.5.1.1 p8
}
shared void *fine;
shared void *shared [3] blocked_pointers[3 * THREADS];
shared strict const void *also_fine;

// Pointers whose referenced types differ in block size are not assignment compatible. It is a warning where only the
// pointer itself is converted, and an error at any other depth: its object would have another representation.
shared int *cyclic, a[THREADS];
shared [4] int *four, b[4 * THREADS];
shared [] int *indefinite;
shared [2] double *other;
shared int **pc;
shared [4] int **pf;
shared int *shared *spc;
shared [4] int *shared *spf;
void take(shared [4] int *);
shared int *give(void) { return four; } // warning: 6.5.1.1 p13
void f(void) {
    cyclic = four; // warning: 6.5.1.1 p13
    four = cyclic; // warning: 6.5.1.1 p13
    indefinite = cyclic; // warning: 6.5.1.1 p13
    cyclic = indefinite; // warning: 6.5.1.1 p13
    four = a; // warning: 6.5.1.1 p13
    cyclic = &b[2]; // warning: 6.5.1.1 p13
    take(cyclic); // warning: 6.5.1.1 p13
    take(indefinite); // warning: 6.5.1.1 p13
    pc = pf; // error: 6.5.1.1 p13
    spc = spf; // error: 6.5.1.1 p13
    shared [8] int *init = four; // warning: 6.5.1.1 p13
    shared [4] int *list[2] = {four, cyclic}; // warning: 6.5.1.1 p13
    other = (shared [2] int *)four; // error: C 6.5.16.1
    take(four), take(b), take(&b[1]), four = (shared [4] int *)a;
}

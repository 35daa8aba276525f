// Pointers whose referenced types differ in block size are not assignment compatible, at any depth.
shared int *cyclic, a[THREADS];
shared [4] int *four, b[4 * THREADS];
shared [] int *indefinite;
shared [2] double *other;
shared int **pc;
shared [4] int **pf;
shared int *shared *spc;
shared [4] int *shared *spf;
void take(shared [4] int *);
shared int *give(void) { return four; } // error: 6.5.1.1 p13
void f(void) {
    cyclic = four; // error: 6.5.1.1 p13
    four = cyclic; // error: 6.5.1.1 p13
    indefinite = cyclic; // error: 6.5.1.1 p13
    cyclic = indefinite; // error: 6.5.1.1 p13
    four = a; // error: 6.5.1.1 p13
    cyclic = &b[2]; // error: 6.5.1.1 p13
    take(cyclic); // error: 6.5.1.1 p13
    take(indefinite); // error: 6.5.1.1 p13
    pc = pf; // error: 6.5.1.1 p13
    spc = spf; // error: 6.5.1.1 p13
    shared [8] int *init = four; // error: 6.5.1.1 p13
    shared [4] int *list[2] = {four, cyclic}; // error: 6.5.1.1 p13
    other = (shared [2] int *)four; // error: C 6.5.16.1
    take(four), take(b), take(&b[1]), four = (shared [4] int *)a;
}

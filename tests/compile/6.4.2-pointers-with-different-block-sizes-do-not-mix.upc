// Pointers to shared types of different block size are not compatible, so they have neither order nor distance.
// == and != ask whether they point to the same byte, which block sizes do not change: a warning.
shared int *cyclic;
shared [4] int *four;
shared [] int *indefinite;
shared double *other;
long r;
void f(void) {
    r = four - cyclic; // error: 6.5.1.1 p13
    r = cyclic < indefinite; // error: 6.5.1.1 p13
    r = four == indefinite; // warning: 6.5.1.1 p13
    r = cyclic != four; // warning: 6.5.1.1 p13
    r = (shared [] double *)other == cyclic; // error: 6.5.1.1 p13
    r = other - cyclic; // error: C 6.5.6
    r = (shared void *)four == cyclic;
    r = four == (shared [4] int *)cyclic;
}

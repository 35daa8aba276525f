// Pointers to shared types of different block size are not compatible, so they neither compare nor subtract.
shared int *cyclic;
shared [4] int *four;
shared [] int *indefinite;
shared double *other;
long r;
void f(void) {
    r = four - cyclic; // error: 6.5.1.1 p13
    r = cyclic < indefinite; // error: 6.5.1.1 p13
    r = four == indefinite; // error: 6.5.1.1 p13
    r = other - cyclic; // error: C 6.5.6
    r = (shared void *)four == cyclic;
    r = four == (shared [4] int *)cyclic;
}

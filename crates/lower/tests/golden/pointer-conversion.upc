/* Between block sizes, to void, to local, from null. */
shared [2] int *a;
shared int *b;
shared [] int *c;
shared void *v;
void convert(void) {
    b = (shared int *)a;
    c = (shared [] int *)b;
    v = a;
    a = v;
    b = 0;
}
int *local(int i) { return (int *)&b[i]; }
unsigned long number(void) { return (unsigned long)a; }

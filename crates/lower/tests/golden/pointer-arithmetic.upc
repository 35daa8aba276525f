/* Phased pointers of several block sizes. */
shared int *a;
shared [3] int *b;
shared [] int *c;
shared [4] short *d;
void step(int n) { a++; b += n; c--; d -= n; }
long distance(shared [3] int *to) { return to - b; }
int look(int n) { return a[n] + b[-n] + *(c + n) + *d++; }

// Relational operators take two pointers to compatible complete shared types, whatever their qualifiers.
struct later;
shared struct later *u, *w;
shared int *a, *b;
shared const int *c;
strict shared int *st;
relaxed shared int *re;
shared [4] int *p, x[4 * THREADS];
shared [] double *d, e[10];
shared [3] int (*row)[3], (*row2)[3];
struct later { int now; };
int f(int i) {
    return a < b || a >= c || st > re || p <= x || &x[i] > p || d < e + 10 || row < row2 || u <= w || (a - b) > 0;
}

// Addition, subtraction, subscripts and increments apply to every pointer to a complete shared type, on either side of +.
#include <stddef.h>
shared int a[THREADS], *p;
shared [5] struct s { int x; double y[3]; } t[5 * THREADS], *q;
shared [] char *i;
shared [2] int m[2 * THREADS][6], (*row)[6];
shared int *shared sp;
shared [2] long *in_array[4];
ptrdiff_t d;
void f(unsigned char c, long n, short k) {
    p = a + n, p = n + a, p = a - k, p += c, p -= n, p++, ++p, p--, --p;
    q = &t[n] + 1, q = &k[t], q = c + q;
    i = i + 1ul, i++;
    row = m + n, row = &m[k], row++;
    sp = sp + 1, sp++, sp += 2;
    in_array[c] += k, (*in_array)--;
    d = p - a, d = q - t, d = row - m, d = i - (i - 3), d = &m[1][2] - &m[0][1], d = sp - p;
    d = p[3] + n[p] + q->x + (*q).y[1] + q[2].y[k] + (*row)[1] + row[1][2] + m[c][k];
}

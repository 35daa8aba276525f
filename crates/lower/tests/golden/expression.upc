/* Where accesses stand: conditions, commas, arguments, subscripts of subscripts. */
shared int a[10 * THREADS], b[10 * THREADS];
int g(int, int);
int f(int i) {
    int t = a[i] ? b[i] : a[b[i]];
    t = (a[i] = t, b[i] && a[i]) || !b[i + 1];
    t += g(a[i], b[i]++) + (a[i] > b[i]) + -a[i] + ~b[i];
    return g(a[a[i]], (int){b[i]}) + t;
}

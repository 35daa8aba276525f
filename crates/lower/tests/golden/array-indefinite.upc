/* All on thread 0, and a pointer to such an object. */
shared [] double a[100];
double get(int i) { return a[i]; }
double walk(shared [] double *p, int n) {
    double s = 0;
    while (n-- > 0) s += *p++;
    return s;
}

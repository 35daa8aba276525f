/* C that knows nothing of UPC. */
int calls;
struct pair {
    int a, b;
};
double dot(const double *x, const double *y, int n) {
    double sum = 0;
    int i;
    calls++;
    for (i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
void each(int n, void (*f)(int, void *), void *arg) {
    for (int i = 0; i < n; i++) f(i, arg);
}
struct pair swap(struct pair p) {
    struct pair r = {p.b, p.a};
    return r;
}

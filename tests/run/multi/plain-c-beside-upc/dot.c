/* C that knows nothing of UPC: its words are free for use as names here. */
int calls;
struct pair {
    int a, b;
};
double dot(const double *x, const double *y, int n) {
    double shared = 0;
    int strict = 0, relaxed = n;
    calls++;
    for (; strict < relaxed; strict++) shared += x[strict] * y[strict];
    return shared;
}
void each(int n, void (*f)(int, void *), void *arg) {
    for (int THREADS = 0; THREADS < n; THREADS++) f(THREADS, arg);
}
struct pair swap(struct pair p) {
    struct pair MYTHREAD = {p.b, p.a};
    return MYTHREAD;
}

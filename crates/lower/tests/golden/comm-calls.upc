// A loop that calls a function of another file, and what this file says of its own.
shared double v[10 * THREADS];
long weight(long i);
static long more(long i) { return weight(i) + 1; }
long twice(long i) { return 2 * i; }
long once(long i) { return twice(more(i)) / 2; }
double sum(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i] * more(i);
    return s;
}

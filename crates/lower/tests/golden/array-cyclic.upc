/* Default block size: element i on thread i % THREADS. */
shared int a[10 * THREADS];
int get(int i) { return a[i]; }
void put(int i, int v) { a[i] = v; }
void shift(int i) { a[i + 1] = a[i]; a[i]++; a[2 * i - 1] -= a[0]; }

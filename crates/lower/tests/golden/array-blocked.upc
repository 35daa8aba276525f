/* Blocks of 4 and of 5, a power of two and not. */
shared [4] long a[8 * THREADS];
shared [5] char b[10 * THREADS];
long get(int i) { return a[i] + b[i]; }
void put(unsigned i, long v) { a[i] = v; b[i] = (char)v; }

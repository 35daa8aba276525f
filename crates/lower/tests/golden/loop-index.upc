/* Histogram and gather: the index is data. */
shared long table[1000 * THREADS];
shared [10] int index[10 * THREADS];
void add(const int *where, int n) { for (int i = 0; i < n; i++) table[where[i]] += 1; }
long gather(int n) { long s = 0; for (int i = 0; i < n; i++) s += table[index[i]]; return s; }

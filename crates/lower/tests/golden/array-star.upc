/* [*]: a block for each thread. */
shared [*] float a[16 * THREADS];
float get(int i) { return a[i]; }
void clear(int n) { for (int i = 0; i < n; i++) a[i] = 0; }

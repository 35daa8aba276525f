/* Rows, and THREADS in different places. */
shared int a[THREADS][8];
shared [8] int b[THREADS][8];
shared double c[4][THREADS];
int get(int i, int j) { return a[i][j] + b[i][j]; }
double row(int i) { double s = 0; for (int j = 0; j < THREADS; j++) s += c[i][j]; return s; }

/* Loops over blocks that are cut into pieces: over elements, over rows, with another use of the variable, with a call. Not
 * cut: an array that is written and has two offsets, and short blocks. */
enum { B = 1024, SHORT = 64 };
struct pair { int first, second; };
shared [B] double a[B * THREADS], b[B * THREADS];
shared [B] struct pair pairs[B * THREADS];
shared [4 * B] float rows[B * THREADS][4], sums[B * THREADS][4];
shared [SHORT] double c[B * THREADS];
double f(double);
void elements(int n) {
    upc_forall (int i = 0; i < n - 3; i++; &a[i + 1]) a[i + 1] = b[i + 3] + pairs[i].second;
}
void along_rows(long n) {
    long i;
    upc_forall (i = 1; i < n; i++; &sums[i][0])
        for (int j = 0; j < 4; j++) sums[i][j] += rows[i - 1][j];
}
void variable(unsigned n, const int *of) {
    upc_forall (unsigned i = 0; i < n; i++; &a[i]) a[i] = of[i] * b[i];
}
void calls(int n) {
    upc_forall (int i = 0; i < n; i++; &a[i]) a[i] = f(b[i]);
}
void in_place(int n) {
    upc_forall (int i = 1; i < n; i++; &a[i]) a[i] += a[i - 1];
}
void short_blocks(int n) {
    upc_forall (int i = 0; i < n; i++; &c[i]) c[i] = 1;
}

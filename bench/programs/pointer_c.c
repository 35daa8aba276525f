/* The C side of pointer.upc. */
#define N 4096

static double array[N];

void pointer_c(void) {
    for (double *p = array, *e = array + N; p != e; p++) __asm__ volatile("");
}

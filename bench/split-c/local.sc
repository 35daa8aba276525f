/* Split-C on one's own data and on those of a processor of the same computer, against plain C.
 *
 * C's side works on private memory from mmap, Split-C's on memory that other processors reach: variables, what malloc
 * returns, spread arrays.
 */
#include "pairs.h"
#define SIDE split_c
#define SIDE_IS_DEFINED_HERE
#include "kernels.h"
#undef SIDE
#undef SIDE_IS_DEFINED_HERE
#define SIDE c
#include <sys/mman.h>
void c_triad(double *restrict c, const double *a, const double *b, long n);
double c_list(const struct node *node);
void c_stencil(double (*to)[COLUMNS], double (*from)[COLUMNS], long rows);
double c_sum(double (*rows)[COLUMNS], long n);
long c_loads(const volatile long *p);
long c_load_indexed(const volatile long *p, const int *indices, long n);

#define N 16384        /* doubles: 128 KiB an array */
#define ROWS 256
#define LARGE (1 << 22) /* doubles: 32 MiB an array */
#define NODES 8192

double a[N], b[N], c[N];
double X[PROCS]::[ROWS][COLUMNS], Y[PROCS]::[ROWS][COLUMNS];
long word[PROCS]::, several[4 * PROCS]::;

static double *pa, *pb, *pc, (*px)[COLUMNS], (*py)[COLUMNS];
static double *la, *lb, *lc, *qa, *qb, *qc;
static struct node *here, *there;
static long *pword, *pseveral;
static int indices[1000];
static double sums[2];
static long longs[2];
static int next;
static long *global where;

static void *private_memory(size_t bytes) {
    void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pairs_check(p != MAP_FAILED, "mmap");
    return p;
}

static struct node *list_in(struct node *nodes) {
    unsigned long seed = 12345;
    int order[NODES];
    for (int i = 0; i < NODES; i++) order[i] = i;
    for (int i = NODES - 1; i > 0; i--) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        int j = (int)((seed >> 33) % (unsigned long)(i + 1)), k = order[i];
        order[i] = order[j], order[j] = k;
    }
    for (int i = 0; i < NODES; i++) {
        nodes[order[i]].value = i;
        nodes[order[i]].next = i + 1 < NODES ? &nodes[order[i + 1]] : 0;
    }
    return &nodes[order[0]];
}

static void triad_here(void) { split_c_triad(c, a, b, N); }
static void triad_c(void) { c_triad(pc, pa, pb, N); }
static void large_here(void) { split_c_triad(lc, la, lb, LARGE); }
static void large_c(void) { c_triad(qc, qa, qb, LARGE); }
static void list_here(void) { sums[0] = split_c_list(here); }
static void list_c(void) { sums[1] = c_list(there); }
static void block_here(void) { split_c_stencil(tolocal(Y[MYPROC]), tolocal(X[MYPROC]), ROWS); }
static void block_c(void) { c_stencil(py, px, ROWS); }

/* The loop itself in Split-C, over rows that tolocal gives. */
static void rows_here(void) {
    double sum = 0;
    double (*rows)[COLUMNS] = tolocal(X[MYPROC]);
    for (long i = 0; i < ROWS; i++)
        for (long j = 0; j < COLUMNS; j++) sum += rows[i][j];
    sums[0] = sum;
}
/* Global reads of the own block, without tolocal. */
static void global_here(void) {
    double sum = 0;
    int me = MYPROC;
    for (long i = 0; i < ROWS; i++)
        for (long j = 0; j < COLUMNS; j++) sum += X[me][i][j];
    sums[0] = sum;
}
static void rows_c(void) { sums[1] = c_sum(px, ROWS); }

static void read_pointer(void) {
    long sum = 0;
    long *global p = where;
    for (int k = 0; k < 1000; k++) {
        sum += *p;
        __asm__ volatile("" ::: "memory");
    }
    longs[0] = sum;
}
static void read_element(void) {
    long sum = 0;
    int t = next;
    for (int k = 0; k < 1000; k++) {
        sum += word[t];
        __asm__ volatile("" ::: "memory");
    }
    longs[0] = sum;
}
/* Four elements on each processor: the index is divided by PROCS. */
static void read_several(void) {
    long sum = 0;
    int t = next;
    for (int k = 0; k < 1000; k++) {
        sum += several[t];
        __asm__ volatile("" ::: "memory");
    }
    longs[0] = sum;
}
/* The index is another one each time. */
static void read_each(void) {
    long sum = 0;
    for (int k = 0; k < 1000; k++) sum += several[indices[k]];
    longs[0] = sum;
}
static void read_each_c(void) { longs[1] = c_load_indexed(pseveral, indices, 1000); }
static void read_c(void) { longs[1] = c_loads(pword); }

int splitc_main(int argc, char **argv) {
    pa = private_memory(sizeof a), pb = private_memory(sizeof b), pc = private_memory(sizeof c);
    px = private_memory(sizeof(double[ROWS][COLUMNS])), py = private_memory(sizeof(double[ROWS][COLUMNS]));
    pword = private_memory(sizeof *pword);
    double (*x)[COLUMNS] = tolocal(X[MYPROC]), (*y)[COLUMNS] = tolocal(Y[MYPROC]);
    for (int i = 0; i < N; i++) a[i] = pa[i] = i, b[i] = pb[i] = 0.5 * i, c[i] = pc[i] = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) x[i][j] = px[i][j] = i ^ j, y[i][j] = py[i][j] = 0;
    next = PROCS - 1;
    word[MYPROC] = 3, *pword = 3;
    where = &word[next];
    for (int i = 0; i < 4; i++) several[4 * MYPROC + i] = 3;
    pseveral = private_memory(4 * PROCS * sizeof *pseveral);
    for (int i = 0; i < 4 * PROCS; i++) pseveral[i] = 3;
    for (int i = 0; i < 1000; i++) indices[i] = i * 7919 % (4 * PROCS);
    barrier();
    on_one {
        pairs_measure("local: triad over variables, in cache", 1, 0.98, triad_here, triad_c);
        pairs_check(memcmp(c, pc, sizeof c) == 0 && c[7] == 17.5, "triad");
        la = malloc(LARGE * sizeof *la), lb = malloc(LARGE * sizeof *lb), lc = malloc(LARGE * sizeof *lc);
        qa = private_memory(LARGE * sizeof *qa), qb = private_memory(LARGE * sizeof *qb);
        qc = private_memory(LARGE * sizeof *qc);
        for (long i = 0; i < LARGE; i++) la[i] = qa[i] = i, lb[i] = qb[i] = 1, lc[i] = qc[i] = 0;
        pairs_measure("local: triad over malloc's memory, 96 MiB", 1, 0.98, large_here, large_c);
        pairs_check(memcmp(lc, qc, LARGE * sizeof *lc) == 0, "large triad");
        here = list_in(malloc(NODES * sizeof *here)), there = list_in(private_memory(NODES * sizeof *there));
        pairs_measure("local: list in malloc's memory", 1, 0.98, list_here, list_c);
        pairs_check(sums[0] == sums[1] && sums[0] == 0.5 * NODES * (NODES - 1), "list");
        pairs_measure("X[i][j] of its own block after tolocal: stencil", 1, 0.95, block_here, block_c);
        pairs_check(memcmp(y, py, sizeof(double[ROWS][COLUMNS])) == 0, "stencil");
        pairs_measure("X[i][j] of its own block after tolocal: sum", 1, 0.95, rows_here, rows_c);
        pairs_check(sums[0] == sums[1], "sum");
        pairs_measure("X[i][j] of its own block without tolocal: sum", 0, 0, global_here, rows_c);
        pairs_check(sums[0] == sums[1], "sum of global reads");
        pairs_measure("global read of a warm word by a pointer", 0, 2, read_pointer, read_c);
        pairs_check(longs[0] == longs[1] && longs[0] == 3000, "global reads");
        pairs_measure("global read of a warm element of a spread array", 0, 2, read_element, read_c);
        pairs_check(longs[0] == longs[1] && longs[0] == 3000, "global reads of an element");
        pairs_measure("the same, of an array of four elements on each processor", 0, 2, read_several, read_c);
        pairs_check(longs[0] == longs[1] && longs[0] == 3000, "global reads of one of four elements");
        pairs_measure("the same, with another index each time", 0, 0, read_each, read_each_c);
        pairs_check(longs[0] == longs[1] && longs[0] == 3000, "global reads of each of four elements");
    }
    barrier();
    return 0;
}

/* C = A * B. Rows of A and C are dealt to the threads in blocks; B is, too, and travels to whoever needs it in pieces
 * of one thread's rows, by upc_memget. Everything else is local, and a cast to a private pointer says so.
 */
#include <stdio.h>
#include <upc.h>

#define ROWS 48 /* of each thread: the matrices are square, N x N */
#define N (ROWS * THREADS)

/* With THREADS unknown to the compiler, rows cannot have N elements in a declaration; the matrices are allocated. */
typedef shared [] double *local_rows;     /* the rows of one thread, all on that thread */
shared local_rows A[THREADS], B[THREADS], C[THREADS]; /* where each thread's rows are */

int main(void) {
    size_t bytes = ROWS * N * sizeof(double);
    A[MYTHREAD] = upc_alloc(bytes);
    B[MYTHREAD] = upc_alloc(bytes);
    C[MYTHREAD] = upc_alloc(bytes);

    /* What has affinity to this thread can be cast to a plain C pointer. */
    double *a = (double *)A[MYTHREAD], *b = (double *)B[MYTHREAD], *c = (double *)C[MYTHREAD];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++) {
            int row = MYTHREAD * ROWS + i;
            a[i * N + j] = row + 1; /* A[i][j] = i + 1 and B[i][j] = j - i */
            b[i * N + j] = j - row;
            c[i * N + j] = 0;
        }
    upc_barrier;

    double *piece = malloc(bytes);
    for (int step = 0; step < THREADS; step++) {
        int from = (MYTHREAD + step) % THREADS; /* each begins at home, so that they do not all ask the same thread */
        upc_memget(piece, B[from], bytes);
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < ROWS; k++) {
                double x = a[i * N + from * ROWS + k];
                for (int j = 0; j < N; j++) c[i * N + j] += x * piece[k * N + j];
            }
    }
    free(piece);
    upc_barrier;

    /* C[i][j] = (i + 1) * (sum over k of j - k): thread 0 reads all of it, wherever it lies. */
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double expected = (i + 1.0) * ((double)N * j - N * (N - 1.0) / 2);
                if (C[i / ROWS][i % ROWS * N + j] != expected) {
                    printf("C[%d][%d] is wrong\n", i, j);
                    upc_global_exit(1);
                }
            }
        printf("%d x %d matrices multiplied by %d threads, all elements right\n", N, N, THREADS);
    }
    upc_barrier; /* nobody frees what thread 0 still reads */
    upc_free(A[MYTHREAD]);
    upc_free(B[MYTHREAD]);
    upc_free(C[MYTHREAD]);
    return 0;
}

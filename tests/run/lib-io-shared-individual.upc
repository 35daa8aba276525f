// threads: 1 2 3 4 7
/* 7.8.4.2, 7.8.5.2 with individual file pointers: each thread moves an array of its own, of its own length. */
#include "lib-file.h"

#define N 400

int main(void) {
    const char *name = scratch_file("individual");
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    shared [4] int *mine = upc_global_alloc((size_t)(N / 4 + 1), 4 * sizeof(int));
    shared [7] int *copy = upc_global_alloc((size_t)(N / 7 + 1), 7 * sizeof(int));
    size_t n = (size_t)(N - 10 * MYTHREAD);
    for (int i = 0; i < N; i++) mine[i] = i + MYTHREAD * 100000;
    upc_all_fseek(f, MYTHREAD * (long)N * 4, UPC_SEEK_SET);
    CHECK_EQ(4 * n, upc_all_fwrite_shared(f, mine, 4, sizeof(int), n, 0));
    CHECK_EQ(0, upc_all_fsync(f));
    int other = (MYTHREAD + 1) % THREADS;
    n = (size_t)(N - 10 * other);
    upc_all_fseek(f, other * (long)N * 4, UPC_SEEK_SET);
    CHECK_EQ(4 * n, upc_all_fread_shared(f, copy, 7, sizeof(int), n, 0));
    for (int i = 0; i < (int)n; i++) CHECK_EQ(i + other * 100000, copy[i]);
    CHECK_EQ(other * (long)N * 4 + 4 * (long)n, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(0, upc_all_fread_shared(f, NULL, 7, 0, 0, 0)); /* no bytes, no buffer */
    CHECK_EQ(0, upc_all_fclose(f));
    upc_free(mine);
    upc_free(copy);
    return 0;
}

// threads: 1 2 3 4 7
/* 7.8.4.2, 7.8.5.2 with a common file pointer: the array's elements in index order are the file, for any block size on
 * either side, small and large. */
#include "lib-file.h"

#define N 30011
shared [5] long from[5 * (N / 5 + 1) * THREADS];
shared [3] long to[3 * (N / 3 + 1) * THREADS];
shared long cyclic[THREADS * N];

int main(void) {
    const char *name = scratch_file("common");
    for (int i = 0; i < N; i++)
        if ((int)upc_threadof(&from[i]) == MYTHREAD) from[i] = i * 7l + 1;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    CHECK(f != NULL);
    size_t b = upc_blocksizeof(from);
    CHECK_EQ(80, upc_all_fwrite_shared(f, from, b, sizeof(long), 10, 0));
    CHECK_EQ(8l * (N - 10), upc_all_fwrite_shared(f, &from[10], b, sizeof(long), N - 10, 0));
    CHECK_EQ(8l * N, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(0, upc_all_fsync(f));

    upc_all_fseek(f, 0, UPC_SEEK_SET);
    CHECK_EQ(8l * N, upc_all_fread_shared(f, to, 3, sizeof(long), N, 0));
    for (int i = 0; i < N; i++) CHECK_EQ(i * 7l + 1, to[i]);
    CHECK_EQ(8l * N, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    upc_all_fseek(f, 800, UPC_SEEK_SET);
    CHECK_EQ(8l * (N - 100), upc_all_fread_shared(f, cyclic, 1, sizeof(long), N, UPC_IN_MYSYNC)); /* the end */
    for (int i = 0; i < N - 100; i++) CHECK_EQ((i + 100) * 7l + 1, cyclic[i]);
    CHECK_EQ(0, upc_all_fread_shared(f, cyclic, 1, sizeof(long), N, 0));
    CHECK_EQ(0, upc_all_fwrite_shared(f, cyclic, 1, 0, N, 0));
    /* Indefinite, on the last thread. */
    shared [] long *one = (shared [] long *)&cyclic[THREADS - 1];
    upc_all_fseek(f, 8, UPC_SEEK_SET);
    CHECK_EQ(8000, upc_all_fread_shared(f, one, 0, sizeof(long), 1000, 0));
    for (int i = 0; i < 1000; i++) CHECK_EQ((i + 1) * 7l + 1, one[i]);
    CHECK_EQ(0, upc_all_fclose(f));

    long *want = malloc(N * sizeof(long));
    for (int i = 0; i < N; i++) want[i] = i * 7l + 1;
    check_content(name, (const char *)want, N * sizeof(long));
    remove_file(name);
    free(want);
    return 0;
}

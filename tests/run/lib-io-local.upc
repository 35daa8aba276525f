// threads: 1 2 3 4 7
/* 7.8.4.1, 7.8.5.1: fread_local and fwrite_local, each thread at its own place; the end of the file; wrong modes. */
#include "lib-file.h"

#define N 1000

int main(void) {
    const char *name = scratch_file("local");
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL);
    int out[N], in[N];
    for (int i = 0; i < N; i++) out[i] = i * 100 + MYTHREAD;
    upc_all_fseek(f, MYTHREAD * (long)sizeof out, UPC_SEEK_SET);
    CHECK_EQ(400, upc_all_fwrite_local(f, out, sizeof(int), 100, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
    CHECK_EQ(sizeof out - 400, upc_all_fwrite_local(f, out + 100, sizeof(int), N - 100, 0));
    CHECK_EQ((MYTHREAD + 1) * (long)sizeof out, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    /* A thread reads what it wrote itself without synchronising (7.8p13). */
    upc_all_fseek(f, MYTHREAD * (long)sizeof out, UPC_SEEK_SET);
    CHECK_EQ(sizeof in, upc_all_fread_local(f, in, sizeof in, 1, 0));
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK_EQ(0, upc_all_fsync(f));
    CHECK_EQ(THREADS * (long)sizeof out, upc_all_fget_size(f));

    int other = (MYTHREAD + 1) % THREADS;
    upc_all_fseek(f, other * (long)sizeof out, UPC_SEEK_SET);
    CHECK_EQ(sizeof in, upc_all_fread_local(f, in, sizeof(int), N, 0));
    for (int i = 0; i < N; i++) CHECK_EQ(i * 100 + other, in[i]);
    /* Threads may ask for different amounts, and for none. */
    upc_all_fseek(f, 0, UPC_SEEK_SET);
    CHECK_EQ(4 * MYTHREAD, upc_all_fread_local(f, MYTHREAD ? in : NULL, 4, (size_t)MYTHREAD, 0));
    CHECK_EQ(4 * MYTHREAD, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    /* At the end there is less, then nothing. */
    CHECK_EQ(THREADS * (long)sizeof out - 10, upc_all_fseek(f, -10, UPC_SEEK_END));
    CHECK_EQ(10, upc_all_fread_local(f, in, 4, 5, 0));
    CHECK_EQ(0, upc_all_fread_local(f, in, 4, 5, 0));
    CHECK_EQ(THREADS * (long)sizeof out, upc_all_fget_size(f));
    /* Into shared memory of its own too. */
    static shared [100] char mine[100 * THREADS];
    upc_all_fseek(f, 4, UPC_SEEK_SET);
    CHECK_EQ(100, upc_all_fread_local(f, (void *)&mine[100 * MYTHREAD], 1, 100, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC));
    for (int t = 0; t < THREADS; t++) CHECK_EQ(100, mine[100 * t]);
    CHECK_EQ(0, upc_all_fclose(f));

    f = upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    errno = 0;
    CHECK_EQ(-1, upc_all_fwrite_local(f, out, 4, 1, 0));
    CHECK_EQ(EBADF, errno);
    CHECK_EQ(0, upc_all_fclose(f));
    f = upc_all_fopen(name, UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK_EQ(-1, upc_all_fread_local(f, in, 4, 1, 0));
    CHECK_EQ(0, upc_all_fclose(f));
    f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP, 0, NULL);
    errno = 0;
    CHECK_EQ(-1, upc_all_fread_local(f, in, 4, 1, 0)); /* 7.8.3p3 */
    CHECK_EQ(EINVAL, errno);
    CHECK_EQ(0, upc_all_fclose(f));
    remove_file(name);
    return 0;
}

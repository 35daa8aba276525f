// threads: 1 2 3 4 7
/* 7.8.7: the eight asynchronous forms, completed by waiting and by testing; other calls are refused meanwhile. */
#include "lib-file.h"

#define N 64
shared [N] int a[N * THREADS], b[N * THREADS];

static upc_off_t complete(upc_file_t *f, int by_test) {
    CHECK_EQ(1, upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL));
    errno = 0;
    CHECK_EQ(-1, upc_all_fcntl(f, UPC_GET_FL, NULL));
    CHECK_EQ(EBUSY, errno);
    CHECK_EQ(-1, upc_all_fseek(f, 0, UPC_SEEK_SET));
    CHECK_EQ(-1, upc_all_fclose(f));
    upc_off_t n;
    if (by_test) {
        int flag = 0;
        do n = upc_all_ftest_async(f, &flag);
        while (!flag);
    } else {
        n = upc_all_fwait_async(f);
    }
    CHECK_EQ(0, upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL));
    return n;
}

int main(void) {
    const char *name = scratch_file("async");
    for (int by_test = 0; by_test < 2; by_test++) {
        upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
        int out[N], in[N], other = (MYTHREAD + 1) % THREADS;
        for (int i = 0; i < N; i++) out[i] = i + 1000 * MYTHREAD + by_test;
        long mine = MYTHREAD * (long)sizeof out, his = other * (long)sizeof out;
        upc_flag_t none = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;

        upc_all_fseek(f, mine, UPC_SEEK_SET);
        upc_all_fwrite_local_async(f, out, sizeof(int), N, 0);
        CHECK_EQ(sizeof out, complete(f, by_test));
        upc_all_fsync(f);
        upc_all_fseek(f, his, UPC_SEEK_SET);
        upc_all_fread_local_async(f, in, sizeof(int), N, none);
        CHECK_EQ(sizeof in, complete(f, by_test));
        for (int i = 0; i < N; i++) CHECK_EQ(i + 1000 * other + by_test, in[i]);

        struct upc_local_memvec lm[] = {{in, 100}, {in + N / 2, 28}};
        struct upc_filevec file[] = {{his, 64}, {his + 128, 64}};
        upc_all_fread_list_local_async(f, 2, lm, 2, file, 0);
        file[0].offset = -1; /* the lists are the caller's again (p3) */
        CHECK_EQ(128, complete(f, by_test));
        for (int k = 0; k < 32; k++)
            CHECK_EQ((k < 16 ? k : k + 16) + 1000 * other + by_test, in[k < 25 ? k : N / 2 + k - 25]);
        file[0].offset = his;
        upc_all_fsync(f);

        shared [N] int *block = &a[MYTHREAD * N];
        struct upc_shared_memvec sm[] = {{block, 0, 128}};
        upc_all_fread_list_shared_async(f, 1, sm, 2, file, 0);
        CHECK_EQ(128, complete(f, by_test));
        for (int k = 0; k < 32; k++) CHECK_EQ((k < 16 ? k : k + 16) + 1000 * other + by_test, a[MYTHREAD * N + k]);
        struct upc_filevec there[] = {{10000 + mine, 128}};
        upc_all_fwrite_list_shared_async(f, 1, sm, 1, there, 0);
        CHECK_EQ(128, complete(f, by_test));
        struct upc_local_memvec whole[] = {{out, 128}};
        there[0].offset += 128;
        upc_all_fwrite_list_local_async(f, 1, whole, 1, there, 0);
        CHECK_EQ(128, complete(f, by_test));
        upc_all_fsync(f);

        /* Shared buffers, by the common pointer. */
        CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL));
        upc_all_fread_shared_async(f, b, N, sizeof(int), (size_t)N * THREADS, 0);
        CHECK_EQ(THREADS * (long)sizeof out, complete(f, by_test));
        for (int i = 0; i < N * THREADS; i++) CHECK_EQ(i % N + 1000 * (i / N) + by_test, b[i]);
        upc_all_fwrite_shared_async(f, b, N, sizeof(int), (size_t)N * THREADS, 0);
        CHECK_EQ(THREADS * (long)sizeof out, complete(f, by_test));
        CHECK_EQ(2 * THREADS * (long)sizeof out, upc_all_fseek(f, 0, UPC_SEEK_CUR));

        /* An operation that is refused says so when it is completed. */
        upc_all_fread_local_async(f, in, sizeof(int), 1, 0);
        CHECK_EQ(-1, complete(f, by_test));
        /* Nothing is outstanding. */
        CHECK_EQ(-1, upc_all_fwait_async(f));
        CHECK_EQ(0, upc_all_fclose(f));
    }
    return 0;
}

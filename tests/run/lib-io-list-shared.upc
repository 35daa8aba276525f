// threads: 1 2 3 4 7
/* 7.8.6.2, 7.8.6.4: lists of blocked shared regions; block sizes in bytes; the same answer as element by element. */
#include "lib-file.h"

#define N 100
shared [N] char a[N * THREADS], b[N * THREADS];
shared [4] char blocked[40 * THREADS];

int main(void) {
    const char *name = scratch_file("list-shared");
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    for (int i = 0; i < N; i++) a[MYTHREAD * N + i] = (char)(i + MYTHREAD);
    upc_barrier;
    int right = (MYTHREAD + 1) % THREADS;
    long base = 50l * MYTHREAD;
    struct upc_shared_memvec mem[] = {{&a[right * N + 10], 0, 7}, {&a[MYTHREAD * N + 30], 0, 13}};
    struct upc_filevec file[] = {{base + 5, 10}, {base + 20, 10}};
    CHECK_EQ(20, upc_all_fwrite_list_shared(f, 2, mem, 2, file, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC));
    CHECK_EQ(0, upc_all_fsync(f));

    struct upc_shared_memvec back[] = {{&b[right * N], 0, 3}, {&b[right * N + 50], 0, 15}, {&b[right * N + 20], 0, 2}};
    CHECK_EQ(20, upc_all_fread_list_shared(f, 3, back, 2, file, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC));
    for (int k = 0; k < 20; k++) {
        char want = (char)(k < 7 ? 10 + k + right : 30 + k - 7 + MYTHREAD);
        int at = k < 3 ? k : k < 18 ? 47 + k : 2 + k;
        CHECK_EQ(want, b[right * N + at]);
    }
    upc_barrier;

    /* Blocks of 4 bytes: the region goes round the threads. Thread 0 alone; others pass empty lists. */
    struct upc_shared_memvec round[] = {{blocked, 4, 30}};
    struct upc_filevec whole[] = {{1000, 30}};
    for (int i = 0; i < 30; i++)
        if ((int)upc_threadof(&blocked[i]) == MYTHREAD) blocked[i] = (char)(100 - i);
    size_t entries = MYTHREAD == 0 ? 1 : 0;
    CHECK_EQ(MYTHREAD == 0 ? 30 : 0, upc_all_fwrite_list_shared(f, entries, round, entries, whole, 0));
    for (int i = 0; i < 30; i++)
        if ((int)upc_threadof(&blocked[i]) == MYTHREAD) blocked[i] = 0;
    CHECK_EQ(0, upc_all_fsync(f));
    struct upc_filevec halves[] = {{1000, 15}, {1015, 0}, {1015, 15}};
    CHECK_EQ(MYTHREAD == 0 ? 30 : 0, upc_all_fread_list_shared(f, entries, round, 3 * entries, halves, 0));
    for (int i = 0; i < 30; i++) CHECK_EQ(100 - i, blocked[i]);
    CHECK_EQ(0, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(0, upc_all_fclose(f));
    return 0;
}

// threads: 1 2 3 4 7
/* 7.8.1.3 p4 .. p6: with UPC_STRONG_CA, overlapping list writes are atomic: what remains is some order of whole writes,
 * and a write is seen by all as soon as it has returned, whatever the flags. */
#include "lib-file.h"

int main(void) {
    const char *name = scratch_file("strong");
    int flags = UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_STRONG_CA | UPC_DELETE_ON_CLOSE;
    upc_file_t *f = upc_all_fopen(name, flags, 0, NULL);
    CHECK(f != NULL);
    CHECK_EQ(UPC_STRONG_CA, upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL));
    for (int round = 0; round < 30; round++) {
        char data[3000], got[9000];
        memset(data, 'a' + MYTHREAD, sizeof data);
        struct upc_local_memvec mem[] = {{data, 3000}};
        struct upc_filevec file[] = {{0, 1000}, {4000, 1000}, {8000, 1000}};
        CHECK_EQ(3000, upc_all_fwrite_list_local(f, 1, mem, 3, file, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
        struct upc_local_memvec all[] = {{got, 9000}};
        struct upc_filevec whole[] = {{0, 9000}};
        CHECK_EQ(9000, upc_all_fread_list_local(f, 1, all, 1, whole, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
        CHECK(got[0] >= 'a' && got[0] < 'a' + THREADS);
        for (int i = 0; i < 1000; i++) CHECK(got[i] == got[0] && got[4000 + i] == got[0] && got[8000 + i] == got[0]);
    }
    /* By the file pointer: each thread appends at its own place and reads its neighbour's at once. */
    int x = MYTHREAD * 11, y = -1, other = (MYTHREAD + 1) % THREADS;
    upc_all_fseek(f, 10000 + 4 * MYTHREAD, UPC_SEEK_SET);
    CHECK_EQ(4, upc_all_fwrite_local(f, &x, 4, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
    upc_all_fseek(f, 10000 + 4 * other, UPC_SEEK_SET);
    CHECK_EQ(4, upc_all_fread_local(f, &y, 4, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
    CHECK_EQ(other * 11, y);
    CHECK_EQ(0, upc_all_fclose(f));
    return 0;
}

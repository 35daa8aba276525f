// threads: 1 2 3 4 7
/* 7.8.6.1, 7.8.6.3: lists of private regions and of file regions; file pointers stay; the example of 7.8.6. */
#include "lib-file.h"

int main(void) {
    const char *name = scratch_file("list-local");
    int fp[] = {UPC_INDIVIDUAL_FP, UPC_COMMON_FP};
    for (int k = 0; k < 2; k++) {
        upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_DELETE_ON_CLOSE | fp[k], 0, NULL);
        char out[30], in[30];
        for (int i = 0; i < 30; i++) out[i] = (char)('A' + i + MYTHREAD), in[i] = '-';
        upc_all_fseek(f, 3, UPC_SEEK_SET);
        long base = 100l * MYTHREAD;
        struct upc_local_memvec mem[] = {{&out[20], 5}, {&out[0], 0}, {&out[3], 10}};
        struct upc_filevec file[] = {{base, 2}, {base + 10, 12}, {base + 40, 1}};
        CHECK_EQ(15, upc_all_fwrite_list_local(f, 3, mem, 3, file, 0));
        CHECK_EQ(3, upc_all_fseek(f, 0, UPC_SEEK_CUR));
        CHECK_EQ(0, upc_all_fsync(f));

        int other = (MYTHREAD + 1) % THREADS;
        base = 100l * other;
        struct upc_local_memvec back[] = {{&in[0], 4}, {&in[7], 3}};
        struct upc_filevec pieces[] = {{base + 1, 1}, {base + 12, 6}};
        CHECK_EQ(7, upc_all_fread_list_local(f, 2, back, 2, pieces, UPC_IN_NOSYNC | UPC_OUT_NOSYNC));
        /* Written in order: 20..24, 3..12; file byte 1 is the second, byte 12 the fifth of them. */
        char want[30];
        memset(want, '-', sizeof want);
        int order[] = {21, 24, 3, 4, 5, 6, 7};
        for (int i = 0; i < 7; i++) want[i < 4 ? i : i + 3] = (char)('A' + order[i] + other);
        CHECK(memcmp(in, want, sizeof in) == 0);
        CHECK_EQ(3, upc_all_fseek(f, 0, UPC_SEEK_CUR));

        CHECK_EQ(0, upc_all_fread_list_local(f, 0, NULL, 0, NULL, 0));
        errno = 0;
        CHECK_EQ(-1, upc_all_fread_list_local(f, 2, back, 1, pieces, 0)); /* sums differ */
        CHECK_EQ(EINVAL, errno);
        struct upc_filevec backwards[] = {{50, 1}, {20, 6}};
        CHECK_EQ(-1, upc_all_fread_list_local(f, 2, back, 2, backwards, 0));
        /* 7.8.6: entries without bytes are ignored, whatever their offsets. */
        struct upc_filevec hollow[] = {{90, 0}, {base + 1, 1}, {0, 0}, {base + 12, 6}, {-1, 0}};
        memset(in, '-', sizeof in);
        CHECK_EQ(7, upc_all_fread_list_local(f, 2, back, 5, hollow, 0));
        CHECK(memcmp(in, want, sizeof in) == 0);
        /* Past the end: what there is. */
        long size = upc_all_fget_size(f);
        struct upc_filevec beyond[] = {{size - 3, 5}, {size + 10, 2}};
        CHECK_EQ(3, upc_all_fread_list_local(f, 2, back, 2, beyond, 0));
        CHECK_EQ(0, upc_all_fclose(f));
    }
    return 0;
}

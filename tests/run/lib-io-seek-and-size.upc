// threads: 1 2 3 4
/* 7.8.3.4 .. 7.8.3.7: seeking from each origin, sizes set, got and preallocated. */
#include "lib-file.h"

int main(void) {
    const char *name = scratch_file("seek");
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(f != NULL);
    CHECK_EQ(0, upc_all_fset_size(f, 1000));
    CHECK_EQ(1000, upc_all_fget_size(f));
    /* Individual pointers differ. */
    CHECK_EQ(10 * MYTHREAD, upc_all_fseek(f, 10 * MYTHREAD, UPC_SEEK_SET));
    CHECK_EQ(10 * MYTHREAD + 5, upc_all_fseek(f, 5, UPC_SEEK_CUR));
    CHECK_EQ(10 * MYTHREAD + 2, upc_all_fseek(f, -3, UPC_SEEK_CUR));
    CHECK_EQ(1000 - MYTHREAD, upc_all_fseek(f, -MYTHREAD, UPC_SEEK_END));
    /* Past the end is allowed and does not extend the file. */
    CHECK_EQ(5000, upc_all_fseek(f, 4000, UPC_SEEK_END));
    CHECK_EQ(1000, upc_all_fget_size(f));
    errno = 0;
    CHECK_EQ(-1, upc_all_fseek(f, -1, UPC_SEEK_SET));
    CHECK_EQ(EINVAL, errno);
    CHECK_EQ(-1, upc_all_fseek(f, 0, 99));
    /* Truncating leaves the pointer (p5, p7). */
    CHECK_EQ(700, upc_all_fseek(f, 700, UPC_SEEK_SET));
    CHECK_EQ(0, upc_all_fset_size(f, 300));
    CHECK_EQ(300, upc_all_fget_size(f));
    CHECK_EQ(700, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    /* Preallocation grows the file, and never shrinks it. */
    CHECK_EQ(0, upc_all_fpreallocate(f, 2000));
    CHECK_EQ(2000, upc_all_fget_size(f));
    CHECK_EQ(0, upc_all_fpreallocate(f, 10));
    CHECK_EQ(2000, upc_all_fget_size(f));
    CHECK_EQ(700, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(-1, upc_all_fset_size(f, -1));
    CHECK_EQ(0, upc_all_fsync(f));
    CHECK_EQ(0, upc_all_fclose(f));

    f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    CHECK_EQ(0, upc_all_fset_size(f, 50));
    CHECK_EQ(45, upc_all_fseek(f, -5, UPC_SEEK_END));
    CHECK_EQ(46, upc_all_fseek(f, 1, UPC_SEEK_CUR));
    CHECK_EQ(0, upc_all_fclose(f));
    f = upc_all_fopen(name, UPC_RDONLY | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    errno = 0;
    CHECK_EQ(-1, upc_all_fset_size(f, 10));
    CHECK_EQ(EBADF, errno);
    CHECK_EQ(-1, upc_all_fpreallocate(f, 10));
    CHECK_EQ(0, upc_all_fclose(f));

    /* Not open: every function says so. */
    errno = 0;
    CHECK(upc_all_fsync(f) == -1 && errno == EBADF);
    CHECK_EQ(-1, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(-1, upc_all_fget_size(f));
    CHECK_EQ(-1, upc_all_fset_size(f, 0));
    CHECK_EQ(-1, upc_all_fcntl(f, UPC_GET_FL, NULL));
    CHECK_EQ(-1, upc_all_fread_local(f, NULL, 0, 0, 0));
    return 0;
}

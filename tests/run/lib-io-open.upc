// threads: 1 2 3 4
/* 7.8.3.1, 7.8.3.2: every flag of upc_all_fopen; errors are single-valued; closing. */
#include "lib-file.h"

static void check_refused(const char *name, int flags, int error) {
    errno = 0;
    CHECK(upc_all_fopen(name, flags, 0, NULL) == NULL);
    CHECK_EQ(error, errno);
    upc_barrier;
}

int main(void) {
    const char *name = scratch_file("open");
    int fp[] = {UPC_INDIVIDUAL_FP, UPC_COMMON_FP};
    for (int k = 0; k < 2; k++) {
        check_refused(name, UPC_RDWR | fp[k], ENOENT);
        upc_file_t *f = upc_all_fopen(name, UPC_WRONLY | UPC_CREATE | UPC_EXCL | fp[k], 0, NULL);
        CHECK(f != NULL);
        CHECK_EQ(0, upc_all_fget_size(f));
        CHECK_EQ(0, upc_all_fset_size(f, 100));
        CHECK_EQ(0, upc_all_fclose(f));
        check_refused(name, UPC_WRONLY | UPC_CREATE | UPC_EXCL | fp[k], EEXIST);

        f = upc_all_fopen(name, UPC_RDONLY | fp[k], 0, NULL);
        CHECK_EQ(100, upc_all_fget_size(f));
        CHECK_EQ(0, upc_all_fseek(f, 0, UPC_SEEK_CUR));
        CHECK_EQ(0, upc_all_fclose(f));
        f = upc_all_fopen(name, UPC_RDWR | UPC_APPEND | UPC_CREATE | fp[k], 0, NULL);
        CHECK_EQ(100, upc_all_fseek(f, 0, UPC_SEEK_CUR));
        CHECK_EQ(0, upc_all_fclose(f));
        f = upc_all_fopen(name, UPC_RDWR | UPC_TRUNC | fp[k], 0, NULL);
        CHECK_EQ(0, upc_all_fget_size(f));
        CHECK_EQ(0, upc_all_fclose(f));
        upc_barrier;
        CHECK_EQ(0, access(name, F_OK));
        upc_barrier;
        f = upc_all_fopen(name, UPC_RDWR | UPC_DELETE_ON_CLOSE | fp[k], 0, NULL);
        CHECK_EQ(0, access(name, F_OK));
        CHECK_EQ(0, upc_all_fclose(f));
        CHECK(access(name, F_OK) != 0);
        upc_barrier;
        /* The handle is not valid any more. */
        errno = 0;
        CHECK_EQ(-1, upc_all_fclose(f));
        CHECK_EQ(EBADF, errno);
    }
    check_refused(name, UPC_RDWR, EINVAL);
    check_refused(name, UPC_COMMON_FP, EINVAL);
    check_refused(name, UPC_RDWR | UPC_RDONLY | UPC_COMMON_FP, EINVAL);
    check_refused(name, UPC_RDWR | UPC_COMMON_FP | UPC_INDIVIDUAL_FP, EINVAL);
    check_refused(name, UPC_RDWR | UPC_COMMON_FP | UPC_EXCL, EINVAL);
    check_refused("/nonexistent-folder/file", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, ENOENT);

    /* Two files at a time; handles compare equal on all threads. */
    char second[600];
    snprintf(second, sizeof second, "%s-2", name);
    int flags = UPC_RDWR | UPC_CREATE | UPC_DELETE_ON_CLOSE | UPC_INDIVIDUAL_FP;
    upc_file_t *f = upc_all_fopen(name, flags, 0, NULL), *g = upc_all_fopen(second, flags, 0, NULL);
    static upc_file_t *shared seen;
    if (MYTHREAD == 0) seen = f;
    upc_barrier;
    CHECK(f == seen && g != f);
    CHECK_EQ(0, upc_all_fset_size(f, 5));
    CHECK_EQ(0, upc_all_fget_size(g));
    CHECK_EQ(0, upc_all_fclose(f));
    CHECK_EQ(0, upc_all_fset_size(g, 7));
    CHECK_EQ(7, upc_all_fget_size(g));
    CHECK_EQ(0, upc_all_fclose(g));
    return 0;
}

// threads: 1 2 3 4
/* 7.8.3.8: every command of upc_all_fcntl. */
#include "lib-file.h"

int main(void) {
    const char *name = scratch_file("control");
    struct upc_hint hints[] = {{"access_style", "write_once,sequential"}, {"file_perm", "0600"}};
    int flags = UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE;
    upc_file_t *f = upc_all_fopen(name, flags, 2, hints);
    CHECK(f != NULL);
    struct stat s;
    CHECK_EQ(0, stat(name, &s));
    CHECK_EQ(0600, s.st_mode & 0777);

    CHECK_EQ(flags, upc_all_fcntl(f, UPC_GET_FL, NULL));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL));
    CHECK_EQ(UPC_STRONG_CA, upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL));
    CHECK_EQ(flags | UPC_STRONG_CA, upc_all_fcntl(f, UPC_GET_FL, NULL));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL));

    CHECK_EQ(UPC_INDIVIDUAL_FP, upc_all_fcntl(f, UPC_GET_FP, NULL));
    CHECK_EQ(MYTHREAD + 3, upc_all_fseek(f, MYTHREAD + 3, UPC_SEEK_SET));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL));
    CHECK_EQ(UPC_COMMON_FP, upc_all_fcntl(f, UPC_GET_FP, NULL));
    CHECK_EQ(0, upc_all_fseek(f, 0, UPC_SEEK_CUR)); /* at the beginning again */
    CHECK_EQ(9, upc_all_fseek(f, 9, UPC_SEEK_SET));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL));
    CHECK_EQ(UPC_INDIVIDUAL_FP, upc_all_fcntl(f, UPC_GET_FP, NULL));
    CHECK_EQ(0, upc_all_fseek(f, 0, UPC_SEEK_CUR));
    CHECK_EQ(flags, upc_all_fcntl(f, UPC_GET_FL, NULL));

    const char *got = NULL;
    CHECK_EQ(0, upc_all_fcntl(f, UPC_GET_FN, &got));
    CHECK(strcmp(got, name) == 0);

    const upc_hint_t *kept = NULL;
    hints[0].value = "changed after the open";
    int n = upc_all_fcntl(f, UPC_GET_HINTS, &kept);
    CHECK_EQ(2, n);
    CHECK(strcmp(kept[0].key, "access_style") == 0 && strcmp(kept[0].value, "write_once,sequential") == 0);
    upc_hint_t more = {"cb_nodes", "2"}, other = {"access_style", "random"};
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_HINT, &more));
    CHECK_EQ(0, upc_all_fcntl(f, UPC_SET_HINT, &other));
    CHECK_EQ(3, upc_all_fcntl(f, UPC_GET_HINTS, &kept));
    CHECK(strcmp(kept[0].value, "random") == 0 && strcmp(kept[2].value, "2") == 0);

    CHECK_EQ(0, upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL));
    errno = 0;
    CHECK_EQ(-1, upc_all_fcntl(f, 12345, NULL));
    CHECK_EQ(EINVAL, errno);
    CHECK_EQ(0, upc_all_fclose(f));
    return 0;
}

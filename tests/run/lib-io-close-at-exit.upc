// threads: 1 2 3
// conduits: smp reference template
/* 7.8p4: a file still open at the end is closed: its data are there, and with UPC_DELETE_ON_CLOSE it is not; whether the
 * threads return or one calls upc_global_exit. The program starts itself again to look. */
#include "lib-file.h"
#include <sys/wait.h>

int main(int argc, char **argv) {
    if (argc > 1) { /* the job that leaves its files open */
        char name[600];
        snprintf(name, sizeof name, "%s-deleted", argv[1]);
        upc_file_t *f = upc_all_fopen(argv[1], UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
        upc_file_t *g = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
        CHECK(f != NULL && g != NULL);
        upc_all_fseek(f, MYTHREAD, UPC_SEEK_SET);
        char c = (char)('0' + MYTHREAD);
        CHECK_EQ(1, upc_all_fwrite_local(f, &c, 1, 1, 0));
        CHECK_EQ(0, access(name, F_OK));
        upc_all_fsync(f);
        if (argc > 2 && MYTHREAD == THREADS - 1) upc_global_exit(0);
        return 0;
    }
    const char *name = scratch_file("at-exit");
    if (MYTHREAD == 0)
        for (int early = 0; early < 2; early++) {
            char command[1500], deleted[600], want[] = "0123456789";
            snprintf(command, sizeof command, "FATHOM_THREADS=%d $FATHOM_TEST_EMULATOR '%s' '%s' %s", THREADS, argv[0], name,
                     early ? "early" : "");
            CHECK_EQ(0, system(command));
            snprintf(deleted, sizeof deleted, "%s-deleted", name);
            CHECK(access(deleted, F_OK) != 0);
            FILE *f = fopen(name, "r");
            CHECK(f != NULL);
            char got[20] = "";
            CHECK(fgets(got, sizeof got, f) != NULL);
            want[THREADS] = 0;
            CHECK(strcmp(got, want) == 0);
            fclose(f);
            unlink(name);
        }
    return 0;
}

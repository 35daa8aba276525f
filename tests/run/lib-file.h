/* Scratch files for the tests of <upc_io.h>: one name for the whole job, unlike any other job's. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "check.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <upc_io.h>

shared int scratch_pid;

/* Collective. */
static const char *scratch_file(const char *story) {
    static char name[512];
    if (MYTHREAD == 0) scratch_pid = (int)getpid();
    upc_barrier;
    const char *folder = getenv("TMPDIR");
    snprintf(name, sizeof name, "%s/fathom-%s-%d", folder ? folder : "/tmp", story, scratch_pid);
    return name;
}

/* What thread 0 sees in the file through the C library, which the UPC library must not have open. */
static __attribute__((unused)) void check_content(const char *name, const char *content, size_t n) {
    upc_barrier;
    if (MYTHREAD == 0) {
        FILE *f = fopen(name, "rb");
        CHECK(f != NULL);
        char *got = malloc(n + 1);
        CHECK_EQ(n, fread(got, 1, n + 1, f));
        CHECK(memcmp(got, content, n) == 0);
        free(got);
        fclose(f);
    }
    upc_barrier;
}

static __attribute__((unused)) void remove_file(const char *name) {
    upc_barrier;
    if (MYTHREAD == 0) CHECK_EQ(0, unlink(name));
    upc_barrier;
}

#endif

/* CHECK for self-checking Split-C programs, as check.h has it for UPC. */
#ifndef CHECK_SPLIT_C_H
#define CHECK_SPLIT_C_H

#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#define CHECK_EQ(expected, actual) \
    check_equal((long long)(expected), (long long)(actual), __FILE__, __LINE__, #expected " == " #actual)

static __attribute__((unused)) void check_failed(const char *file, int line, const char *expr) {
    fprintf(stderr, "processor %d: %s:%d: CHECK(%s) failed\n", MYPROC, file, line, expr);
    fflush(stderr);
    splitc_exit(1);
}

static __attribute__((unused)) void check_equal(long long expected, long long actual, const char *file, int line,
                                                const char *expr) {
    if (expected == actual) return;
    fprintf(stderr, "processor %d: %s:%d: CHECK(%s) failed: expected %lld, got %lld\n", MYPROC, file, line, expr,
            expected, actual);
    fflush(stderr);
    splitc_exit(1);
}

#endif

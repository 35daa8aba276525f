/* CHECK for self-checking UPC programs.
 *
 * A test is a program that exits 0 when all is well. The first check that fails on any thread says where and what, and
 * ends the whole job with status 1. CHECK is an expression, so that it can stand wherever one can; its operand may
 * contain shared accesses. CHECK_EQ(expected, actual) also prints both values, and takes integers of any type.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#define CHECK_EQ(expected, actual) \
    check_equal((long long)(expected), (long long)(actual), __FILE__, __LINE__, #expected " == " #actual)

static __attribute__((unused)) void check_failed(const char *file, int line, const char *expr) {
    fprintf(stderr, "thread %d: %s:%d: CHECK(%s) failed\n", MYTHREAD, file, line, expr);
    fflush(stderr);
    upc_global_exit(1);
}

static __attribute__((unused)) void check_equal(long long expected, long long actual, const char *file, int line,
                                                const char *expr) {
    if (expected == actual) return;
    fprintf(stderr, "thread %d: %s:%d: CHECK(%s) failed: expected %lld, got %lld\n", MYTHREAD, file, line, expr, expected,
            actual);
    fflush(stderr);
    upc_global_exit(1);
}

#endif

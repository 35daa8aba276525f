/* How tests of upc_forall count what ran.
 *
 * FORALL_TEST(head, affinity, index, owner) runs `upc_forall (head; affinity)` and, as the model, `for (head)`, where `owner` is
 * the thread that must run the iteration (-1: all), an expression over private things only. Both record the sequence of
 * `index` values that this thread executes; the sequences must be equal. Since the model gives each iteration to one
 * thread, equal sequences mean that each ran exactly once.
 */
#ifndef FORALL_H
#define FORALL_H

#include "check.h"
#include "layout.h"

#define LOG_MAX 100000
struct log {
    long n;
    long seen[LOG_MAX];
};
static struct log got_log, want_log;

UNUSED static void note(struct log *l, long i) {
    CHECK(l->n < LOG_MAX);
    l->seen[l->n++] = i;
}

UNUSED static void compare_logs(const char *file, int line) {
    if (got_log.n != want_log.n) {
        fprintf(stderr, "%s:%d: %ld iterations on this thread where the model has %ld\n", file, line, got_log.n, want_log.n);
        CHECK(got_log.n == want_log.n);
    }
    for (long k = 0; k < got_log.n; k++)
        if (got_log.seen[k] != want_log.seen[k]) {
            fprintf(stderr, "%s:%d: execution %ld has index %ld where the model has %ld\n", file, line, k, got_log.seen[k],
                    want_log.seen[k]);
            CHECK(got_log.seen[k] == want_log.seen[k]);
        }
    got_log.n = want_log.n = 0;
}

/* The head in three parts, as macros' arguments cannot hold semicolons. */
#define FORALL_TEST(init, cond, step, affinity, index, owner)              \
    do {                                                                   \
        upc_forall (init; cond; step; affinity) note(&got_log, index);     \
        for (init; cond; step)                                             \
            if ((owner) == -1 || (owner) == MYTHREAD) note(&want_log, index); \
        compare_logs(__FILE__, __LINE__);                                  \
    } while (0)

#endif

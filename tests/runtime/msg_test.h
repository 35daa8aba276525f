/* What the tests of message queues share: a check that ends the process, contents that follow from a seed, children. */
#ifndef TESTS_RUNTIME_MSG_TEST_H
#define TESTS_RUNTIME_MSG_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg/channel.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not true: %s (%s)\n", __FILE__, __LINE__, #condition, msg_error());                \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static inline uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 27;
}

static inline void fill(unsigned char *to, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++) to[i] = (unsigned char)mixed(seed + i / 8 + i % 8 * 1000);
}

static inline bool is_filled(const unsigned char *from, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++)
        if (from[i] != (unsigned char)mixed(seed + i / 8 + i % 8 * 1000)) return false;
    return true;
}

/* A child that ends well unless a check fails. */
static inline pid_t child(void (*run)(void *), void *with) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        run(with);
        _exit(0);
    }
    return pid;
}
static inline void ends_well(pid_t pid) {
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif

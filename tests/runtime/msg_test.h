/* What the tests of message queues share: a check that ends the process, contents that follow from a seed, children. */
#ifndef TESTS_RUNTIME_MSG_TEST_H
#define TESTS_RUNTIME_MSG_TEST_H

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/* A child that ends well unless a check fails, and does not live longer than the test. */
static inline pid_t child(void (*run)(void *), void *with) {
    pid_t parent = getpid(), pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        CHECK(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
        if (getppid() != parent) _exit(99);
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

/* ---- what some kernels and emulators do not have ----------------------------------------------------------------- */

static inline void *returns(void *with) { return with; }
static inline void *waits_for_byte(void *pipes) {
    const int(*pipe)[2] = pipes;
    char byte;
    return write(pipe[0][1], "x", 1) == 1 && read(pipe[1][0], &byte, 1) == 1 ? pipes : NULL;
}

/* May a child of a process with several threads start one? Emulators may end there, with lines of their own on stderr. */
static inline bool child_starts_threads(void) {
    int pipes[2][2], status;
    char byte;
    pthread_t other, own;
    CHECK(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0 && pthread_create(&other, NULL, waits_for_byte, pipes) == 0);
    /* A thread that is still being started may hold a lock of AddressSanitizer's, which the child would wait for forever. */
    CHECK(read(pipes[0][0], &byte, 1) == 1);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        _exit(pthread_create(&own, NULL, returns, NULL) != 0 || pthread_join(own, NULL) != 0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && write(pipes[1][1], "x", 1) == 1 && pthread_join(other, NULL) == 0);
    for (int k = 0; k < 4; k++) close(pipes[k / 2][k % 2]);
    if (status != 0) printf("skipped: a child of a process with threads cannot start one here\n");
    return status == 0;
}

/* May a socket refuse descriptors? From Linux 6.16 on, unless an emulator does not pass it on. */
static inline bool sockets_refuse_descriptors(void) {
    int pair[2], no = 0;
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    bool is = setsockopt(pair[0], SOL_SOCKET, 83 /* SO_PASSRIGHTS */, &no, sizeof no) == 0;
    for (int k = 0; k < 2; k++) close(pair[k]);
    if (!is) printf("skipped: no socket can refuse descriptors here (SO_PASSRIGHTS)\n");
    return is;
}

/* Is a message sent that has no bytes, but descriptors? An emulator may make no call, and say that it has succeeded. */
static inline bool sends_without_bytes(void) {
    int pair[2];
    char any;
    struct msghdr none = {0};
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && sendmsg(pair[0], &none, 0) == 0);
    bool is = recv(pair[1], &any, 1, MSG_DONTWAIT) == 0;
    for (int k = 0; k < 2; k++) close(pair[k]);
    if (!is) printf("skipped: sendmsg sends nothing without bytes here\n");
    return is;
}

#endif

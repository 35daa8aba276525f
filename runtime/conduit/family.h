/* Processes by descriptor (pidfd), and the descendants of a process: found in /proc, and signalled.
 *
 * What a thread has started (system, popen, fork) must not outlive a job that fails: it would hold the pipes of the job
 * open, and whoever reads from them would wait for it. Nothing here allocates memory, so it may run in a signal handler.
 * A process number can be given to another process between the look and the signal, a descriptor cannot: so the look is
 * repeated once the descriptor is open. Kernels before 5.3 have no descriptors; there the signal goes to the number.
 */
#ifndef CONDUIT_FAMILY_H
#define CONDUIT_FAMILY_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* C libraries older than the calls do not name them; their numbers are the same on every architecture. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* A descriptor of the process, close-on-exec; or -1: the process has gone (ESRCH), or there are no descriptors. */
static inline int family_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/* As kill, or as sigqueue with `info`. */
static inline int family_send(int pidfd, int signal, siginfo_t *info) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, info, 0);
}

/* What the kernel says of a process. */
struct family_member {
    int parent;
    char state;                 /* 'Z': it has ended */
    unsigned long long started; /* in ticks, since the computer was */
};

/* False where there is no such process. */
static inline bool family_look(pid_t pid, struct family_member *m) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *rest = strrchr(text, ')'); /* the name before it may hold anything */
    return rest && sscanf(rest + 1, " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                          &m->state, &m->parent, &m->started) == 3;
}

struct family {
    int count;
    pid_t pid[1024]; /* the first is the one whose descendants the others are */
};

static inline bool family_has(const struct family *f, pid_t pid) {
    for (int i = 0; i < f->count; i++)
        if (f->pid[i] == pid) return true;
    return false;
}

/* Adds the living children of those that are in it already. */
static inline void family_grow(struct family *f) {
    struct entry { /* of getdents64(2); readdir would allocate */
        unsigned long long inode, offset;
        unsigned short bytes;
        unsigned char type;
        char name[];
    };
    _Alignas(struct entry) char list[4096];
    int most = (int)(sizeof f->pid / sizeof *f->pid);
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return;
    for (long n; (n = syscall(SYS_getdents64, proc, list, sizeof list)) > 0;) {
        const struct entry *e;
        for (long at = 0; at < n; at += e->bytes) {
            e = (const struct entry *)(list + at);
            pid_t pid = atoi(e->name);
            struct family_member m;
            if (pid <= 0 || f->count == most || !family_look(pid, &m) || m.state == 'Z') continue;
            if (family_has(f, m.parent) && !family_has(f, pid)) f->pid[f->count++] = pid;
        }
    }
    close(proc);
}

/* Sends `signal` to all descendants of the calling process. Returns how many there were. */
static inline int family_signal(int signal) {
    struct family f = {.count = 1, .pid = {getpid()}};
    for (int before = 0; before < f.count;) { /* a child may have a smaller number than its parent */
        before = f.count;
        family_grow(&f);
    }
    for (int i = 1; i < f.count; i++) {
        struct family_member m;
        int fd = family_open(f.pid[i]);
        if (fd < 0) {
            if (errno != ESRCH) kill(f.pid[i], signal);
            continue;
        }
        if (family_look(f.pid[i], &m) && family_has(&f, m.parent)) family_send(fd, signal, NULL);
        close(fd);
    }
    return f.count - 1;
}

#endif

/* Writing in bounded time, for a process that ends a job.
 *
 * A message about a job's end, and output that is saved on the way, may go to a pipe that is full and that nobody reads
 * from: whoever reads may wait for this job to end. An ordinary write would wait for ever, and the job with it. Nothing
 * here allocates memory, so it may run in a signal handler.
 */
#ifndef CONDUIT_BOUNDED_H
#define CONDUIT_BOUNDED_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "conduit/clock.h"

enum {
    BOUNDED_MS = 5000,       /* the patience that a job's last output gets */
    BOUNDED_SAID_MS = 11000, /* how long others wait for its writer, which may have to ask another computer first */
};

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 8
#endif

/* As write, but does not wait: EAGAIN where it would have to. The descriptor's flags are not touched, because other
 * processes share them. Where a pipe can only be written to in the ordinary way (an old kernel), there is room for 4096
 * bytes if poll says that there is any, unless another process takes it at the same moment. */
static inline ssize_t bounded_try(int fd, const char *from, size_t bytes) {
    struct stat s;
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    size_t piece = bytes < 4096 ? bytes : 4096;
    if (fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode)) return send(fd, from, bytes, MSG_DONTWAIT);
    if (S_ISFIFO(s.st_mode)) {
        struct iovec v = {(void *)from, piece};
        ssize_t n = syscall(SYS_pwritev2, fd, &v, 1, -1l, -1l, RWF_NOWAIT);
        /* EPERM: a sandbox that knows only older system calls */
        if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL && errno != EPERM)) return n;
    }
    if (poll(&room, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
    }
    return write(fd, from, piece);
}

/* Writes all of it, until `end` on the clock of now_ms. False if the descriptor does not take it. */
static inline bool bounded_write_until(int fd, const void *from, size_t bytes, long long end) {
    const char *p = from;
    while (bytes) {
        ssize_t n = bounded_try(fd, p, bytes);
        if (n >= 0) {
            p += n;
            bytes -= (size_t)n;
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
        long long left = end - now_ms();
        struct pollfd room = {.fd = fd, .events = POLLOUT};
        if (left <= 0) return false;
        poll(&room, 1, left < 100 ? (int)left : 100);
    }
    return true;
}

/* A message about the job's end, on stderr. */
static inline void bounded_say(const char *text, size_t bytes) {
    bounded_write_until(2, text, bytes, now_ms() + BOUNDED_MS);
}

/* What a report says: "fathom: ", and what the format makes of its arguments. Returns its length. */
static inline size_t bounded_text(char *text, size_t room, const char *format, va_list args) {
    size_t n = (size_t)snprintf(text, room, "fathom: ");
    n += (size_t)vsnprintf(text + n, room - n, format, args);
    return n < room ? n : room - 1;
}

/* May this thread say why the job ends (`claim_report` of conduit.h), and end it then? Where another one may, waits until
 * that one has ended it, for a while at most: to end the job sooner would end the one that is still writing. */
static inline bool bounded_may_say(bool (*claim_report)(void), bool (*is_ending)(void)) {
    if (claim_report()) return true;
    for (long long end = now_ms() + BOUNDED_SAID_MS; !is_ending() && now_ms() < end;) poll(NULL, 0, 10);
    return false;
}

#endif

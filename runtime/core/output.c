/* stdout shared by several threads: whole lines of any length, never mixed.
 *
 * A pipe takes at most PIPE_BUF bytes in one piece, so a lock is needed around the write. The C library has a place for
 * it only in a stream with a write function of our own (fopencookie). That stream becomes stdout of each thread, is
 * line-buffered, and keeps descriptor 1, so that fileno(stdout) and isatty work as before. Its write function gets
 * whole lines, unless a line is longer than the buffer (the pieces are gathered here until the line is complete) or the
 * program flushes an unfinished line (it is written at once). A job of one thread keeps the C library's own stdout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/family.h"
#include "core/core.h"
#include "core/mutex.h"

#define BUFFER (64u << 10)
#define LOOK_UP_MS 100
#define RESCUE_MS 100       /* how long a process that is being ended waits for the lock */
#define LONGEST (64u << 20) /* a "line" beyond this is written in pieces */

struct common {
    struct mutex lock;
    pid_t holder; /* its process, a thread's or a child's that the program has forked; 0: nobody has said so yet */
};
static struct common *common;
static FILE *stream;
static CONDUIT_LARGE char buffer[BUFFER];
static char *gathered; /* the beginning of a line longer than the buffer */
static size_t gathered_bytes, gathered_room;
static bool have_lock;

/* True also if its parent has not yet asked for its status: the parent may be the process that waits for the lock. */
static bool has_ended(pid_t pid) {
    int fd = family_open(pid);
    if (fd < 0) return kill(pid, 0) != 0 && errno == ESRCH;
    struct pollfd end = {.fd = fd, .events = POLLIN};
    bool ended = poll(&end, 1, 0) > 0;
    close(fd);
    return ended;
}

/* A thread that holds the lock and is killed ends the job. A child that the program has forked does not: then the lock
 * goes to one of the waiting processes. */
static bool inherit_lock(void) {
    pid_t dead = __atomic_load_n(&common->holder, __ATOMIC_ACQUIRE);
    return dead && has_ended(dead) &&
           __atomic_compare_exchange_n(&common->holder, &dead, getpid(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* The holder of the lock may be blocked for as long as its output is not read. Only where the job is ending is a line
 * written without the lock. */
static void take_lock(void) {
    if (have_lock) return; /* a signal handler that came during a write */
    int before = errno;
    while (!mutex_lock_within(&common->lock, LOOK_UP_MS)) {
        if (conduit_is_ending()) return;
        if (inherit_lock()) break;
    }
    errno = before;
    have_lock = true;
    __atomic_store_n(&common->holder, getpid(), __ATOMIC_RELEASE);
}

static void release_lock(void) {
    if (!have_lock) return;
    have_lock = false;
    __atomic_store_n(&common->holder, 0, __ATOMIC_RELAXED);
    mutex_unlock(&common->lock);
}

/* Writes all of it, whatever the descriptor's mode; false if the descriptor cannot take it. */
static bool write_all(int fd, const char *p, size_t n) {
    while (n) {
        ssize_t w = write(fd, p, n);
        if (w >= 0) {
            p += w;
            n -= (size_t)w;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd until = {.fd = fd, .events = POLLOUT};
            poll(&until, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool put(const char *p, size_t n) {
    if (!gathered_bytes && !n) return true;
    int fd = fileno(stream);
    take_lock();
    bool good = write_all(fd, gathered, gathered_bytes);
    gathered_bytes = 0;
    good = write_all(fd, p, n) && good;
    int why = errno;
    release_lock();
    errno = why;
    return good;
}

static bool gather(const char *p, size_t n) {
    if (gathered_bytes + n > LONGEST) return false;
    if (gathered_bytes + n > gathered_room) {
        size_t room = 2 * (gathered_bytes + n);
        char *more = realloc(gathered, room);
        if (!more) return false;
        gathered = more;
        gathered_room = room;
    }
    memcpy(gathered + gathered_bytes, p, n);
    gathered_bytes += n;
    return true;
}

static ssize_t stream_write(void *cookie, const char *p, size_t n) {
    (void)cookie;
    const char *newline = memrchr(p, '\n', n);
    size_t whole = newline ? (size_t)(newline + 1 - p) : 0;
    /* The text after the last newline is here either because the buffer is full, and may wait, or because the program
     * has flushed the stream or runs without a buffer: then it must be written now. */
    size_t room = __fbufsize(stream);
    if (room < 2 || n < room / 2) whole = n;
    if (whole && !put(p, whole)) return 0;
    if (whole < n && !gather(p + whole, n - whole) && !put(p + whole, n - whole)) return 0;
    return (ssize_t)n;
}

static int stream_close(void *cookie) {
    (void)cookie;
    put(NULL, 0);
    stream = NULL;
    return 0;
}

void core_output_prepare(void) { common = core_shared(sizeof *common); }

void core_output_start(void) {
    if (core_memory.threads == 1) return;
    fflush(stdout);
    FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (!f) return;
    setvbuf(f, buffer, _IOLBF, sizeof buffer);
#ifdef __GLIBC__
    f->_fileno = fileno(stdout);
    /* A stream of fopencookie is for narrow characters only, which it marks in a way that freopen crashes on. So it
     * takes over the part for wide characters from the stream that it replaces. (Lines of wide characters can be
     * broken.) */
    bool has_wide = stdout->_mode <= 0 && stdout->_wide_data != (void *)-1;
    f->_wide_data = has_wide ? stdout->_wide_data : NULL;
    if (has_wide) f->_mode = 0;
#endif
    core_output_take_cout(stdout, f);
    stream = stdout = f;
}

bool core_output_print(int fd, const char *text, size_t bytes) {
    if (fd == 1) take_lock();
    bool good = write_all(fd, text, bytes);
    release_lock();
    return good;
}

void core_output_flush(void) {
    if (stream) put(NULL, 0);
}

#ifdef __GLIBC__
extern struct _IO_FILE *_IO_list_all __attribute__((weak)); /* every open stream, newest first */
#endif

void core_output_rescue(void) {
#ifdef __GLIBC__
    long long end = now_ms() + BOUNDED_MS;
    if (stream) {
        const char *from = stream->_IO_write_base, *to = stream->_IO_write_ptr;
        if (!have_lock) have_lock = mutex_lock_within(&common->lock, RESCUE_MS);
        if (gathered_bytes) bounded_write_until(fileno(stream), gathered, gathered_bytes, end);
        if (from && to > from && to - from < (1 << 24))
            bounded_write_until(fileno(stream), from, (size_t)(to - from), end);
        release_lock();
    }
    if (!&_IO_list_all) return;
    int most = 10000; /* the list may be in the middle of a change */
    for (struct _IO_FILE *f = _IO_list_all; f && most--; f = f->_chain) {
        if (f == stream || f->_fileno < 0) continue;
        const char *from = f->_IO_write_base, *to = f->_IO_write_ptr;
        if (from && to > from && to - from < (1 << 24)) bounded_write_until(f->_fileno, from, (size_t)(to - from), end);
    }
#endif
}

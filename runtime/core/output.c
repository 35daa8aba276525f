/* stdout that several threads share: whole lines, whatever their length, never mixed.
 *
 * A pipe takes at most PIPE_BUF bytes in one piece, so a lock is needed around the write. The C library has no place
 * for one, but for a stream with a write function of our own (fopencookie). That stream becomes stdout of each
 * thread, is line-buffered, and keeps descriptor 1, so that fileno(stdout) and isatty work as ever. Its write
 * function gets whole lines, unless a line is longer than the buffer (the pieces are gathered here until the line is
 * complete) or the program flushes an unfinished line (it is written at once). A job of one thread keeps the C
 * library's own stdout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/core.h"

#define BUFFER (64u << 10)
#define LONGEST (64u << 20) /* a "line" beyond this is written in pieces */

static uint32_t *lock; /* 0 free, 1 taken, 2 taken and somebody sleeps; shared */
static FILE *stream;
static char buffer[BUFFER];
static char *gathered; /* the beginning of a line longer than the buffer */
static size_t gathered_bytes, gathered_room;
static bool have_lock;

static void take_lock(int patience_ms) {
    uint32_t c = 0;
    if (have_lock) return; /* a signal handler that came during a write */
    if (!__atomic_compare_exchange_n(lock, &c, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        for (int waited = 0; __atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0; waited += 10) {
            if (waited >= patience_ms) return;
            conduit_sleep(lock, 2, ~0u, 10);
        }
    }
    have_lock = true;
}

static void release_lock(void) {
    if (!have_lock) return;
    have_lock = false;
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2) conduit_wake(lock, 1, ~0u);
}

/* All of it, whatever the descriptor's mode; false if it cannot take it. */
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
    take_lock(1 << 30);
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
    /* What follows the last newline comes from a full buffer, or from a flush (or a stream without buffer): then it is
     * wanted now. */
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

void core_output_prepare(void) { lock = core_shared(sizeof *lock); }

void core_output_start(void) {
    if (core_memory.threads == 1) return;
    fflush(stdout);
    FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (!f) return;
    setvbuf(f, buffer, _IOLBF, sizeof buffer);
#ifdef __GLIBC__
    f->_fileno = fileno(stdout);
#endif
    stream = stdout = f;
}

void core_output_flush(void) {
    if (stream) put(NULL, 0);
}

#ifdef __GLIBC__
extern struct _IO_FILE *_IO_list_all __attribute__((weak)); /* every open stream, newest first */
#endif

void core_output_rescue(void) {
#ifdef __GLIBC__
    if (stream) {
        const char *from = stream->_IO_write_base, *to = stream->_IO_write_ptr;
        take_lock(100);
        if (gathered_bytes) write_all(fileno(stream), gathered, gathered_bytes);
        if (from && to > from && to - from < (1 << 24)) write_all(fileno(stream), from, (size_t)(to - from));
        release_lock();
    }
    if (!&_IO_list_all) return;
    int most = 10000; /* the list may be in the middle of a change */
    for (struct _IO_FILE *f = _IO_list_all; f && most--; f = f->_chain) {
        if (f == stream || f->_fileno < 0) continue;
        const char *from = f->_IO_write_base, *to = f->_IO_write_ptr;
        if (from && to > from && to - from < (1 << 24)) write_all(f->_fileno, from, (size_t)(to - from));
    }
#endif
}

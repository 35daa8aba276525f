/* Between a file and memory: the loop under every read and write.
 *
 * Both sides are lists. A long run of memory is read into or written from where it is; short runs (the blocks of a
 * cyclic array, say) pass through a buffer, so that the file is touched in large pieces whatever the layout.
 */
#include "io_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024, DIRECT_BYTES = 32 * 1024 };

static CONDUIT_LARGE char buffer[BUFFER_BYTES];

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Makes the current region a non-empty one. The caller never asks for more than there is. */
static void find_region(struct io_memory *m) {
    while (m->left == 0 && m->next < m->regions) {
        size_t i = m->next++;
        if (m->shared) {
            /* Phases are ignored: a region begins with a block (7.8 p9). */
            struct blocked a = blocked_at(fathom_pptr_of(m->shared[i].baseaddr.addr, 0), m->shared[i].blocksize, 1);
            m->walk = blocked_walk_from(&a, 0);
            m->left = m->shared[i].len;
        } else {
            m->at = m->local[i].baseaddr;
            m->left = m->local[i].len;
        }
    }
}

/* How many bytes are adjacent at the current place, at most `limit`. */
static size_t run_here(struct io_memory *m, size_t limit) {
    find_region(m);
    size_t n = m->left < limit ? m->left : limit;
    return m->shared && m->walk.left < n ? m->walk.left : n;
}

/* Where this process finds the current run; null if it is out of reach. */
static char *address_here(struct io_memory *m) {
    if (!m->shared) return m->at;
    return gas_is_local((int)fathom_thread_of(m->walk.at)) ? fathom_local(m->walk.at) : NULL;
}

static void go_on(struct io_memory *m, size_t n) {
    m->left -= n;
    if (m->shared)
        blocked_walk_on(&m->walk, n);
    else
        m->at += n;
}

void io_memory_skip(struct io_memory *m, size_t n) {
    while (n) {
        size_t run = run_here(m, n);
        go_on(m, run);
        n -= run;
    }
}

static void buffer_to_memory(struct io_memory *m, size_t n) {
    for (size_t done = 0; done < n;) {
        size_t run = run_here(m, n - done);
        if (m->shared)
            gas_put(m->walk.at, buffer + done, run);
        else
            memcpy(m->at, buffer + done, run);
        go_on(m, run);
        done += run;
    }
}

static void memory_to_buffer(struct io_memory *m, size_t n) {
    for (size_t done = 0; done < n;) {
        size_t run = run_here(m, n - done);
        if (m->shared)
            gas_get(buffer + done, m->walk.at, run);
        else
            memcpy(buffer + done, m->at, run);
        go_on(m, run);
        done += run;
    }
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* All n bytes, or those up to the end of the file, or -1. */
static ssize_t read_all(int fd, char *to, size_t n, upc_off_t offset) {
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, to + done, n - done, offset + (upc_off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static ssize_t write_all(int fd, const char *from, size_t n, upc_off_t offset) {
    size_t done = 0;
    while (done < n) {
        ssize_t put = pwrite(fd, from + done, n - done, offset + (upc_off_t)done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return -1;
        done += (size_t)put;
    }
    return (ssize_t)done;
}

/* Some of the next n bytes; *asked says how many were tried, and fewer moved is the end of the file. */
static ssize_t move_some(struct io_file *f, int is_write, struct io_memory *m, upc_off_t offset, size_t n,
                         size_t *asked) {
    size_t run = run_here(m, n);
    char *at = address_here(m);
    if (at && (run >= DIRECT_BYTES || run == n)) {
        *asked = run;
        ssize_t moved = is_write ? write_all(f->fd, at, run, offset) : read_all(f->fd, at, run, offset);
        if (moved > 0) go_on(m, (size_t)moved);
        return moved;
    }
    *asked = n < BUFFER_BYTES ? n : BUFFER_BYTES;
    if (is_write) {
        memory_to_buffer(m, *asked);
        return write_all(f->fd, buffer, *asked, offset);
    }
    ssize_t moved = read_all(f->fd, buffer, *asked, offset);
    if (moved > 0) buffer_to_memory(m, (size_t)moved);
    return moved;
}

upc_off_t io_move(struct io_file *f, int is_write, struct io_memory *m, size_t entries, const struct upc_filevec *vec) {
    upc_off_t total = 0;
    for (size_t i = 0; i < entries; i++)
        for (size_t done = 0; done < vec[i].len;) {
            size_t asked;
            ssize_t moved = move_some(f, is_write, m, vec[i].offset + (upc_off_t)done, vec[i].len - done, &asked);
            if (moved < 0) return -1;
            total += moved;
            done += (size_t)moved;
            if ((size_t)moved < asked) return total;
        }
    return total;
}

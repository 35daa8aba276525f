/* Files in memory that are shared between processes: made and sealed by whoever writes them, checked by whoever maps
 * them. A seal holds for everybody, also for root and for other descriptors of the file: F_SEAL_FUTURE_WRITE leaves the
 * mappings that exist writable, and refuses every other. Without the seals of the size, a peer could truncate the file, and
 * the next access here would be a bus error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg/channel.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

#ifdef MSG_TSAN
uint64_t msg_all_fences;
#endif

static _Thread_local char why[256];

const char *msg_error(void) { return why; }

int msg_fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    return MSG_FAILED;
}

static int seals_of(int seals) {
    return F_SEAL_SEAL | (seals & MSG_SEAL_SIZE ? F_SEAL_SHRINK | F_SEAL_GROW : 0) |
           (seals & MSG_SEAL_OTHERS ? F_SEAL_FUTURE_WRITE : 0);
}

/* A file that would be longer than the process's may be is not made: the attempt is a signal that ends the process. */
static bool may_be_so_long(size_t bytes, const char *name) {
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur) return true;
    msg_fail("cannot make %zu bytes of shared memory (%s): files of this process are limited to %llu bytes (ulimit -f)",
             bytes, name, (unsigned long long)most.rlim_cur);
    return false;
}

bool msg_memory_make(struct msg_memory *m, const char *name, size_t bytes, int seals) {
    *m = (struct msg_memory){.fd = -1};
    if (!may_be_so_long(bytes, name)) return false;
    *m = (struct msg_memory){.bytes = bytes, .fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (m->fd < 0) {
        msg_fail("cannot make %zu bytes of shared memory (%s): memfd_create: %s", bytes, name, strerror(errno));
        return false;
    }
    const char *step = "ftruncate";
    if (ftruncate(m->fd, (off_t)bytes) == 0) {
        step = "mmap";
        m->at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
        if (m->at != MAP_FAILED) {
            step = "sealing it, which needs Linux 5.1";
            if (fcntl(m->fd, F_ADD_SEALS, seals_of(seals)) == 0) return true;
            int error = errno;
            munmap(m->at, bytes);
            errno = error;
        }
    }
    msg_fail("cannot make %zu bytes of shared memory (%s): %s: %s", bytes, name, step, strerror(errno));
    close(m->fd);
    *m = (struct msg_memory){.fd = -1};
    return false;
}

bool msg_memory_map(struct msg_memory *m, int fd, const char *name, size_t bytes, int seals, bool writable) {
    *m = (struct msg_memory){.bytes = bytes, .fd = -1};
    struct stat is;
    int have = fcntl(fd, F_GET_SEALS), needed = seals_of(seals);
    /* Seals first: a file without may be of a user's own file system, whose answer comes when that likes. */
    if (have < 0 || fstat(fd, &is) != 0)
        msg_fail("the peer's %s is no file in memory that can be sealed", name);
    else if (is.st_size < 0 || (size_t)is.st_size < bytes)
        msg_fail("the peer's %s has %lld bytes, not %zu", name, (long long)is.st_size, bytes);
    else if ((have & needed) != needed)
        msg_fail("the peer's %s lacks seals: it has %#x and needs %#x", name, (unsigned)have, (unsigned)needed);
    else {
        m->at = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
        if (m->at != MAP_FAILED) {
            close(fd);
            return true;
        }
        msg_fail("cannot map %zu bytes of the peer's %s: %s", bytes, name, strerror(errno));
        m->at = NULL;
    }
    msg_close_foreign(fd);
    return false;
}

void msg_memory_unmap(struct msg_memory *m) {
    if (m->at) munmap(m->at, m->bytes);
    if (m->at && m->fd >= 0) close(m->fd);
    *m = (struct msg_memory){.fd = -1};
}

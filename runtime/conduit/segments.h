/* Segments as stretches of a file without a name (memfd), for conduits whose near threads share memory: how the file and
 * its length are made, and how its stretches are mapped: one segment after the other, from FATHOM_BASE on.
 */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lang/prelude.h"

#ifndef MFD_HUGETLB
#define MFD_HUGETLB 4u
#endif
#ifndef MFD_ALLOW_SEALING
#define MFD_ALLOW_SEALING 2u
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* ftruncate past RLIMIT_FSIZE raises SIGXFSZ, which nobody expects of memory. */
static inline int segments_set_length(int fd, size_t bytes) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGXFSZ, &ignore, &old);
    int r = ftruncate(fd, (off_t)bytes);
    int why = errno;
    sigaction(SIGXFSZ, &old, NULL);
    errno = why;
    return r;
}

/* A file without a name; MFD_HUGETLB in `flags` for one of the administrator's huge pages. Returns -1 with errno. */
static inline int segments_file(unsigned flags) {
    int fd = memfd_create("fathom", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);
    if (fd < 0 && errno == EINVAL) fd = memfd_create("fathom", MFD_CLOEXEC | flags); /* huge pages before Linux 4.16 */
    return fd;
}

/* Its length is final. While a process has the file open, others of the same user can open it, too (/proc/<pid>/fd); one
 * that makes it shorter would take away mapped memory, and the next access to that would be a bus error. Best effort: on
 * kernels before 4.16 files of huge pages cannot be sealed. */
static inline void segments_seal(int fd) { fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); }

/* Where this process has the segment of the near thread conduit_near.first + `place`. */
static inline void *segments_at(int place) { return (void *)(FATHOM_BASE + FATHOM_STEP * (unsigned long)place); }

static inline void segments_unmap(int count, size_t bytes) {
    for (int i = 0; i < count; i++) munmap(segments_at(i), bytes);
}

/* Maps `bytes` at `want`, from `offset` on in the file, or, with fd -1, memory without a file; `sharing` is MAP_SHARED or
 * MAP_PRIVATE. Returns 0 or an errno. */
static inline int segments_map_at(void *want, size_t bytes, int sharing, int fd, size_t offset, bool huge) {
    /* Pages of the administrator's pool are reserved now, so that no access can find the pool empty later. */
    int flags = sharing | MAP_FIXED_NOREPLACE | (huge ? 0 : MAP_NORESERVE);
    if (fd < 0) flags |= MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0);
    void *got = mmap(want, bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    if (got != want) { /* elsewhere: a kernel before 4.17 takes the address for a hint */
        int why = got == MAP_FAILED ? errno : EEXIST;
        if (got != MAP_FAILED) munmap(got, bytes);
        return why;
    }
    /* A core of terabytes of holes helps nobody; core/crash.c adds what is in use. */
    madvise(got, bytes, MADV_DONTDUMP);
    if (!huge) madvise(got, bytes, MADV_HUGEPAGE);
    return 0;
}

/* Maps the segments of `count` near threads, one after the other in the file. Returns 0, or an errno with nothing
 * mapped. */
static inline int segments_map(int fd, int count, size_t bytes, bool huge) {
    for (int i = 0; i < count; i++) {
        int why = segments_map_at(segments_at(i), bytes, MAP_SHARED, fd, bytes * (size_t)i, huge);
        if (why) {
            segments_unmap(i, bytes);
            return why;
        }
    }
    return 0;
}

/* For conduits that fork threads which share no memory. The first process maps the segment as each thread will have it, so
 * that a lack of memory is found while it can still be said well, or less be asked for; and each thread maps it anew.
 * It is shared with nobody but children that a thread forks by itself, as where threads share their segments. */
static inline int segments_map_own(size_t bytes, bool huge) {
    return segments_map_at(segments_at(0), bytes, MAP_SHARED, -1, 0, huge);
}
static inline int segments_renew_own(size_t bytes, bool huge) {
    segments_unmap(1, bytes);
    return segments_map_own(bytes, huge);
}

/* Segments as stretches of a file without a name (memfd), for conduits whose near threads share memory: how long the file
 * is made, and how its stretches are mapped, each at the address that its thread's pointers name.
 */
#pragma once
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lang/prelude.h"

#ifndef MFD_HUGETLB
#define MFD_HUGETLB 4u
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

static inline void segments_unmap(int first, int count, size_t bytes) {
    for (int i = 0; i < count; i++) munmap((void *)fathom_make(first + i, 0), bytes);
}

/* Maps the segments of `count` threads from `first` on, one after the other in the file, or, with fd -1, in memory of
 * this process alone. Returns 0, or an errno with nothing mapped. */
static inline int segments_map(int fd, int first, int count, size_t bytes, bool huge) {
    /* Pages of the administrator's pool are reserved now, so that no access can find the pool empty later. */
    int flags = MAP_FIXED_NOREPLACE | (huge ? 0 : MAP_NORESERVE) | (fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
    for (int i = 0; i < count; i++) {
        void *want = (void *)fathom_make(first + i, 0);
        void *got = mmap(want, bytes, PROT_READ | PROT_WRITE, flags, fd, fd >= 0 ? (off_t)(bytes * (size_t)i) : 0);
        if (got != want) { /* elsewhere: a kernel before 4.17 takes the address for a hint */
            int why = got == MAP_FAILED ? errno : EEXIST;
            if (got != MAP_FAILED) munmap(got, bytes);
            segments_unmap(first, i, bytes);
            return why;
        }
        /* A core of terabytes of holes helps nobody; core/crash.c adds what is in use. */
        madvise(got, bytes, MADV_DONTDUMP);
        if (!huge) madvise(got, bytes, MADV_HUGEPAGE);
    }
    return 0;
}

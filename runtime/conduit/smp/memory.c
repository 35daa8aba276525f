/* The segments of conduit smp: one memfd, a stretch of it for each thread, mapped by the first process before it forks,
 * so that every thread has every segment at the same address and no name or file is left anywhere.
 *
 * The file is sparse: a page costs memory when it is first touched. Transparent huge pages are asked for; where the
 * administrator has switched them off for shared memory the request does nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "lang/prelude.h"

#ifndef MFD_HUGETLB
#define MFD_HUGETLB 4u
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static int give_up(int fd, int mapped, size_t bytes) {
    int why = errno;
    for (int t = 0; t < mapped; t++) munmap(fathom_local(fathom_make(t, 0)), bytes);
    if (fd >= 0) close(fd);
    return why;
}

/* ftruncate past RLIMIT_FSIZE raises SIGXFSZ, which nobody expects of memory. */
static int set_length(int fd, size_t bytes) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGXFSZ, &ignore, &old);
    int r = ftruncate(fd, (off_t)bytes);
    int why = errno;
    sigaction(SIGXFSZ, &old, NULL);
    errno = why;
    return r;
}

int conduit_segments(int threads, size_t bytes, bool huge, const char **what) {
    *what = "memfd_create";
    int fd = memfd_create("fathom", MFD_CLOEXEC | (huge ? MFD_HUGETLB : 0));
    if (fd < 0) return give_up(fd, 0, bytes);
    *what = "ftruncate";
    if (set_length(fd, bytes * (size_t)threads) != 0) return give_up(fd, 0, bytes);
    *what = "mmap";
    /* Pages of the administrator's pool are reserved now, so that no access can find the pool empty later. */
    int flags = MAP_SHARED | MAP_FIXED_NOREPLACE | (huge ? 0 : MAP_NORESERVE);
    for (int t = 0; t < threads; t++) {
        void *want = fathom_local(fathom_make(t, 0));
        void *got = mmap(want, bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)(bytes * (size_t)t));
        if (got == MAP_FAILED) return give_up(fd, t, bytes);
        if (got != want) { /* a kernel before 4.17 takes the address for a hint */
            munmap(got, bytes);
            errno = EEXIST;
            return give_up(fd, t, bytes);
        }
        /* A core of terabytes of holes helps nobody; core/crash.c adds what is in use. */
        madvise(got, bytes, MADV_DONTDUMP);
        if (!huge) madvise(got, bytes, MADV_HUGEPAGE);
    }
    close(fd);
    return 0;
}

void *conduit_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

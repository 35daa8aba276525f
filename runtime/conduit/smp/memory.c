/* The segments of conduit smp: one memfd, a stretch of it for each thread, mapped by the first process before it forks,
 * so that every thread has every segment at the same address and no name or file is left anywhere.
 *
 * The file is sparse: a page costs memory when it is first touched. Transparent huge pages are asked for; where the
 * administrator has switched them off for shared memory the request does nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "conduit/segments.h"

int conduit_segments(int threads, size_t bytes, bool huge, const char **what) {
    *what = "memfd_create";
    int fd = memfd_create("fathom", MFD_CLOEXEC | (huge ? MFD_HUGETLB : 0));
    if (fd < 0) return errno;
    *what = "ftruncate";
    int why = segments_set_length(fd, bytes * (size_t)threads) == 0 ? 0 : errno;
    if (!why) {
        *what = "mmap";
        why = segments_map(fd, 0, threads, bytes, huge);
    }
    close(fd);
    return why;
}

void *conduit_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

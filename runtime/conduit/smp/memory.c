/* The segments of conduit smp: one memfd, mapped by the first process before it forks, so that every thread has every
 * segment at the same address and no name or file is left anywhere.
 *
 * The file is sparse: a page costs memory when it is first touched. Transparent huge pages are asked for; where the
 * administrator has switched them off for shared memory the request does nothing.
 *
 * With few threads each segment is a mapping of its own, and an access behind its end faults. Every process of the job
 * has all mappings, though, and each fork copies them: n segments cost n * n copies, which takes most of the start from
 * some hundred threads on. So with many threads the file has the layout of the address space, holes included, and few
 * mappings cover all of it: one, unless the program's own code, libraries or stack lie between two segments. What lies
 * behind a segment's end is then memory that nobody uses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "conduit/segments.h"
#include "conduit/smp/smp.h"

enum { FEW = 64 }; /* threads, each with a mapping for each: 4096 copies, some 2 ms */

static size_t length_together(int count, size_t bytes) { return FATHOM_STEP * (size_t)(count - 1) + bytes; }

/* Maps all segments in as few pieces as possible: where something is in the way of many, half as many are tried. Their
 * places in the file are those in the address space. Returns 0, or an errno with nothing mapped. */
static int map_together(int fd, int threads, size_t bytes) {
    static int counts[CONDUIT_MAX_NEAR]; /* of each piece */
    int pieces = 0, why = 0;
    for (int t = 0; t < threads; t += counts[pieces++]) {
        int n = threads - t;
        while ((why = segments_map_at(segments_at(t), length_together(n, bytes), MAP_SHARED, fd,
                                      FATHOM_STEP * (size_t)t, false)) &&
               n > 1)
            n = (n + 1) / 2;
        if (why) break;
        counts[pieces] = n;
    }
    for (int i = 0, t = 0; why && i < pieces; t += counts[i++])
        munmap(segments_at(t), length_together(counts[i], bytes));
    return why;
}

/* In a reference build no thread is near another. */
static struct {
    size_t bytes;
    bool huge;
} own;

static int map_shared(int threads, size_t bytes, bool huge, const char **what) {
    *what = "memfd_create";
    int fd = segments_file(huge ? MFD_HUGETLB : 0);
    if (fd < 0) return errno;
    int why;
    /* Pages of the administrator's pool are reserved for a mapping's whole length: no holes. A limit on the sizes of files
     * (ulimit -f) may allow the segments, but not the holes. */
    if (threads > FEW && !huge && segments_set_length(fd, FATHOM_STEP * (size_t)threads) == 0) {
        *what = "mmap";
        segments_seal(fd);
        why = map_together(fd, threads, bytes);
    } else if (*what = "ftruncate", segments_set_length(fd, bytes * (size_t)threads) != 0) {
        why = errno;
    } else {
        *what = "mmap";
        segments_seal(fd);
        why = segments_map(fd, threads, bytes, huge);
    }
    close(fd);
    return why;
}

size_t smp_segment_bytes;

int smp_segments(int threads, size_t bytes, bool huge, const char **what) {
    smp_segment_bytes = bytes;
    if (conduit_near.count == threads) return map_shared(threads, bytes, huge, what);
    *what = "mmap";
    own.bytes = bytes;
    own.huge = huge;
    return segments_map_own(bytes, huge);
}

bool smp_segment_renew(void) {
    int why = own.bytes ? segments_renew_own(own.bytes, own.huge) : 0;
    errno = why;
    return why == 0;
}

void *smp_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Gets from processes of this computer that share no memory with this one, by the kernel: process_vm_readv copies between
 * two processes without the other's help.
 *
 * MPI may do the same, with a system call for each get. Here gets that are under way together go by one: the first is
 * made at once, the others are noted, and ranks_kernel_carry_out reads all that are noted. Most of the time of a short get
 * is the system call's (0.4 us, and 0.1 us for each further piece, on a Xeon of 2.6 GHz), so that nothing is lost by the
 * wait. Gets of neighbouring places, element after element, become one piece.
 *
 * Whether the kernel lets this process read another one (ptrace's rules, containers) shows the first attempt, at 16
 * random bytes whose place and value the other has told: a number of a process may mean another process in a container.
 * Where it does not, MPI serves. choice.c finds out whether this way is faster than MPI's.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "conduit/mpi/ranks.h"
#include "conduit/segments.h"
#include "lang/prelude.h"

enum { NOTES = 64, NOTED_BYTES = 32768 };

/* What a process tells the others of its computer. */
struct place {
    int thread;
    pid_t pid;
    uint64_t segment; /* its address there */
    uint64_t proof;   /* the address of the next member there */
    uint64_t secret[2];
};
static struct place own;

static struct neighbour {
    struct place place;
    enum { UNTRIED, OPEN, CLOSED } state;
} * neighbours;
static int *neighbour_of; /* by thread: an index, or -1; null: all threads of this computer share memory */

static struct iovec noted_to[NOTES], noted_from[NOTES];
static int noted_thread[NOTES];
static int notes;
static size_t noted_bytes;
static unsigned burst; /* that of the last get; else the next is made at once */
static bool are_mixed; /* of several threads */

/* ---- who can be read --------------------------------------------------------------------------------------------- */

void ranks_kernel_start(void) {
    if (ranks.here == cluster.count) return;
    struct place *places = malloc((size_t)ranks.here * sizeof *places);
    neighbours = calloc((size_t)ranks.here, sizeof *neighbours);
    neighbour_of = malloc((size_t)cluster.threads * sizeof *neighbour_of);
    if (!places || !neighbours || !neighbour_of)
        cluster_refuse("no memory for a table of %d threads\n", cluster.threads);
    own = (struct place){
        cluster.me, getpid(), (uintptr_t)segments_at(cluster.me - cluster.first), (uintptr_t)own.secret, {0}};
    bool is_random = getrandom(own.secret, sizeof own.secret, 0) == sizeof own.secret;
    if (!is_random) own.pid = 0;
    MPI_Allgather(&own, sizeof own, MPI_BYTE, places, sizeof own, MPI_BYTE, ranks.node);
    for (int t = 0; t < cluster.threads; t++) neighbour_of[t] = -1;
    for (int i = 0; i < ranks.here; i++) {
        neighbours[i] = (struct neighbour){places[i], places[i].pid ? UNTRIED : CLOSED};
        neighbour_of[places[i].thread] = i;
    }
    free(places);
}

static bool read_from(const struct neighbour *from, const struct iovec *to, int tos, const struct iovec *of, int ofs,
                      size_t bytes) {
    return process_vm_readv(from->place.pid, to, (unsigned long)tos, of, (unsigned long)ofs, 0) == (ssize_t)bytes;
}

static void attempt(struct neighbour *n) {
    uint64_t secret[2] = {0};
    struct iovec to = {secret, sizeof secret}, of = {(void *)(uintptr_t)n->place.proof, sizeof secret};
    n->state = read_from(n, &to, 1, &of, 1, sizeof secret) && memcmp(secret, n->place.secret, sizeof secret) == 0
                   ? OPEN
                   : CLOSED;
}

bool ranks_kernel_reaches(int thread) {
    if (!neighbour_of || neighbour_of[thread] < 0) return false;
    struct neighbour *n = &neighbours[neighbour_of[thread]];
    if (__builtin_expect(n->state == UNTRIED, 0)) attempt(n);
    return n->state == OPEN;
}

/* ---- gets -------------------------------------------------------------------------------------------------------- */

static inline const struct neighbour *neighbour(int thread) { return &neighbours[neighbour_of[thread]]; }
static inline void *address_there(const struct neighbour *n, uint64_t src) {
    return (void *)(uintptr_t)(n->place.segment + fathom_offset_of(src));
}

bool ranks_kernel_get(void *dst, uint64_t src, size_t n) {
    const struct neighbour *from = neighbour((int)fathom_thread_of(src));
    return read_from(from, &(struct iovec){dst, n}, 1, &(struct iovec){address_there(from, src), n}, 1, n);
}

/* Does it continue the last note, here and there? */
static inline bool extends(const void *dst, const char *from, int thread) {
    const struct iovec *to = &noted_to[notes - 1], *of = &noted_from[notes - 1];
    return noted_thread[notes - 1] == thread && (char *)to->iov_base + to->iov_len == dst &&
           (char *)of->iov_base + of->iov_len == from;
}

static void note(void *dst, uint64_t src, size_t n) {
    int thread = (int)fathom_thread_of(src);
    char *from = address_there(neighbour(thread), src);
    if (notes && extends(dst, from, thread)) {
        noted_to[notes - 1].iov_len += n;
        noted_from[notes - 1].iov_len += n;
    } else {
        noted_to[notes] = (struct iovec){dst, n};
        noted_from[notes] = (struct iovec){from, n};
        noted_thread[notes] = thread;
        are_mixed |= thread != noted_thread[0];
        notes++;
    }
    noted_bytes += n;
    if (notes == NOTES || noted_bytes >= NOTED_BYTES) ranks_kernel_carry_out();
}

struct conduit_op *ranks_kernel_begin(void *dst, uint64_t src, size_t n) {
    if (burst != conduit_burst) {
        burst = conduit_burst;
        if (ranks_kernel_get(dst, src, n)) return NULL;
    }
    note(dst, src, n);
    return CONDUIT_NOTED;
}

/* The notes from `first` on, which are of one thread. */
static void carry_out(int first, int count, size_t bytes) {
    const struct neighbour *n = neighbour(noted_thread[first]);
    if (__builtin_expect(read_from(n, noted_to + first, count, noted_from + first, count, bytes), 1)) return;
    for (int i = first; i < first + count; i++) {
        uint64_t offset = (uintptr_t)noted_from[i].iov_base - n->place.segment;
        ranks_window_get(noted_to[i].iov_base, fathom_make(n->place.thread, offset), noted_to[i].iov_len);
    }
}

/* Brings the notes of each thread together, so that one system call serves them. */
static void sort(void) {
    for (int i = 1; i < notes; i++) {
        struct iovec to = noted_to[i], from = noted_from[i];
        int thread = noted_thread[i], k = i;
        for (; k > 0 && noted_thread[k - 1] > thread; k--) {
            noted_to[k] = noted_to[k - 1];
            noted_from[k] = noted_from[k - 1];
            noted_thread[k] = noted_thread[k - 1];
        }
        noted_to[k] = to;
        noted_from[k] = from;
        noted_thread[k] = thread;
    }
}

static void carry_out_mixed(void) {
    sort();
    for (int first = 0, end; first < notes; first = end) {
        size_t bytes = 0;
        for (end = first; end < notes && noted_thread[end] == noted_thread[first]; end++)
            bytes += noted_to[end].iov_len;
        carry_out(first, end - first, bytes);
    }
}

void ranks_kernel_carry_out(void) {
    if (!notes) return;
    if (__builtin_expect(are_mixed, 0))
        carry_out_mixed();
    else
        carry_out(0, notes, noted_bytes);
    notes = 0;
    noted_bytes = 0;
    are_mixed = false;
    burst = conduit_burst - 1;
}

/* Conduit sim: threads of a simulated machine. They are processes of this computer, of which one at a time runs, and
 * their times are computed by the engine of `fathom simulate` (engine.h).
 *
 * Data move at once: all segments lie in one file, which every process maps as a whole beside its own segment, or reads
 * and writes where there are many. A thread runs ahead of its time until it stops; that is right for programs without
 * data races, since two accesses of different threads to one object are then separated by operations at which both stop.
 * For programs with races the order is one of those that are possible, and always the same.
 *
 * No thread is near another, so that every access to another thread's memory comes here, and is recorded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conduit/launch/launch.h"
#include "conduit/progress.h"
#include "conduit/segments.h"
#include "conduit/sim/sim.h"

/* ---- start and memory -------------------------------------------------------------------------------------------- */

/* Of more threads than this, a process maps its own segment alone: each page of others' that it touches may need a page of
 * tables, and all processes together have more of these than of data. */
#define MOST_MAPPED 256

static int file = -1; /* of all segments */
static size_t segment_bytes;
static char *all_segments; /* NULL: not mapped */

static int sim_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    int threads = sim_attach();
    if (wanted && wanted != threads) {
        fprintf(stderr,
                "fathom: the program asks for %d threads, and the simulation has %d; use fathom simulate -n %d\n",
                wanted, threads, wanted);
        exit(1);
    }
    conduit_near.count = 1;
    sim_lines_start();
    return threads;
}

static int sim_threads_here(void) { return sim_threads; }
static size_t sim_least(size_t mine) { return mine; }

static int map_own(int thread) {
    return segments_map_at(segments_at(0), segment_bytes, MAP_SHARED, file, segment_bytes * (size_t)thread, false);
}

static int sim_segments(int threads, size_t bytes, bool huge, const char **what) {
    *what = "memfd_create";
    file = segments_file(0);
    if (file < 0) return errno;
    segment_bytes = bytes;
    *what = "ftruncate";
    int why = segments_set_length(file, bytes * (size_t)threads) == 0 ? 0 : errno;
    if (!why) {
        (void)huge;
        *what = "mmap";
        why = map_own(0);
        if (!why && threads <= MOST_MAPPED) {
            size_t all = bytes * (size_t)threads;
            void *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
            if (p == MAP_FAILED) {
                why = errno;
                segments_unmap(1, bytes);
            } else
                all_segments = p;
        }
    }
    if (why) close(file);
    return why;
}

static void *sim_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static int sim_spawn(int threads) {
    int me = launch_threads(threads);
    segments_unmap(1, segment_bytes);
    int why = map_own(me);
    if (why) {
        if (launch_end(1)) fprintf(stderr, "fathom: thread %d: no memory for its segment: %s\n", me, strerror(why));
        _exit(1);
    }
    conduit_near.first = me;
    sim_begin(me);
    if (!all_segments) sim_share_segments(file, segment_bytes * (uint64_t)threads);
    sim_samples_start();
    return me;
}

/* ---- transfers --------------------------------------------------------------------------------------------------- */

static off_t place_of(uint64_t p) { return (off_t)(segment_bytes * (size_t)fathom_thread_of(p) + fathom_offset_of(p)); }

static void moved(const char *what, ssize_t n) {
    if (n > 0 || (n < 0 && errno == EINTR)) return;
    fprintf(stderr, "fathom: thread %d: cannot %s another thread's memory: %s\n", sim_me, what,
            n < 0 ? strerror(errno) : "it ends before");
    abort();
}

/* Data and accesses of one word are not torn: where segments are mapped by the copy, else since one thread runs. */
void sim_read(void *dst, uint64_t src, size_t n) {
    off_t at = place_of(src);
    if (all_segments) {
        fathom_copy_near(dst, all_segments + at, n);
        return;
    }
    sim_read_at(dst, (uint64_t)at, n);
}

void sim_read_at(void *dst, uint64_t src, size_t n) {
    off_t at = (off_t)src;
    for (char *to = dst; n > 0;) {
        ssize_t got = pread(file, to, n, at);
        moved("read", got);
        if (got > 0) to += got, at += got, n -= (size_t)got;
    }
}

/* What a thread reads of its own segment it may write without a word. */
void sim_read_later(void *dst, uint64_t src, size_t n) {
    bool is_word = n == sizeof(uint64_t) && ((uintptr_t)dst | src) % sizeof(uint64_t) == 0;
    if (all_segments || !is_word || (int)fathom_thread_of(src) == sim_me ||
        !sim_fetches_later(dst, (uint64_t)place_of(src)))
        sim_read(dst, src, n);
}

void sim_write(uint64_t dst, const void *src, size_t n) {
    off_t at = place_of(dst);
    sim_fetch(); /* of what is there before */
    sim_touch((int)fathom_thread_of(dst));
    if (all_segments) {
        fathom_copy_near(all_segments + at, src, n);
        return;
    }
    for (const char *from = src; n > 0;) {
        ssize_t put = pwrite(file, from, n, at);
        moved("write", put);
        if (put > 0) from += put, at += put, n -= (size_t)put;
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static bool sim_send(const struct conduit_message *m) {
    struct sim_message header = {(uint32_t)m->thread, m->handler, m->nargs, m->reply, m->bytes};
    struct sim_part parts[] = {{&header, sizeof header}, {m->args, m->nargs * sizeof *m->args}, {m->payload, m->bytes}};
    sim_record(SIM_MESSAGE, m->thread, m->bytes + m->nargs * sizeof *m->args, 0, 0, parts, 3);
    return true;
}

static enum conduit_sent sim_try_send(const struct conduit_message *m) {
    return sim_send(m) ? CONDUIT_SENT : CONDUIT_GONE;
}

/* What has arrived has been served or kept when the thread last stopped. A thread that polls in a loop has to stop. */
static int sim_poll(bool replies_only) {
    static unsigned asked;
    int before = errno;
    bool entered = conduit_enter();
    int n = conduit_polled() + conduit_deliver_kept(&replies_only);
    conduit_leave(entered);
    if (n == 0 && !conduit_engine.inside && !conduit_beside && sim_asks_again(&asked)) {
        sim_stop(SIM_ORDER);
        entered = conduit_enter();
        n = conduit_polled() + conduit_deliver_kept(&replies_only);
        conduit_leave(entered);
        sim_asks_again(&asked);
    }
    errno = before;
    return n;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static bool sim_rest(int us) {
    sim_wait(us);
    return true;
}

static bool sim_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    (void)mask;
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == old) sim_wait(ms * 1000);
    return true;
}

static void sim_wake(const uint32_t *word, int count, uint32_t mask) { (void)word, (void)count, (void)mask; }
static void sim_ring(int thread) { (void)thread; }
static int sim_cores(void) { return 1; }

/* ---- end --------------------------------------------------------------------------------------------------------- */

/* Bytes of this thread's segment, and of its private memory, that it has touched. */
static uint64_t memory_now(void) {
    uint64_t bytes = 0;
    off_t begin = (off_t)(segment_bytes * (size_t)sim_me), end = begin + (off_t)segment_bytes;
    for (off_t at = begin; (at = lseek(file, at, SEEK_DATA)) >= 0 && at < end;) {
        off_t hole = lseek(file, at, SEEK_HOLE), next = hole < 0 || hole > end ? end : hole;
        bytes += (uint64_t)(next - at);
        at = next;
    }
    unsigned long all, resident, shared;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm && fscanf(statm, "%lu %lu %lu", &all, &resident, &shared) == 3 && resident > shared)
        bytes += (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (statm) fclose(statm);
    return bytes;
}

/* Output is written before another thread goes on. */
static void sim_finish(int status) {
    (void)status;
    fflush(NULL);
    sim_self->memory = memory_now();
    sim_tell_samples();
    sim_tell_work();
    sim_stop(SIM_END);
    sim_has_turns = false;
}

/* ---- the conduit ------------------------------------------------------------------------------------------------- */

/* A simulated processor has one POSIX thread, and needs none for progress: sim_stop serves. */
const struct conduit conduit_built = {
    .name = "sim",
    .max_threads = CONDUIT_MAX_FAR,
    .max_medium = SIM_MAX_MEDIUM,
    .ignores_memory = true,
    .start = sim_start,
    .threads_here = sim_threads_here,
    .least = sim_least,
    .segments = sim_segments,
    .shared_memory = sim_shared,
    .spawn = sim_spawn,

    .send = sim_send,
    .try_send = sim_try_send,
    .poll = sim_poll,

    .rest = sim_rest,
    .sleep = sim_sleep,
    .ring = sim_ring,
    .wake = sim_wake,
    .cores = sim_cores,

    .done = launch_done,
    .is_done = launch_is_done,
    .done_count = launch_done_count,
    .lost = launch_lost,
    .claim_report = launch_claim_report,
    .end = launch_end,
    .is_ending = launch_is_ending,
    .is_thread = launch_is_thread,
    .finish = sim_finish,

    .overrides = &sim_overrides,
};

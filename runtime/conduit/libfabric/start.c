/* The threads of conduit libfabric: processes, forked (conduit/launch) on each computer of the job (hosts.h) after what they
 * share has been made.
 *
 * Those of a computer are near each other, unless FATHOM_NODE_MAX=k makes sets of k: then only those of a set share memory
 * that a program sees. The sets of a computer reach each other through other memory (neighbours.c), those of several computers
 * through libfabric. Memory that a set shares is made before the fork, as a stretch of a file
 * without a name for each set of the computer; the first process maps that of the first set, which is what the layers
 * above see, and each thread then maps its own in the same place.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/cluster/cluster.h"
#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"
#include "conduit/progress.h"
#include "conduit/queue/queue.h"
#include "conduit/segments.h"

struct cluster cluster;
size_t fabric_segment_bytes;

static bool is_forked;
static int most_near;     /* on this computer */
static bool wants_fabric; /* between the sets of a computer, too */

_Noreturn void cluster_refuse(const char *format, ...) {
    if (!is_forked || bounded_may_say(launch_claim_report, launch_is_ending)) {
        char text[512];
        va_list args;
        va_start(args, format);
        size_t length = bounded_text(text, sizeof text, format, args);
        va_end(args);
        bounded_say(text, length);
    }
    if (!is_forked) exit(1);
    launch_end(1);
    _exit(1);
}

static int node_max(void) {
    int most = cluster_node_max();
    if (most == 0) cluster_refuse_node_max();
    return most;
}

/* Of this computer. */
static int first_here(void) { return hosts.of[hosts.mine].first; }
static int threads_here(void) { return hosts.of[hosts.mine].threads; }
bool fabric_is_here(int thread) { return thread >= first_here() && thread < first_here() + threads_here(); }
static int sets_of(int computer) {
    int most = node_max();
    return (hosts.of[computer].threads + most - 1) / most;
}

/* Libraries of the providers psm and psm2 install handlers of their own when they are loaded, which print a backtrace and
 * exit; core/crash.c knows more. A program's or a sanitizer's handlers stay. */
static void take_signals_back(void) {
    static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct sigaction now;
        Dl_info from;
        if (sigaction(ours[i], NULL, &now) != 0 || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) continue;
        if (!dladdr((void *)(uintptr_t)now.sa_handler, &from) || !from.dli_fname) continue;
        if (strstr(from.dli_fname, "libinfinipath") || strstr(from.dli_fname, "libpsm")) signal(ours[i], SIG_DFL);
    }
}

static bool fabric_takes_turns(void) { return true; }

static int fabric_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    take_signals_back();
    most_near = node_max(); /* nonsense is found before anything is started */
    wants_fabric = !fabric_read_wish();
    cluster.threads = computers_start(wanted);
    if (most_near > threads_here()) most_near = threads_here();
    for (int c = 0; c < hosts.count; c++) cluster.groups += sets_of(c);
    conduit_near.count = most_near;
    return cluster.threads;
}

static int fabric_threads_here(void) { return threads_here(); }
static size_t fabric_least(size_t mine) { return computers_least(mine); }

/* ---- segments ---------------------------------------------------------------------------------------------------- */

static int segments_fd = -1;
static bool segments_are_huge;

/* Threads of this computer, from `first` on. */
static int map_from(int first, int count) {
    for (int i = 0; i < count; i++) {
        int why = segments_map_at(segments_at(i), fabric_segment_bytes, MAP_SHARED, segments_fd,
                                  fabric_segment_bytes * (size_t)(first - first_here() + i), segments_are_huge);
        if (why) {
            segments_unmap(i, fabric_segment_bytes);
            return why;
        }
    }
    return 0;
}

static int make_segments(const char **what) {
    *what = "memfd_create";
    segments_fd = segments_file(segments_are_huge ? MFD_HUGETLB : 0);
    if (segments_fd < 0) return errno;
    int why = 0;
    *what = "ftruncate";
    if (segments_set_length(segments_fd, fabric_segment_bytes * (size_t)threads_here()) != 0) {
        why = errno;
    } else {
        *what = "mmap";
        segments_seal(segments_fd);
        why = map_from(first_here(), conduit_near.count);
    }
    if (why) close(segments_fd);
    return why;
}

static int fabric_segments(int threads, size_t bytes, bool huge, const char **what) {
    (void)threads;
    fabric_segment_bytes = bytes;
    segments_are_huge = huge;
    int own = make_segments(what), why = INT_MAX - (int)fabric_least((size_t)(INT_MAX - own));
    if (why && !own) { /* another computer has no room */
        segments_unmap(conduit_near.count, bytes);
        close(segments_fd);
        *what = "on another computer of the job";
    }
    return why;
}

/* ---- what near threads share ------------------------------------------------------------------------------------- */

/* A mapping of a stretch for each set. The last one is for what is asked for after the fork. */
enum { MAPPINGS = 32 };
static struct mapping {
    char *at;
    size_t bytes;
    int fd;
} mappings[MAPPINGS];
static int mapping_count;
static struct {
    char *at;
    size_t left;
} late;

static size_t whole_lines(size_t bytes) { return (bytes + 127) / 128 * 128; }

static void *fabric_shared(size_t bytes) {
    if (is_forked) {
        bytes = whole_lines(bytes);
        if (bytes > late.left) return NULL;
        late.at += bytes;
        late.left -= bytes;
        return late.at - bytes;
    }
    bytes = (bytes + 4095) / 4096 * 4096;
    if (mapping_count == MAPPINGS) return NULL;
    struct mapping *m = &mappings[mapping_count];
    m->fd = segments_file(0);
    if (m->fd < 0) return NULL;
    void *p = MAP_FAILED;
    if (segments_set_length(m->fd, bytes * (size_t)sets_of(hosts.mine)) == 0)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m->fd, 0);
    if (p == MAP_FAILED) {
        close(m->fd);
        return NULL;
    }
    segments_seal(m->fd);
    m->at = p;
    m->bytes = bytes;
    mapping_count++;
    return p;
}

/* What the layers above have written into a set's memory before the fork, each set has. */
static bool copy_to_sets(const struct mapping *m) {
    off_t end = (off_t)m->bytes, from = 0, to;
    while ((from = lseek(m->fd, from, SEEK_DATA)) >= 0 && from < end) {
        to = lseek(m->fd, from, SEEK_HOLE);
        if (to < 0 || to > end) to = end;
        for (int g = 1; g < sets_of(hosts.mine); g++)
            if (pwrite(m->fd, m->at + from, (size_t)(to - from), (off_t)m->bytes * g + from) != to - from) return false;
        from = to;
    }
    return true;
}

/* In a thread: its set's memory instead of the first set's, and its segments. Null, or what failed. */
static const char *move_to_set(void) {
    int set = (cluster.me - first_here()) / most_near; /* of this computer */
    for (int i = 0; i < mapping_count; i++) {
        struct mapping *m = &mappings[i];
        if (set > 0 && mmap(m->at, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, m->fd,
                            (off_t)m->bytes * set) == MAP_FAILED)
            return "control data";
        close(m->fd);
    }
    bool is_reference = conduit_near.count < most_near;
    int first = is_reference ? cluster.me : cluster.first, count = is_reference ? 1 : cluster.count, why = 0;
    if (first > first_here() || count < conduit_near.count) {
        segments_unmap(conduit_near.count, fabric_segment_bytes);
        why = map_from(first, count);
    }
    if (sets_of(hosts.mine) > 1) neighbours_map(segments_fd, segments_are_huge);
    close(segments_fd);
    conduit_near.count = count;
    errno = why;
    return why ? "segment" : NULL;
}

/* ---- spawn ------------------------------------------------------------------------------------------------------- */

/* The sets of all computers, and which one a thread is in. */
static void find_sets(int *leader, int thread) {
    int most = node_max(), n = 0;
    for (int c = 0; c < hosts.count; c++) {
        const struct host *h = &hosts.of[c];
        for (int i = 0; i < h->threads; i += most) {
            int count = h->threads - i < most ? h->threads - i : most, first = h->first + i;
            if (thread >= first && thread < first + count) {
                cluster.group = n;
                cluster.first = first;
                cluster.count = count;
            }
            leader[n++] = first;
        }
    }
}

static int fabric_spawn(int threads) {
    size_t lines = (size_t)most_near * (sizeof(struct queue_memory) + 4096) + ((size_t)1 << 20);
    late.at = fabric_shared(lines);
    late.left = lines;
    int *leader = malloc((size_t)cluster.groups * sizeof *leader);
    if (!late.at || !leader || !neighbours_prepare(sets_of(hosts.mine), !wants_fabric))
        cluster_refuse("no memory for the message queues of %d threads\n", threads);
    cluster.leader = leader;
    for (int i = 0; i < mapping_count; i++)
        if (!copy_to_sets(&mappings[i])) cluster_refuse("no memory for control data: %s\n", strerror(errno));
    boot_prepare(threads);
    computers_spawn();

    int me = launch_threads(threads_here());
    is_forked = true;
    cluster.me = me;
    find_sets(leader, me);
    bool has_queues = neighbours_have_queues();
    cluster.queued_first = has_queues ? first_here() : cluster.first;
    cluster.queued_count = has_queues ? threads_here() : cluster.count;
    cluster.has_wire = cluster.queued_count < threads;
    const char *lacking = move_to_set();
    if (lacking) cluster_refuse("thread %d: no memory for its %s: %s\n", me, lacking, strerror(errno));
    conduit_near.first = conduit_near.count < cluster.count ? me : cluster.first;
    cluster_start();
    if (cluster.has_wire) fabric_open();
    if (cluster.groups > 1) fabric_memory_start();
    return me;
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

bool cluster_sum(struct cluster_traffic mine, struct cluster_traffic *sum) {
    struct cluster_traffic *all = malloc((size_t)cluster.threads * sizeof *all);
    if (!all) cluster_refuse("thread %d: no memory for the end\n", cluster.me);
    bool complete = boot_gather(&mine, sizeof mine, all, cluster_poll);
    *sum = (struct cluster_traffic){0};
    for (int t = 0; complete && t < cluster.threads; t++) {
        sum->sent += all[t].sent;
        sum->received += all[t].received;
    }
    free(all);
    return complete;
}

static void fabric_finish(int status) {
    (void)status;
    if (!cluster.has_wire) return;
    cluster_deliver_all();
    fabric_memory_stop();
    fabric_close();
}

const struct conduit conduit_built = {
    .name = "libfabric",
    .max_threads = CONDUIT_MAX_FAR,
    .max_medium = CLUSTER_MAX_MEDIUM,
    .start = fabric_start,
    .threads_here = fabric_threads_here,
    .least = fabric_least,
    .segments = fabric_segments,
    .shared_memory = fabric_shared,
    .spawn = fabric_spawn,

    .send = cluster_send,
    .try_send = cluster_try_send,
    .poll = cluster_poll,
    .needs_progress = cluster_needs_progress,
    .progress = cluster_progress,
    .rest_beside = cluster_rest_beside,

    .rest = bells_rest,
    .sleep = bells_sleep,
    .ring = bells_ring,
    .wake = bells_wake,
    .is_armed = bells_is_armed,
    .nudge = bells_nudge,
    .watch = bells_watch,
    .unwatch = bells_unwatch,
    .cores = launch_cores,
    .takes_turns = fabric_takes_turns,

    .done = launch_done,
    .is_done = launch_is_done,
    .done_count = launch_done_count,
    .lost = launch_lost,
    .claim_report = launch_claim_report,
    .end = launch_end,
    .is_ending = launch_is_ending,
    .is_thread = launch_is_thread,
    .finish = fabric_finish,

    .overrides = &fabric_overrides,
};

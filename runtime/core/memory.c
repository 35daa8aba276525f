/* The size of the segments, and the messages when memory does not suffice.
 *
 * A segment is static shared data, then the heap. Nothing is allocated beforehand: pages cost memory when they are
 * first touched, so that large sparse arrays are cheap and a job starts at once. Two rules nevertheless keep a heap
 * from exhausting the memory:
 *
 *   - With FATHOM_HEAP each thread's heap has exactly that size; an allocation beyond it yields a null pointer. The
 *     user then guarantees that the memory exists.
 *   - Without it, a heap may use as much address space as there is memory, and all heaps together may hold as much as
 *     the computer, or the control group (cgroup), has; besides, an allocation of many pages must fit into the memory
 *     that is available at that time. An allocation beyond either limit yields a null pointer.
 *     Where the job is not of this computer, as on a simulated machine, only address space limits it.
 *
 * Where not all threads are near each other, FATHOM_HEAP is the size of each of a thread's two heaps: the one for its
 * own allocations, and its part of the allocations on all threads. The threads of a computer then watch over its memory
 * by themselves, except that only thread 0's computer knows the part of the heap on all threads.
 *
 * Other programs can still exhaust memory later. The kernel then kills a thread, or, where it cannot provide the page,
 * raises SIGBUS: the supervisor and core/crash.c report that memory was exhausted, how much, and which setting to
 * change.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/core.h"

#if defined(__SANITIZE_ADDRESS__)
#define CORE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CORE_ADDRESS_SANITIZER 1
#endif
#endif
#include "lang/prelude.h"

#define HUGE_PAGE (2ul << 20)
#define SMALLEST_HEAP (64ul << 20)

struct core_memory core_memory;
static size_t no_heap(int thread) {
    (void)thread;
    return 0;
}
size_t (*core_heap_in_use)(int thread) = no_heap;

const char *core_size_text(size_t bytes) {
    static char text[4][32];
    static int next;
    char *p = text[next++ & 3];
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int u = 0;
    double v = (double)bytes;
    for (; v >= 1024 && u < 6; u++) v /= 1024;
    snprintf(p, 32, u == 0 || v == (double)(size_t)v ? "%.0f %s" : "%.1f %s", v, unit[u]);
    return p;
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* The number after `key` in a file of /proc or /sys (the first number if key is ""); `missing` if there is none. */
static size_t number_in(const char *path, const char *key, size_t missing) {
    FILE *f = fopen(path, "re");
    if (!f) return missing;
    char line[256];
    size_t value = missing, length = strlen(key);
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, key, length) != 0) continue;
        unsigned long long n;
        if (sscanf(line + length, "%llu", &n) == 1) value = (size_t)n;
        break;
    }
    fclose(f);
    return value;
}

static size_t meminfo(const char *key) { return number_in("/proc/meminfo", key, 0) << 10; }

struct group_memory {
    size_t limit, used; /* limit SIZE_MAX: none */
};

static void tighten(struct group_memory *g, const char *limit_file, const char *usage_file, const char *stat_file) {
    size_t limit = number_in(limit_file, "", SIZE_MAX);
    if (limit >= (size_t)1 << 60 || limit >= g->limit) return; /* v1 says "no limit" with a huge number */
    g->limit = limit;
    size_t used = number_in(usage_file, "", 0);
    size_t cache = number_in(stat_file, "inactive_file ", 0); /* the kernel drops it when memory is short */
    g->used = used > cache ? used - cache : 0;
}

/* The tightest memory limit among this process's control group and those above it, v2 and v1. Inside a container the
 * path of /proc/self/cgroup may not exist; the limit is then at the root of the mount. */
static struct group_memory group_memory(void) {
    struct group_memory g = {SIZE_MAX, 0};
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f) return g;
    char line[2048];
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        bool two = strncmp(line, "0::", 3) == 0;
        char *path = two ? line + 3 : strstr(line, ":memory:");
        if (!path) continue;
        if (!two) path += 8;
        static const char *const mounts[2][2] = {{"/sys/fs/cgroup/memory", NULL},
                                                 {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}};
        const char *limit_file = two ? "memory.max" : "memory.limit_in_bytes";
        const char *usage_file = two ? "memory.current" : "memory.usage_in_bytes";
        for (;;) {
            for (int m = 0; m < 2 && mounts[two][m]; m++) {
                char limit[2200], used[2200], stat[2200];
                const char *at = strcmp(path, "/") == 0 ? "" : path;
                snprintf(limit, sizeof limit, "%s%s/%s", mounts[two][m], at, limit_file);
                snprintf(used, sizeof used, "%s%s/%s", mounts[two][m], at, usage_file);
                snprintf(stat, sizeof stat, "%s%s/memory.stat", mounts[two][m], at);
                tighten(&g, limit, used, stat);
            }
            char *up = strrchr(path, '/');
            if (!up) break;
            *up = 0;
        }
    }
    fclose(f);
    return g;
}

size_t core_memory_limit(const char **what) {
    size_t computer = meminfo("MemTotal:") + meminfo("SwapTotal:");
    size_t group = group_memory().limit;
    bool grouped = group < computer || (computer == 0 && group != SIZE_MAX);
    *what = grouped ? "the control group's memory limit" : "this computer's memory";
    return grouped ? group : computer;
}

size_t core_memory_available(void) {
    size_t available = meminfo("MemAvailable:");
    available = available ? available + meminfo("SwapFree:") : SIZE_MAX;
    struct group_memory g = group_memory();
    size_t left = g.limit == SIZE_MAX ? SIZE_MAX : g.used < g.limit ? g.limit - g.used : 0;
    return left < available ? left : available;
}

/* ---- the segments ------------------------------------------------------------------------------------------------ */

size_t core_page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* Does this system give a process addresses where the segments are? ARM's kernels may be built for 39 bits of them. One
 * address may be taken by another mapping, but not all. */
static bool has_addresses(void) {
    for (unsigned long at = FATHOM_BASE; at < FATHOM_BASE + CONDUIT_MAX_NEAR * FATHOM_STEP; at += 64 * FATHOM_STEP) {
        void *got = mmap((void *)at, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got != MAP_FAILED) munmap(got, 4096);
        if (got == (void *)at) return true;
    }
    return false;
}

static _Noreturn void cannot_map(const char *what, int why) {
    const struct core_memory *m = &core_memory;
    fprintf(stderr,
            "fathom: cannot map the shared memory of %d threads: %s asked for (%s of static shared data and %s of heap "
            "each): %s: %s\n",
            m->threads, core_size_text(m->segment_bytes * (size_t)m->threads), core_size_text(m->static_bytes),
            core_size_text(m->segment_bytes - m->static_bytes), what, strerror(why));
    const char *help = "";
    if (why == EFBIG)
        help = "the limit on file sizes (ulimit -f) also applies to shared memory; raise it, or set FATHOM_HEAP lower";
    else if ((why == ENOMEM || why == EEXIST) && !has_addresses())
        help =
            "this system gives a process fewer than 46 bits of addresses; Fathom needs a kernel with 47 or 48 (on ARM: "
            "CONFIG_ARM64_VA_BITS_48)";
    else if (why == EEXIST)
        help = "another mapping occupies the addresses of the last threads; use fewer threads";
    else if (why == ENOMEM)
        help = "raise the limit on address space (ulimit -v), or set FATHOM_HEAP lower";
    else if (why == ENOSYS || why == EPERM || why == EACCES)
        help = "this system forbids memfd_create (a kernel before 3.17, or a container's seccomp profile)";
    if (*help) fprintf(stderr, "fathom: %s\n", help);
    exit(1);
}

/* Where not all threads are near each other, no thread sees the edges of all heaps, and the local and the symmetric
 * heap cannot share one space: each gets the whole size, in a part of the segment of its own. */
static size_t heap_parts(int threads) { return conduit_near.count < threads ? 2 : 1; }

static int map_segments(size_t heap, bool huge, const char **what) {
    size_t parts = heap_parts(core_memory.threads);
    core_memory.segment_bytes = round_up(core_memory.static_bytes + heap * parts, HUGE_PAGE);
    core_memory.middle = parts == 1 ? 0 : core_memory.static_bytes + heap;
    core_memory.huge = huge;
    return conduit_segments(core_memory.threads, core_memory.segment_bytes, huge, what);
}

/* Nothing lies at the start of a segment: a pointer that steps in front of an array (as can a pointer that was cast to
 * another phase) must not borrow from the thread field. */
enum { GUARD = 1 << 16 };

/* Bytes of a heap whose size nobody gives: where this computer's memory is not known, and where it does not matter. */
#define UNKNOWN ((size_t)4 << 30)
#define IGNORANT ((size_t)16 << 30)

/* The symbols of static shared objects lie in pages of their own that cannot be accessed: code that uses such a
 * symbol's address as an address crashes there, instead of working on private memory. (The leak detector of the address
 * sanitizer reads all of a program's data, and crashes there, too.) */
static void forbid(struct core_range symbols) {
#ifndef CORE_ADDRESS_SANITIZER
    size_t bytes = (size_t)(symbols.stop - symbols.start) & ~(core_page() - 1);
    if (bytes) mprotect((void *)(uintptr_t)symbols.start, bytes, PROT_NONE);
#else
    (void)symbols;
#endif
}

/* From the first symbol to the last: one constant converts each symbol to its object's address, wherever the linker has
 * put the two ranges. */
static struct core_range both(struct core_range a, struct core_range b) {
    if (!b.start) return a;
    return (struct core_range){a.start < b.start ? a.start : b.start, a.stop > b.stop ? a.stop : b.stop};
}

void core_memory_start(int threads, struct core_range small, struct core_range large) {
    struct core_memory *m = &core_memory;
#ifdef FATHOM_REFERENCE
    conduit_near.count = 1;
#endif
    m->threads = threads;
    struct core_range symbols = both(small, large);
    m->static_bytes = GUARD + round_up((size_t)(symbols.stop - symbols.start), 4096);
    const char *limit_of, *what;
    size_t here = (size_t)conduit_threads_here(), parts = heap_parts(threads);
    size_t limit = core_memory_limit(&limit_of), most = FATHOM_STEP - HUGE_PAGE;
    if (m->static_bytes > most || (limit && m->static_bytes > limit / here)) {
        size_t all = 0;
        bool fits_word = !__builtin_mul_overflow(m->static_bytes, here, &all);
        fprintf(stderr,
                "fathom: the program's static shared data does not fit: %s on each of %zu threads, %s together, ",
                core_size_text(m->static_bytes), here, fits_word ? core_size_text(all) : "more than a word");
        if (m->static_bytes > most)
            fprintf(stderr, "but a thread's segment holds at most %s; use more threads or smaller arrays\n",
                    core_size_text(most));
        else
            fprintf(stderr, "but %s is %s; use smaller arrays%s\n", limit_of, core_size_text(limit),
                    strstr(limit_of, "group") ? ", or raise that limit (memory.max of the cgroup, docker run --memory)"
                                              : ", or a computer with more memory");
        exit(1);
    }
    most = (most - m->static_bytes) / parts;

    size_t wanted = conduit_least(core_heap_wanted());
    int why = ENOMEM;
    if (wanted) {
        if (wanted > most) {
            fprintf(stderr, "fathom: FATHOM_HEAP is %s, but a thread's segment has room for %s\n",
                    core_size_text(wanted), core_size_text(most));
            exit(1);
        }
        m->budget_bytes = SIZE_MAX;
        bool huge = number_in("/proc/meminfo", "HugePages_Free:", 0) * HUGE_PAGE >=
                        round_up(m->static_bytes + wanted * parts, HUGE_PAGE) * here &&
                    meminfo("Hugepagesize:") == HUGE_PAGE;
        if (conduit_least(huge)) why = map_segments(wanted, true, &what);
        if (why != 0) why = map_segments(wanted, false, &what);
    } else {
        bool is_limited = limit && !conduit_used->ignores_memory;
        size_t heap = is_limited ? limit : conduit_used->ignores_memory ? IGNORANT : UNKNOWN;
        heap = conduit_least(heap > most ? most : heap);
        m->budget_bytes = is_limited ? limit - m->static_bytes * here : SIZE_MAX;
        /* Limits on address space or file size may forbid this size, and with some hundred threads the program's code
         * or its libraries may lie where a large segment would end: take the size for which there is room. */
        for (;; heap /= 2) {
            why = map_segments(heap, false, &what);
            if (why == 0 || (why != ENOMEM && why != EFBIG && why != EEXIST) || heap / 2 < SMALLEST_HEAP) break;
        }
    }
    if (why != 0) cannot_map(what, why);

    forbid(small);
    forbid(large);
    core_set_constants(0, threads, FATHOM_BASE + GUARD - (unsigned long)symbols.start);
}

/* In a reference build no thread is near another: each has its own memory. */
static void *shared_by_near(size_t bytes) {
#ifdef FATHOM_REFERENCE
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
#else
    return conduit_shared(bytes);
#endif
}

void *core_shared(size_t bytes) {
    void *p = shared_by_near(bytes);
    if (!p) {
        fprintf(stderr, "fathom: no memory for %s of control data: %s\n", core_size_text(bytes), strerror(errno));
        exit(1);
    }
    return p;
}

/* ---- tables by thread -------------------------------------------------------------------------------------------- */

void *core_table(size_t count, size_t each) {
    size_t bytes = count * each;
#ifdef CORE_ADDRESS_SANITIZER
    const bool is_seen = true; /* what only mapped memory leads to is reported as lost */
#else
    const bool is_seen = false;
#endif
    /* A small one shares its page with others, and the C library would write zeros into a large one. */
    void *p = bytes < core_page() || is_seen
                  ? calloc(count, each)
                  : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!p || p == MAP_FAILED) core_fatal("no memory for a table of %d threads", fathom_threads);
    return p;
}

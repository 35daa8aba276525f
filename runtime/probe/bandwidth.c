/* Kernels of the bandwidths of the area memory: streams through arrays, by one thread or by all, and a chase beside them.
 *
 * An operation is one pass over the arrays. What it reads and writes is in the facts, counted twice: `bytes` as STREAM counts
 * (what the program reads and writes), `moved_bytes` with the reading of lines that are to be written (write-allocate), which
 * stores past the caches do without. Loops are there in each width of vector; the widest that this processor has is taken.
 */
#define _GNU_SOURCE
#include "lang/random.h"
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* c is read by those with two sources, s by those that multiply or store a constant. Sizes are multiples of 256 bytes. */
typedef void stream_loop(double *a, const double *b, const double *c, double s, size_t bytes);

/* ---- loops ------------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
#define WIDTH 64
#define TARGET __attribute__((target("avx512f")))
#define HELD "v"
#define STREAM_PAST(at, value) _mm512_stream_pd(at, (__m512d)(value))
#include "probe/stream_loops.h"
#define WIDTH 32
#define TARGET __attribute__((target("avx2,fma")))
#define HELD "x"
#define STREAM_PAST(at, value) _mm256_stream_pd(at, (__m256d)(value))
#include "probe/stream_loops.h"
#define WIDTH 16
#define TARGET
#define HELD "x"
#define STREAM_PAST(at, value) _mm_stream_pd(at, (__m128d)(value))
#include "probe/stream_loops.h"

static bool has_avx512(void) { return __builtin_cpu_supports("avx512f"); }
static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static bool always(void) { return true; }

static const struct width {
    int bytes;
    bool (*is_there)(void);
    stream_loop *const *loops;
} widths[] = {{64, has_avx512, loops_64}, {32, has_avx2, loops_32}, {16, always, loops_16}};
#else
#define TARGET
#ifdef __aarch64__
#define WIDTH 16
#define HELD "w"
#else
#define WIDTH 8
#define HELD "m"
#endif
#include "probe/stream_loops.h"

static bool always(void) { return true; }

static const struct width {
    int bytes;
    bool (*is_there)(void);
    stream_loop *const *loops;
} widths[] = {
#ifdef __aarch64__
    {16, always, loops_16},
#else
    {8, always, loops_8},
#endif
};
#endif

/* ---- room -------------------------------------------------------------------------------------------------------- */

/* A number in a file of one number; `otherwise` if it is not there or says `max`. */
static double number_in(const char *path, double otherwise) {
    double value = otherwise;
    FILE *file = fopen(path, "r");
    if (!file) return otherwise;
    if (fscanf(file, "%lf", &value) != 1) value = otherwise;
    fclose(file);
    return value;
}

/* `room`: the fact `available_bytes`, what programs here may still take without anything being pushed out of memory. */
static void room(const struct request *request, struct reply *reply) {
    (void)request;
    double available = 0, kilobytes;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) available = kilobytes * 1024;
    if (file) fclose(file);
    if (available == 0) available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    /* A container's limit, in either version of control groups. */
    static const char *const limits[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };
    for (size_t i = 0; i < 2; i++) {
        double left = number_in(limits[i][0], 1e18) - number_in(limits[i][1], 0);
        if (left < available) available = left > 0 ? left : 0;
    }
    reply_sample(reply, 0);
    reply_fact(reply, "available_bytes", available);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* `op=`: how many arrays there are, how many of them are read and how many written, and whether a line is read first. */
static const struct operation {
    const char *name;
    int arrays, moved;
} operations[] = {
    {"load", 1, 1}, {"store", 1, 2}, {"copy", 2, 3},       {"scale", 2, 3},
    {"add", 3, 4},  {"triad", 3, 4}, {"store-past", 1, 1}, {"copy-past", 2, 2},
};

struct stream {
    stream_loop *loop;
    double *a, *b, *c;
    size_t bytes; /* of each array */
    const struct operation *op;
    int width;
    char *memory;
    size_t memory_bytes;
};

static void pass(void *argument, long n) {
    const struct stream *s = argument;
    for (; n > 0; n--) s->loop(s->a, s->b, s->c, 3.0, s->bytes);
}

enum { BLOCK = 256, PAGE = 4096 };

/* Between the arrays, so that a store and the load after it do not lie at the same place of two pages: processors take that for the
 * same address.
 */
enum { APART = PAGE / 2 + 5 * BLOCK };

/* Reads the request and makes the arrays; false if the reply says why not. `bytes` are those of all arrays together. */
static bool prepare(struct stream *s, const struct request *request, struct reply *reply, const char *op,
                    size_t total) {
    size_t most = sizeof operations / sizeof operations[0], k = 0;
    while (k < most && strcmp(operations[k].name, op) != 0) k++;
    if (k == most) {
        reply_error(reply, "there is no stream called `%.40s`", op);
        return false;
    }
    long asked = request_number(request, "width", 0);
    const struct width *w = widths, *end = widths + sizeof widths / sizeof widths[0];
    while (w < end && (!w->is_there() || (asked && w->bytes != asked))) w++;
    if (w == end || !w->loops[k]) {
        reply_impossible(reply, REASON_OPERATION, "this processor has no `%s` in vectors of that width", op);
        return false;
    }
    *s = (struct stream){.op = &operations[k], .loop = w->loops[k], .width = w->bytes};
    s->bytes = total / (size_t)s->op->arrays / BLOCK * BLOCK;
    if (s->bytes == 0) {
        reply_error(reply, "%zu bytes are too few for %d arrays", total, s->op->arrays);
        return false;
    }
    size_t step = (s->bytes + PAGE - 1) / PAGE * PAGE + APART;
    s->memory_bytes = step * (size_t)s->op->arrays;
    s->memory = take_memory(request, reply, s->memory_bytes);
    if (!s->memory) return false;
    s->a = (double *)s->memory;
    s->b = (double *)(s->memory + (s->op->arrays > 1 ? step : 0));
    s->c = (double *)(s->memory + (s->op->arrays > 2 ? 2 * step : 0));
    for (size_t i = 0; i < s->bytes / sizeof(double); i++) s->a[i] = 0.5, s->b[i] = 1.0, s->c[i] = 2.0;
    return true;
}

static void say(const struct stream *s, struct reply *reply, int threads) {
    reply_fact(reply, "bytes", (double)s->bytes * s->op->arrays * threads);
    reply_fact(reply, "moved_bytes", (double)s->bytes * s->op->moved * threads);
    reply_fact(reply, "width_bytes", s->width);
}

/* `stream op=triad bytes=N [width=16|32|64] [pages=]`: one thread's. */
static void stream_kernel(const struct request *request, struct reply *reply) {
    struct stream s;
    if (gas_me() != 0) return;
    if (!prepare(&s, request, reply, request_word(request, "op", "load"), (size_t)request_number(request, "bytes", 0)))
        return;
    pass(&s, 1);
    sample(request, reply, pass, NULL, &s);
    say(&s, reply, 1);
    drop_memory(s.memory, s.memory_bytes);
}

/* ---- all threads ------------------------------------------------------------------------------------------------- */

/* Is this so on every thread? Collective. */
static bool everywhere(bool here) {
    uint64_t mine = here, all = 0;
    gas_all_reduce(gas_world(), &all, &mine, 1, GAS_U64, GAS_MIN, 0);
    return all != 0;
}

/* Does each thread have a processor to itself? Collective; otherwise the reply says that nothing can be measured. */
static bool have_processors(struct reply *reply, int least) {
    int near;
    gas_near(&near);
    if (gas_count() < least) {
        reply_impossible(reply, REASON_THREADS, "it needs %d threads", least);
        return false;
    }
    if (everywhere(have_own_processors(near))) return true;
    reply_impossible(reply, REASON_PROCESSORS, "it needs a processor for each of %d threads, and there are fewer",
                     near);
    return false;
}

/* What thread 0 tells the others before each sample. */
struct order {
    uint64_t passes; /* 0: it is over */
};

static uint64_t ordered(uint64_t passes) {
    struct order order = {passes};
    gas_broadcast(gas_world(), &order, &order, sizeof order, 0, 0);
    return order.passes;
}

/* Performs passes on all threads at once. Returns the time from when the first began until the last had ended, on thread 0; clocks
 * of one computer agree, and others give each thread's own time at least.
 */
static double timed_together(struct stream *s, uint64_t passes) {
    double last, longest;
    gas_barrier();
    double begun = now_ns();
    pass(s, (long)passes);
    double ended = now_ns(), own = ended - begun, first;
    gas_all_reduce(gas_world(), &first, &begun, 1, GAS_F64, GAS_MIN, 0);
    gas_all_reduce(gas_world(), &last, &ended, 1, GAS_F64, GAS_MAX, 0);
    gas_all_reduce(gas_world(), &longest, &own, 1, GAS_F64, GAS_MAX, 0);
    int near;
    gas_near(&near);
    return near == gas_count() ? last - first : longest;
}

#define SAMPLE_NS 2e6 /* much more than threads begin one after the other */

/* `stream-all op= bytes=N`: each thread its own arrays of N bytes together. An operation is a pass of every thread; the facts are
 * sums over the threads.
 */
static void stream_all(const struct request *request, struct reply *reply) {
    struct stream s;
    if (!have_processors(reply, 1)) return;
    double end = now_ns() + request_limit_s(request) * 1e9;
    bool mine =
        prepare(&s, request, reply, request_word(request, "op", "load"), (size_t)request_number(request, "bytes", 0));
    if (!everywhere(mine)) {
        if (mine) {
            reply_impossible(reply, REASON_MEMORY, "not every thread has memory for it");
            drop_memory(s.memory, s.memory_bytes);
        }
        return;
    }
    uint64_t passes = 1;
    double ns = 0;
    for (int i = 0; i < 24 && ns < SAMPLE_NS / 2; i++) {
        ns = timed_together(&s, passes);
        if (gas_me() == 0 && ns < SAMPLE_NS / 2) passes *= ns < SAMPLE_NS / 16 ? 4 : 2;
        passes = ordered(passes);
        double told = ns;
        gas_broadcast(gas_world(), &ns, &told, sizeof ns, 0, 0);
    }
    for (int i = 0;; i++) {
        bool more = i < request_samples(request) && (i == 0 || now_ns() < end);
        if (ordered(more ? passes : 0) == 0) break;
        ns = timed_together(&s, passes);
        reply_sample(reply, ns / (double)passes);
    }
    say(&s, reply, gas_count());
    drop_memory(s.memory, s.memory_bytes);
}

/* ---- latency under load ------------------------------------------------------------------------------------------ */

/* A ring through all lines of the memory, in an order that no prefetcher foresees: each line holds the address of the next. */
static void **make_ring(char *memory, size_t lines, size_t line) {
    uint32_t *order = (uint32_t *)(void *)(memory); /* each in its own line, until the addresses take its place */
    uint64_t state = 0;
    size_t step = line / sizeof *order;
    for (size_t i = 0; i < lines; i++) order[i * step] = (uint32_t)i;
    /* A random cycle (Sattolo): every place is swapped with one before it. */
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = fathom_random_below(&state, i);
        uint32_t other = order[i * step];
        order[i * step] = order[j * step];
        order[j * step] = other;
    }
    for (size_t i = 0; i < lines; i++) {
        char *next = memory + (size_t)order[i * step] * line;
        memcpy(memory + i * line, &next, sizeof next);
    }
    return (void **)(void *)memory;
}

static void chase(void *argument, long n) {
    void **at = *(void ***)argument;
    for (; n >= 8; n -= 8) {
        at = *at, at = *at, at = *at, at = *at;
        at = *at, at = *at, at = *at, at = *at;
    }
    for (; n > 0; n--) at = *at;
    USED(at);
    *(void ***)argument = at;
}

/* What a thread that loads has loaded, and, of thread 0, whether it is over. A line of its own. */
struct progress {
    uint64_t bytes, is_over;
    char rest[112];
};

static struct progress *progress_of(fathom_ptr all, int thread) {
    return fathom_local(fathom_make(thread, fathom_offset_of(all)));
}

/* Loads in pieces, and idles for a while after each. */
static void load_until_told(const struct stream *s, struct progress *own, const uint64_t *is_over, long idle) {
    size_t piece = s->bytes < 8192 ? s->bytes : 8192;
    while (!__atomic_load_n(is_over, __ATOMIC_ACQUIRE)) {
        for (size_t at = 0; at + piece <= s->bytes; at += piece) {
            s->loop((double *)((char *)s->a + at), NULL, NULL, 0, piece);
            __atomic_store_n(&own->bytes, own->bytes + piece, __ATOMIC_RELAXED);
            for (long i = 0; i < idle; i++) __asm__ volatile("");
            if (__atomic_load_n(is_over, __ATOMIC_RELAXED)) break;
        }
    }
}

static uint64_t loaded_so_far(fathom_ptr all) {
    uint64_t sum = 0;
    for (int t = 1; t < gas_count(); t++) sum += __atomic_load_n(&progress_of(all, t)->bytes, __ATOMIC_RELAXED);
    return sum;
}

/* Thread 0's part: samples while the others load, and what they loaded meanwhile. */
static void chase_under_load(const struct request *request, struct reply *reply, fathom_ptr all, void **ring,
                             bool is_loaded) {
    chase(&ring, 2000);
    double begun = now_ns();
    uint64_t before = loaded_so_far(all);
    sample(request, reply, chase, NULL, &ring);
    double ns = now_ns() - begun;
    reply_fact(reply, "load_mb_s", is_loaded ? (double)(loaded_so_far(all) - before) * 1e3 / ns : 0);
}

/* `loaded bytes=N load_bytes=M idle=K line=64`: thread 0 chases through N bytes; each of the others loads M bytes again and again, K
 * turns of an empty loop after every 8 KiB; `sleep=yes`: they sleep. An operation is one access of the chase. The fact `load_mb_s`:
 * what the others loaded.
 */
static void loaded(const struct request *request, struct reply *reply) {
    if (!have_processors(reply, 2)) return;
    int near;
    gas_near(&near);
    if (!everywhere(near == gas_count())) {
        reply_impossible(reply, REASON_APART, "the threads are on several computers, and do not share memory");
        return;
    }
    long idle = request_number(request, "idle", 0);
    bool asleep = strcmp(request_word(request, "sleep", "no"), "yes") == 0;
    size_t line = (size_t)request_number(request, "line", 64), bytes = (size_t)request_number(request, "bytes", 0);
    struct stream s = {0};
    char *memory = NULL;
    bool mine;
    if (gas_me() == 0) {
        if (bytes / line < 2 || bytes / line > UINT32_MAX || line < sizeof(void *) || line % sizeof(void *))
            reply_error(reply, "a chase needs at least two lines");
        else
            memory = take_memory(request, reply, bytes);
        mine = memory != NULL;
    } else {
        mine = prepare(&s, request, reply, "load", (size_t)request_number(request, "load_bytes", (long)bytes));
    }
    fathom_ptr all = gas_all_alloc(sizeof(struct progress));
    bool is_possible = everywhere(mine && all);
    if (is_possible) {
        memset(progress_of(all, gas_me()), 0, sizeof(struct progress));
        void **ring = memory ? make_ring(memory, bytes / line, line) : NULL;
        gas_barrier();
        struct progress *own = progress_of(all, gas_me()), *first = progress_of(all, 0);
        if (gas_me() == 0) {
            chase_under_load(request, reply, all, ring, !asleep);
            __atomic_store_n(&first->is_over, 1, __ATOMIC_RELEASE);
        } else if (!asleep) {
            load_until_told(&s, own, &first->is_over, idle);
        }
        gas_barrier();
    } else if (mine) {
        reply_impossible(reply, REASON_MEMORY, "not every thread has memory for it");
    }
    if (all && gas_me() == 0) gas_free(all);
    drop_memory(memory, bytes);
    drop_memory(s.memory, s.memory_bytes);
}

/* ---- loads and stores by stride ---------------------------------------------------------------------------------- */

/* What is swept: words of 64 bits, `stride` bytes apart. */
struct sweep {
    char *memory;
    size_t bytes, stride;
};

/* Eight accesses an iteration; the compiler sees no more of them than that they happen. */
static void load_words(void *argument, long n) {
    const struct sweep *s = argument;
    size_t stride = s->stride, eight = 8 * stride;
    for (; n > 0; n--)
        for (const char *at = s->memory, *end = at + s->bytes; at < end; at += eight) {
#pragma GCC unroll 8
            for (size_t k = 0; k < 8; k++) {
                uint64_t value = *(const uint64_t *)(const void *)(at + k * stride);
                __asm__ volatile("" : : "r"(value));
            }
        }
}

static void store_words(void *argument, long n) {
    const struct sweep *s = argument;
    size_t stride = s->stride, eight = 8 * stride;
    uint64_t value = 1;
    for (; n > 0; n--)
        for (char *at = s->memory, *end = at + s->bytes; at < end; at += eight) {
            __asm__ volatile("" : "+r"(value));
#pragma GCC unroll 8
            for (size_t k = 0; k < 8; k++) *(uint64_t *)(void *)(at + k * stride) = value;
        }
}

/* `sweep op=load|store bytes=N stride=S`: the LOAD and STORE kernels of the SPP-1000 study, section 3. An operation is a pass; the
 * fact `accesses` says of how many.
 */
static void sweep_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    const char *op = request_word(request, "op", "load");
    bool is_load = strcmp(op, "load") == 0;
    size_t stride = (size_t)request_number(request, "stride", 8), bytes = (size_t)request_number(request, "bytes", 0);
    if (!is_load && strcmp(op, "store") != 0) {
        reply_error(reply, "a sweep is of `load` or `store`, not `%.40s`", op);
        return;
    }
    if (stride < 8 || stride % 8 || bytes < 8 * stride) {
        reply_error(reply, "a sweep of %zu bytes by %zu has fewer than eight words", bytes, stride);
        return;
    }
    bytes -= bytes % (8 * stride);
    struct sweep s = {.memory = take_memory(request, reply, bytes), .bytes = bytes, .stride = stride};
    if (!s.memory) return;
    load_words(&s, 1);
    sample(request, reply, is_load ? load_words : store_words, NULL, &s);
    reply_fact(reply, "accesses", (double)(bytes / stride));
    drop_memory(s.memory, bytes);
}

const struct kernel kernels_bandwidth[] = {
    {"stream", stream_kernel},
    {"stream-all", stream_all},
    {"loaded", loaded},
    {"sweep", sweep_kernel},
    {"room", room},
    {NULL, NULL},
};

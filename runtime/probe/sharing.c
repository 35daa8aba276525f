/* Kernels of the area sharing: an array that one thread writes and others read or write, through coherent memory.
 *
 *     pass      what=war|raw|waw stride=8 bytes=32768 flushed=0 way=sweep|dependent distance=near|far
 *     sharers   what=invalidate|read sharers=1 stride=8 bytes=32768
 *
 * Strides are in elements of 8 bytes; a sample is the time of an access. One thread after the other passes over the array, and
 * times its own pass: writing what another has read (war), reading what another has written (raw), writing what another has
 * written (waw). Flushed: after each pass its lines are in no cache. `sharers` writes what so many have read (invalidate), or has
 * them read one after the other what was written, and times the last (read). Passes are independent accesses, as fast as
 * the processor issues them, but for `dependent`, where each read names the place of the next.
 *
 * Source: the SPP-1000 study, sections 4.2 and 4.3. What differs: a pass of writes ends when the last has been carried out, for today's
 * processors go on before.
 */
#include "probe/sharing.h"

#include "lang/random.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#include <immintrin.h>
#endif

const struct kernel kernels_sharing[] = {
    {"pass", pass_kernel},
    {"sharers", sharers_kernel},
    {"ping_pong", ping_pong_kernel},
    {"false_sharing", false_sharing_kernel},
    {NULL, NULL},
};

enum { LEAST_ROUNDS = 4, MOST_ROUNDS = 64, MOST_ACCESSES = 1 << 17 };

/* ---- flushing ---------------------------------------------------------------------------------------------------- */

#if defined __x86_64__ || defined __i386__
__attribute__((target("clflushopt"))) static void flush_at_once(char *at, size_t bytes, size_t line) {
    for (size_t i = 0; i < bytes; i += line) _mm_clflushopt(at + i);
    _mm_mfence();
}

static void flush_in_order(char *at, size_t bytes, size_t line) {
    for (size_t i = 0; i < bytes; i += line) _mm_clflush(at + i);
    _mm_mfence();
}

/* What this processor has; asked once, because a virtual machine's host answers. */
static enum { NOT_ASKED, NO_FLUSH, IN_ORDER, AT_ONCE } flush_kind;
static size_t flush_line = 64;

static void ask_for_flush(void) {
    unsigned a, b, c, d;
    flush_kind = NO_FLUSH;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(d >> 19 & 1)) return;
    if (b >> 8 & 0xff) flush_line = (b >> 8 & 0xff) * 8;
    flush_kind = __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 23 & 1 ? AT_ONCE : IN_ORDER;
}

bool flush_lines(char *at, size_t bytes) {
    if (flush_kind == NOT_ASKED) ask_for_flush();
    if (flush_kind == AT_ONCE) flush_at_once(at, bytes, flush_line);
    if (flush_kind == IN_ORDER) flush_in_order(at, bytes, flush_line);
    return flush_kind != NO_FLUSH;
}
#elif defined __aarch64__
bool flush_lines(char *at, size_t bytes) {
    uint64_t types;
    __asm__("mrs %0, ctr_el0" : "=r"(types));
    size_t line = 4ul << (types >> 16 & 15);
    for (size_t i = 0; i < bytes; i += line) __asm__ volatile("dc civac, %0" : : "r"(at + i) : "memory");
    __asm__ volatile("dsb sy" : : : "memory");
    return true;
}
#else
bool flush_lines(char *at, size_t bytes) {
    (void)at, (void)bytes;
    return false;
}
#endif

/* Without an instruction for it: whatever is in this processor's caches gives way to something larger. */
static void sweep_caches(void) {
    enum { BYTES = 64 << 20 };
    static char *other;
    if (!other && !(other = malloc(BYTES))) return;
    for (size_t i = 0; i < BYTES; i += 32) other[i]++;
    USED(other);
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

enum pass { READ, WRITE, FLUSH, WRITE_CHAIN, FOLLOW_CHAIN };

/* The element that follows each in a chain through all of them in no order that could be foreseen: a full cycle. */
static const uint32_t *chain_of(size_t count) {
    static uint32_t *next, *order;
    static size_t made;
    if (made == count) return next;
    free(next);
    free(order);
    next = malloc(count * sizeof *next);
    order = malloc(count * sizeof *order);
    if (!next || !order) gas_fatal("the prober has no memory");
    uint64_t state = 0;
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = fathom_random_below(&state, i + 1);
        uint32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < count; i++) next[order[i]] = order[(i + 1) % count];
    made = count;
    return next;
}

static double clock_ns;

/* Words: the pass, the array, its bytes, the stride in bytes. Returns ns. */
static double perform(const uint64_t words[4]) {
    char *array = fathom_local(words[1]);
    size_t bytes = words[2], stride = words[3];
    const uint32_t *next = words[0] >= WRITE_CHAIN ? chain_of(bytes / stride) : NULL;
    double start = now_ns();
    switch ((enum pass)words[0]) {
    case READ:
        for (size_t at = 0; at < bytes; at += stride) {
            uint64_t value = *(volatile uint64_t *)(array + at);
            USED(value);
        }
        break;
    case WRITE:
        for (size_t at = 0; at < bytes; at += stride) *(volatile uint64_t *)(array + at) = at;
        atomic_thread_fence(memory_order_seq_cst);
        break;
    case FLUSH:
        if (!flush_lines(array, bytes)) sweep_caches();
        break;
    case WRITE_CHAIN:
        for (size_t i = 0; i < bytes / stride; i++) *(volatile uint64_t *)(array + i * stride) = next[i] * stride;
        atomic_thread_fence(memory_order_seq_cst);
        break;
    case FOLLOW_CHAIN: {
        uint64_t at = 0;
        for (size_t n = bytes / stride; n > 0; n--) at = *(volatile uint64_t *)(array + at);
        USED(at);
    }
    }
    double ns = now_ns() - start - clock_ns;
    return ns > 0 ? ns : 0;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

enum what { WAR, RAW, WAW, INVALIDATE, READ_BY_LAST };

struct plan {
    enum what what;
    bool is_flushed, is_dependent;
    int sharers;
    size_t bytes, stride;
    fathom_ptr array;
};

static double on(const struct plan *p, int thread, enum pass pass) {
    return together_ask(thread, (uint64_t[]){pass, p->array, p->bytes, p->stride});
}

static void flush(const struct plan *p, int thread) {
    if (p->is_flushed) on(p, thread, FLUSH);
}

/* What a pass took of which the plan is about. */
static double one_round(const struct plan *p) {
    double ns = on(p, 0, p->is_dependent ? WRITE_CHAIN : WRITE), last = 0;
    flush(p, 0);
    switch (p->what) {
    case WAR: on(p, 1, READ); break;
    case RAW: ns = on(p, 1, p->is_dependent ? FOLLOW_CHAIN : READ); break;
    case WAW: ns = on(p, 1, WRITE); break;
    case INVALIDATE:
    case READ_BY_LAST:
        for (int i = 1; i <= p->sharers; i++) last = on(p, i, READ);
        if (p->what == READ_BY_LAST) ns = last;
        return ns;
    }
    flush(p, 1);
    return ns;
}

/* A sample is the mean of some rounds, which take about half a millisecond. */
static void sample_rounds(const struct request *request, struct reply *reply, const struct plan *p) {
    double start = now_ns(), limit = request_limit_s(request) * 1e9, wanted = limit / (request_samples(request) + 1);
    double accesses = (double)((p->bytes + p->stride - 1) / p->stride);
    if (wanted > 500e3) wanted = 500e3;
    one_round(p);
    for (int i = 0; i < request_samples(request) && (i == 0 || now_ns() - start < limit); i++) {
        double sum = 0, began = now_ns();
        int rounds = 0;
        while (rounds < LEAST_ROUNDS || (rounds < MOST_ROUNDS && now_ns() - began < wanted)) {
            sum += one_round(p);
            rounds++;
            if (now_ns() - start > limit) break;
        }
        reply_sample(reply, sum / rounds / accesses);
    }
    reply_fact(reply, "accesses", accesses);
    reply_fact(reply, "clock_ns", clock_ns);
}

static bool number_within(const struct request *request, struct reply *reply, const char *name, long otherwise,
                          long least, long most, long *value) {
    *value = request_number(request, name, otherwise);
    if (*value >= least && *value <= most) return true;
    reply_error(reply, "`%s` must be from %ld to %ld, not %ld", name, least, most, *value);
    return false;
}

/* The index of an argument among words that are separated by blanks; -1 and an error if it is none of them. */
static int word_among(const struct request *request, struct reply *reply, const char *name, const char *words) {
    int index = 0;
    const char *given = request_word(request, name, NULL);
    if (!given) return 0;
    for (const char *w = words; *w; index++) {
        size_t length = strcspn(w, " ");
        if (strlen(given) == length && strncmp(w, given, length) == 0) return index;
        w += length + (w[length] == ' ');
    }
    reply_error(reply, "`%s` must be one of `%s`, not `%.40s`", name, words, given);
    return -1;
}

static void measure(const struct request *request, struct reply *reply, struct plan *p, enum together_where where) {
    long bytes, stride;
    if (!number_within(request, reply, "stride", 8, 1, 4096, &stride) ||
        !number_within(request, reply, "bytes", 32768, stride * 8, MOST_ACCESSES * 8, &bytes))
        return;
    p->stride = (size_t)stride * 8;
    p->bytes = (size_t)bytes / p->stride * p->stride;
    together_task = perform; /* before thread 0 can ask for it */
    clock_ns = clock_cost();
    if (!together_begin(request, reply, 1, p->sharers, where)) return;
    p->array = together_memory(0);
    if (!together_directs(NULL)) return;
    int near, first = gas_near(&near);
    if (p->sharers >= first + near)
        reply_impossible(reply, REASON_APART, "thread %d does not share memory with thread 0", p->sharers);
    else
        sample_rounds(request, reply, p);
    together_end();
}

void pass_kernel(const struct request *request, struct reply *reply) {
    int what = word_among(request, reply, "what", "war raw waw");
    int way = word_among(request, reply, "way", "sweep dependent");
    int distance = word_among(request, reply, "distance", "near far");
    long flushed;
    if (what < 0 || way < 0 || distance < 0 || !number_within(request, reply, "flushed", 0, 0, 1, &flushed)) return;
    if (way == 1 && what != RAW) {
        reply_error(reply, "only reads can be dependent");
        return;
    }
    struct plan p = {.what = (enum what)what, .is_flushed = flushed, .is_dependent = way == 1, .sharers = 1};
    measure(request, reply, &p, distance == 0 ? TOGETHER_NEAR : TOGETHER_FAR);
}

void sharers_kernel(const struct request *request, struct reply *reply) {
    long sharers;
    int what = word_among(request, reply, "what", "invalidate read");
    if (what < 0 || !number_within(request, reply, "sharers", 1, what, 255, &sharers)) return;
    struct plan p = {.what = what == 0 ? INVALIDATE : READ_BY_LAST, .sharers = (int)sharers};
    measure(request, reply, &p, TOGETHER_ANYWHERE);
}

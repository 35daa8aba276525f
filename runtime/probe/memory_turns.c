/* Do stores to one line travel together? Lines are filled word by word, so many of them in turn.
 *
 *     turns lines=K bytes=B line=L op=write|nontemporal
 *
 * K lines are filled side by side, the first word of each, then the second of each, and so on up to eight words; then the next K,
 * through B bytes again and again. Whatever K is, the same stores are done: only how many other lines come between two stores
 * to one line differs. A buffer that merges consecutive stores makes K = 1 the fastest; one that holds M lines and merges into any of them
 * keeps its time up to K = M. Samples are ns per store.
 */
#include <string.h>

#include "probe/memory.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

struct turns {
    char *memory;
    size_t bytes, at, line;
    int lines;
};

static inline __attribute__((always_inline)) void write_word(char *p) { *(volatile uint64_t *)(void *)p = 1; }

#if defined(__x86_64__)
static const bool can_pass_caches = true;
static inline __attribute__((always_inline)) void pass_word(char *p) { _mm_stream_si64((long long *)(void *)p, 1); }
#else
static const bool can_pass_caches = false;
static inline __attribute__((always_inline)) void pass_word(char *p) { write_word(p); }
#endif

/* The stores of K lines stand one after the other in the code where K and the line are known there. */
static inline __attribute__((always_inline)) void fill_some(struct turns *t, long n, const int lines, const size_t line,
                                                            void (*store)(char *)) {
    const int words = line < 64 ? (int)(line / 8) : 8;
    const size_t block = (size_t)lines * line;
    for (; n > 0; n -= (long)lines * words) {
        char *p = t->memory + t->at;
#pragma GCC unroll 8
        for (int w = 0; w < words; w++)
#pragma GCC unroll 32
            for (int l = 0; l < lines; l++) store(p + (size_t)l * line + (size_t)w * 8);
        t->at = t->at + 2 * block <= t->bytes ? t->at + block : 0;
    }
}

static inline __attribute__((always_inline)) void fill_with(struct turns *t, long n, const size_t line,
                                                            void (*store)(char *)) {
    switch (t->lines) {
    case 1: fill_some(t, n, 1, line, store); break;
    case 2: fill_some(t, n, 2, line, store); break;
    case 4: fill_some(t, n, 4, line, store); break;
    case 8: fill_some(t, n, 8, line, store); break;
    case 12: fill_some(t, n, 12, line, store); break;
    case 16: fill_some(t, n, 16, line, store); break;
    case 20: fill_some(t, n, 20, line, store); break;
    case 24: fill_some(t, n, 24, line, store); break;
    default: fill_some(t, n, 32, line, store); break;
    }
}

static inline __attribute__((always_inline)) void fill(struct turns *t, long n, void (*store)(char *)) {
    switch (t->line) {
    case 32: fill_with(t, n, 32, store); break;
    case 64: fill_with(t, n, 64, store); break;
    default: fill_with(t, n, 128, store); break;
    }
}

static void fill_by_writing(void *turns, long n) { fill(turns, n, write_word); }
static void fill_past_caches(void *turns, long n) { fill(turns, n, pass_word); }

void run_turns(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    struct turns t = {.bytes = (size_t)request_number(request, "bytes", 0),
                      .line = (size_t)request_number(request, "line", 64),
                      .lines = (int)request_number(request, "lines", 1)};
    bool past = strcmp(request_word(request, "op", "write"), "nontemporal") == 0;
    if (past && !can_pass_caches)
        return reply_impossible(reply, REASON_OPERATION, "this processor has no stores that bypass the caches");
    const int lines = t.lines;
    bool known = lines == 1 || lines == 2 || lines == 4 || lines == 8 || lines == 12 || lines == 16 || lines == 20 ||
                 lines == 24 || lines == 32;
    if ((t.line != 32 && t.line != 64 && t.line != 128) || !known || t.bytes < t.line * (size_t)lines)
        return reply_error(reply, "cannot fill %d lines of %zu bytes in turn through %zu", t.lines, t.line, t.bytes);
    t.memory = keep_memory(request, reply, t.bytes);
    if (!t.memory) return;
    /* Once through all of it first: then lines are where they will be. */
    for (size_t done = 0; done < t.bytes && !past; done += t.line) write_word(t.memory + done);
    sample(request, reply, past ? fill_past_caches : fill_by_writing, NULL, &t);
}

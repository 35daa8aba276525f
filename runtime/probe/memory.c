/* Chains of dependent loads: the time from one address to the next. A chain visits the places of a request in some order, again
 * and again, and each place holds the address of the next, so that no load can start before the one before it is done.
 *
 *     chase bytes=B stride=S      places at 0, S, 2S, … below B
 *       order=random              any order, by which no prefetcher and no open DRAM row helps
 *       order=local within=P      any order within P bytes, and such pieces in any order: what P bytes of memory share
 *                                 (a translation) is asked for once a piece
 *       order=pages within=P      another piece of P bytes with every load: the pieces in any order, the same one in every
 *                                 turn, and in each turn another place of each. No translation is asked for twice before
 *                                 all others were
 *       order=runs within=P       such pieces in any order, each from its beginning to its end
 *       order=linear|reverse      one after the other
 *       jitter=L                  each place moved by a random multiple of L within its S bytes, by which not all places
 *                                 fall into the same sets of a cache
 *       pair=D                    each place is two addresses: at the place with bit D set, then without. D is a power of two.
 *       chains=K                  K chains side by side, independent of each other; a sample is ns per load of all
 *       op=read|update            update also stores into each place, so that lines leave a cache dirty
 *       skip=B                    B bytes into the memory that is kept: other pages than without
 *       pages=normal|huge
 *       touch=visits              memory of its own, each page of which is first touched when its first place is laid: what the
 *                                 system puts side by side is visited one after the other. Otherwise all are touched from the
 *                                 beginning to the end, and stay for the next request
 *
 * Samples are ns per load. The loads of a lap cost what they cost at different places, so a sample is whole laps where time
 * allows.
 */
#include <stdlib.h>
#include <string.h>

#include "lang/random.h"
#include "probe/memory.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* One block of each kind. Growing size by size would fault pages in again and again, so that a block is at least as large as
 * LEAST; and the sizes of a curve are measured in the same pages, which is what makes it smooth. What is touched by visits is of
 * one request alone.
 */
enum { NORMAL, HUGE, VISITED };
static struct block {
    char *memory;
    size_t bytes;
} blocks[VISITED + 1];
static const size_t LEAST = (size_t)8 << 20;

static void drop_block(struct block *block) {
    if (block->memory) drop_memory(block->memory, block->bytes);
    *block = (struct block){0};
}

char *keep_memory(const struct request *request, struct reply *reply, size_t bytes) {
    bool huge = strcmp(request_word(request, "pages", "normal"), "huge") == 0, visited = touched_by_visits(request);
    struct block *block = &blocks[visited ? VISITED : huge ? HUGE : NORMAL];
    if (!visited && block->bytes >= bytes) return block->memory;
    drop_block(block);
    size_t take = bytes < LEAST ? LEAST : bytes;
    char *memory = take_memory(request, reply, take);
    if (memory) *block = (struct block){memory, take};
    return memory;
}

/* ---- the order of places ----------------------------------------------------------------------------------------- */

static uint64_t random_state;
uint64_t random_below(uint64_t n) { return fathom_random_below(&random_state, n); }

static void shuffle(uint32_t *values, size_t n) {
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(i);
        uint32_t keep = values[i - 1];
        values[i - 1] = values[j];
        values[j] = keep;
    }
}

/* The places of all pieces in turns: in turn r the piece i gives its place i + r, counted in an order that is any, and the same
 * for all pieces. places holds the n places in their own order.
 */
static void put_by_pages(uint32_t *places, size_t n, size_t piece) {
    size_t pieces = (n + piece - 1) / piece, filled = 0;
    uint32_t *at = malloc((pieces + piece) * sizeof *at), *inside = at + pieces;
    if (!at) return;
    for (size_t i = 0; i < pieces; i++) at[i] = (uint32_t)i;
    for (size_t k = 0; k < piece; k++) inside[k] = (uint32_t)k;
    shuffle(at, pieces);
    shuffle(inside, piece);
    for (size_t turn = 0; turn < piece; turn++)
        for (size_t i = 0; i < pieces; i++) {
            size_t place = at[i] * piece + inside[(i + turn) % piece];
            if (place < n) places[filled++] = (uint32_t)place;
        }
    free(at);
}

/* The places in the order of a visit. `piece` is how many neighbours stay together. */
static void put_in_order(uint32_t *places, size_t n, const char *order, size_t piece) {
    bool reverse = strcmp(order, "reverse") == 0;
    for (size_t i = 0; i < n; i++) places[i] = (uint32_t)(reverse ? n - 1 - i : i);
    if (strcmp(order, "random") == 0) shuffle(places, n);
    if (strcmp(order, "pages") == 0) put_by_pages(places, n, piece);
    bool runs = strcmp(order, "runs") == 0;
    if (strcmp(order, "local") != 0 && !runs) return;
    size_t pieces = (n + piece - 1) / piece;
    uint32_t *at = malloc(pieces * sizeof *at);
    if (!at) return;
    for (size_t i = 0; i < pieces; i++) at[i] = (uint32_t)i;
    shuffle(at, pieces);
    size_t filled = 0;
    for (size_t i = 0; i < pieces; i++) {
        size_t first = at[i] * piece, count = n - first < piece ? n - first : piece;
        for (size_t k = 0; k < count; k++) places[filled + k] = (uint32_t)(first + k);
        if (!runs) shuffle(places + filled, count);
        filled += count;
    }
    free(at);
}

/* ---- laying chains ----------------------------------------------------------------------------------------------- */

/* Appends a place to a chain. */
struct layer {
    void **first, **last;
};
static inline void lay(struct layer *l, char *place) {
    if (l->last)
        *l->last = place;
    else
        l->first = (void **)(void *)place;
    l->last = (void **)(void *)place;
}

bool lay_chains(const struct request *request, struct reply *reply, struct chains *chains) {
    size_t bytes = (size_t)request_number(request, "bytes", 0), stride = (size_t)request_number(request, "stride", 64);
    size_t jitter = (size_t)request_number(request, "jitter", 0), pair = (size_t)request_number(request, "pair", 0);
    size_t within = (size_t)request_number(request, "within", 4096),
           count = (size_t)request_number(request, "chains", 1);
    size_t skip = (size_t)request_number(request, "skip", 0);
    const char *order = request_word(request, "order", "random");
    const size_t word = sizeof(void *);
    if (stride < word || stride % word || jitter % word || skip % word || skip > SIZE_MAX / 4 || bytes < stride ||
        bytes / stride > UINT32_MAX || (pair && (pair & (pair - 1) || pair < word || stride & (stride - 1) || jitter)))
        return reply_error(reply, "a chain with bytes=%zu stride=%zu jitter=%zu pair=%zu is not possible", bytes,
                           stride, jitter, pair),
               false;
    size_t n = bytes / stride;
    if (pair >= stride) n -= n % (2 * pair / stride);
    if (count < 1 || count > MOST_CHAINS || n < count || (pair && n < 2))
        return reply_error(reply, "%zu chains through %zu places are not possible", count, n), false;
    char *memory = keep_memory(request, reply, skip + bytes);
    uint32_t *places = memory ? malloc(n * sizeof *places) : NULL;
    if (!memory) return false;
    memory += skip;
    if (!places)
        return reply_impossible(reply, REASON_MEMORY, "there is no memory for the order of %zu places", n), false;
    random_state = 0; /* the same order in every run */
    put_in_order(places, n, order, within > stride ? within / stride : 1);

    *chains = (struct chains){.count = (int)count};
    /* The lower one of a pair stands for both. */
    size_t bit = pair >= stride ? pair / stride : 0, visited = bit ? n / 2 : n, each = visited / count, taken = 0;
    for (size_t k = 0; k < count; k++) {
        struct layer l = {0};
        for (size_t laid = 0; laid < each; taken++) {
            if (places[taken] & bit) continue;
            size_t moved = jitter && stride > jitter ? jitter * random_below(stride / jitter) : 0;
            char *place = memory + (size_t)places[taken] * stride + moved;
            if (pair) lay(&l, place + pair);
            lay(&l, place);
            laid++;
        }
        *l.last = (void *)l.first;
        chains->start[k] = l.first;
    }
    chains->length = (long)(each * (pair ? 2 : 1));
    free(places);
    return true;
}

/* ---- walking ----------------------------------------------------------------------------------------------------- */

/* One load a step; eight steps a turn, so that the loop's own two instructions run beside the loads. */
void **walk(void **p, long n) {
    for (; n >= 8; n -= 8) {
        p = *p, p = *p, p = *p, p = *p;
        p = *p, p = *p, p = *p, p = *p;
        USED(p);
    }
    for (; n > 0; n--) p = *p;
    USED(p);
    return p;
}

/* The store goes beside the pointer: no load waits for it. */
static void **walk_storing(void **p, long n) {
    for (; n > 0; n--) {
        void **next = *p;
        *(void *volatile *)(p + 1) = next;
        p = next;
    }
    USED(p);
    return p;
}

/* n steps of each of `count` chains. It is inlined for each count, so that the pointers are in registers. */
static inline __attribute__((always_inline)) void walk_together(void ***start, long n, const int count) {
    void **p[MOST_CHAINS];
    for (int k = 0; k < count; k++) p[k] = start[k];
    for (; n > 0; n--) {
#pragma GCC unroll 16
        for (int k = 0; k < count; k++) {
            p[k] = *p[k];
            USED(p[k]);
        }
    }
    for (int k = 0; k < count; k++) start[k] = p[k];
}

static void walk_chains(struct chains *c, long n) {
    switch (c->count) {
    case 1: c->start[0] = walk(c->start[0], n); break;
    case 2: walk_together(c->start, n, 2); break;
    case 3: walk_together(c->start, n, 3); break;
    case 4: walk_together(c->start, n, 4); break;
    case 6: walk_together(c->start, n, 6); break;
    case 8: walk_together(c->start, n, 8); break;
    case 12: walk_together(c->start, n, 12); break;
    default: walk_together(c->start, n, MOST_CHAINS); break;
    }
}

static bool counted(long chains) {
    return chains == 1 || chains == 2 || chains == 3 || chains == 4 || chains == 6 || chains == 8 || chains == 12 ||
           chains == MOST_CHAINS;
}

/* Steps that take about `ns`, after as many of the first lap as fit into `warm_ns`: a chain has just been laid in its order, so
 * that what lies in the caches is what a lap would leave there but for the rest of the machine.
 */
static long warm_up(struct chains *c, double warm_ns, bool update) {
    const double begin = now_ns();
    double spent = 0;
    long steps = 0, piece = 64;
    while (steps < c->length * 2 || spent < 20e3) {
        if (update)
            c->start[0] = walk_storing(c->start[0], piece);
        else
            walk_chains(c, piece);
        steps += piece;
        spent = now_ns() - begin;
        if (spent > warm_ns) break;
        if (piece < 1 << 16) piece *= 2;
    }
    double step_ns = spent / (double)steps;
    return (long)(50e3 / step_ns) + 1;
}

static void run_chase(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    const double begin = now_ns(), limit = request_limit_s(request) * 1e9;
    bool update = strcmp(request_word(request, "op", "read"), "update") == 0;
    if (!counted(request_number(request, "chains", 1)))
        return reply_error(reply, "chase takes 1, 2, 3, 4, 6, 8, 12 or %d chains", (int)MOST_CHAINS);
    struct chains c;
    if (!lay_chains(request, reply, &c)) return;
    if (update && (c.count > 1 || request_number(request, "stride", 64) < 16))
        return reply_error(reply, "op=update takes one chain, and places of 16 bytes");

    long steps = warm_up(&c, limit / 4, update);
    double left = limit - (now_ns() - begin), step_ns = 50e3 / (double)steps;
    int samples = request_samples(request);
    /* Whole laps, if the samples asked for fit. */
    long laps = (steps + c.length - 1) / c.length;
    if ((double)laps * (double)c.length * step_ns * samples < left)
        steps = laps * c.length;
    else if ((double)steps * step_ns * samples < left)
        steps = (long)(left / samples / step_ns);
    for (int i = 0; i < samples; i++) {
        double before = now_ns();
        if (update)
            c.start[0] = walk_storing(c.start[0], steps);
        else
            walk_chains(&c, steps);
        double after = now_ns();
        reply_sample(reply, (after - before) / ((double)steps * c.count));
        if (after - begin > limit) break;
    }
    reply_fact(reply, "accesses", (double)steps * c.count);
    reply_fact(reply, "places", (double)c.length * c.count);
    drop_block(&blocks[VISITED]);
}

const struct kernel kernels_memory[] = {
    {"chase", run_chase},          {"strides", run_sweep}, {"stores", run_stores}, {"moments", run_moments},
    {"conflicts", run_conflicts},  {"visits", run_visits}, {"turns", run_turns},   {"rows", run_rows},
    {"memory_system", run_system}, {NULL, NULL},
};

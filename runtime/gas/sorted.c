/* Gets of many elements, sorted by thread; sorted.h has the interface.
 *
 * One pass over the places appends each element to the record of the thread that has it: where it is, and where it goes. A record
 * that is full travels at once, while the pass goes on; so there are several under way to each thread. The request is the offsets,
 * the answer the elements, packed, and the record, which stays here, says where they go. An offset takes 4 bytes: it is counted
 * from GAS_PLACE_BIAS elements before the record's first one, in the largest power of two that divides the element's size. That reaches 16 GB
 * of doubles either way. What is farther away, or at another alignment, has a record of its own, with 8 bytes for each.
 *
 * Near elements go through records too, and are copied when theirs is full: where near and far ones come in no order, a
 * branch for each would cost more than the record.
 *
 * Records are never given back, so there is no allocation but for the first strips.
 */
#include "gas/sorted.h"

#include <stdlib.h>

#include "gas/element.h"
#include "gas/gather.h"
#include "gas/transfer.h"

enum {
    MOST = 4096, /* elements of a record, where few threads are far; */
    LEAST = 64,  /* where many are, so that all records stay in the cache */
    FEW_THREADS = 8,
    MOST_BYTES = 32768, /* of a message */
};

struct record {
    struct record *next;
    struct gas_transfer *transfer;
    char *to; /* null: the elements go to addresses, otherwise to this one and so many elements behind it */
    size_t size;
    uint32_t count;
    bool is_wide;     /* 8 bytes for an offset, which is in bytes */
    uint64_t words[]; /* `capacity` addresses, or numbers of 4 bytes; then as many offsets */
};

/* Of a thread, and of the offsets of one width. */
struct bucket {
    uint32_t count, most; /* both 0 where there is no record */
    void *to, *offsets;   /* the record's */
    uint64_t base;        /* bytes; 0 if they are wide */
    struct record *record;
    int thread;
};

static uint32_t capacity; /* elements of a record */
static struct record *spare;
static struct bucket *narrow, *wide; /* by thread */
static struct bucket **open;         /* those with a record */
static int open_count;
static bool is_busy; /* another POSIX thread's pass is under way */

/* What is fetched. */
static struct {
    struct gas_transfer *transfer;
    char *bytes; /* null: to addresses */
    size_t size;
    uint32_t most; /* elements of a record */
} want;

/* ---- copying ----------------------------------------------------------------------------------------------------- */

GAS_ALWAYS_INLINE unsigned shift_of(size_t size) { return (unsigned)__builtin_ctzl(size); }

GAS_ALWAYS_INLINE size_t offset_at(const void *offsets, size_t i, size_t size, bool is_wide) {
    return is_wide ? ((const uint64_t *)offsets)[i] : (size_t)((const uint32_t *)offsets)[i] << shift_of(size);
}
GAS_ALWAYS_INLINE char *address_at(char *to, const void *list, size_t i, size_t size) {
    return to ? to + ((const uint32_t *)list)[i] * size : ((char *const *)list)[i];
}

/* The loop, with `size` constant where it is a common one: an element is then one access, and is never seen half written. */
#define FOR_EACH_SIZE(SIZE, LOOP)                                                                                      \
    switch (SIZE) {                                                                                                    \
    case 1: LOOP(1); break;                                                                                            \
    case 2: LOOP(2); break;                                                                                            \
    case 4: LOOP(4); break;                                                                                            \
    case 8: LOOP(8); break;                                                                                            \
    case 16: LOOP(16); break;                                                                                          \
    default: LOOP(SIZE); break;                                                                                        \
    }

static void pack(char *restrict data, const char *base, const void *restrict offsets, size_t n, size_t size,
                 bool is_wide) {
#define PACK(S)                                                                                                        \
    if (is_wide)                                                                                                       \
        for (size_t i = 0; i < n; i++) memcpy(data + i * (S), base + offset_at(offsets, i, S, true), S);               \
    else                                                                                                               \
        for (size_t i = 0; i < n; i++) memcpy(data + i * (S), base + offset_at(offsets, i, S, false), S)
    FOR_EACH_SIZE(size, PACK)
}

static void unpack(const struct record *r, const char *restrict data) {
    char *to = r->to;
    size_t n = r->count, size = r->size;
#define UNPACK(S)                                                                                                      \
    if (to)                                                                                                            \
        for (size_t i = 0; i < n; i++) memcpy(address_at(to, r->words, i, S), data + i * (S), S);                      \
    else                                                                                                               \
        for (size_t i = 0; i < n; i++) memcpy(address_at(NULL, r->words, i, S), data + i * (S), S)
    FOR_EACH_SIZE(size, UNPACK)
}

/* From near memory to where the elements go. */
static void copy(const struct record *r, const char *base, const void *offsets) {
    char *to = r->to;
    size_t n = r->count, size = r->size;
    bool is_wide = r->is_wide;
#define COPY(S)                                                                                                        \
    if (to && !is_wide)                                                                                                \
        for (size_t i = 0; i < n; i++)                                                                                 \
            memcpy(address_at(to, r->words, i, S), base + offset_at(offsets, i, S, false), S);                         \
    else                                                                                                               \
        for (size_t i = 0; i < n; i++)                                                                                 \
        memcpy(address_at(to, r->words, i, S), base + offset_at(offsets, i, S, is_wide), S)
    FOR_EACH_SIZE(size, COPY)
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* (record, count, size, is_wide, base): the offsets */
static void on_get(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)bytes;
    static CONDUIT_LARGE _Alignas(64) char data[MOST_BYTES];
    pack(data, (char *)fathom_local(fathom_make(fathom_mythread, 0)) + args[4], payload, args[1], args[2], args[3]);
    core_reply(token, GAS_DATA_GOT_SORTED, data, args[1] * args[2], args, 1);
}

static void on_got(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)bytes;
    struct record *r = (struct record *)(uintptr_t)args[0];
    unpack(r, payload);
    r->transfer->answers--;
    r->next = spare;
    spare = r;
}

void gas_sorted_start(void) {
    core_service(GAS_DATA_GET_SORTED, on_get);
    core_handler(GAS_DATA_GOT_SORTED, on_got);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void begin(void) {
    int far = fathom_threads - conduit_near.count;
    capacity = far <= FEW_THREADS ? MOST : MOST * FEW_THREADS / (unsigned)far;
    if (capacity < LEAST) capacity = LEAST;
    narrow = core_table((size_t)fathom_threads, sizeof *narrow);
    wide = core_table((size_t)fathom_threads, sizeof *wide);
    open = core_table(2 * (size_t)fathom_threads, sizeof *open);
}

static struct record *take(void) {
    struct record *r = spare;
    if (r) {
        spare = r->next;
        return r;
    }
    r = aligned_alloc(64, (sizeof *r + 2 * capacity * sizeof *r->words + 63) / 64 * 64);
    if (!r) core_fatal("no memory for the places of elements that are gathered");
    return r;
}

/* Sends a record, or copies what it says. */
static void close_record(struct bucket *b) {
    struct record *r = b->record;
    r->transfer = want.transfer;
    r->to = want.bytes;
    r->size = want.size;
    r->count = b->count;
    b->count = b->most = 0;
    if (fathom_is_near(fathom_make(b->thread, 0))) {
        copy(r, (char *)fathom_local(fathom_make(b->thread, 0)) + b->base, b->offsets);
        r->next = spare;
        spare = r;
        return;
    }
    r->transfer->answers++;
    gas_gather_requests++;
    gas_gather_paid();
    core_request(b->thread, GAS_DATA_GET_SORTED, b->offsets, r->count * (r->is_wide ? 8 : 4),
                 (uint64_t[]){(uintptr_t)r, r->count, r->size, r->is_wide, b->base}, 5);
}

/* A record with room. */
static __attribute__((noinline)) void renew(struct bucket *b, int thread, bool is_wide, uint64_t base) {
    if (b->most) {
        close_record(b);
    } else {
        b->thread = thread;
        open[open_count++] = b;
        if (!fathom_is_near(fathom_make(thread, 0))) gas_far_settle_reads(thread);
    }
    b->record = take();
    b->record->is_wide = is_wide;
    b->to = b->record->words;
    b->offsets = b->record->words + capacity;
    b->base = base;
    b->most = want.most;
}

static __attribute__((noinline, cold)) void add_wide(int thread, size_t offset, size_t k, void *const *list) {
    struct bucket *b = &wide[thread];
    if (b->count == b->most) renew(b, thread, true, 0);
    ((uint64_t *)b->offsets)[b->count] = offset;
    if (list)
        ((void **)b->to)[b->count] = list[k];
    else
        ((uint32_t *)b->to)[b->count] = (uint32_t)k;
    b->count++;
}

/* Returns how many are not null. */
GAS_ALWAYS_INLINE size_t sort(void *const *list, const fathom_ptr *places, size_t n, unsigned shift) {
    unsigned long threads = (unsigned long)fathom_threads;
    size_t wanted = n;
    for (size_t k = 0; k < n; k++) {
        fathom_ptr p = places[k];
        unsigned long thread = (unsigned long)fathom_thread_of(p), offset = fathom_offset_of(p);
        if (__builtin_expect(thread >= threads, 0)) {
            if (p) gas_far_check(p);
            wanted--;
            continue;
        }
        struct bucket *b = &narrow[thread];
        if (__builtin_expect(b->count == b->most, 0)) renew(b, (int)thread, false, gas_place_base(offset, shift));
        uint64_t at = gas_place_of(b->base, offset, shift);
        if (__builtin_expect(at >> 32 != 0, 0)) {
            add_wide((int)thread, offset, k, list);
            continue;
        }
        uint32_t i = b->count;
        ((uint32_t *)b->offsets)[i] = (uint32_t)at;
        if (list)
            ((void **)b->to)[i] = list[k];
        else
            ((uint32_t *)b->to)[i] = (uint32_t)k;
        b->count = i + 1;
    }
    return wanted;
}

size_t gas_sorted_get(struct gas_transfer *t, struct gas_sorted_to to, const fathom_ptr *places, size_t size,
                      size_t n) {
    for (unsigned round = 0; is_busy; core_wait_answer(&round)) {}
    is_busy = conduit_has_pthreads;
    if (!narrow) begin();
    want.transfer = t;
    want.bytes = to.list ? NULL : to.bytes;
    want.size = size;
    size_t most = gas_transfer_piece() / (size < 8 ? 8 : size);
    want.most = most < capacity ? (uint32_t)most : capacity;
    unsigned shift = shift_of(size);
    size_t wanted;
    if (to.list)
        wanted = sort(to.list, places, n, shift);
    else if (size == 8)
        wanted = sort(NULL, places, n, 3);
    else
        wanted = sort(NULL, places, n, shift);
    /* What is far first, so that it is under way while the rest is copied. */
    for (int near = 0; near < 2; near++)
        for (int i = 0; i < open_count; i++)
            if ((bool)fathom_is_near(fathom_make(open[i]->thread, 0)) == near) close_record(open[i]);
    open_count = 0;
    is_busy = false;
    if (core_gate_is_on) core_gate_news();
    return wanted;
}

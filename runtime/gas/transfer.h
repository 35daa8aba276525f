/* Moves contiguous data between this thread and one that is not near, as part of a transfer (handle.h): by the
 * conduit's own operations if it has them, otherwise by messages. The other data operations are built on this.
 */
#ifndef GAS_TRANSFER_H
#define GAS_TRANSFER_H

#include <string.h>

#include "core/tuning.h"
#include "gas/handle.h"

/* The handlers of all data operations. */
enum gas_data_handler {
    GAS_DATA_ANSWER = GAS_FAR_FIRST, /* (transfer) */
    GAS_DATA_PUT,                    /* (dst [, transfer]), payload */
    GAS_DATA_GET,                    /* (transfer, dst, src, n) */
    GAS_DATA_GOT,                    /* (transfer, dst), payload */
    GAS_DATA_FILL,                   /* (transfer, dst, c, n) */
    GAS_DATA_COPY,                   /* (transfer, dst, src, n), both on the target */
    GAS_DATA_FLUSH,                  /* (transfer): everything sent before has been carried out */
    GAS_DATA_SIGNAL,                 /* (dst, counter, add [, transfer]), payload */
    GAS_DATA_PUT_BOX,                /* strided.c */
    GAS_DATA_GET_BOX,
    GAS_DATA_GOT_BOX,
    GAS_DATA_PUT_PIECES, /* pieces.c */
    GAS_DATA_GET_PIECES,
    GAS_DATA_GOT_PIECES,
    GAS_DATA_SIGNAL_SET, /* (dst, word, value [, transfer]), payload */
    GAS_DATA_RECORDS,    /* records.c: ([transfer [, place of the last one]]), payload */
    GAS_DATA_SECTIONS,   /* ([transfer]), payload */
    GAS_DATA_GET_LINE,   /* lines.c: (transfer, dst, src, n) */
    GAS_DATA_GET_ROWS,   /* strided.c: (transfer, dst), payload */
    GAS_DATA_GET_SORTED, /* sorted.c: (record, count, size, is_wide, base), payload */
    GAS_DATA_GOT_SORTED, /* (record), payload */
    GAS_DATA_END
};
_Static_assert((int)GAS_DATA_END <= (int)GAS_SYNC_FIRST, "room in the table of handlers");

/* Enter the handlers of their files; called by gas_data_start. */
void gas_signal_start(void);
void gas_strided_start(void);
void gas_pieces_start(void);
void gas_far_start(void);
/* The mechanisms of FATHOM_COMM in this job: by default all where threads are on other computers, none otherwise. After conduit_spawn. */
struct core_comm gas_comm_wanted(void);
/* Calls of upc_memget of a group are under way at once (together.c). */
extern bool gas_together_is_on;
/* Several POSIX threads will call: what is held back or kept belongs to the process, without an owner among them. */
void gas_far_shared(void);
void gas_strip_start(void);

/* As realloc, for what a loop reads ahead; without memory the job ends. */
void *gas_strip_sized(void *old, size_t bytes);
/* The same for elements, which may be aligned as in a segment; what was in it is lost. */
void *gas_strip_aligned(void *old, size_t bytes);

/* Begin a transfer. The source of a put must not change until the transfer is complete. */
void gas_transfer_put(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n);
void gas_transfer_get(struct gas_transfer *t, void *dst, fathom_ptr src, size_t n);
/* Pieces of memory, each `stride` bytes behind the one before. */
struct gas_row {
    fathom_ptr from;
    ptrdiff_t stride;
    size_t bytes, n; /* of a piece; pieces */
};
/* The first byte behind a row that lands at `at`, for the next one. */
static inline size_t gas_row_end(size_t at, const struct gas_row *row) {
    return (at + row->bytes * row->n + CORE_LINE - 1) / CORE_LINE * CORE_LINE;
}
/* Begins to fetch rows of one thread, which may be near: many in one message. They land one after the other. */
void gas_transfer_get_rows(struct gas_transfer *t, char *dst, const struct gas_row *row, size_t count);
/* The same by messages, even if the conduit has operations of its own; gas_far_settle comes first. */
void gas_transfer_send(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n);
void gas_transfer_ask_for(struct gas_transfer *t, void *dst, fathom_ptr src, size_t n);
void gas_transfer_put_value(struct gas_transfer *t, fathom_ptr dst, uint64_t value, size_t n);
void gas_transfer_fill(struct gas_transfer *t, fathom_ptr dst, int c, size_t n);
/* Either side may be near, not both. */
void gas_transfer_copy(struct gas_transfer *t, fathom_ptr dst, fathom_ptr src, size_t n);

/* Zeroed memory, `each` bytes for each thread; null where all threads are near. */
void *gas_far_table(size_t each);
/* Crashes with a report if the word names no thread: null, or a pointer stepped from null. */
static inline void gas_far_check(fathom_ptr p) {
    if (__builtin_expect((unsigned long)fathom_thread_of(p) >= (unsigned long)fathom_threads, 0))
        *(volatile char *)core_trap(p) = 0;
}
/* Relaxed puts by the conduit's own operations may be under way (far.c), and later operations on the same place must
 * not overtake them. The first function completes those that touch the n bytes at p; the second those to a thread. */
void gas_far_settle(fathom_ptr p, size_t n);
void gas_far_settle_thread(int thread);
/* The same for operations that only read. */
void gas_far_settle_read(fathom_ptr p, size_t n);
void gas_far_settle_reads(int thread);
/* Those puts alone: for what follows the gathered ones (outbox.h) in order. */
void gas_far_settle_puts(fathom_ptr p, size_t n);
/* Is nothing under way or kept but what is gathered, and nobody asks for what becomes of an access? */
bool gas_far_is_simple(void);
/* Data that no answer will confirm have been sent to a thread: the next fence must ask it. */
void gas_far_unanswered(int thread);

/* The number of bytes of payload in a message of a long transfer: enough to make its overhead small, and few enough
 * that one message is unpacked while the next is packed. */
static inline size_t gas_transfer_piece(void) {
    size_t most = conduit_max_medium() & ~(size_t)63;
    return most > 32768 ? 32768 : most;
}

/* 1 if a thread that is not near is known to be on another computer. */
static inline unsigned gas_is_elsewhere(int thread) {
    return !(core_overrides.is_here && core_overrides.is_here(thread));
}

/* gas_order_puts has put messages in order before what follows, and they have not been answered: puts that follow go by
 * message, too, since those to a thread are carried out in order; or they wait. */
extern bool gas_puts_follow;
bool gas_puts_still_follow(void);
void gas_puts_wait(void); /* until they have been answered */
/* Does a put of n bytes go by message for that? */
static inline bool gas_put_follows(size_t n) {
    if (__builtin_expect(!gas_puts_follow, 1) || !gas_puts_still_follow()) return false;
    if (n <= conduit_max_medium()) return true;
    gas_puts_wait();
    return false;
}

/* Does a transfer use the conduit's own operations, if it has them? The tuning table decides, or the conduit. The
 * caller must then do so, because the choice is reported. */
static inline bool gas_goes_direct(bool has, bool is_put, bool alone, fathom_ptr p, size_t n) {
    if (__builtin_expect(n >= CORE_NO_SIZE, 0)) core_no_size(n);
    int thread = (int)fathom_thread_of(p);
    unsigned elsewhere = gas_is_elsewhere(thread);
    enum core_far which = alone ? (is_put ? CORE_PUT : CORE_GET) : is_put ? CORE_PUT_TOGETHER : CORE_GET_TOGETHER;
    const struct core_ranges *by = &core_tuning.far[which][elsewhere];
    enum core_mechanism way = core_choose(by, n);
    bool direct =
        has && (way != CORE_AUTO ? way == CORE_DIRECT
                                 : !core_overrides.is_better || core_overrides.is_better(is_put, alone, thread, n));
    if (direct && is_put && gas_put_follows(n)) direct = false;
    core_took(by, elsewhere, 0, n, direct ? CORE_DIRECT : CORE_MESSAGE);
    return direct;
}

/* Uses the conduit's own operation, which must exist: for an object that no thread may see half written. */
static inline struct conduit_op *gas_transfer_begin_object(fathom_ptr dst, const void *src, size_t n) {
    return (core_overrides.put_object_begin ? core_overrides.put_object_begin : core_overrides.put_begin)(dst, src, n);
}

/* Non-contiguous data goes packed in messages, or each piece by a transfer of its own. The size of a piece decides, and how the conduit
 * reaches the thread (-1: some threads); pieces of more than `most` bytes are not packed. The caller must then do so, because the choice is
 * reported. */
static inline bool gas_goes_each(bool is_put, int thread, size_t n, size_t most) {
    const struct core_ranges *by = is_put ? &core_tuning.put_pieces : &core_tuning.get_pieces;
    bool has = is_put ? core_overrides.put_begin != NULL : core_overrides.get_begin != NULL;
    bool are_messages = thread >= 0 && core_overrides.are_messages && core_overrides.are_messages(thread);
    enum core_mechanism way = core_choose(by, n);
    bool each = n > most || (has && (way == CORE_EACH || (way == CORE_AUTO && !are_messages)));
    core_took(by, 0, 0, n, each ? CORE_EACH : CORE_PACK);
    return each;
}

/* Copies between memory that other threads may read or write, and memory that is this thread's. An object of 1, 2, 4 or
 * 8 bytes at its natural alignment is copied by one access, so that no thread sees half of one, and no thread's update
 * of it falls between two writes of the same value; pointers of 16 bytes too. */
static inline void gas_load_shared(void *dst, const void *src, size_t n) {
    uintptr_t a = (uintptr_t)src;
    if (n == 8 && (a & 7) == 0) {
        uint64_t v = __atomic_load_n((const uint64_t *)src, __ATOMIC_RELAXED);
        memcpy(dst, &v, 8);
    } else if (n == 4 && (a & 3) == 0) {
        uint32_t v = __atomic_load_n((const uint32_t *)src, __ATOMIC_RELAXED);
        memcpy(dst, &v, 4);
    } else if (n == 2 && (a & 1) == 0) {
        uint16_t v = __atomic_load_n((const uint16_t *)src, __ATOMIC_RELAXED);
        memcpy(dst, &v, 2);
    } else if (n == 16 && (a & 15) == 0) {
        fathom_pptr v = fathom_load_pair((void *)a);
        memcpy(dst, &v, 16);
    } else {
        memcpy(dst, src, n);
    }
}

static inline void gas_store_shared(void *dst, const void *src, size_t n) {
    uintptr_t a = (uintptr_t)dst;
    if (n == 8 && (a & 7) == 0) {
        uint64_t v;
        memcpy(&v, src, 8);
        __atomic_store_n((uint64_t *)dst, v, __ATOMIC_RELAXED);
    } else if (n == 4 && (a & 3) == 0) {
        uint32_t v;
        memcpy(&v, src, 4);
        __atomic_store_n((uint32_t *)dst, v, __ATOMIC_RELAXED);
    } else if (n == 2 && (a & 1) == 0) {
        uint16_t v;
        memcpy(&v, src, 2);
        __atomic_store_n((uint16_t *)dst, v, __ATOMIC_RELAXED);
    } else if (n == 1) {
        *(volatile char *)dst = *(const char *)src;
    } else if (n == 16 && (a & 15) == 0) {
        fathom_pptr v;
        memcpy(&v, src, 16);
        fathom_store_pair(dst, v);
    } else {
        memcpy(dst, src, n);
    }
}

#endif

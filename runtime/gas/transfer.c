/* Contiguous data to and from threads that are not near; see transfer.h.
 *
 * By messages: a put is a series of requests with the data, the last of which asks for an answer. Requests of a pair
 * are carried out in order, so that this answer covers all. A get is a series of requests, each answered with its piece
 * of the data, all under way at once. No step waits for one piece before the next.
 */
#include "gas/transfer.h"

#include <stdlib.h>

#include "gas/sorted.h"

static inline int thread_of(fathom_ptr p) { return (int)fathom_thread_of(p); }

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static inline struct gas_transfer *transfer_at(uint64_t word) { return (struct gas_transfer *)(uintptr_t)word; }

static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    transfer_at(args[0])->answers--;
}

static void on_put(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    gas_store_shared(fathom_local(args[0]), payload, bytes);
    if (nargs > 1) core_reply(token, GAS_DATA_ANSWER, NULL, 0, &args[1], 1);
}

static void on_get(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    const void *src = fathom_local(args[2]);
    size_t n = args[3];
    uint64_t copy[2];
    if (n <= sizeof copy) {
        gas_load_shared(copy, src, n);
        src = copy;
    }
    core_reply(token, GAS_DATA_GOT, src, n, args, 2);
}

static void on_got(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs;
    gas_store_shared((void *)(uintptr_t)args[1], payload, bytes);
    transfer_at(args[0])->answers--;
}

static void on_fill(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    memset(fathom_local(args[1]), (int)args[2], args[3]);
    core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

static void on_copy(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    size_t n = args[3];
    uint64_t copy[2];
    if (n <= sizeof copy) {
        gas_load_shared(copy, fathom_local(args[2]), n);
        gas_store_shared(fathom_local(args[1]), copy, n);
    } else {
        memmove(fathom_local(args[1]), fathom_local(args[2]), n);
    }
    core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

static void on_flush(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

void gas_data_start(void) {
    core_handler(GAS_DATA_ANSWER, on_answer);
    core_service(GAS_DATA_PUT, on_put);
    core_service(GAS_DATA_GET, on_get);
    core_handler(GAS_DATA_GOT, on_got);
    core_service(GAS_DATA_FILL, on_fill);
    core_service(GAS_DATA_COPY, on_copy);
    core_service(GAS_DATA_FLUSH, on_flush);
    gas_far_start();
    gas_signal_start();
    gas_strided_start();
    gas_pieces_start();
    gas_sorted_start();
    gas_strip_start();
}

/* ---- put and get ------------------------------------------------------------------------------------------------- */

static bool conduit_op_done(struct gas_part *part) { return !part->state || core_overrides.op_test(part->state); }

void gas_transfer_put(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n) {
    if (n == 0) return;
    gas_far_settle(dst, n);
    if (gas_goes_direct(core_overrides.put_begin != NULL, true, false, dst, n)) {
        struct conduit_op *op = core_overrides.put_begin(dst, src, n);
        if (op) gas_transfer_part(t, conduit_op_done, op);
        return;
    }
    gas_transfer_send(t, dst, src, n);
}

void gas_transfer_send(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n) {
    int thread = thread_of(dst);
    const char *from = src;
    if (n > conduit_max_medium())
        for (size_t piece = gas_transfer_piece(); n > piece; n -= piece, dst += piece, from += piece)
            core_request(thread, GAS_DATA_PUT, from, piece, &dst, 1);
    t->answers++;
    core_request(thread, GAS_DATA_PUT, from, n, (uint64_t[]){dst, (uintptr_t)t}, 2);
}

void gas_transfer_get(struct gas_transfer *t, void *dst, fathom_ptr src, size_t n) {
    if (n == 0) return;
    gas_far_settle_read(src, n);
    if (gas_goes_direct(core_overrides.get_begin != NULL, false, false, src, n)) {
        struct conduit_op *op = core_overrides.get_begin(dst, src, n);
        if (op == CONDUIT_NOTED)
            t->has_notes = true;
        else if (op)
            gas_transfer_part(t, conduit_op_done, op);
        return;
    }
    gas_transfer_ask_for(t, dst, src, n);
}

void gas_transfer_ask_for(struct gas_transfer *t, void *dst, fathom_ptr src, size_t n) {
    int thread = thread_of(src);
    uintptr_t to = (uintptr_t)dst;
    size_t piece = n > conduit_max_medium() ? gas_transfer_piece() : n;
    for (; n > 0; n -= piece, src += piece, to += piece) {
        if (piece > n) piece = n;
        t->answers++;
        core_request(thread, GAS_DATA_GET, NULL, 0, (uint64_t[]){(uintptr_t)t, to, src, piece}, 4);
    }
}

void gas_no_such_size(size_t n) { gas_fatal("a put or get by value of %zu bytes: a value has 1, 2, 4 or 8", n); }

void gas_transfer_put_value(struct gas_transfer *t, fathom_ptr dst, uint64_t value, size_t n) {
    if (__builtin_expect(n > 8 || !(1 << n & (1 << 1 | 1 << 2 | 1 << 4 | 1 << 8)), 0)) gas_no_such_size(n);
    gas_far_settle(dst, n);
    if (!core_overrides.put_begin || gas_put_follows(n)) {
        gas_transfer_send(t, dst, &value, n);
        return;
    }
    struct gas_part *part = gas_transfer_part(t, conduit_op_done, NULL);
    part->value = value;
    part->state = gas_transfer_begin_object(dst, &part->value, n);
}

void gas_transfer_fill(struct gas_transfer *t, fathom_ptr dst, int c, size_t n) {
    if (n == 0) return;
    gas_far_settle(dst, n);
    t->answers++;
    core_request(thread_of(dst), GAS_DATA_FILL, NULL, 0, (uint64_t[]){(uintptr_t)t, dst, (uint64_t)c, n}, 4);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* From one far thread to another: pieces go through a few buffers, each of which is filled and emptied by itself. */
enum { BUFFERS = 4 };

struct relay {
    fathom_ptr dst, src;
    size_t left, piece;
    struct {
        struct gas_transfer get, put;
        fathom_ptr dst;
        size_t n; /* 0: idle */
        bool is_full;
        char *room;
    } buffer[BUFFERS];
};

static bool relay_is_done(struct gas_part *part) {
    struct relay *r = part->state;
    bool busy = false;
    for (int i = 0; i < BUFFERS; i++) {
        if (r->buffer[i].n && !r->buffer[i].is_full && gas_transfer_done(&r->buffer[i].get)) {
            gas_transfer_put(&r->buffer[i].put, r->buffer[i].dst, r->buffer[i].room, r->buffer[i].n);
            r->buffer[i].is_full = true;
        }
        if (r->buffer[i].is_full && gas_transfer_done(&r->buffer[i].put)) {
            r->buffer[i].is_full = false;
            r->buffer[i].n = 0;
        }
        if (r->buffer[i].n == 0 && r->left) {
            size_t n = r->left < r->piece ? r->left : r->piece;
            r->buffer[i].n = n;
            r->buffer[i].dst = r->dst;
            gas_transfer_get(&r->buffer[i].get, r->buffer[i].room, r->src, n);
            r->dst += n;
            r->src += n;
            r->left -= n;
        }
        busy |= r->buffer[i].n != 0;
    }
    if (!busy) free(r);
    return !busy;
}

static void relay(struct gas_transfer *t, fathom_ptr dst, fathom_ptr src, size_t n) {
    size_t piece = gas_transfer_piece();
    if (piece > n) piece = n;
    size_t buffers = (n + piece - 1) / piece;
    if (buffers > BUFFERS) buffers = BUFFERS;
    struct relay *r = calloc(1, sizeof *r + buffers * piece);
    if (!r) core_fatal("no memory for a copy between two other threads");
    r->dst = dst;
    r->src = src;
    r->left = n;
    r->piece = piece;
    for (size_t i = 0; i < buffers; i++) r->buffer[i].room = (char *)(r + 1) + i * piece;
    struct gas_part *part = gas_transfer_part(t, relay_is_done, r);
    part->is_done(part); /* begins; never done at once */
}

void gas_transfer_copy(struct gas_transfer *t, fathom_ptr dst, fathom_ptr src, size_t n) {
    if (n == 0) return;
    if (fathom_is_near(src)) {
        gas_transfer_put(t, dst, fathom_local(src), n);
    } else if (fathom_is_near(dst)) {
        gas_transfer_get(t, fathom_local(dst), src, n);
    } else if (thread_of(dst) == thread_of(src)) {
        gas_far_settle(dst, n);
        gas_far_settle(src, n);
        t->answers++;
        core_request(thread_of(dst), GAS_DATA_COPY, NULL, 0, (uint64_t[]){(uintptr_t)t, dst, src, n}, 4);
    } else {
        relay(t, dst, src, n);
    }
}

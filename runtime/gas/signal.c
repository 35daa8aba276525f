/* Signalling put: data, then a counter at the target; and waiting for such a counter.
 *
 * By messages the counter travels with the last piece of the data, and no answer is needed. Where the conduit moves
 * large data by itself, the data must be complete before the signal is sent.
 */
#include "gas/lines.h"
#include "gas/transfer.h"

#include <stdlib.h>

enum { BY_MESSAGE = 4096 }; /* up to this number of bytes go with the signal even if the conduit moves data by itself */

/* The half of a counter that every signal changes: a thread that waits for the counter sleeps on it. */
static const uint32_t *low_half(const uint64_t *counter) {
    return (const uint32_t *)counter + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Several threads, and handlers, may update a near counter; any thread near it may wait for it. */
static void add_to(fathom_ptr counter, uint64_t add) {
    uint64_t *c = fathom_local(counter);
    __atomic_fetch_add(c, add, __ATOMIC_RELEASE);
    conduit_wake(low_half(c), fathom_threads, ~0u);
}

static void on_signal(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    if (bytes) gas_store_shared(fathom_local(args[0]), payload, bytes);
    add_to(args[1], args[2]);
    if (nargs > 3) core_reply(token, GAS_DATA_ANSWER, NULL, 0, &args[3], 1);
}

void gas_signal_start(void) { core_service(GAS_DATA_SIGNAL, on_signal); }

static void check(fathom_ptr dst, fathom_ptr counter) {
    if (__builtin_expect(fathom_thread_of(dst) != fathom_thread_of(counter), 0))
        core_fatal("gas_put_signal: the data go to thread %ld, but the counter is on thread %ld", fathom_thread_of(dst),
                   fathom_thread_of(counter));
}

/* Sends the last piece of the data, or all; `t` is null if the caller does not ask when it has arrived. */
static void send_signal(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n, fathom_ptr counter,
                        uint64_t add) {
    if (t) t->answers++;
    core_request((int)fathom_thread_of(counter), GAS_DATA_SIGNAL, src, n, (uint64_t[]){dst, counter, add, (uintptr_t)t},
                 t ? 4 : 3);
    if (!t) gas_far_unanswered((int)fathom_thread_of(counter));
}

/* Sends all pieces except the last; returns the number of bytes. */
static size_t send_front(fathom_ptr dst, const char *src, size_t n) {
    size_t sent = 0;
    if (n > conduit_max_medium)
        for (size_t piece = gas_transfer_piece(); n - sent > piece; sent += piece)
            core_request((int)fathom_thread_of(dst), GAS_DATA_PUT, src + sent, piece, &(uint64_t){dst + sent}, 1);
    return sent;
}

static bool goes_by_conduit(size_t n) {
    return core_overrides.put_begin && n > (conduit_max_medium < BY_MESSAGE ? conduit_max_medium : BY_MESSAGE);
}

void gas_put_signal(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    check(dst, counter);
    if (fathom_is_near(dst)) {
        fathom_copy_near(fathom_local(dst), src, n);
        add_to(counter, add);
        return;
    }
    if (!goes_by_conduit(n)) {
        gas_put_signal_async(dst, src, n, counter, add);
        return;
    }
    gas_put(dst, src, n);
    gas_far_settle(counter, 8);
    send_signal(NULL, dst + n, NULL, 0, counter, add);
}

/* By messages, whatever the size: they need no further action of this thread once they are sent. */
void gas_put_signal_async(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    if (fathom_is_near(dst)) {
        gas_put_signal(dst, src, n, counter, add);
        return;
    }
    check(dst, counter);
    gas_far_settle(dst, n);
    gas_far_settle(counter, 8);
    size_t sent = send_front(dst, src, n);
    send_signal(NULL, dst + sent, (const char *)src + sent, n - sent, counter, add);
}

/* ---- with a handle ----------------------------------------------------------------------------------------------- */

struct late_signal {
    struct gas_transfer data;
    fathom_ptr counter;
    uint64_t add;
};

static bool data_is_there(struct gas_part *part) {
    struct late_signal *s = part->state;
    if (!gas_transfer_done(&s->data)) return false;
    send_signal(part->owner, s->counter, NULL, 0, s->counter, s->add);
    free(s);
    return true;
}

gas_handle gas_put_signal_nb(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    if (fathom_is_near(dst)) {
        gas_put_signal(dst, src, n, counter, add);
        return GAS_DONE;
    }
    check(dst, counter);
    gas_far_settle(counter, 8);
    struct gas_transfer *t = gas_transfer_new();
    if (goes_by_conduit(n)) {
        struct late_signal *s = calloc(1, sizeof *s);
        if (!s) core_fatal("no memory for a signalling put");
        s->counter = counter;
        s->add = add;
        gas_transfer_put(&s->data, dst, src, n);
        gas_transfer_part(t, data_is_there, s);
    } else {
        gas_far_settle(dst, n);
        size_t sent = send_front(dst, src, n);
        send_signal(t, dst + sent, (const char *)src + sent, n - sent, counter, add);
    }
    return gas_transfer_handle(t);
}

static void wait_for(const uint64_t *c, uint64_t at_least,
                     bool turn(unsigned *, const uint32_t *, uint32_t, uint32_t)) {
    uint64_t now;
    gas_lines_forget();
    for (unsigned round = 0; (int64_t)((now = __atomic_load_n(c, __ATOMIC_ACQUIRE)) - at_least) < 0;)
        turn(&round, low_half(c), (uint32_t)now, ~0u);
}

void gas_wait_counter(fathom_ptr counter, uint64_t at_least) {
    if (!fathom_is_near(counter))
        core_fatal("gas_wait_counter: the counter is on thread %ld, not near this one", fathom_thread_of(counter));
    wait_for(fathom_local(counter), at_least, core_wait_word_unrung); /* atomics may change it, too */
}

void gas_wait_posted(fathom_ptr counter, uint64_t at_least) {
    wait_for(fathom_local(counter), at_least, core_wait_word);
}

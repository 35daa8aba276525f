/* Signalling put: data, then a change of a word at the target: an addition to a counter, or a new value; and waiting for
 * such a counter.
 *
 * By messages the signal travels with the last piece of the data, and no answer is needed. Where the conduit moves
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

struct signal {
    fathom_ptr word;
    uint64_t value;
    bool sets; /* else it adds */
};
static struct signal adding(fathom_ptr counter, uint64_t add) { return (struct signal){counter, add, false}; }
static struct signal setting(fathom_ptr word, uint64_t value) { return (struct signal){word, value, true}; }

/* Several threads, and handlers, may update a near word; any thread near it may wait for it. */
static void give(struct signal s) {
    uint64_t *word = fathom_local(s.word);
    if (s.sets)
        __atomic_store_n(word, s.value, __ATOMIC_RELEASE);
    else
        __atomic_fetch_add(word, s.value, __ATOMIC_RELEASE);
    conduit_wake(low_half(word), fathom_threads, ~0u);
}

static void arrived(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes, bool sets) {
    if (bytes) gas_store_shared(fathom_local(args[0]), payload, bytes);
    give((struct signal){args[1], args[2], sets});
    if (nargs > 3) core_reply(token, GAS_DATA_ANSWER, NULL, 0, &args[3], 1);
}
static void on_signal(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    arrived(token, args, nargs, payload, bytes, false);
}
static void on_signal_set(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    arrived(token, args, nargs, payload, bytes, true);
}

void gas_signal_start(void) {
    core_service(GAS_DATA_SIGNAL, on_signal);
    core_service(GAS_DATA_SIGNAL_SET, on_signal_set);
}

/* Returns where the data go: without data, beside the word, whatever the caller names. */
static fathom_ptr checked(fathom_ptr dst, size_t n, struct signal s) {
    if (n == 0) dst = s.word;
    if (__builtin_expect(!s.word, 0))
        core_fatal("%s: the address of the %s is null", s.sets ? "gas_put_signal_set" : "gas_put_signal",
                   s.sets ? "word" : "counter");
    if (__builtin_expect(fathom_thread_of(dst) != fathom_thread_of(s.word), 0))
        core_fatal("%s: the data go to thread %ld, but the %s is on thread %ld",
                   s.sets ? "gas_put_signal_set" : "gas_put_signal", fathom_thread_of(dst), s.sets ? "word" : "counter",
                   fathom_thread_of(s.word));
    if (__builtin_expect(s.word % 8 != 0, 0))
        core_fatal("%s: the %s at 0x%lx is not aligned to 8 bytes", s.sets ? "gas_put_signal_set" : "gas_put_signal",
                   s.sets ? "word" : "counter", s.word);
    return dst;
}

/* Sends the last piece of the data, or all; `t` is null if the caller does not ask when it has arrived. */
static void send_signal(struct gas_transfer *t, fathom_ptr dst, const void *src, size_t n, struct signal s) {
    int thread = (int)fathom_thread_of(s.word);
    if (t) t->answers++;
    core_request(thread, s.sets ? GAS_DATA_SIGNAL_SET : GAS_DATA_SIGNAL, src, n,
                 (uint64_t[]){dst, s.word, s.value, (uintptr_t)t}, t ? 4 : 3);
    if (!t) gas_far_unanswered(thread);
}

/* Sends all pieces except the last; returns the number of bytes. */
static size_t send_front(fathom_ptr dst, const char *src, size_t n) {
    size_t sent = 0;
    if (n > conduit_max_medium())
        for (size_t piece = gas_transfer_piece(); n - sent > piece; sent += piece)
            core_request((int)fathom_thread_of(dst), GAS_DATA_PUT, src + sent, piece, &(uint64_t){dst + sent}, 1);
    return sent;
}

static bool goes_by_conduit(size_t n) {
    return core_overrides.put_begin && n > (conduit_max_medium() < BY_MESSAGE ? conduit_max_medium() : BY_MESSAGE);
}

/* By messages, whatever the size: they need no further action of this thread once they are sent. */
static void put_async(fathom_ptr dst, const void *src, size_t n, struct signal s) {
    CORE_GATE;
    gas_far_settle(dst, n);
    gas_far_settle(s.word, 8);
    size_t sent = send_front(dst, src, n);
    send_signal(NULL, dst + sent, (const char *)src + sent, n - sent, s);
}

static void put_near(fathom_ptr dst, const void *src, size_t n, struct signal s) {
    fathom_copy_near(fathom_local(dst), src, n);
    give(s);
}

static void put(fathom_ptr dst, const void *src, size_t n, struct signal s) {
    dst = checked(dst, n, s);
    if (fathom_is_near(dst)) {
        put_near(dst, src, n, s);
        return;
    }
    CORE_GATE;
    if (!goes_by_conduit(n)) {
        put_async(dst, src, n, s);
        return;
    }
    gas_put(dst, src, n);
    gas_far_settle(s.word, 8);
    send_signal(NULL, dst + n, NULL, 0, s);
}

void gas_put_signal(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    put(dst, src, n, adding(counter, add));
}
void gas_put_signal_set(fathom_ptr dst, const void *src, size_t n, fathom_ptr word, uint64_t value) {
    put(dst, src, n, setting(word, value));
}

void gas_put_signal_async(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    struct signal s = adding(counter, add);
    dst = checked(dst, n, s);
    (fathom_is_near(dst) ? put_near : put_async)(dst, src, n, s);
}

/* ---- with a handle ----------------------------------------------------------------------------------------------- */

struct late_signal {
    struct gas_transfer data;
    struct signal signal;
};

static bool data_is_there(struct gas_part *part) {
    struct late_signal *late = part->state;
    if (!gas_transfer_done(&late->data)) return false;
    send_signal(part->owner, late->signal.word, NULL, 0, late->signal);
    free(late);
    return true;
}

static gas_handle put_nb(fathom_ptr dst, const void *src, size_t n, struct signal s) {
    dst = checked(dst, n, s);
    if (fathom_is_near(dst)) {
        put_near(dst, src, n, s);
        return GAS_DONE;
    }
    CORE_GATE;
    gas_far_settle(s.word, 8);
    struct gas_transfer *t = gas_transfer_new();
    if (goes_by_conduit(n)) {
        struct late_signal *late = calloc(1, sizeof *late);
        if (!late) core_fatal("no memory for a signalling put");
        late->signal = s;
        gas_transfer_put(&late->data, dst, src, n);
        gas_transfer_part(t, data_is_there, late);
    } else {
        gas_far_settle(dst, n);
        size_t sent = send_front(dst, src, n);
        send_signal(t, dst + sent, (const char *)src + sent, n - sent, s);
    }
    return gas_transfer_handle(t);
}

gas_handle gas_put_signal_nb(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add) {
    return put_nb(dst, src, n, adding(counter, add));
}
gas_handle gas_put_signal_set_nb(fathom_ptr dst, const void *src, size_t n, fathom_ptr word, uint64_t value) {
    return put_nb(dst, src, n, setting(word, value));
}

static void wait_for(const uint64_t *c, uint64_t at_least,
                     bool turn(unsigned *, const uint32_t *, uint32_t, uint32_t)) {
    uint64_t now;
    gas_lines_forget();
    for (unsigned round = 0; (int64_t)((now = __atomic_load_n(c, __ATOMIC_ACQUIRE)) - at_least) < 0;)
        turn(&round, low_half(c), (uint32_t)now, ~0u);
}

void gas_wait_counter(fathom_ptr counter, uint64_t at_least) {
    if (__builtin_expect(!counter, 0)) core_fatal("gas_wait_counter: the counter's address is null");
    if (!fathom_is_near(counter))
        core_fatal("gas_wait_counter: the counter is on thread %ld, not near this one", fathom_thread_of(counter));
    if (__builtin_expect(counter % 8 != 0, 0))
        core_fatal("gas_wait_counter: the counter at 0x%lx is not aligned to 8 bytes", counter);
    wait_for(fathom_local(counter), at_least, core_wait_word_unrung); /* atomics may change it, too */
}

void gas_wait_posted(fathom_ptr counter, uint64_t at_least) {
    wait_for(fathom_local(counter), at_least, core_wait_word);
}

/* Active messages: the table of handlers, requests, replies and tokens, over conduit_send and conduit_poll.
 *
 * A conduit moves arguments and a payload. A long message also has a destination for the payload: it travels as two
 * more arguments, the address and the number of bytes, which neither the sender nor the handler sees. The sender writes
 * a near thread's memory itself. Otherwise the payload travels, in front pieces (CORE_PIECE) and a last piece with the
 * message itself; it arrives in that order because messages of a pair do. Messages to oneself run at once.
 *
 * Handlers run inside calls of this process, in whichever of its POSIX threads makes the call, and inside the gate; one
 * inside another only where a reply is delivered while a handler waits for room to reply. Services (core_service) may run in the progress thread as well; they do not use `handling`.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/check/check.h"
#include "conduit/progress.h"
#include "core/core.h"
#include "gas.h"

enum { LONG = 1 << (CONDUIT_HANDLER_BITS - 1), HANDLERS = 256 };
_Static_assert((int)HANDLERS <= (int)LONG, "the table fits beside the flag");
_Static_assert((int)GAS_MAX_ARGS + 2 == (int)CONDUIT_MAX_ARGS, "two hidden arguments");

struct gas_token {
    int source;
    bool reply, answered;
};

static gas_handler *handlers[HANDLERS];
static bool is_service[HANDLERS];
static int registered = CORE_FIRST_USER_HANDLER;
static int handling; /* handlers that are running in this process, one inside another; used inside the gate */

static int combining; /* those of them that are functions that combine */

bool core_in_handler(void) { return handling != 0; }

void core_operator_enter(void) {
    handling++;
    combining++;
}
void core_operator_leave(void) {
    handling--;
    combining--;
}

bool core_is_combining(void) { return combining != 0; }

const char *core_inside(void) {
    return combining ? "a function that combines: it may not communicate" : "a handler: a handler may only reply";
}

void core_forget_handlers(void) {
    handling = combining = 0;
    check_forget_handlers();
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

void core_handler(int index, gas_handler *handler) { handlers[index] = handler; }

void core_service(int index, gas_handler *handler) {
    handlers[index] = handler;
    is_service[index] = true;
}

int gas_register(gas_handler *handler) {
    CORE_GATE;
    if (core_has_started) core_gate_check(); /* it may come before */
    if (registered == HANDLERS)
        core_fatal("gas_register: the table of handlers is full (%d)", HANDLERS - CORE_FIRST_USER_HANDLER);
    handlers[registered] = handler;
    return registered++;
}

size_t gas_max_medium(void) { return conduit_max_medium(); }

int gas_token_source(gas_token token) { return token->source; }

/* ---- delivery ---------------------------------------------------------------------------------------------------- */

bool conduit_may_deliver(const struct conduit_message *m) {
    return !conduit_is_beside() || (!m->reply && m->handler < HANDLERS && is_service[m->handler]);
}

void core_deliver(const struct conduit_message *m) {
    if (__builtin_expect(!conduit_may_deliver(m), 0)) {
        core_keep(m);
        return;
    }
    int index = m->handler & ~LONG, nargs = m->nargs;
    gas_handler *handler = handlers[index];
    if (__builtin_expect(!handler, 0))
        core_fatal("a message from thread %d names handler %d, which this thread has not registered: all threads "
                   "register the same handlers in the same order, with a barrier before the first message",
                   m->thread, index);
    void *payload = m->bytes ? (void *)(uintptr_t)m->payload : NULL;
    size_t bytes = m->bytes;
    if (m->handler & LONG) {
        nargs -= 2;
        uint64_t dst = m->args[nargs];
        bytes = m->args[nargs + 1];
        if (m->bytes) fathom_copy_near((char *)fathom_local(dst) + bytes - m->bytes, m->payload, m->bytes);
        payload = bytes ? fathom_local(dst) : NULL;
    }
    struct gas_token token = {m->thread, m->reply, false};
    if (conduit_is_beside()) {
        /* A thread that watches its memory sees the writes of one message before those of the next. */
        __atomic_thread_fence(__ATOMIC_RELEASE);
        handler(&token, m->args, nargs, payload, bytes);
        return;
    }
    core_gate_check();
    handling++;
    handler(&token, m->args, nargs, payload, bytes);
    handling--;
    if (__builtin_expect(core_gate_is_on, 0)) core_gate_news();
}

static void place_piece(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs;
    memcpy(fathom_local(args[0]), payload, bytes);
}

void (*conduit_deliver)(const struct conduit_message *m) = core_deliver;

/* To oneself: at once. The payload is aligned as for other receivers. */
static void deliver_here(const struct conduit_message *m) {
    struct conduit_message here = *m;
    here.thread = fathom_mythread;
    if (((uintptr_t)m->payload & 7) == 0) {
        core_deliver(&here);
        return;
    }
    uint64_t copy[(m->bytes + 7) / 8 + 1];
    memcpy(copy, m->payload, m->bytes);
    here.payload = copy;
    core_deliver(&here);
}

/* A reply is no longer awaited if the thread that asked is gone, nor is the farewell of a thread that leaves. */
static __attribute__((noinline, cold)) void not_sent(const struct conduit_message *m) {
    if (m->reply || core_is_leaving()) return;
    core_fatal("sends to thread %d, whose process has ended (by _exit, or killed): it no longer receives messages",
               m->thread);
}

static inline void send(const struct conduit_message *m) {
    if (__builtin_expect(m->thread == fathom_mythread, 0))
        deliver_here(m);
    else if (__builtin_expect(!conduit_send(m), 0))
        not_sent(m);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void check_handler(const char *function, int handler) {
    if (__builtin_expect(handler < CORE_FIRST_USER_HANDLER || handler >= registered, 0))
        core_fatal("%s: handler %d is not registered", function, handler);
}

static void check_sizes(const char *function, int thread, int nargs, size_t n) {
    if (__builtin_expect((unsigned)thread >= (unsigned)fathom_threads, 0))
        core_fatal("%s: thread %d of %d", function, thread, fathom_threads);
    if (__builtin_expect(nargs < 0 || nargs > GAS_MAX_ARGS, 0))
        core_fatal("%s: %d arguments; a message has at most %d", function, nargs, GAS_MAX_ARGS);
    if (__builtin_expect(n > conduit_max_medium(), 0))
        core_fatal("%s: %zu bytes of payload; a medium message holds at most %zu (gas_max_medium)", function, n,
                   conduit_max_medium());
}

static void check_message(const char *function, int thread, int handler, int nargs, size_t n) {
    check_sizes(function, thread, nargs, n);
    check_handler(function, handler);
}

static void check_request(const char *function) {
    if (__builtin_expect(handling, 0)) core_fatal("%s from %s", function, core_inside());
}

static int check_reply(const char *function, gas_token token) {
    struct gas_token *t = (struct gas_token *)(uintptr_t)token;
    if (__builtin_expect(!handling && !conduit_is_beside(), 0))
        core_fatal("%s outside of the handler of a request: an answer that comes later is a request to the thread that "
                   "gas_token_source gave in the handler",
                   function);
    if (__builtin_expect(t->reply, 0)) core_fatal("%s to a reply: only requests are replied to", function);
    if (__builtin_expect(t->answered, 0)) core_fatal("%s: this request has been replied to already", function);
    t->answered = true;
    return t->source;
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

/* A request could wait there for room that only handlers make. (The progress thread sends no requests from a
 * handler.) */
static __attribute__((noinline, cold)) void sends_in_handler(int thread) {
    if (conduit_is_beside()) return;
    if (combining)
        core_fatal("sends to thread %d from %s", thread, core_inside());
    else
        core_fatal("sends to thread %d from a handler, which may reply but make no other call that communicates",
                   thread);
}

void core_request(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    CORE_GATE;
    if (__builtin_expect(handling, 0)) sends_in_handler(thread);
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, false, args, payload, n});
}

void core_reply(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    int thread = check_reply("a reply", token);
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, true, args, payload, n});
}

static void send_long(const char *function, int thread, int handler, bool reply, fathom_ptr dst, const void *payload,
                      size_t n, const uint64_t *args, int nargs) {
    if (__builtin_expect(fathom_thread_of(dst) != thread && n, 0))
        core_fatal("%s to thread %d: the payload's address 0x%lx is not on that thread", function, thread, dst);
    uint64_t all[CONDUIT_MAX_ARGS];
    if (nargs) memcpy(all, args, (size_t)nargs * sizeof *args);
    all[nargs] = dst;
    all[nargs + 1] = n;
    size_t sent = 0;
    if (core_is_near(thread)) {
        if (n <= FATHOM_ALWAYS_IN_PLACE)
            fathom_copy_in_place(fathom_local(dst), payload, n); /* one store, as for a put */
        else
            memmove(fathom_local(dst), payload, n); /* to oneself the two may overlap */
        sent = n;
    } else {
        for (; n - sent > conduit_max_medium(); sent += conduit_max_medium())
            send(&(struct conduit_message){thread, CORE_PIECE, 1, reply, &(uint64_t){dst + sent},
                                           (const char *)payload + sent, conduit_max_medium()});
    }
    send(&(struct conduit_message){thread, (uint16_t)(handler | LONG), (uint8_t)(nargs + 2), reply, all,
                                   (const char *)payload + sent, n - sent});
}

void gas_request_short(int thread, int handler, const uint64_t *args, int nargs) {
    CORE_GATE;
    check_message("gas_request_short", thread, handler, nargs, 0);
    check_request("gas_request_short");
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, false, args, NULL, 0});
}

void gas_request_medium(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    CORE_GATE;
    check_message("gas_request_medium", thread, handler, nargs, n);
    check_request("gas_request_medium");
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, false, args, payload, n});
}

void gas_request_long(int thread, int handler, fathom_ptr dst, const void *payload, size_t n, const uint64_t *args,
                      int nargs) {
    CORE_GATE;
    check_message("gas_request_long", thread, handler, nargs, 0);
    check_request("gas_request_long");
    send_long("gas_request_long", thread, handler, false, dst, payload, n, args, nargs);
}

void gas_reply_short(gas_token token, int handler, const uint64_t *args, int nargs) {
    int thread = check_reply("gas_reply_short", token);
    check_message("gas_reply_short", thread, handler, nargs, 0);
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, true, args, NULL, 0});
}

void gas_reply_medium(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    int thread = check_reply("gas_reply_medium", token);
    check_message("gas_reply_medium", thread, handler, nargs, n);
    send(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, true, args, payload, n});
}

void gas_reply_long(gas_token token, int handler, fathom_ptr dst, const void *payload, size_t n, const uint64_t *args,
                    int nargs) {
    int thread = check_reply("gas_reply_long", token);
    check_message("gas_reply_long", thread, handler, nargs, 0);
    send_long("gas_reply_long", thread, handler, true, dst, payload, n, args, nargs);
}

/* ---- if there is room -------------------------------------------------------------------------------------------- */

static int poll(void);

static int try(const struct conduit_message *m) {
    if (m->thread == fathom_mythread) {
        deliver_here(m);
        return 1;
    }
    enum conduit_sent sent = conduit_try_send(m);
    if (sent == CONDUIT_FULL) poll(); /* the receiver may wait for room here */
    if (sent == CONDUIT_GONE) not_sent(m);
    return sent == CONDUIT_SENT;
}

bool core_try_request(int thread, int handler, const uint64_t *args, int nargs) {
    CORE_GATE;
    struct conduit_message m = {thread, (uint16_t)handler, (uint8_t)nargs, false, args, NULL, 0};
    enum conduit_sent sent = conduit_try_send(&m);
    if (sent == CONDUIT_FULL) poll(); /* as above */
    return sent == CONDUIT_SENT;
}

int gas_try_request_short(int thread, int handler, const uint64_t *args, int nargs) {
    CORE_GATE;
    check_message("gas_try_request_short", thread, handler, nargs, 0);
    check_request("gas_try_request_short");
    return try(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, false, args, NULL, 0});
}

int gas_try_request_medium(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    CORE_GATE;
    check_message("gas_try_request_medium", thread, handler, nargs, n);
    check_request("gas_try_request_medium");
    return try(&(struct conduit_message){thread, (uint16_t)handler, (uint8_t)nargs, false, args, payload, n});
}

/* ---- packed in place --------------------------------------------------------------------------------------------- */

/* One for each POSIX thread that calls. Where the conduit has no place, one on the heap. */
static __thread struct {
    void *at, *own;
    size_t n;
    int thread, nargs;
} prepared;

void *gas_request_prepare(int thread, size_t n, int nargs) {
    CORE_GATE;
    check_sizes("gas_request_prepare", thread, nargs, n);
    check_request("gas_request_prepare");
    if (prepared.at)
        core_fatal("gas_request_prepare: the request to thread %d that has been prepared has not been committed",
                   prepared.thread);
    prepared.thread = thread;
    prepared.nargs = nargs;
    prepared.n = n;
    prepared.own = NULL;
    if (thread != fathom_mythread && core_overrides.prepare) prepared.at = core_overrides.prepare(thread, n, nargs);
    if (!prepared.at) prepared.at = prepared.own = malloc(n ? n : 1);
    if (!prepared.at) core_fatal("no memory for a message of %zu bytes", n);
    return prepared.at;
}

void gas_request_commit(int handler, size_t n, const uint64_t *args) {
    CORE_GATE;
    check_handler("gas_request_commit", handler);
    check_request("gas_request_commit");
    if (!prepared.at) core_fatal("gas_request_commit: no request has been prepared");
    if (n > prepared.n)
        core_fatal("gas_request_commit: %zu bytes of payload, but %zu have been prepared", n, prepared.n);
    struct conduit_message m = {
        prepared.thread, (uint16_t)handler, (uint8_t)prepared.nargs, false, args, prepared.at, n};
    void *own = prepared.own;
    prepared.at = NULL; /* a handler that runs meanwhile finds none */
    if (own)
        send(&m);
    else if (!core_overrides.send_prepared(&m))
        not_sent(&m);
    free(own);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static inline int poll(void) {
    if (handling) return 0;
    int delivered = conduit_poll(false);
    if (__builtin_expect(core_pump != NULL, 0)) core_pump();
    if (__builtin_expect(core_collectives != NULL, 0)) core_collectives();
    if (__builtin_expect(__atomic_load_n(&core_news, __ATOMIC_RELAXED), 0)) core_pass_on();
    return delivered;
}

static __attribute__((noinline)) int poll_inside(void) {
    CORE_GATE;
    return poll();
}

int core_poll(void) { return __builtin_expect(core_gate_is_on, 0) ? poll_inside() : poll(); }

unsigned char core_news;
void (*core_pump)(void), (*core_collectives)(void);

void core_pass_on(void) {
    core_barrier_advance();
    core_done_advance();
}

/* A program may wait in a loop of polls. Where the thread that it waits for has to have this processor, that thread gets
 * it after a few hundred nanoseconds, instead of at the end of this one's time. */
#define EMPTY_POLLS 256

static inline void count(unsigned *empty, int delivered) {
    if (delivered) {
        *empty = 0;
    } else if (__builtin_expect(++*empty == EMPTY_POLLS, 0)) {
        *empty = 0;
        sched_yield();
    }
}

static int poll_and_let_go(void) {
    CORE_GATE;
    if (__builtin_expect(core_is_holding, 0)) core_let_go();
    return poll();
}

static __attribute__((noinline)) void poll_among_pthreads(void) {
    static __thread unsigned empty;
    count(&empty, poll_and_let_go()); /* yields outside of the gate */
}

void gas_poll(void) {
    static unsigned empty;
    if (__builtin_expect(core_gate_is_on, 0)) {
        poll_among_pthreads();
        return;
    }
    if (__builtin_expect(core_is_holding, 0)) core_let_go();
    count(&empty, poll());
}

void core_messages_start(void) { core_service(CORE_PIECE, place_piece); }

/* Active messages used wrongly: each mistake ends the job with a message that says what it was. */
#include <unistd.h>

#include "suite.h"

static int on_twice, on_back, on_chain, on_asks, on_waits;

static void back(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}
static void twice(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_reply_short(token, on_back, NULL, 0);
    gas_reply_short(token, on_back, NULL, 0);
}
static void chain(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_reply_short(token, on_chain, NULL, 0);
}
static void asks(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_request_short(me(), on_back, NULL, 0);
}
/* Calls that wait, in a handler: nothing can arrive there, so each would wait for ever. */
static enum { FOR_A_LOCK, FOR_A_BARRIER, FOR_A_FLAG, FOR_ANYTHING } what;
static fathom_ptr held;
static void waits(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    unsigned round = 0;
    switch (what) {
    case FOR_A_LOCK: gas_lock(held); break;
    case FOR_A_BARRIER: gas_barrier(); break;
    case FOR_A_FLAG: gas_flag_wait(on(me(), held), 0); break;
    case FOR_ANYTHING:
        for (;;) gas_wait_hint(&round);
    }
}
/* Keeps what it must not, for an answer after its return. */
static gas_token kept;
static void keeps(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    kept = token;
}
static void begin(void) {
    on_waits = gas_register(waits);
    on_back = gas_register(back), on_twice = gas_register(twice), on_chain = gas_register(chain),
    on_asks = gas_register(asks);
    gas_barrier();
}
/* Thread 1, or the only one, makes the mistake, with thread 0. */
static bool mine_to_do(void) { return me() == (count() > 1); }
/* The request that ends the job, here or there; the others are at a barrier until then. */
static void commit(int handler) {
    gas_request_short(0, handler, NULL, 0);
    WAIT_UNTIL(false);
}

#define LINE(text) "fathom: thread [0-9]+: " text "( in .*)?\\|"

ENDS(reply_twice, 1, 1, LINE("gas_reply_short: this request has been replied to already.*")) {
    begin();
    if (mine_to_do()) commit(on_twice);
    gas_barrier();
}
ENDS(reply_to_a_reply, 1, 1, LINE("gas_reply_short to a reply.*")) {
    begin();
    if (mine_to_do()) commit(on_chain);
    gas_barrier();
}
ENDS(reply_after_the_handler, 1, 1, LINE("gas_reply_short outside of the handler of a request.*")) {
    int on_keeps = gas_register(keeps);
    begin();
    if (mine_to_do()) {
        gas_request_short(me(), on_keeps, NULL, 0);
        gas_reply_short(kept, on_back, NULL, 0);
    }
    gas_barrier();
}
ENDS(request_from_a_handler, 1, 1, LINE("gas_request_short from a handler.*")) {
    begin();
    if (mine_to_do()) commit(on_asks);
    gas_barrier();
}
ENDS(handler_that_is_not_registered, 1, 1, LINE("gas_request_short: handler [0-9]+ is not registered.*")) {
    begin();
    if (mine_to_do()) gas_request_short(0, on_asks + 1, NULL, 0);
    gas_barrier();
}
ENDS(handler_that_only_one_thread_has_registered, 2, 1,
     LINE("a message from thread 1 names handler [0-9]+, which this.*")) {
    begin();
    if (me() == 1) {
        int own = gas_register(back);
        commit(own);
    }
    gas_barrier();
}
ENDS(message_to_a_thread_that_does_not_exist, 1, 1, LINE("gas_request_short: thread [0-9]+ of [0-9]+.*")) {
    begin();
    if (mine_to_do()) gas_request_short(count(), on_back, NULL, 0);
    gas_barrier();
}
ENDS(message_to_a_negative_thread, 1, 1, LINE("gas_request_medium: thread -1 of [0-9]+.*")) {
    begin();
    if (mine_to_do()) gas_request_medium(-1, on_back, "x", 1, NULL, 0);
    gas_barrier();
}
ENDS(payload_too_large, 1, 1, LINE("gas_request_medium: [0-9]+ bytes of payload; a medium message holds at most.*")) {
    begin();
    if (mine_to_do()) gas_request_medium(0, on_back, calloc(gas_max_medium() + 1, 1), gas_max_medium() + 1, NULL, 0);
    gas_barrier();
}
ENDS(arguments_too_many, 1, 1, LINE("gas_request_short: 17 arguments; a message has at most 16.*")) {
    begin();
    if (mine_to_do()) gas_request_short(0, on_back, (uint64_t[17]){0}, 17);
    gas_barrier();
}
ENDS(long_payload_that_is_not_on_the_thread, 1, 1,
     LINE("gas_request_long to thread 0: the payload's address 0x[0-9a-f]+ is not.*")) {
    begin();
    if (mine_to_do()) gas_request_long(0, on_back, fathom_make(count(), 4096), "xyz", 3, NULL, 0);
    gas_barrier();
}

ENDS(two_messages_prepared, 1, 1,
     LINE("gas_request_prepare: the request to thread 0 that has been prepared has not.*")) {
    begin();
    if (mine_to_do()) gas_request_prepare(0, 8, 0), gas_request_prepare(0, 8, 0);
    gas_barrier();
}
ENDS(message_that_has_not_been_prepared, 1, 1, LINE("gas_request_commit: no request has been prepared.*")) {
    begin();
    if (mine_to_do()) gas_request_commit(on_back, 0, NULL);
    gas_barrier();
}
ENDS(payload_larger_than_prepared, 1, 1, LINE("gas_request_commit: 9 bytes of payload, but 8 have been prepared.*")) {
    begin();
    if (mine_to_do()) gas_request_prepare(0, 8, 0), gas_request_commit(on_back, 9, NULL);
    gas_barrier();
}
ENDS(payload_prepared_too_large, 1, 1, LINE("gas_request_prepare: [0-9]+ bytes of payload; a medium message.*")) {
    begin();
    if (mine_to_do()) gas_request_prepare(0, (size_t)-1, 0);
    gas_barrier();
}

/* Thread 0 has the lock, and has not come to the barrier, while thread 1 handles its message. */
static void handler_waits(int for_what) {
    begin();
    held = everywhere(64);
    memset(here(held), 0, 64);
    gas_barrier();
    what = for_what;
    if (me() == 0) {
        gas_lock(held);
        gas_request_short(1, on_waits, NULL, 0);
        WAIT_UNTIL(false);
    }
    gas_barrier();
}
/* Where it would wait for an answer, it is told already when it asks. */
#define WAITS LINE("(waits for another thread inside a handler|sends to thread [0-9]+ from a handler).*")
ENDS(handler_that_waits_for_a_lock, 2, 1, WAITS) { handler_waits(FOR_A_LOCK); }
ENDS(handler_that_waits_at_a_barrier, 2, 1, WAITS) { handler_waits(FOR_A_BARRIER); }
ENDS(handler_that_waits_for_a_flag, 2, 1, WAITS) { handler_waits(FOR_A_FLAG); }
ENDS(handler_that_waits_in_a_loop, 2, 1, WAITS) { handler_waits(FOR_ANYTHING); }

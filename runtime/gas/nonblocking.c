/* Contiguous transfers that do not block: with explicit handles, implicit ones, and access regions.
 *
 * A transfer with both sides near is done at once. Implicit transfers add up to one transfer for the puts and one for
 * the gets, which always exist; inside an access region, to one from the pool. They and regions belong to the POSIX thread
 * that begins them, where several call.
 */
#include <stdlib.h>

#include "gas/lines.h"
#include "gas/transfer.h"

/* ---- explicit handles -------------------------------------------------------------------------------------------- */

gas_handle gas_put_nb(fathom_ptr dst, const void *src, size_t n) {
    if (fathom_is_near(dst)) {
        fathom_copy_near(fathom_local(dst), src, n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_put(t, dst, src, n);
    return gas_transfer_handle(t);
}

/* An operation of the conduit's that two transfers wait for. */
struct shared_op {
    struct conduit_op *op; /* null: it is complete */
    int users;
};

static bool shared_op_done(struct gas_part *part) {
    struct shared_op *s = part->state;
    if (s->op && !core_overrides.op_test(s->op)) return false;
    s->op = NULL;
    if (--s->users == 0) free(s);
    return true;
}

/* By messages the data are copied when the call returns. */
gas_handle gas_put_source_nb(fathom_ptr dst, const void *src, size_t n, gas_handle *source) {
    *source = GAS_DONE;
    if (n == 0 || fathom_is_near(dst)) return gas_put_nb(dst, src, n);
    CORE_GATE;
    gas_far_settle(dst, n);
    struct gas_transfer *t = gas_transfer_new();
    if (!gas_goes_direct(core_overrides.put_begin != NULL, true, false, dst, n)) {
        gas_transfer_send(t, dst, src, n);
        return gas_transfer_handle(t);
    }
    struct conduit_op *op = core_overrides.put_begin(dst, src, n);
    if (op) {
        struct shared_op *s = malloc(sizeof *s);
        if (!s) core_fatal("no memory for the record of a transfer");
        *s = (struct shared_op){op, 2};
        struct gas_transfer *of_source = gas_transfer_new();
        gas_transfer_part(t, shared_op_done, s);
        gas_transfer_part(of_source, shared_op_done, s);
        *source = gas_transfer_handle(of_source);
    }
    return gas_transfer_handle(t);
}

gas_handle gas_get_nb(void *dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(src)) {
        fathom_copy_near(dst, fathom_local(src), n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_get(t, dst, src, n);
    return gas_transfer_handle(t);
}

gas_handle gas_copy_nb(fathom_ptr dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(dst) && fathom_is_near(src)) {
        fathom_copy_near(fathom_local(dst), fathom_local(src), n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_copy(t, dst, src, n);
    return gas_transfer_handle(t);
}

gas_handle gas_fill_nb(fathom_ptr dst, int c, size_t n) {
    if (fathom_is_near(dst)) {
        memset(fathom_local(dst), c, n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_fill(t, dst, c, n);
    return gas_transfer_handle(t);
}

gas_handle gas_put_value_nb(fathom_ptr dst, uint64_t value, size_t n) {
    if (fathom_is_near(dst)) {
        gas_put_value(dst, value, n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_put_value(t, dst, value, n);
    return gas_transfer_handle(t);
}

/* ---- implicit handles -------------------------------------------------------------------------------------------- */

/* Of the process; at level multiple, of the first POSIX thread, and each other one that uses any has its own. They stay when
 * that thread ends: answers may be on their way. The next one with its number has them then. */
struct implicit {
    struct gas_transfer all_puts, all_gets;
    bool has_put;                /* since all_puts were waited for */
    struct gas_transfer *region; /* gathers both */
};
static struct implicit of_first, **of_others;

static __attribute__((noinline)) struct implicit *of_pthread(unsigned n) {
    if (!of_others) of_others = core_table(CORE_MOST_PTHREADS, sizeof *of_others);
    if (!of_others[n]) of_others[n] = core_table(1, sizeof **of_others);
    return of_others[n];
}

/* Inside the gate. */
static inline struct implicit *own(void) {
    unsigned n = core_pthread();
    return __builtin_expect(n != 0, 0) ? of_pthread(n) : &of_first;
}
static inline struct gas_transfer *puts_here(void) {
    struct implicit *i = own();
    if (i->region) return i->region;
    i->has_put = true;
    return &i->all_puts;
}
static inline struct gas_transfer *gets_here(void) {
    struct implicit *i = own();
    return i->region ? i->region : &i->all_gets;
}

void gas_put_nbi(fathom_ptr dst, const void *src, size_t n) {
    if (fathom_is_near(dst)) {
        fathom_copy_near(fathom_local(dst), src, n);
        return;
    }
    CORE_GATE;
    gas_transfer_put(puts_here(), dst, src, n);
}

void gas_get_nbi(void *dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(src)) {
        fathom_copy_near(dst, fathom_local(src), n);
        return;
    }
    CORE_GATE;
    gas_transfer_get(gets_here(), dst, src, n);
}

void gas_copy_nbi(fathom_ptr dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(dst) && fathom_is_near(src)) {
        fathom_copy_near(fathom_local(dst), fathom_local(src), n);
        return;
    }
    CORE_GATE;
    gas_transfer_copy(puts_here(), dst, src, n);
}

void gas_fill_nbi(fathom_ptr dst, int c, size_t n) {
    if (fathom_is_near(dst)) {
        memset(fathom_local(dst), c, n);
        return;
    }
    CORE_GATE;
    gas_transfer_fill(puts_here(), dst, c, n);
}

void gas_put_value_nbi(fathom_ptr dst, uint64_t value, size_t n) {
    if (fathom_is_near(dst)) {
        gas_put_value(dst, value, n);
        return;
    }
    CORE_GATE;
    gas_transfer_put_value(puts_here(), dst, value, n);
}

static bool is_idle(const struct gas_transfer *t) { return !t->answers && !t->parts && !t->has_notes; }

static void sync_puts(struct implicit *i) {
    gas_transfer_wait(&i->all_puts);
    i->has_put = false;
    gas_lines_forget(); /* what was fetched during the transfers may have bytes from before them */
}

void gas_sync_puts(void) {
    CORE_GATE;
    sync_puts(own());
}
void gas_sync_gets(void) {
    CORE_GATE;
    gas_transfer_wait(&own()->all_gets);
    conduit_burst++;
}

void gas_sync(void) {
    CORE_GATE;
    struct implicit *i = own();
    if (i->has_put) sync_puts(i); /* also if all of them have arrived meanwhile */
    if (!is_idle(&i->all_gets)) gas_transfer_wait(&i->all_gets);
    conduit_burst++;
}

bool gas_puts_follow;

bool gas_puts_still_follow(void) { return gas_puts_follow = own()->all_puts.answers > 0; }

void gas_puts_wait(void) {
    for (unsigned round = 0; gas_puts_still_follow();) core_wait_answer(&round);
}

/* Messages to a thread are carried out in order. So they are waited for only where what comes next may go another
 * way, by an operation of the conduit's: `follow`, then. Those operations, and copies that go through this thread, are waited
 * for in any case. */
static void order(struct gas_transfer *puts, bool follow) {
    for (unsigned round = 0;; core_wait_answer(&round)) {
        if (puts->parts) gas_transfer_ask(puts);
        if (puts->parts) continue;
        if (!puts->answers || !core_overrides.put_begin) return;
        if (!follow) continue;
        gas_puts_follow = true;
        return;
    }
}

void gas_order_puts(void) {
    CORE_GATE;
    __atomic_thread_fence(__ATOMIC_RELEASE); /* of near memory */
    struct implicit *i = own();
    order(&i->all_puts, !conduit_has_pthreads);
    if (i->region) order(i->region, false);
}

static int test(struct gas_transfer *t) {
    if (gas_transfer_done(t)) return 1;
    core_poll_for_others();
    return gas_transfer_done(t);
}

int gas_test_puts(void) {
    CORE_GATE;
    gas_lines_forget();
    return test(&own()->all_puts);
}

int gas_test_gets(void) {
    CORE_GATE;
    return test(&own()->all_gets);
}

int gas_test_implicit(void) {
    bool puts = gas_test_puts(); /* both pushed on */
    return gas_test_gets() && puts;
}

/* ---- access regions ---------------------------------------------------------------------------------------------- */

void gas_region_begin(void) {
    CORE_GATE;
    struct implicit *i = own();
    if (i->region) core_fatal("gas_region_begin: the access region begun before has not ended");
    i->region = gas_transfer_new();
}

gas_handle gas_region_end(void) {
    CORE_GATE;
    struct implicit *i = own();
    if (!i->region) core_fatal("gas_region_end: no access region has begun");
    struct gas_transfer *t = i->region;
    i->region = NULL;
    return gas_transfer_handle(t);
}

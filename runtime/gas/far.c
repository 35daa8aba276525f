/* The functions that the inline header of a conduit without direct memory calls (conduit/distributed.h): single
 * accesses and blocking transfers to and from threads that are not near.
 *
 * A relaxed put returns at once. By messages it needs no answer: the fence asks every thread to which puts have been
 * sent whether it has carried them out, and a later access to the same place follows in order. By the conduit's own
 * operations the data wait in a slot of a ring until they have left. Such operations are not ordered, so later ones to
 * the same place are held back until the put is complete (gas_far_settle).
 */
#include <limits.h>
#include <stdlib.h>

#include "conduit/progress.h"
#include "gas/check.h"
#include "gas/lines.h"
#include "gas/outbox.h"
#include "gas/transfer.h"
#include "gas/update.h"
#include "lang/ahead.h"
#include "lang/batch.h"
#include "lang/strip.h"

/* ---- puts under way ---------------------------------------------------------------------------------------------- */

enum { SLOTS = 64, SLOT_BYTES = 256 };

/* By the conduit's operations: slots first, first + 1, ... first + count - 1 are under way, unless op is null. */
static CONDUIT_LARGE struct {
    fathom_ptr dst;
    size_t n;
    struct conduit_op *op;
    _Alignas(16) char data[SLOT_BYTES];
} slots[SLOTS];
static unsigned first, count;

/* Of a loop, before what needs many. */
enum { LEAST_TRIPS = 16 };

/* By messages: the threads to which puts have been sent since the last fence. */
static bool *is_dirty; /* by thread */
static int *dirty, dirty_count;

struct gas_served gas_served;

void *gas_far_table(size_t each) {
    return conduit_near.count == fathom_threads ? NULL : core_table((size_t)fathom_threads, each);
}

static void let_go(void) {
    gas_lines_forget();
    if (!gas_outbox_is_on || gas_outbox_send()) core_is_holding = false;
}

/* For a thread that computes, waits in a loop of loads or sleeps in calls that are not ours. */
static bool let_go_beside(void) {
    gas_lines_forget_beside();
    return gas_outbox_is_on && gas_outbox_send_beside();
}

/* Between threads of one computer that are not near, the conduit's own operations need nobody else's help and take less than a
 * microsecond: messages of many accesses do not pay there as a rule. */
static bool is_any_elsewhere(void) {
    for (int t = 0; t < fathom_threads; t++)
        if (!core_is_near(t) && gas_is_elsewhere(t)) return true;
    return false;
}

/* Without it nobody sends what a thread holds back that waits in a loop of loads. */
static bool has_progress_thread(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    const char *obstacle = NULL;
    return core_progress_wanted() != CORE_PROGRESS_POLL && conduit_needs_progress(&obstacle) && !obstacle;
#else
    return false;
#endif
}

struct core_comm gas_comm_wanted(void) {
    struct core_comm w = core_comm_wanted();
    if (!w.is_default) return w;
    /* Where times are computed, the program's own accesses are wanted. */
    w.together = !core_overrides.put_relaxed && is_any_elsewhere();
    if (!w.together || !has_progress_thread()) w.outbox = w.updates = w.lines = w.strips = w.gathers = false;
    return w;
}

void gas_far_start(void) {
    is_dirty = gas_far_table(sizeof *is_dirty);
    dirty = gas_far_table(sizeof *dirty);
    struct core_comm wanted = gas_comm_wanted();
    gas_together_is_on = wanted.together;
    gas_check_start();
    /* A conduit that moves data by itself at once, and a job without far threads, have nothing to gather or to keep. */
    if (!dirty || core_overrides.put_relaxed) return;
    if (wanted.is_default && !wanted.lines && !wanted.strips && (wanted.check || wanted.sites >= 0) &&
        fathom_mythread == 0)
        core_say(
            "%s does nothing: between the threads of one computer FATHOM_COMM is off unless it is set (FATHOM_COMM=on)",
            wanted.check ? "FATHOM_COMM_CHECK" : "FATHOM_COMM_SITES");
    if (wanted.outbox) gas_outbox_start(wanted.outbox_bytes, wanted.bundles);
    gas_updates_are_on = wanted.updates;
    if (wanted.updates) fathom_ahead_first = fathom_batch_first = LEAST_TRIPS;
    if (wanted.lines) gas_lines_start(wanted.line_bytes);
    core_let_go = let_go;
    if (wanted.outbox || wanted.lines) core_let_go_beside = let_go_beside;
}

static void complete_slot(unsigned i) {
    for (unsigned round = 0; slots[i].op; core_wait_answer(&round))
        if (core_overrides.op_test(slots[i].op)) {
            slots[i].op = NULL;
            return;
        }
}

/* Gives back the oldest slots that are complete. */
static void retire(void) {
    while (count && (!slots[first].op || core_overrides.op_test(slots[first].op))) {
        slots[first].op = NULL;
        first = (first + 1) % SLOTS;
        count--;
    }
}

void *fathom_far_cast(fathom_ptr p) { return core_trap(p); }

void gas_far_settle_puts(fathom_ptr p, size_t n) {
    for (unsigned k = 0; k < count; k++) {
        unsigned i = (first + k) % SLOTS;
        if (slots[i].op && slots[i].dst < p + n && p < slots[i].dst + slots[i].n) complete_slot(i);
    }
}

bool gas_far_is_simple(void) { return !core_gate_is_on && !core_tell && !count && !gas_lines_are_kept(); }

/* What is kept may stay: this thread reads, or writes what it brings up to date itself. */
static void settle(fathom_ptr p, size_t n) {
    gas_far_check(p);
    gas_far_settle_puts(p, n);
    if (gas_outbox_is_on) gas_outbox_settle(p, n);
}

void gas_far_settle(fathom_ptr p, size_t n) {
    settle(p, n);
    gas_lines_drop(p, n);
}

void gas_far_settle_read(fathom_ptr p, size_t n) {
    settle(p, n);
    gas_lines_reread(p, n);
}

void gas_far_settle_thread(int thread) {
    gas_lines_forget();
    gas_far_settle_reads(thread);
}

void gas_far_settle_reads(int thread) {
    gas_far_settle_puts(fathom_make(thread, 0), FATHOM_STEP);
    if (gas_outbox_is_on) gas_outbox_settle_thread(thread);
}

static void put_by_slot(fathom_ptr dst, const void *src, size_t n) {
    if (__builtin_expect(gas_puts_follow, 0) && !conduit_is_beside()) gas_puts_wait();
    settle(dst, n);
    retire();
    if (count == SLOTS) {
        complete_slot(first);
        retire();
    }
    unsigned i = (first + count) % SLOTS;
    memcpy(slots[i].data, src, n);
    slots[i].op = gas_transfer_begin_object(dst, slots[i].data, n);
    if (!slots[i].op) return;
    slots[i].dst = dst;
    slots[i].n = n;
    count++;
}

void gas_far_unanswered(int thread) {
    if (is_dirty[thread]) return;
    is_dirty[thread] = true;
    dirty[dirty_count++] = thread;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* Where several POSIX threads call, a blocking operation of the conduit's would keep the others out: it is begun instead, and
 * the wait for it opens the gate. */
static bool begins(const void *can_begin) { return conduit_has_pthreads && can_begin; }

static void complete(struct conduit_op *op) {
    if (op == CONDUIT_NOTED)
        core_overrides.carry_out();
    else if (op)
        for (unsigned round = 0; !core_overrides.op_test(op);) core_wait_answer(&round);
}

static void put_blocking(fathom_ptr dst, const void *src, size_t n) {
    settle(dst, n);
    if (gas_goes_direct(core_overrides.put != NULL, true, true, dst, n)) {
        if (begins(core_overrides.put_begin))
            complete(gas_transfer_begin_object(dst, src, n));
        else
            core_overrides.put(dst, src, n);
        return;
    }
    struct gas_transfer t = {0};
    gas_transfer_send(&t, dst, src, n);
    gas_transfer_wait(&t);
}

void fathom_far_get(void *dst, fathom_ptr src, unsigned long n) {
    CORE_GATE;
    if (n == 0) return;
    settle(src, n);
    if (gas_goes_direct(core_overrides.get != NULL, false, true, src, n)) {
        if (begins(core_overrides.get_begin))
            complete(core_overrides.get_begin(dst, src, n));
        else
            core_overrides.get(dst, src, n);
        return;
    }
    struct gas_transfer t = {0};
    gas_transfer_ask_for(&t, dst, src, n);
    gas_transfer_wait(&t);
}

void gas_far_read_told(void *dst, fathom_ptr src, size_t n, const void *pc) {
    CORE_GATE;
    unsigned long fetched = gas_lines_fetched;
    if (gas_lines_are_on && gas_lines_read(dst, src, n)) {
        if (gas_check_is_on) gas_lines_check(dst, src, n, pc);
        fetched = gas_lines_fetched - fetched;
        gas_served = (struct gas_served){fetched ? GAS_ALONE : GAS_BY_LINE, fetched};
        return;
    }
    fathom_far_get(dst, src, n);
    gas_served = (struct gas_served){GAS_ALONE, 0};
}

void fathom_far_read(void *dst, fathom_ptr src, unsigned long n) {
    CORE_GATE;
    if (gas_lines_are_on && gas_lines_read(dst, src, n)) {
        if (__builtin_expect(gas_check_is_on, 0)) gas_lines_check(dst, src, n, __builtin_return_address(0));
        return;
    }
    fathom_far_get(dst, src, n);
}

/* A relaxed put takes the way that fits it best, whatever the table says about puts that are waited for. */
static void took(fathom_ptr dst, size_t n, enum core_mechanism way, enum gas_service by) {
    if (__builtin_expect(core_tell == NULL, 1)) return;
    gas_served = (struct gas_served){by, by != GAS_ALONE && gas_outbox_has_one(dst, n)};
    unsigned elsewhere = gas_is_elsewhere((int)fathom_thread_of(dst));
    core_took(&core_tuning.far[CORE_PUT][elsewhere], elsewhere, 0, n, way);
}

/* Is the write gathered? So many bytes, at most GAS_OUTBOX_MOST, are one object. */
static inline bool is_gathered(fathom_ptr dst, const void *src, size_t n, size_t one_object) {
    if (!gas_outbox_is_on) return false;
    gas_far_settle_puts(dst, n);
    if (!(n <= one_object ? gas_outbox_put(dst, src, n) : gas_outbox_put_long(dst, src, n))) return false;
    took(dst, n, CORE_MESSAGE, GAS_BY_OUTBOX);
    return true;
}

void fathom_far_put(fathom_ptr dst, const void *src, unsigned long n) {
    CORE_GATE;
    if (n == 0) return;
    gas_lines_wrote(dst, src, n);
    if (is_gathered(dst, src, n, GAS_OUTBOX_MOST)) return;
    if (core_overrides.put_relaxed) {
        gas_far_check(dst);
        if (__builtin_expect(gas_puts_follow, 0)) gas_puts_wait();
        took(dst, n, CORE_DIRECT, GAS_ALONE);
        core_overrides.put_relaxed(dst, src, n);
    } else if (core_overrides.put_begin && n <= SLOT_BYTES) {
        took(dst, n, CORE_DIRECT, GAS_ALONE);
        put_by_slot(dst, src, n);
    } else if (core_overrides.put || core_overrides.put_begin) {
        put_blocking(dst, src, n);
    } else {
        settle(dst, n);
        took(dst, n, CORE_MESSAGE, GAS_ALONE);
        int thread = (int)fathom_thread_of(dst);
        const char *from = src;
        size_t piece = n > conduit_max_medium() ? gas_transfer_piece() : n;
        for (; n > 0; n -= piece, dst += piece, from += piece) {
            if (piece > n) piece = n;
            core_request(thread, GAS_DATA_PUT, from, piece, &dst, 1);
        }
        gas_far_unanswered(thread);
    }
}

/* By the owner; else as C says: read, computed, written. */
void fathom_far_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                       unsigned long operand) {
    unsigned kind = gas_update_kind(object, op);
    unsigned unused = 64 - 8 * (unsigned)gas_update_operand_bytes(kind);
    operand = operand << unused >> unused;
    if (gas_updates_are_on && gas_far_is_simple() && gas_outbox_again(p, kind, operand)) return;
    CORE_GATE;
    size_t n = gas_update_bytes(kind);
    if (gas_updates_are_on) {
        gas_lines_drop(p, n);
        gas_far_settle_puts(p, n);
        if (gas_outbox_update(p, kind, &operand)) {
            took(p, n, CORE_MESSAGE, GAS_BY_OWNER);
            return;
        }
    }
    char copy[8] __attribute__((aligned(8)));
    if (__builtin_expect(core_tell == NULL, 1))
        fathom_far_read(copy, p, n);
    else
        gas_far_read_told(copy, p, n, __builtin_return_address(0));
    struct gas_served read = gas_served;
    gas_update_here(copy, kind, &operand, 1);
    fathom_far_put(p, copy, n);
    /* Who waits, waits for the read. */
    gas_served = (struct gas_served){read.by, read.messages + gas_served.messages};
}

void fathom_far_memput(fathom_ptr dst, const void *src, unsigned long n) {
    CORE_GATE;
    if (n == 0) return;
    gas_lines_wrote(dst, src, n);
    put_blocking(dst, src, n);
}

/* So few bytes may be one object, of which no other thread may see a part. */
enum { ONE_OBJECT = 16 };

void fathom_far_memput_gathered(fathom_ptr dst, const void *src, unsigned long n) {
    CORE_GATE;
    if (n == 0) return;
    gas_lines_wrote(dst, src, n);
    if (is_gathered(dst, src, n, ONE_OBJECT)) return;
    put_blocking(dst, src, n);
}

void fathom_far_memcpy(fathom_ptr dst, fathom_ptr src, unsigned long n) {
    CORE_GATE;
    struct gas_transfer t = {0};
    gas_transfer_copy(&t, dst, src, n);
    gas_transfer_wait(&t);
}

void fathom_far_memset(fathom_ptr dst, int c, unsigned long n) {
    CORE_GATE;
    struct gas_transfer t = {0};
    gas_transfer_fill(&t, dst, c, n);
    gas_transfer_wait(&t);
}

static void settle_all(void) {
    gas_lines_forget();
    core_is_holding = false;
    if (core_overrides.settle) core_overrides.settle();
    if (gas_outbox_is_on && core_overrides.put_begin) gas_outbox_take_alone(put_by_slot);
    for (; count; first = (first + 1) % SLOTS, count--) complete_slot(first);
    struct gas_transfer t = {0};
    if (gas_outbox_is_on) gas_outbox_settle_all(&t);
    if (dirty_count) {
        t.answers += (uint64_t)dirty_count;
        for (int i = 0; i < dirty_count; i++) {
            is_dirty[dirty[i]] = false;
            core_request(dirty[i], GAS_DATA_FLUSH, NULL, 0, (uint64_t[]){(uintptr_t)&t}, 1);
        }
        dirty_count = 0;
    }
    if (t.answers) gas_transfer_wait(&t);
}

void gas_far_shared(void) {
    if (core_comm_wanted().is_list) return;
    if (gas_outbox_is_on) settle_all();
    gas_outbox_is_on = gas_updates_are_on = gas_lines_are_on = false;
    fathom_strips_from = fathom_gathers_from = fathom_ahead_first = fathom_batch_first = LONG_MAX;
}

/* One POSIX thread at a time: what another sent may be confirmed to the one that asks first. */
static bool is_settling;

void fathom_far_settle(void) {
    CORE_GATE;
    for (unsigned round = 0; is_settling && !core_in_handler();) core_wait_answer(&round);
    is_settling = conduit_has_pthreads;
    settle_all();
    is_settling = false;
    if (core_gate_is_on) core_gate_news();
}

static void fence(bool is_strict) {
    fathom_far_settle();
    if (core_overrides.in_order) core_overrides.in_order(is_strict);
    core_poll();
}

/* If everything that is not confirmed goes to the thread that has the object, the write goes behind it, in the same message: one
 * answer instead of two. */
static bool goes_with_the_rest(fathom_ptr dst, const void *src, size_t n) {
    int thread = (int)fathom_thread_of(dst);
    if (!gas_outbox_is_on || core_overrides.in_order) return false;
    if (dirty_count > 1 || (dirty_count == 1 && dirty[0] != thread)) return false;
    struct gas_transfer t = {0};
    for (; count; first = (first + 1) % SLOTS, count--) complete_slot(first);
    if (!gas_outbox_put_last(dst, src, n, &t)) return false;
    took(dst, n, CORE_MESSAGE, GAS_ALONE);
    gas_lines_forget();
    core_is_holding = false;
    if (dirty_count) is_dirty[dirty[--dirty_count]] = false;
    gas_transfer_wait(&t);
    core_poll();
    return true;
}

void fathom_far_strict_put(fathom_ptr dst, const void *src, unsigned long n) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* writes to near threads come before it, too */
    if (!goes_with_the_rest(dst, src, n)) {
        fence(true);
        fathom_far_put(dst, src, n);
        fence(false);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void fathom_far_fence(void) { fence(false); }
void fathom_far_strict(void) { fence(true); }

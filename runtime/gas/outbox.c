/* Buffers of relaxed writes, by far thread; see outbox.h.
 *
 * The thread touches the buffers inside the engine (conduit/progress.h) only, and so does its progress thread, which sends what a
 * thread that computes or spins would keep.
 *
 * A buffer is a sequence of records (records.h), which the target carries out from first to last.
 *
 * Marks. A later access must find out whether what has been sent or is still here overlaps with it. Each put marks
 * the cache lines that it touches in a small table, by their number modulo the table's size, with the buffer's current number; an
 * answer that confirms everything gives the buffer a new number, which makes all of its marks void. A mark may be another
 * line's: then an access waits in vain, and nothing is wrong.
 */
#include "gas/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"
#include "gas/records.h"
#include "gas/transfer.h"

enum { BYTES = 32768, LEAST_BYTES = 4096, FEW_THREADS = 8, LINE = 64, MARKS = 1024, TICKS = 64 };
/* A thread many of whose buffers are sent because of conflicts, with little in them, does without for a while. */
enum { ENOUGH = 16, RESTS = 10000, LITTLE = 16 /* words */ };
/* More words of a thread go to it by themselves: then a message's own cost is little, and each thread carries out its part. */
enum { MOST_OF_BUNDLE = 1024 };

struct outbox {
    int thread;
    /* The record SAME that is open, if that is not NOTHING; what the last record did otherwise. */
    unsigned same, once, shift; /* objects of 2^shift bytes */
    uint64_t same_operand, once_operand;
    uint64_t base;       /* of the places: an offset */
    uint32_t *at, *end;  /* the place of the next one */
    unsigned used;       /* words */
    unsigned last;       /* where the last record is, if any is here */
    bool is_sent;        /* something was, which nobody has confirmed */
    int via;             /* ... to this thread, the own one or one that is near it */
    bool has_updates;    /* what is here has some, which only the thread itself carries out */
    struct outbox *next; /* of its set, while a set's buffers are sent */
    unsigned sends, conflicts, rests;
    unsigned long *counted; /* where the message that begins here has been counted, in explained programs */
    uint32_t mark;
    uint32_t marks[MARKS];
    uint64_t section; /* in front of the words, where they go to another thread */
    uint64_t words[];
};

bool gas_outbox_is_on, gas_updates_are_on;
static unsigned room;          /* words of a buffer */
static struct outbox **boxes;  /* by thread; null: not needed so far */
static struct outbox **active; /* those with something that nobody has confirmed */
static int active_count;
/* Where sets of near threads are known: how many are active of each, and lists of them, by first thread; which sets have a list. */
static struct set {
    int active;
    struct outbox *list;
} * sets;
static int *listed;
static uint64_t *bundle; /* what several threads of a set get in one message */
static unsigned bundle_room;
static unsigned ticks; /* far accesses since something was first held back */
static bool has_unsent, is_sending, may_rest;

/* ---- the record that is open ------------------------------------------------------------------------------------- */

static void close_same(struct outbox *box) {
    if (box->same == NOTHING) return;
    box->same = NOTHING;
    uint64_t *record = &box->words[box->last];
    uint32_t *places = (uint32_t *)(record + SAME_HEAD);
    uint64_t n = (uint64_t)(box->at - places);
    *record |= n << COUNT_SHIFT;
    if (n & 1) *box->at = 0;
    box->used = box->last + SAME_HEAD + (unsigned)((n + 1) / 2);
}

static inline void mark(struct outbox *box, fathom_ptr p, size_t n) {
    uint64_t first = fathom_offset_of(p) / LINE, last = (fathom_offset_of(p) + n - 1) / LINE;
    box->marks[first % MARKS] = box->mark;
    if (__builtin_expect(first != last, 0)) box->marks[last % MARKS] = box->mark;
}

static inline bool add_same(struct outbox *box, fathom_ptr p, unsigned what, uint64_t operand) {
    if (box->same != what || box->same_operand != operand || box->at == box->end) return false;
    uint64_t place = gas_place_of(box->base, fathom_offset_of(p), box->shift);
    if (place >> 32) return false;
    mark(box, p, (size_t)1 << box->shift);
    *box->at++ = (uint32_t)place;
    return true;
}

static inline unsigned atomic_of(enum gas_atomic_type type, enum gas_atomic_op op) {
    return ATOMICS | (unsigned)type | (unsigned)op << 4;
}
static inline uint64_t operand_of(enum gas_atomic_type type, const void *op1) {
    uint64_t operand = 0;
    if (op1) memcpy(&operand, op1, gas_atomic_bytes(type));
    return operand;
}

static inline bool add_again(fathom_ptr p, unsigned kind, uint64_t operand) {
    unsigned long thread = (unsigned long)fathom_thread_of(p);
    struct outbox *box = thread < (unsigned long)fathom_threads ? boxes[thread] : NULL;
    return box && add_same(box, p, kind, operand);
}

bool gas_outbox_again(fathom_ptr p, unsigned kind, uint64_t operand) {
    bool entered = conduit_enter(), taken = add_again(p, kind, operand);
    conduit_leave(entered);
    return taken;
}

size_t gas_outbox_again_all(const fathom_ptr *p, size_t n, unsigned kind, uint64_t operand) {
    bool entered = conduit_enter();
    size_t i = 0;
    while (i < n && add_again(p[i], kind, operand)) i++;
    conduit_leave(entered);
    return i;
}

bool gas_outbox_atomic_again(fathom_ptr p, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1) {
    return op != GAS_CSWAP && gas_outbox_again(p, atomic_of(type, op), operand_of(type, op1));
}

size_t gas_outbox_atomic_again_all(const fathom_ptr *p, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                                   const void *op1) {
    return op == GAS_CSWAP ? 0 : gas_outbox_again_all(p, n, atomic_of(type, op), operand_of(type, op1));
}

/* ---- the buffers ------------------------------------------------------------------------------------------------- */

static int first_of_set(int thread) {
    int first, count;
    core_overrides.set_of(thread, &first, &count);
    return first;
}

static void activate(struct outbox *box) {
    active[active_count++] = box;
    if (sets) sets[first_of_set(box->thread)].active++;
}

static void deactivate(int i) {
    if (sets) sets[first_of_set(active[i]->thread)].active--;
    active[i] = active[--active_count];
}

/* Where what is here goes: behind what is not confirmed, so that it cannot overtake it. */
static inline int receiver_of(const struct outbox *box) { return box->is_sent ? box->via : box->thread; }

/* What a message takes of a buffer is no longer in it. */
static unsigned take(struct outbox *box, int to) {
    unsigned words = box->used;
    box->used = 0;
    box->has_updates = false;
    box->counted = NULL;
    box->sends++;
    box->is_sent = true;
    box->via = to;
    return words;
}

static void request(int to, enum gas_data_handler handler, const uint64_t *words, unsigned count,
                    struct gas_transfer *confirm, const uint64_t *last) {
    uint64_t args[] = {(uintptr_t)confirm, last ? *last : 0};
    if (confirm) confirm->answers++;
    is_sending = true;
    core_request(to, count ? (int)handler : (int)GAS_DATA_FLUSH, words, count * sizeof *words, args,
                 last ? 2 : confirm != NULL);
    is_sending = false;
}

/* `is_last`: behind all others of the message comes a strict write. */
static void send_with(struct outbox *box, struct gas_transfer *confirm, bool is_last) {
    close_same(box);
    int to = receiver_of(box);
    uint64_t last = box->last * sizeof *box->words;
    unsigned words = take(box, to);
    if (to == box->thread || words == 0) {
        request(to, GAS_DATA_RECORDS, box->words, words, confirm, is_last ? &last : NULL);
    } else {
        box->section = section_of(box->thread, words);
        request(to, GAS_DATA_SECTIONS, &box->section, 1 + words, confirm, NULL);
    }
}

static void send(struct outbox *box, struct gas_transfer *confirm) { send_with(box, confirm, false); }

/* ---- one message for several threads of a set -------------------------------------------------------------------- */

/* Can what is here go to `to`, which is near the thread? */
static bool may_go_by(const struct outbox *box, int to) {
    if (box->is_sent) return box->via == to;
    return box->used <= MOST_OF_BUNDLE && (!box->has_updates || box->thread == to);
}

/* Its threads reach each other's memory: one of them carries out what all of them get. Each sender takes another one. */
static void send_to_set(struct outbox *list, struct gas_transfer *confirm) {
    int first, count, may = 0;
    core_overrides.set_of(list->thread, &first, &count);
    int to = first + fathom_mythread % count;
    for (struct outbox *box = list; box; box = box->next) may += may_go_by(box, to);
    unsigned words = 0;
    for (struct outbox *box = list; box; box = box->next) {
        if (may < 2 || !may_go_by(box, to)) {
            send(box, confirm);
            continue;
        }
        if (words + 1 + box->used > bundle_room) {
            request(to, GAS_DATA_SECTIONS, bundle, words, confirm, NULL);
            words = 0;
        }
        unsigned long *counted = box->counted;
        unsigned n = take(box, to);
        if (n == 0) continue;                                                       /* what follows confirms it, too */
        if (words > 0 && counted) __atomic_fetch_sub(counted, 1, __ATOMIC_RELAXED); /* it is no message of its own */
        bundle[words] = section_of(box->thread, n);
        memcpy(&bundle[words + 1], box->words, n * sizeof *bundle);
        words += 1 + n;
    }
    if (may >= 2) request(to, GAS_DATA_SECTIONS, bundle, words, confirm, NULL);
}

/* Of all buffers what is in them, and, if it is to be confirmed, whatever was sent. */
static void send_all(struct gas_transfer *confirm) {
    int count = 0;
    for (int i = 0; i < active_count; i++) {
        struct outbox *box = active[i];
        if (!box->used && !confirm) continue;
        int first = sets ? first_of_set(box->thread) : 0;
        if (!sets || sets[first].active < 2) {
            send(box, confirm);
            continue;
        }
        close_same(box);
        if (!sets[first].list) listed[count++] = first;
        box->next = sets[first].list;
        sets[first].list = box;
    }
    for (int i = 0; i < count; i++) {
        struct outbox *list = sets[listed[i]].list;
        sets[listed[i]].list = NULL;
        send_to_set(list, confirm);
    }
}

/* ---- when -------------------------------------------------------------------------------------------------------- */

bool gas_outbox_send(void) {
    if (core_in_handler()) return false;
    bool entered = conduit_enter(),
         may_send = !is_sending; /* if it is this thread that sends, the conduit waits for room */
    if (may_send) {
        ticks = 0;
        has_unsent = false;
        send_all(NULL);
    }
    conduit_leave(entered);
    return may_send;
}

/* The thread that has no room could wait for this process's own one. */
bool gas_outbox_send_beside(void) {
    bool has_more = false;
    if (is_sending) return true;
    for (int i = 0; i < active_count; i++) {
        struct outbox *box = active[i];
        if (!box->used) continue;
        if (conduit_is_wanted()) return true;
        if (core_overrides.has_room && !core_overrides.has_room(receiver_of(box)))
            has_more = true;
        else
            send(box, NULL);
    }
    return has_more;
}

/* Everything has been confirmed, or will be before anybody looks. */
static void void_marks(struct outbox *box) {
    box->is_sent = false;
    if (++box->mark) return;
    memset(box->marks, 0, sizeof box->marks);
    box->mark = 1;
}

/* Inside the engine, but for the wait. */
static void settle(struct outbox *box, bool entered) {
    struct gas_transfer t = {0};
    send(box, &t);
    conduit_leave(entered);
    gas_transfer_wait(&t);
    entered = conduit_enter();
    void_marks(box);
    for (int i = 0; i < active_count; i++)
        if (active[i] == box) deactivate(i);
    conduit_leave(entered);
}

static inline struct outbox *pending(int thread) {
    struct outbox *box = boxes[thread];
    return box && (box->used || box->is_sent) ? box : NULL;
}

static inline bool is_marked(const struct outbox *box, fathom_ptr p, size_t n) {
    uint64_t first = fathom_offset_of(p) / LINE, last = (fathom_offset_of(p) + n - 1) / LINE;
    if (last - first >= MARKS) return true;
    for (uint64_t line = first; line <= last; line++)
        if (box->marks[line % MARKS] == box->mark) return true;
    return false;
}

void gas_outbox_settle(fathom_ptr p, size_t n) {
    bool entered = conduit_enter();
    struct outbox *box = pending((int)fathom_thread_of(p));
    if (box && n && is_marked(box, p, n)) {
        box->conflicts += box->used <= LITTLE && !box->is_sent;
        settle(box, entered);
        return;
    }
    conduit_leave(entered);
    if (has_unsent && ++ticks >= TICKS) gas_outbox_send();
}

void gas_outbox_settle_thread(int thread) {
    bool entered = conduit_enter();
    struct outbox *box = pending(thread);
    if (box)
        settle(box, entered);
    else
        conduit_leave(entered);
}

void gas_outbox_take_alone(void (*put)(fathom_ptr dst, const void *src, size_t n)) {
    for (int i = active_count; i-- > 0;) {
        bool entered = conduit_enter();
        struct outbox *box = active[i];
        uint64_t header = box->words[0], data[GAS_OUTBOX_MOST / 8];
        enum shape shape = shape_in(header);
        size_t n = shape == OBJECT ? header >> COUNT_SHIFT : (size_t)1 << shape;
        bool is_alone = !box->is_sent && box->used && box->last == 0 &&
                        !(sets && sets[first_of_set(box->thread)].active > 1) &&
                        (shape == OBJECT || (shape < OBJECT && header >> COUNT_SHIFT == 1));
        if (is_alone) {
            memcpy(data, &box->words[1], n);
            box->used = 0;
            void_marks(box);
            deactivate(i);
        }
        conduit_leave(entered);
        if (is_alone) put(fathom_make(box->thread, header & (FATHOM_STEP - 1)), data, n);
    }
}

void gas_outbox_settle_all(struct gas_transfer *t) {
    bool entered = conduit_enter();
    ticks = 0;
    has_unsent = false;
    send_all(t);
    while (active_count) {
        void_marks(active[active_count - 1]);
        deactivate(active_count - 1);
    }
    conduit_leave(entered);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static __attribute__((noinline, cold)) struct outbox *make(int thread) {
    struct outbox *box = calloc(1, sizeof *box + room * sizeof *box->words);
    if (!box) core_fatal("no memory to gather puts to thread %d", thread);
    box->thread = thread;
    box->same = box->once = NOTHING;
    box->mark = 1;
    return boxes[thread] = box;
}

/* Of a message whose first record is no elements. */
static size_t accesses_in(const struct outbox *box) {
    size_t count = box->words[0] >> COUNT_SHIFT;
    switch (shape_in(box->words[0])) {
    case UPDATES: return count >> GAS_UPDATE_BITS;
    case SAME: return count ? count : (size_t)(box->at - (const uint32_t *)(box->words + SAME_HEAD));
    default: return 1;
    }
}

bool gas_outbox_has_one(fathom_ptr p, size_t n) {
    bool entered = conduit_enter();
    const struct outbox *box = boxes[fathom_thread_of(p)];
    bool one = box && box->used && box->last == 0;
    if (one) {
        uint64_t header = box->words[0];
        one = shape_in(header) <= ELEMENTS_16 ? header >> COUNT_SHIFT << shape_in(header) == n : accesses_in(box) == 1;
    }
    conduit_leave(entered);
    return one;
}

void gas_message_counted(fathom_ptr p, unsigned long *count) {
    bool entered = conduit_enter();
    struct outbox *box = boxes[fathom_thread_of(p)];
    if (box && box->used) box->counted = count;
    conduit_leave(entered);
}

/* Where conflicts are frequent, each put is sent by itself. */
static bool rests(struct outbox *box) {
    if (__builtin_expect(box->rests != 0, 0)) {
        box->rests--;
        return true;
    }
    if (__builtin_expect(box->sends >= ENOUGH, 0)) {
        if (may_rest && box->conflicts * 4 > box->sends) box->rests = RESTS;
        box->sends = box->conflicts = 0;
    }
    return false;
}

static inline struct outbox *box_for(fathom_ptr p) {
    gas_far_check(p);
    int thread = (int)fathom_thread_of(p);
    struct outbox *box = boxes[thread];
    if (__builtin_expect(!box, 0)) box = make(thread);
    return __builtin_expect(core_in_handler(), 0) || rests(box) ? NULL : box;
}

/* A new record; where its data are to be. */
static char *begin_record(struct outbox *box, fathom_ptr p, enum shape shape, size_t count, size_t bytes) {
    unsigned words = 1 + (unsigned)((bytes + 7) / 8);
    close_same(box);
    if (box->used + words > room) send(box, NULL);
    if (!box->used && !box->is_sent) activate(box);
    has_unsent = core_is_holding = true;
    box->last = box->used;
    box->words[box->used] = fathom_offset_of(p) | (uint64_t)shape << OFFSET_BITS | (uint64_t)count << COUNT_SHIFT;
    box->words[box->used + words - 1] = 0; /* what fills up the last word, too, is defined */
    char *data = (char *)&box->words[box->used + 1];
    box->used += words;
    return data;
}

/* The last record, whose data have `old` bytes, gets n more: where they are to be; null: there is no room. */
static inline char *longer(struct outbox *box, size_t old, size_t n) {
    unsigned used = box->last + 1 + (unsigned)((old + n + 7) / 8);
    if (used > room) return NULL;
    for (; box->used < used; box->used++) box->words[box->used] = 0;
    return (char *)&box->words[box->last + 1] + old;
}

static inline enum shape shape_of(fathom_ptr p, size_t n) {
    return n <= 16 && (n & (n - 1)) == 0 && (p & (n - 1)) == 0 ? (enum shape)__builtin_ctzl(n) : OBJECT;
}

static inline void add(struct outbox *box, fathom_ptr dst, const void *src, size_t n, enum shape shape) {
    size_t count = shape == OBJECT ? n : n >> shape;
    if (box->used && shape != OBJECT) {
        uint64_t *header = &box->words[box->last];
        size_t old = (*header >> COUNT_SHIFT) << shape;
        if (shape_in(*header) == shape && (*header & (FATHOM_STEP - 1)) + old == fathom_offset_of(dst)) {
            char *data = longer(box, old, n);
            if (data) {
                memcpy(data, src, n);
                *header += (uint64_t)count << COUNT_SHIFT;
                return;
            }
        }
    }
    memcpy(begin_record(box, dst, shape, count, n), src, n);
}

static inline bool put(fathom_ptr dst, const void *src, size_t n) {
    struct outbox *box = box_for(dst);
    if (!box) return false;
    mark(box, dst, n);
    add(box, dst, src, n, shape_of(dst, n));
    return true;
}

static bool put_long(fathom_ptr dst, const void *src, size_t n) {
    if (n > (room - 1) * sizeof(uint64_t)) return false;
    struct outbox *box = box_for(dst);
    if (!box) return false;
    for (size_t at = 0; at < n; at += LINE) mark(box, dst + at, n - at < LINE ? n - at : LINE);
    add(box, dst, src, n, ((dst | n) & 7) == 0 ? ELEMENTS_8 : ELEMENTS_1);
    return true;
}

static bool put_last(fathom_ptr dst, const void *src, size_t n, struct gas_transfer *t) {
    enum shape shape = shape_of(dst, n);
    if (core_in_handler() || is_sending || shape > ELEMENTS_8 || active_count != 1) return false;
    struct outbox *box = active[0];
    if (box->thread != (int)fathom_thread_of(dst) || receiver_of(box) != box->thread) return false;
    memcpy(begin_record(box, dst, shape, 1, n), src, n);
    ticks = 0;
    has_unsent = false;
    send_with(box, t, true);
    void_marks(box);
    deactivate(0);
    return true;
}

/* The same operation by the same operand as the last one of its kind: from now on in one record. */
static bool begin_same(struct outbox *box, fathom_ptr p, unsigned what, uint64_t operand, size_t bytes) {
    bool is_same = box->once == what && box->once_operand == operand;
    box->once = what;
    box->once_operand = operand;
    unsigned shift = (unsigned)__builtin_ctzl(bytes);
    if (!is_same) return false;
    uint64_t head[] = {what, operand};
    char *data = begin_record(box, p, SAME, 0, sizeof head + sizeof *box->at);
    memcpy(data, head, sizeof head);
    box->same = what;
    box->same_operand = operand;
    box->shift = shift;
    box->base = gas_place_base(fathom_offset_of(p), shift);
    box->at = (uint32_t *)(data + sizeof head);
    box->end = (uint32_t *)(box->words + room);
    return add_same(box, p, what, operand);
}

static bool atomic(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                   const void *op2) {
    struct outbox *box = box_for(target);
    if (!box) return false;
    size_t bytes = gas_atomic_bytes(type);
    if (op != GAS_CSWAP) {
        unsigned what = atomic_of(type, op);
        uint64_t operand = operand_of(type, op1);
        if (add_same(box, target, what, operand) || begin_same(box, target, what, operand, bytes)) return true;
    }
    mark(box, target, bytes);
    char *data = begin_record(box, target, ATOMIC, (size_t)type | (size_t)op << 4, operand_bytes(op));
    memset(data, 0, operand_bytes(op));
    if (op1) memcpy(data, op1, bytes);
    if (op2 && op == GAS_CSWAP) memcpy(data + 8, op2, bytes);
    return true;
}

static inline bool update(fathom_ptr target, unsigned kind, const void *operand) {
    struct outbox *box = box_for(target);
    if (!box) return false;
    size_t bytes = gas_update_bytes(kind), each = gas_update_operand_bytes(kind);
    uint64_t value = 0;
    memcpy(&value, operand, each);
    if (add_same(box, target, kind, value)) return true;
    mark(box, target, bytes);
    if (box->used) {
        uint64_t *header = &box->words[box->last];
        size_t count = *header >> COUNT_SHIFT, old = count >> GAS_UPDATE_BITS;
        if (shape_in(*header) == UPDATES && (count & ((1u << GAS_UPDATE_BITS) - 1)) == kind && old < MOST_UPDATES &&
            (*header & (FATHOM_STEP - 1)) + old * bytes == fathom_offset_of(target)) {
            char *data = longer(box, old * each, each);
            if (data) {
                memcpy(data, operand, each);
                *header += (uint64_t)1 << (COUNT_SHIFT + GAS_UPDATE_BITS);
                return true;
            }
        }
    }
    box->has_updates = true;
    if (begin_same(box, target, kind, value, bytes)) return true;
    memcpy(begin_record(box, target, UPDATES, kind | (size_t)1 << GAS_UPDATE_BITS, each), operand, each);
    return true;
}

bool gas_outbox_put(fathom_ptr dst, const void *src, size_t n) {
    bool entered = conduit_enter(), taken = put(dst, src, n);
    conduit_leave(entered);
    return taken;
}

bool gas_outbox_put_long(fathom_ptr dst, const void *src, size_t n) {
    bool entered = conduit_enter(), taken = put_long(dst, src, n);
    conduit_leave(entered);
    return taken;
}

bool gas_outbox_put_last(fathom_ptr dst, const void *src, size_t n, struct gas_transfer *t) {
    bool entered = conduit_enter(), taken = put_last(dst, src, n, t);
    conduit_leave(entered);
    return taken;
}

bool gas_outbox_atomic(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                       const void *op2) {
    bool entered = conduit_enter(), taken = atomic(target, type, op, op1, op2);
    conduit_leave(entered);
    return taken;
}

bool gas_outbox_update(fathom_ptr target, unsigned kind, const void *operand) {
    gas_far_check(target);
    const struct outbox *box = boxes[fathom_thread_of(target)];
    if (box && box->is_sent && box->via != box->thread && !core_in_handler())
        gas_outbox_settle_thread(box->thread); /* only the thread itself computes updates */
    bool entered = conduit_enter(), taken = update(target, kind, operand);
    conduit_leave(entered);
    return taken;
}

/* Are other threads near each other? In a reference build nobody is near. */
static bool sets_are_known(void) {
#ifdef FATHOM_REFERENCE
    return false;
#endif
    for (int t = 0, first, count; core_overrides.set_of && t < fathom_threads; t = first + count) {
        core_overrides.set_of(t, &first, &count);
        if (count > 1 && first != conduit_near.first) return true;
    }
    return false;
}

void gas_outbox_start(size_t bytes, bool bundles) {
    boxes = gas_far_table(sizeof(struct outbox *));
    active = gas_far_table(sizeof(struct outbox *));
    may_rest = bytes == 0; /* who says how large they are to be wants them */
    size_t most = conduit_max_medium(), of_bundle = bytes ? 2 * (bytes + sizeof *bundle) : most;
    if (bytes == 0) {
        size_t far = (size_t)(fathom_threads - conduit_near.count);
        bytes = far <= FEW_THREADS ? BYTES : BYTES * FEW_THREADS / far;
        if (bytes < LEAST_BYTES) bytes = LEAST_BYTES;
    }
    if (bundles && sets_are_known()) {
        if (of_bundle > most) of_bundle = most;
        bundle_room = (unsigned)(of_bundle / sizeof *bundle);
        most -= sizeof *bundle; /* for a section's head */
        bundle = malloc(bundle_room * sizeof *bundle);
        listed = gas_far_table(sizeof *listed);
        sets = gas_far_table(sizeof *sets);
        if (!bundle) core_fatal("no memory for messages of %u words", bundle_room);
    }
    if (bytes > most) bytes = most;
    room = (unsigned)(bytes / sizeof(uint64_t));
    gas_records_start();
    gas_outbox_is_on = true;
}

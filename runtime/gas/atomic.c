/* Atomic operations on objects in shared memory. For near objects the processor performs them here; for far objects,
 * the handler of a message on the thread that holds them. So all kinds of access to an object agree.
 *
 * Integers of one width are signed or unsigned, which differs for minimum and maximum only. An operation that the
 * processor cannot do in one instruction is a loop of compare-and-swap on the bits, for floating-point values too; but
 * GAS_CSWAP compares those as numbers, so that the two zeros are equal, as for the operator ==.
 */
#include <string.h>

#include "conduit/progress.h"
#include "core/mutex.h"
#include "gas/sync.h"
#include "gas/transfer.h"

enum { PAIR_LOCKS = 64 };

static _Noreturn void no_such(const char *what, int number) { gas_fatal("gas_atomic: no such %s (%d)", what, number); }

void gas_atomic_no_operand(enum gas_atomic_op op) {
    gas_fatal("gas_atomic: the address of %s is null", op == GAS_CSWAP ? "one of two operands" : "the operand");
}

void gas_atomic_misaligned(fathom_ptr target, size_t bytes) {
    gas_fatal("gas_atomic: the object at 0x%lx is not aligned to its size, %zu bytes", target, bytes);
}

/* For each type: the new value of an operation that has no instruction of its own. */
#define COMBINE(NAME, T)                                                                                               \
    static T combine_##NAME(T a, enum gas_atomic_op op, T b) {                                                         \
        switch (op) {                                                                                                  \
        case GAS_ADD: return (T)(a + b);                                                                               \
        case GAS_SUB: return (T)(a - b);                                                                               \
        case GAS_MULT: return (T)(a * b);                                                                              \
        case GAS_INC: return (T)(a + 1);                                                                               \
        case GAS_DEC: return (T)(a - 1);                                                                               \
        case GAS_MIN: return b < a ? b : a;                                                                            \
        case GAS_MAX: return b > a ? b : a;                                                                            \
        default: no_such("operation for this type", (int)op);                                                          \
        }                                                                                                              \
    }
COMBINE(u32, uint32_t)
COMBINE(u64, uint64_t)
COMBINE(f32, float)
COMBINE(f64, double)
static int32_t combine_i32(int32_t a, enum gas_atomic_op op, int32_t b) {
    if (op == GAS_MIN || op == GAS_MAX) return (op == GAS_MIN) == (b < a) ? b : a;
    return (int32_t)combine_u32((uint32_t)a, op, (uint32_t)b); /* overflow wraps */
}
static int64_t combine_i64(int64_t a, enum gas_atomic_op op, int64_t b) {
    if (op == GAS_MIN || op == GAS_MAX) return (op == GAS_MIN) == (b < a) ? b : a;
    return (int64_t)combine_u64((uint64_t)a, op, (uint64_t)b);
}

static uint32_t combine32(uint32_t a, enum gas_atomic_type type, enum gas_atomic_op op, uint32_t b) {
    float x, y;
    switch (type) {
    case GAS_I32: return (uint32_t)combine_i32((int32_t)a, op, (int32_t)b);
    case GAS_U32: return combine_u32(a, op, b);
    default:
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x = combine_f32(x, op, y);
        memcpy(&a, &x, sizeof x);
        return a;
    }
}

static uint64_t combine64(uint64_t a, enum gas_atomic_type type, enum gas_atomic_op op, uint64_t b) {
    double x, y;
    switch (type) {
    case GAS_I64: return (uint64_t)combine_i64((int64_t)a, op, (int64_t)b);
    case GAS_U64: return combine_u64(a, op, b);
    case GAS_PTS: no_such("operation on pointers", (int)op);
    default:
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x = combine_f64(x, op, y);
        memcpy(&a, &x, sizeof x);
        return a;
    }
}

static bool same32(enum gas_atomic_type type, uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return type == GAS_F32 ? x == y : a == b;
}

static bool same64(enum gas_atomic_type type, uint64_t a, uint64_t b) {
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return type == GAS_F64 ? x == y : a == b;
}

/* Operations that take more than one instruction, on words of either width. */
#define LOOP(BITS)                                                                                                     \
    static void loop##BITS(void *fetch, uint##BITS##_t *p, enum gas_atomic_type type, enum gas_atomic_op op,           \
                           const void *op1, const void *op2) {                                                         \
        uint##BITS##_t a = 0, b = 0, old = __atomic_load_n(p, __ATOMIC_RELAXED), new;                                  \
        if (op1)                                                                                                       \
            memcpy(&a, op1, sizeof a);                                                                                 \
        else if (gas_atomic_has_operand(op))                                                                           \
            gas_atomic_no_operand(op);                                                                                 \
        if (op2)                                                                                                       \
            memcpy(&b, op2, sizeof b);                                                                                 \
        else if (op == GAS_CSWAP)                                                                                      \
            gas_atomic_no_operand(op);                                                                                 \
        do {                                                                                                           \
            if (op == GAS_CSWAP && !same##BITS(type, old, a)) break;                                                   \
            new = op == GAS_CSWAP ? b : combine##BITS(old, type, op, a);                                               \
        } while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
        if (fetch) memcpy(fetch, &old, sizeof old);                                                                    \
    }
LOOP(32)
LOOP(64)

/* Narrower values are in the low half. */
static uint64_t load_operand(const void *p, size_t bytes) {
    uint64_t v = 0;
    if (p) memcpy(&v, p, bytes);
    return v;
}

static void apply_here(void *fetch, void *object, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                       const void *op2) {
    /* The processor computes with integers, and moves anything. */
    bool moves = op == GAS_GET || op == GAS_SET || op == GAS_SWAP;
    if (type == GAS_I32 || type == GAS_U32 || type == GAS_F32) {
        if ((type == GAS_F32 && !moves) || !gas_atomic_32(fetch, object, op, op1, op2))
            loop32(fetch, object, type, op, op1, op2);
    } else {
        bool whole = type == GAS_I64 || type == GAS_U64 || (type == GAS_PTS && op == GAS_CSWAP);
        if ((!whole && !moves) || !gas_atomic_64(fetch, object, op, op1, op2))
            loop64(fetch, object, type, op, op1, op2);
    }
}

void gas_atomic_here(void *fetch, void *object, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                     const void *op2) {
    apply_here(fetch, object, type, op, op1, op2);
}

/* An instruction that is atomic waits for its memory, and what comes behind it for the instruction: so memory is asked for ahead. */
enum { AHEAD = 16 };
static inline void ask_ahead(const char *object) {
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0"
                     :
                     : "m"(*object)); /* no compiler makes it of __builtin_prefetch without being told */
#else
    __builtin_prefetch(object, 1);
#endif
}

static inline void apply_one(char *object, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1) {
    if (op == GAS_ADD && (type == GAS_I64 || type == GAS_U64))
        __atomic_fetch_add((uint64_t *)object, *(const uint64_t *)op1, __ATOMIC_RELAXED);
    else
        apply_here(NULL, object, type, op, op1, NULL);
}

/* Does nobody else perform atomic operations on objects of this thread while it is in the engine? No other thread is near, and what others ask for
 * is performed in the engine. Then loads and stores will do, which wait for nothing. */
static bool is_alone(void) { return conduit_near.count == 1 && !core_gate_is_on && !conduit_is_beside(); }

#define PLAIN(BITS)                                                                                                    \
    static inline void plain##BITS(char *object, enum gas_atomic_type type, enum gas_atomic_op op, uint64_t operand) { \
        uint##BITS##_t *p = (uint##BITS##_t *)object, old = __atomic_load_n(p, __ATOMIC_RELAXED);                      \
        __atomic_store_n(p, combine##BITS(old, type, op, (uint##BITS##_t)operand), __ATOMIC_RELAXED);                  \
    }
PLAIN(32)
PLAIN(64)

/* Changes the object at PLACE, for i from 0 to n - 1. */
#define CHANGE_ALONE(PLACE)                                                                                            \
    do {                                                                                                               \
        uint64_t operand = load_operand(op1, bytes);                                                                   \
        if (op == GAS_ADD && (type == GAS_I64 || type == GAS_U64))                                                     \
            for (size_t i = 0; i < n; i++) plain64(PLACE, GAS_U64, GAS_ADD, operand);                                  \
        else if (bytes == 4)                                                                                           \
            for (size_t i = 0; i < n; i++) plain32(PLACE, type, op, operand);                                          \
        else                                                                                                           \
            for (size_t i = 0; i < n; i++) plain64(PLACE, type, op, operand);                                          \
    } while (0)

/* Has `combine` the operation? */
static bool combines(enum gas_atomic_type type, enum gas_atomic_op op) {
    return type <= GAS_F64 && (op == GAS_ADD || op == GAS_SUB || op == GAS_MULT || op == GAS_INC || op == GAS_DEC ||
                               op == GAS_MIN || op == GAS_MAX);
}

void gas_atomic_each(void *at, const uint32_t *places, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                     const void *op1) {
    size_t bytes = gas_atomic_bytes(type);
    if (is_alone() && combines(type, op)) {
        CHANGE_ALONE((char *)at + places[i] * bytes);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) ask_ahead((char *)at + places[i + AHEAD] * bytes);
        apply_one((char *)at + places[i] * bytes, type, op, op1);
    }
}

void gas_atomic_at(char *at, const uint64_t *offsets, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                   const void *op1) {
    size_t bytes = gas_atomic_bytes(type);
    if (is_alone() && combines(type, op)) {
        bool entered = conduit_enter();
        CHANGE_ALONE(at + offsets[i]);
        conduit_leave(entered);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) ask_ahead(at + offsets[i + AHEAD]);
        apply_one(at + offsets[i], type, op, op1);
    }
}

/* ---- two words --------------------------------------------------------------------------------------------------- */

/* Pointers-to-shared with a phase; GAS_GET, GAS_SET and GAS_CSWAP, which compares the addresses only. */
#ifdef FATHOM_SWAPS_PAIRS
static fathom_pptr apply_pair(fathom_pptr *p, enum gas_atomic_op op, fathom_pptr a, fathom_pptr b) {
    if (op == GAS_GET) return fathom_load_pair(p);
    fathom_pptr old = *(volatile fathom_pptr *)p; /* a guess */
    for (;;) {
        fathom_pptr new = op == GAS_CSWAP ? (old.addr == a.addr ? b : old) : a;
        if (fathom_swap_pair(p, &old, new)) return old;
    }
}
#else
static struct mutex *pair_locks; /* shared by near threads; no instruction changes two words */

static fathom_pptr apply_pair(fathom_pptr *p, enum gas_atomic_op op, fathom_pptr a, fathom_pptr b) {
    struct mutex *m = &pair_locks[(uintptr_t)p / sizeof *p % PAIR_LOCKS];
    mutex_lock(m);
    fathom_pptr old = *(volatile fathom_pptr *)p;
    if (op == GAS_SET) *(volatile fathom_pptr *)p = a;
    if (op == GAS_CSWAP && old.addr == a.addr) *(volatile fathom_pptr *)p = b;
    mutex_unlock(m);
    return old;
}
#endif

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void note(enum gas_atomic_op op, bool fetches, fathom_ptr target, size_t bytes) {
    if (!core_overrides.note) return;
    enum conduit_note what = op == GAS_SWAP    ? CONDUIT_ATOMIC_SWAP
                             : op == GAS_CSWAP ? CONDUIT_ATOMIC_COMPARE
                             : fetches         ? CONDUIT_ATOMIC_FETCH
                                               : CONDUIT_ATOMIC_UPDATE;
    core_overrides.note(what, target, bytes);
}

static void note_done(gas_token token) {
    if (core_overrides.note) core_overrides.note(CONDUIT_ATOMIC_DONE, fathom_make(gas_token_source(token), 0), 0);
}

static void on_atomic(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    uint64_t answer[3] = {args[0], args[1], 0};
    apply_here(args[1] ? &answer[2] : NULL, fathom_local(args[2]), (enum gas_atomic_type)(args[3] & 0xff),
               (enum gas_atomic_op)(args[3] >> 8), &args[4], &args[5]);
    /* The width is in the unused bits of the place: addresses have 47. */
    answer[1] |= (uint64_t)gas_atomic_bytes((enum gas_atomic_type)(args[3] & 0xff)) << 56;
    core_reply(token, GAS_SYNC_FETCHED, NULL, 0, answer, 3);
}

static void on_fetched(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    note_done(token);
    void *fetch = (void *)(uintptr_t)(args[1] << 8 >> 8);
    if (fetch) memcpy(fetch, &args[2], args[1] >> 56);
    ((struct gas_transfer *)(uintptr_t)args[0])->answers--;
}

static void on_atomic_pair(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    fathom_pptr old = apply_pair(fathom_local(args[2]), (enum gas_atomic_op)args[3], fathom_pptr_of(args[4], args[5]),
                                 fathom_pptr_of(args[6], args[7]));
    core_reply(token, GAS_SYNC_FETCHED_PAIR, NULL, 0, (uint64_t[]){args[0], args[1], old.addr, old.phase}, 4);
}

static void on_fetched_pair(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    note_done(token);
    if (args[1]) memcpy((void *)(uintptr_t)args[1], &args[2], sizeof(fathom_pptr));
    ((struct gas_transfer *)(uintptr_t)args[0])->answers--;
}

void gas_atomic_check_operands(enum gas_atomic_op op, const void *op1, const void *op2) {
    if ((gas_atomic_has_operand(op) && !op1) || (op == GAS_CSWAP && !op2)) gas_atomic_no_operand(op);
}

/* Begins the operation; `t` waits for one more answer. */
static void ask(struct gas_transfer *t, void *fetch, fathom_ptr target, enum gas_atomic_type type,
                enum gas_atomic_op op, const void *op1, const void *op2) {
    size_t bytes = gas_atomic_bytes(type);
    gas_atomic_check_operands(op, op1, op2);
    gas_far_settle(target, bytes);
    t->answers++;
    note(op, fetch, target, bytes);
    uint64_t args[] = {(uintptr_t)t,
                       (uintptr_t)fetch,
                       target,
                       (uint64_t)type | (uint64_t)op << 8,
                       load_operand(op1, bytes),
                       load_operand(op2, bytes)};
    core_request((int)fathom_thread_of(target), GAS_SYNC_ATOMIC, NULL, 0, args, 6);
}

void gas_atomic_start(void) {
    core_service(GAS_SYNC_ATOMIC, on_atomic);
    core_handler(GAS_SYNC_FETCHED, on_fetched);
    core_service(GAS_SYNC_ATOMIC_PAIR, on_atomic_pair);
    core_handler(GAS_SYNC_FETCHED_PAIR, on_fetched_pair);
}

void gas_atomic_prepare(void) {
#ifndef FATHOM_SWAPS_PAIRS
    pair_locks = core_shared(PAIR_LOCKS * sizeof *pair_locks);
#endif
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

/* Checked here, so that the message names the thread that asked. */
static _Noreturn void refuse(enum gas_atomic_type type, enum gas_atomic_op op) {
    if ((unsigned)type > GAS_PTS) no_such("type", (int)type);
    no_such((unsigned)op > GAS_CSWAP ? "operation" : "operation for this type", (int)op);
}

static bool has_numbers(enum gas_atomic_type type, enum gas_atomic_op op) {
    return (unsigned)type <= GAS_PTS && (unsigned)op <= GAS_CSWAP;
}

static void check(enum gas_atomic_type type, enum gas_atomic_op op) {
    if (!has_numbers(type, op) || !(gas_atomic_allowed(type) >> op & 1)) refuse(type, op);
}

unsigned gas_atomic_allowed(enum gas_atomic_type type) {
    unsigned accessors = 1u << GAS_GET | 1u << GAS_SET | 1u << GAS_SWAP | 1u << GAS_CSWAP;
    unsigned bits = 1u << GAS_AND | 1u << GAS_OR | 1u << GAS_XOR | 1u << GAS_NOT;
    unsigned numbers =
        1u << GAS_ADD | 1u << GAS_SUB | 1u << GAS_MULT | 1u << GAS_INC | 1u << GAS_DEC | 1u << GAS_MIN | 1u << GAS_MAX;
    switch (type) {
    case GAS_PTS: return accessors;
    case GAS_F32:
    case GAS_F64: return accessors | numbers;
    default: return accessors | numbers | bits;
    }
}

void gas_atomic_call(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                     const void *op2) {
    if (__builtin_expect(!has_numbers(type, op), 0)) refuse(type, op);
    gas_atomic_check_place(target, gas_atomic_bytes(type));
    if (fathom_is_near(target)) {
        apply_here(fetch, fathom_local(target), type, op, op1, op2);
        return;
    }
    check(type, op);
    CORE_GATE;
    struct gas_transfer t = {0};
    ask(&t, fetch, target, type, op, op1, op2);
    gas_transfer_wait(&t);
}

gas_handle gas_atomic_nb(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op,
                         const void *op1, const void *op2) {
    check(type, op);
    gas_atomic_check_place(target, gas_atomic_bytes(type));
    if (fathom_is_near(target)) {
        apply_here(fetch, fathom_local(target), type, op, op1, op2);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    ask(t, fetch, target, type, op, op1, op2);
    return gas_transfer_handle(t);
}

void gas_atomic_pair(fathom_pptr *fetch, fathom_ptr target, enum gas_atomic_op op, const fathom_pptr *op1,
                     const fathom_pptr *op2) {
    fathom_pptr a = op1 ? *op1 : fathom_pptr_of(0, 0), b = op2 ? *op2 : fathom_pptr_of(0, 0);
    gas_atomic_check_place(target, sizeof a);
    if (fathom_is_near(target)) {
        fathom_pptr old = apply_pair(fathom_local(target), op, a, b);
        if (fetch) *fetch = old;
        return;
    }
    CORE_GATE;
    struct gas_transfer t = {.answers = 1};
    gas_far_settle(target, sizeof a);
    note(op, fetch, target, sizeof a);
    uint64_t args[] = {(uintptr_t)&t, (uintptr_t)fetch, target, (uint64_t)op, a.addr, a.phase, b.addr, b.phase};
    core_request((int)fathom_thread_of(target), GAS_SYNC_ATOMIC_PAIR, NULL, 0, args, 8);
    gas_transfer_wait(&t);
}

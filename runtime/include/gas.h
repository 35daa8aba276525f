/* gas.h: the communication interface on which the libraries of the languages are built.
 *
 * A global address is a fathom_ptr (prelude.h): a thread and an offset in its segment. Sizes are bytes. Destination,
 * source, size, in that order. Threads are processes; one POSIX thread of a process calls, unless it has been started for
 * more (gas_start_threads). Threads that are *near* share memory: their addresses allow loads and stores.
 *
 * Progress: handlers run only inside calls of this interface that communicate or wait (gas_poll does nothing else).
 * Transfers, atomics, locks, the heap and barriers complete even if the target thread computes, spins or sleeps, unless
 * FATHOM_PROGRESS=poll is set; they may overtake messages that were sent before.
 */
#ifndef GAS_H
#define GAS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define GAS_OPAQUE(tag) tag##_data /* C++ has tags and typedefs in one name space */
#else
#define GAS_OPAQUE(tag) tag
#endif

#include "lang/prelude.h"

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static inline int gas_me(void) { return fathom_mythread; }
static inline int gas_count(void) { return fathom_threads; }
/* Can this process read and write the segment of `thread` with loads and stores? */
int gas_is_local(int thread);
/* The near threads: `*count` threads, numbered from the returned one on. */
int gas_near(int *count);
/* "smp", "template", "mpi". */
const char *gas_conduit(void);

/* ---- active messages (core/messages.c) --------------------------------------------------------------------------- */

enum { GAS_MAX_ARGS = 16 };
typedef const struct GAS_OPAQUE(gas_token) *gas_token;
/* Runs on the receiving thread, inside one of its calls. `payload` (null if there is none) is aligned to 8; that of a
 * medium message is valid until the handler returns, that of a long one is at the sender's destination. A handler may
 * read and write near memory, reply once to a request, and make no other call of this interface that communicates or
 * waits. */
typedef void gas_handler(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes);

/* Adds a handler to the table; returns its index. Every thread registers the same handlers in the same order, and no
 * message may name a handler before all threads have registered it (gas_barrier between). */
int gas_register(gas_handler *handler);
/* The greatest payload of a medium message, in bytes. A long message has no such limit. */
size_t gas_max_medium(void);
/* Sends a request: arguments only; with a payload that is copied; with one that is placed at dst, a global address on
 * `thread`, before the handler runs. They return when payload and arguments may be changed. Messages between a pair of
 * threads are delivered once and in order, requests among requests and replies among replies. */
void gas_request_short(int thread, int handler, const uint64_t *args, int nargs);
void gas_request_medium(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
void gas_request_long(int thread, int handler, fathom_ptr dst, const void *payload, size_t n, const uint64_t *args,
                      int nargs);
/* The same if there is room now: 1. Otherwise 0, nothing has been sent, and messages have been served. Never wait. */
int gas_try_request_short(int thread, int handler, const uint64_t *args, int nargs);
int gas_try_request_medium(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
/* A medium request in two steps: gives room for a payload of at most n bytes, aligned to 8, from which it leaves
 * without being copied where the conduit can do so; then sends the first n bytes of it. One at a time; other calls
 * may come between. */
void *gas_request_prepare(int thread, size_t n, int nargs);
void gas_request_commit(int handler, size_t n, const uint64_t *args);
/* From the handler of a request, at most once. (An answer that is not ready then is a request to gas_token_source,
 * later and outside of handlers.) */
void gas_reply_short(gas_token token, int handler, const uint64_t *args, int nargs);
void gas_reply_medium(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
void gas_reply_long(gas_token token, int handler, fathom_ptr dst, const void *payload, size_t n, const uint64_t *args,
                    int nargs);
/* The thread that sent the message. */
int gas_token_source(gas_token token);
/* Delivers the messages that have arrived. Many calls in turn that find none give the processor away now and then; a loop that
 * waits for long had better use gas_wait_hint. */
void gas_poll(void);

/* ---- data: blocking ---------------------------------------------------------------------------------------------- */

/* Complete at the target when they return.
 *
 * Where source and target are near, a put, get or copy of 1, 2, 4, 8 or 16 bytes is one store, for all forms of the
 * call (with a handle, with a signal, as the payload of a long message) and all tuning tables. Aligned objects of up to
 * 8 bytes are never seen half written, and no write of another thread is undone: a consumer may reset a flag as soon as
 * it has seen it. Other sizes, and gas_fill, may write a byte more than once. */
static inline void gas_put(fathom_ptr dst, const void *src, size_t n) { fathom_memput(dst, src, n); }
static inline void gas_get(void *dst, fathom_ptr src, size_t n) { fathom_memget(dst, src, n); }
static inline void gas_copy(fathom_ptr dst, fathom_ptr src, size_t n) { fathom_memcpy(dst, src, n); }
static inline void gas_fill(fathom_ptr dst, int c, size_t n) { fathom_memset(dst, c, n); }
/* By value: the low n bytes, n = 1, 2, 4 or 8, in one access. */
void gas_no_such_size(size_t n) __attribute__((noreturn, cold)); /* ends the job */
static inline void gas_put_value(fathom_ptr dst, uint64_t value, size_t n) {
    switch (n) { /* each size known to the compiler */
    case 1: fathom_memput(dst, &value, 1); break;
    case 2: fathom_memput(dst, &value, 2); break;
    case 4: fathom_memput(dst, &value, 4); break;
    case 8: fathom_memput(dst, &value, 8); break;
    default: gas_no_such_size(n);
    }
}
static inline uint64_t gas_get_value(fathom_ptr src, size_t n) {
    uint64_t value = 0;
    switch (n) {
    case 1: fathom_memget(&value, src, 1); break;
    case 2: fathom_memget(&value, src, 2); break;
    case 4: fathom_memget(&value, src, 4); break;
    case 8: fathom_memget(&value, src, 8); break;
    default: gas_no_such_size(n);
    }
    return value;
}

/* ---- data: explicit handles -------------------------------------------------------------------------------------- */

/* A transfer under way; GAS_DONE if it is complete. Until it is synchronised, the source of a put may not change and
 * the destination of a get has no value. Every handle must be synchronised, by the thread that got it. */
typedef struct fathom_transfer *gas_handle;
#define GAS_DONE ((gas_handle)0)

gas_handle gas_put_nb(fathom_ptr dst, const void *src, size_t n);
/* The same with a handle for the source alone: src may change when it is complete, and the data may still be on their
 * way. Both must be synchronised. */
gas_handle gas_put_source_nb(fathom_ptr dst, const void *src, size_t n, gas_handle *source);
gas_handle gas_get_nb(void *dst, fathom_ptr src, size_t n);
gas_handle gas_copy_nb(fathom_ptr dst, fathom_ptr src, size_t n);
gas_handle gas_fill_nb(fathom_ptr dst, int c, size_t n);
gas_handle gas_put_value_nb(fathom_ptr dst, uint64_t value, size_t n);

/* Tests return 1 if complete, and the handles concerned become GAS_DONE. gas_test_some and gas_wait_some return the
 * number of the n handles that are newly complete; gas_wait_some returns 0 only if all are GAS_DONE on entry. */
int gas_test(gas_handle *h);
void gas_wait(gas_handle *h);
int gas_test_all(gas_handle *h, size_t n);
void gas_wait_all(gas_handle *h, size_t n);
size_t gas_test_some(gas_handle *h, size_t n);
size_t gas_wait_some(gas_handle *h, size_t n);
/* Can this handle be synchronised here? Otherwise the calls above end the job. */
int gas_is_handle(gas_handle h);

/* ---- data: implicit handles -------------------------------------------------------------------------------------- */

void gas_put_nbi(fathom_ptr dst, const void *src, size_t n);
void gas_get_nbi(void *dst, fathom_ptr src, size_t n);
void gas_copy_nbi(fathom_ptr dst, fathom_ptr src, size_t n);
void gas_fill_nbi(fathom_ptr dst, int c, size_t n);
void gas_put_value_nbi(fathom_ptr dst, uint64_t value, size_t n);
/* Complete all implicit puts (copies and fills among them), gets, or both, begun outside of access regions. */
void gas_sync_puts(void);
void gas_sync_gets(void);
void gas_sync(void);
/* Orders them without completing them: what has been put is visible at each thread before what is put there, or
 * changed by an atomic or a signal, afterwards. Operations with handles, apart from those of an open region, are not
 * meant. */
void gas_order_puts(void);
int gas_test_puts(void);
int gas_test_gets(void);
int gas_test_implicit(void);
/* An access region gathers the implicit operations begun inside it under one explicit handle. Regions do not nest. */
void gas_region_begin(void);
gas_handle gas_region_end(void);

/* ---- data: signalling put ---------------------------------------------------------------------------------------- */

/* Puts, then adds `add` to the 64-bit counter at `counter`, which lies on the thread of dst: a thread that sees the new
 * counter sees the data. Returns when src may change. For data with a handler see gas_request_long. */
void gas_put_signal(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add);
gas_handle gas_put_signal_nb(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add);
/* Waits until the counter, on this thread, is at least `at_least` (modulo 2^64). */
void gas_wait_counter(fathom_ptr counter, uint64_t at_least);
/* The same, but writes `value` to the word instead of adding to it. */
void gas_put_signal_set(fathom_ptr dst, const void *src, size_t n, fathom_ptr word, uint64_t value);
gas_handle gas_put_signal_set_nb(fathom_ptr dst, const void *src, size_t n, fathom_ptr word, uint64_t value);

/* ---- data: strided and indexed ----------------------------------------------------------------------------------- */

/* Elements of elem_bytes, count[0] x ... x count[dims - 1] of them; element (i0, i1, ...) is i0 * stride[0] + i1 *
 * stride[1] + ... bytes from the start, on either side. Strides may be negative or 0 (on the source). No element of the
 * destination may overlap another. All remote elements are on the start's thread. */
void gas_put_strided(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src, const ptrdiff_t *src_stride,
                     size_t elem_bytes, const size_t *count, int dims);
void gas_get_strided(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src, const ptrdiff_t *src_stride,
                     size_t elem_bytes, const size_t *count, int dims);
gas_handle gas_put_strided_nb(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src, const ptrdiff_t *src_stride,
                              size_t elem_bytes, const size_t *count, int dims);
gas_handle gas_get_strided_nb(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src, const ptrdiff_t *src_stride,
                              size_t elem_bytes, const size_t *count, int dims);

/* n elements of elem_bytes each, with a pointer for each on either side; the remote ones may be on any threads. */
void gas_put_indexed(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n);
void gas_get_indexed(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n);
gas_handle gas_put_indexed_nb(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n);
gas_handle gas_get_indexed_nb(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n);

/* Lists of regions of any lengths: the bytes of one list go to the bytes of the other in order; both have the same
 * number of bytes. */
struct gas_region {
    void *at;
    size_t bytes;
};
struct gas_remote_region {
    fathom_ptr at;
    size_t bytes;
};
void gas_put_list(const struct gas_remote_region *dst, size_t ndst, const struct gas_region *src, size_t nsrc);
void gas_get_list(const struct gas_region *dst, size_t ndst, const struct gas_remote_region *src, size_t nsrc);
gas_handle gas_put_list_nb(const struct gas_remote_region *dst, size_t ndst, const struct gas_region *src, size_t nsrc);
gas_handle gas_get_list_nb(const struct gas_region *dst, size_t ndst, const struct gas_remote_region *src, size_t nsrc);

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

enum gas_atomic_type {
    GAS_I32,
    GAS_U32,
    GAS_I64,
    GAS_U64,
    GAS_F32,
    GAS_F64,
    GAS_PTS /* fathom_ptr */,
    /* for reductions and scans only: */
    GAS_I8,
    GAS_U8,
    GAS_I16,
    GAS_U16
};
enum gas_atomic_op {
    GAS_GET,
    GAS_SET,
    GAS_ADD,
    GAS_SUB,
    GAS_MULT,
    GAS_INC,
    GAS_DEC,
    GAS_AND,
    GAS_OR,
    GAS_XOR,
    GAS_NOT,
    GAS_MIN,
    GAS_MAX,
    GAS_SWAP /* = SET that fetches */,
    GAS_CSWAP
};
/* Applies `op` to the object at `target`; writes its former value to *fetch unless fetch is null. Operands point to
 * objects of the type, or are null if the operator takes none; for GAS_CSWAP op1 is the expected value and op2 the new
 * one. Relaxed: orders nothing else. Complete when it returns. */
static inline void gas_atomic(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op,
                              const void *op1, const void *op2);
/* gas_atomic as a call: any operation and type, near or far. */
void gas_atomic_call(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                     const void *op2);
/* Ends the job, with a message. */
void gas_atomic_no_operand(enum gas_atomic_op op) __attribute__((noreturn, cold));
static inline int gas_atomic_has_operand(enum gas_atomic_op op) {
    return op != GAS_GET && op != GAS_INC && op != GAS_DEC && op != GAS_NOT;
}
/* Performs an operation on a near integer by one instruction of the processor: gas_atomic_32, gas_atomic_64. 0 if it
 * takes more than one. If the operation is a constant, only that instruction remains. */
#define GAS_ATOMIC(BITS)                                                                                               \
    static inline int gas_atomic_##BITS(void *fetch, uint##BITS##_t *at, enum gas_atomic_op op, const void *op1,       \
                                        const void *op2) {                                                             \
        uint##BITS##_t a = 0, b, old;                                                                                  \
        if (op1)                                                                                                       \
            __builtin_memcpy(&a, op1, sizeof a);                                                                       \
        else if (gas_atomic_has_operand(op))                                                                           \
            gas_atomic_no_operand(op);                                                                                 \
        switch (op) {                                                                                                  \
        case GAS_GET: old = __atomic_load_n(at, __ATOMIC_RELAXED); break;                                              \
        case GAS_SET:                                                                                                  \
            if (!fetch) {                                                                                              \
                __atomic_store_n(at, a, __ATOMIC_RELAXED);                                                             \
                return 1;                                                                                              \
            } /* falls through */                                                                                      \
        case GAS_SWAP: old = __atomic_exchange_n(at, a, __ATOMIC_RELAXED); break;                                      \
        case GAS_ADD: old = __atomic_fetch_add(at, a, __ATOMIC_RELAXED); break;                                        \
        case GAS_SUB: old = __atomic_fetch_sub(at, a, __ATOMIC_RELAXED); break;                                        \
        case GAS_INC: old = __atomic_fetch_add(at, 1, __ATOMIC_RELAXED); break;                                        \
        case GAS_DEC: old = __atomic_fetch_sub(at, 1, __ATOMIC_RELAXED); break;                                        \
        case GAS_AND: old = __atomic_fetch_and(at, a, __ATOMIC_RELAXED); break;                                        \
        case GAS_OR: old = __atomic_fetch_or(at, a, __ATOMIC_RELAXED); break;                                          \
        case GAS_XOR: old = __atomic_fetch_xor(at, a, __ATOMIC_RELAXED); break;                                        \
        case GAS_NOT: old = __atomic_fetch_xor(at, (uint##BITS##_t) - 1, __ATOMIC_RELAXED); break;                     \
        case GAS_CSWAP:                                                                                                \
            if (!op2) gas_atomic_no_operand(op);                                                                       \
            __builtin_memcpy(&b, op2, sizeof b);                                                                       \
            old = a;                                                                                                   \
            __atomic_compare_exchange_n(at, &old, b, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                           \
            break;                                                                                                     \
        default: return 0;                                                                                             \
        }                                                                                                              \
        if (fetch) __builtin_memcpy(fetch, &old, sizeof old);                                                          \
        return 1;                                                                                                      \
    }
GAS_ATOMIC(32)
GAS_ATOMIC(64)
#undef GAS_ATOMIC
static inline void gas_atomic(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op,
                              const void *op1, const void *op2) {
    if (__builtin_constant_p(type) && __builtin_constant_p(op) && fathom_is_near(target)) {
        if ((type == GAS_I64 || type == GAS_U64) &&
            gas_atomic_64(fetch, (uint64_t *)fathom_local(target), op, op1, op2))
            return;
        if ((type == GAS_I32 || type == GAS_U32) &&
            gas_atomic_32(fetch, (uint32_t *)fathom_local(target), op, op1, op2))
            return;
    }
    gas_atomic_call(fetch, target, type, op, op1, op2);
}
/* Operands may change when it returns; *fetch has its value when the handle is synchronised. */
gas_handle gas_atomic_nb(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op,
                         const void *op1, const void *op2);

/* A domain: objects that are changed only through the domain while it is used, so that the network's own atomics can be
 * used. Collective. `ops` has the bit 1 << op for every operation that will be used. */
typedef struct GAS_OPAQUE(gas_domain) *gas_domain;
gas_domain gas_domain_create(enum gas_atomic_type type, unsigned ops);
void gas_domain_free(gas_domain d);
void gas_domain_atomic(gas_domain d, void *fetch, fathom_ptr target, enum gas_atomic_op op, const void *op1,
                       const void *op2);
gas_handle gas_domain_atomic_nb(gas_domain d, void *fetch, fathom_ptr target, enum gas_atomic_op op, const void *op1,
                                const void *op2);

/* ---- synchronisation --------------------------------------------------------------------------------------------- */

/* A barrier of the runtime (without a value; it never matches a barrier of the program); orders all accesses. */
void gas_barrier(void);
/* The two halves of a barrier; no other collective call may be between them. gas_barrier_try returns whether it is
 * complete; then gas_barrier_wait is not called. */
void gas_barrier_notify(void);
int gas_barrier_try(void);
void gas_barrier_wait(void);
/* Let waiting threads of an oversubscribed computer run, and serve messages. Call it in every loop that waits for another
 * thread: `round` counts the iterations; the first few spin, later ones yield, then sleep, until a message arrives or
 * gas_wake is called, a millisecond at most. Not inside a handler. */
void gas_wait_hint(unsigned *round);
/* Wakes `thread` if it sleeps in gas_wait_hint: for a caller that has just changed what that thread may be waiting for by a
 * store or a put. Without it the change is noticed within a millisecond. Costs little if no thread sleeps. */
void gas_wake(int thread);
/* Waits until the 32-bit word at `flag` (in a segment of this node) is no longer `old`; spins briefly, then sleeps. A
 * thread that changes it calls gas_flag_wake, which wakes the threads near the flag; no system call if none sleeps. */
void gas_flag_wait(fathom_ptr flag, uint32_t old);
void gas_flag_wake(fathom_ptr flag);

/* ---- waiting for values (gas/until.c) ----------------------------------------------------------------------------- */

enum gas_comparison { GAS_EQ, GAS_NE, GAS_LT, GAS_LE, GAS_GT, GAS_GE };
/* The object at `at`, aligned, in near memory, compared with *value; both have `type`, one that atomics have. 0 for `at`:
 * no condition, which the calls for many leave out. */
struct gas_condition {
    fathom_ptr at;
    const void *value;
    enum gas_atomic_type type;
    enum gas_comparison comparison;
};
/* Does it hold now? Reads once, does not poll. What the thread that changed the object had written before by a signal or
 * before a fence is visible if it does. */
int gas_holds(const struct gas_condition *c);
/* Waits until it holds; serves messages; sleeps after a while. Changes by signals wake it at once, others are noticed
 * within a millisecond. */
void gas_wait_until(const struct gas_condition *c);
/* Of n conditions: those that are found to hold get 0 for `at`, as handles become GAS_DONE. gas_…_all: do all hold, each
 * at some moment since the first call? gas_…_some: the number that newly hold, and their places in `which` unless that
 * is null; 0 from gas_wait_until_some only if there was no condition. gas_…_any: the place of one that holds, or n. */
int gas_test_until_all(struct gas_condition *c, size_t n);
void gas_wait_until_all(struct gas_condition *c, size_t n);
size_t gas_test_until_some(struct gas_condition *c, size_t n, size_t *which);
size_t gas_wait_until_some(struct gas_condition *c, size_t n, size_t *which);
size_t gas_test_until_any(struct gas_condition *c, size_t n);
size_t gas_wait_until_any(struct gas_condition *c, size_t n);

/* ---- teams ------------------------------------------------------------------------------------------------------- */

/* An ordered set of threads. Collective calls on a team are made by all its members, in the same order. */
typedef struct GAS_OPAQUE(gas_team) *gas_team;
gas_team gas_world(void);
/* Divides a team: members that give the same colour form a new team, ordered by key, then by rank in the parent. A
 * member with a negative colour joins no team and gets null. */
gas_team gas_team_split(gas_team parent, int colour, int key);
void gas_team_free(gas_team team); /* collective */
int gas_team_rank(gas_team team);
int gas_team_size(gas_team team);
int gas_team_thread(gas_team team, int rank);
/* The team of the members of `parent` that have these n different ranks, in this order. Collective on the parent: all give
 * the same list; the members that are not in it get null. */
gas_team gas_team_create(gas_team parent, const int *ranks, int n);
/* The rank of a thread in a team, or -1; and of the member of `from` that has `rank` there. */
int gas_team_rank_of(gas_team team, int thread);
int gas_team_translate(gas_team from, int rank, gas_team to);
/* n bytes in the segment of each member; at[r] is rank r's address, on all members. Collective on the team. Each member
 * frees its own. Returns 0, with nothing allocated, if a member has no room. */
int gas_team_alloc(gas_team team, size_t n, fathom_ptr *at);

/* ---- collectives ------------------------------------------------------------------------------------------------- */

/* When data may be accessed, as with UPC's flags (UPC 1.3, 7.3.3.1): one of each three; 0 means MYSYNC. Buffers are
 * this thread's own memory, inside its segment or not; n is bytes per member; dst and src may be the same, but not
 * overlap otherwise. GAS_SYMMETRIC is a promise of all members, so that they need not exchange the addresses of their
 * buffers: dst and src differ, and are in the members' segments at the same offset on all. Members other than the root
 * pass the root's buffer as source of a broadcast or scatter, and as destination of a gather (its address here; null if
 * it is not near). Reductions and scans ignore the flag. */
enum gas_sync {
    GAS_IN_NOSYNC = 1,
    GAS_IN_MYSYNC = 2,
    GAS_IN_ALLSYNC = 4,
    GAS_OUT_NOSYNC = 8,
    GAS_OUT_MYSYNC = 16,
    GAS_OUT_ALLSYNC = 32,
    GAS_SYMMETRIC = 64
};
void gas_team_barrier(gas_team team);
void gas_broadcast(gas_team team, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_scatter(gas_team team, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_gather(gas_team team, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_gather_all(gas_team team, void *dst, const void *src, size_t n, unsigned sync);
void gas_exchange(gas_team team, void *dst, const void *src, size_t n, unsigned sync);
/* Element by element, `count` of them; op is one of GAS_ADD, GAS_MULT, GAS_AND, GAS_OR, GAS_XOR, GAS_MIN, GAS_MAX. The
 * result is the same on every thread and in every run with as many threads, also for floating-point values. */
void gas_reduce(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                enum gas_atomic_op op, int root, unsigned sync);
void gas_all_reduce(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                    enum gas_atomic_op op, unsigned sync);
/* Member r gets the combination of members 0 to r; with `exclusive`, that of 0 to r - 1, and member 0's dst is not
 * changed. */
void gas_scan(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type, enum gas_atomic_op op,
              int exclusive, unsigned sync);

/* By a function of the program, on elements of `elem_bytes`, a power of two up to 64: dst[i] = a[i] o b[i] for `count`
 * elements, where o is associative, and need not be commutative: a's come from lower ranks. dst may be a or b. The
 * function communicates with nobody. */
typedef void gas_combiner(void *dst, const void *a, const void *b, size_t count, void *context);
void gas_reduce_with(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes, gas_combiner *combine,
                     void *context, int root, unsigned sync);
void gas_all_reduce_with(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                         gas_combiner *combine, void *context, unsigned sync);
void gas_scan_with(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes, gas_combiner *combine,
                   void *context, int exclusive, unsigned sync);
/* Combines size * count elements; member r gets those from r * count on, as gas_reduce would compute them. */
void gas_reduce_scatter(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                        enum gas_atomic_op op);
void gas_reduce_scatter_with(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                             gas_combiner *combine, void *context);
/* The same with shares of different sizes: member r gets counts[r] elements, those behind the shares of the members before
 * it. All give the same counts. */
void gas_reduce_scatter_pieces(gas_team team, void *dst, const void *src, const size_t *counts,
                               enum gas_atomic_type type, enum gas_atomic_op op);
void gas_reduce_scatter_pieces_with(gas_team team, void *dst, const void *src, const size_t *counts, size_t elem_bytes,
                                    gas_combiner *combine, void *context);

/* Begun only: the handle is complete when this thread's result is there and its buffers may change. All members begin the
 * collectives of a team in the same order; any number may be under way, on any teams, and others that block may be called
 * meanwhile. They go on in every call that communicates, polls or waits; a function that combines may run in any such call.
 * MYSYNC; buffers as above, results bit by bit those of the calls that block. */
gas_handle gas_team_barrier_nb(gas_team team);
gas_handle gas_broadcast_nb(gas_team team, void *dst, const void *src, size_t n, int root);
gas_handle gas_scatter_nb(gas_team team, void *dst, const void *src, size_t n, int root);
gas_handle gas_gather_nb(gas_team team, void *dst, const void *src, size_t n, int root);
gas_handle gas_gather_all_nb(gas_team team, void *dst, const void *src, size_t n);
gas_handle gas_exchange_nb(gas_team team, void *dst, const void *src, size_t n);
gas_handle gas_reduce_nb(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                         enum gas_atomic_op op, int root);
gas_handle gas_all_reduce_nb(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                             enum gas_atomic_op op);
gas_handle gas_reduce_with_nb(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                              gas_combiner *combine, void *context, int root);
gas_handle gas_all_reduce_with_nb(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                                  gas_combiner *combine, void *context);
gas_handle gas_scan_nb(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                       enum gas_atomic_op op, int exclusive);
gas_handle gas_scan_with_nb(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                            gas_combiner *combine, void *context, int exclusive);
gas_handle gas_reduce_scatter_nb(gas_team team, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                                 enum gas_atomic_op op);
gas_handle gas_reduce_scatter_with_nb(gas_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                                      gas_combiner *combine, void *context);
/* `counts` may change when the call returns. */
gas_handle gas_reduce_scatter_pieces_nb(gas_team team, void *dst, const void *src, const size_t *counts,
                                        enum gas_atomic_type type, enum gas_atomic_op op);
gas_handle gas_reduce_scatter_pieces_with_nb(gas_team team, void *dst, const void *src, const size_t *counts,
                                             size_t elem_bytes, gas_combiner *combine, void *context);

/* Pieces of different sizes (gas/collective_pieces.c): at[r] and bytes[r] are the offset in a buffer and the size of the piece
 * from or for rank r; a piece has the same size on both sides. Buffers do not overlap. A buffer that is not in this
 * thread's segment is copied there first. */
void gas_scatter_pieces(gas_team team, void *dst, size_t n, const void *src, const size_t *at, const size_t *bytes,
                        int root);
void gas_gather_pieces(gas_team team, void *dst, const size_t *at, const size_t *bytes, const void *src, size_t n,
                       int root);
void gas_gather_all_pieces(gas_team team, void *dst, const size_t *at, const size_t *bytes, const void *src, size_t n);
void gas_exchange_pieces(gas_team team, void *dst, const size_t *dst_at, const size_t *dst_bytes, const void *src,
                         const size_t *src_at, const size_t *src_bytes);
/* Begun only, as above. Offsets and sizes may change when the call returns. */
gas_handle gas_scatter_pieces_nb(gas_team team, void *dst, size_t n, const void *src, const size_t *at,
                                 const size_t *bytes, int root);
gas_handle gas_gather_pieces_nb(gas_team team, void *dst, const size_t *at, const size_t *bytes, const void *src,
                                size_t n, int root);
gas_handle gas_gather_all_pieces_nb(gas_team team, void *dst, const size_t *at, const size_t *bytes, const void *src,
                                    size_t n);
gas_handle gas_exchange_pieces_nb(gas_team team, void *dst, const size_t *dst_at, const size_t *dst_bytes,
                                  const void *src, const size_t *src_at, const size_t *src_bytes);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Bytes in the segment of the calling thread, 64-byte aligned (page aligned from 1 MiB on); 0 if there is no room. Any
 * thread may free them with gas_free. */
fathom_ptr gas_alloc(size_t n);
/* `n` bytes at the same offset in every thread's segment; the result names thread 0's. Collective / called by one thread. */
fathom_ptr gas_all_alloc(size_t n);
fathom_ptr gas_global_alloc(size_t n);
void gas_free(fathom_ptr p);
/* As gas_alloc: at a multiple of `align`, a power of two up to 2 MiB; filled with zeros. */
fathom_ptr gas_alloc_aligned(size_t n, size_t align);
fathom_ptr gas_all_alloc_aligned(size_t n, size_t align); /* as gas_all_alloc */
fathom_ptr gas_alloc_zeroed(size_t n);
/* Makes an allocation of this thread's segment that calls for one thread gave (gas_alloc and its kin) larger or smaller; it may move, and
 * loses an alignment above 64. 0, and nothing is changed, if there is no room; p = 0 allocates, n = 0 frees. */
fathom_ptr gas_realloc(fathom_ptr p, size_t n);
/* The bytes that were asked for at the start of an allocation in near memory. */
size_t gas_alloc_bytes(fathom_ptr p);

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* A FIFO lock in the first 48 of 64 bytes at `lock` (the rest is the owner's), zero-initialised: fair, and waiters
 * sleep if there are few cores. Orders all accesses. Taking it twice, or releasing another thread's lock, is fatal. */
void gas_lock(fathom_ptr lock);
int gas_trylock(fathom_ptr lock); /* 1: taken */
void gas_unlock(fathom_ptr lock);

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* Starts the job for a program without UPC; see fathom.h. Returns in every thread. */
void gas_start(int *argc, char ***argv);
/* Which POSIX threads of a process may call; docs/c-api.md says what that means. gas_start asks for the first. */
enum gas_thread_level {
    GAS_THREAD_SINGLE,     /* the process has one that calls */
    GAS_THREAD_FUNNELED,   /* only the one that starts the job */
    GAS_THREAD_SERIALIZED, /* any, never two at the same time */
    GAS_THREAD_MULTIPLE    /* any, at any time */
};
/* As gas_start; returns the level that the process gets: `required` or less, or what it has already, if that is more. */
enum gas_thread_level gas_start_threads(int *argc, char ***argv, enum gas_thread_level required);
enum gas_thread_level gas_thread_level(void);
/* Ends the job at once with `status`, after flushing this thread's files. */
void gas_exit(int status) __attribute__((noreturn));
/* Reports `fathom: thread T: message` (with the source line of the caller in generated code where it can be found),
 * once for the job, and ends the job with a non-zero status. */
void gas_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif

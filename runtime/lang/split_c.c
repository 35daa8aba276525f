/* The library of Split-C over gas.h (docs/split-c.md). Its names in programs are those of <split-c/split-c.h>, which
 * declares them with the symbols below: a program's own `sync` or `barrier` is another function.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __SPLIT_C__ 1
#include "gas/gas_internal.h"
#include "lang/split_c_start.h"

static int run_handler, ask_handler, answer_handler;
static uint64_t awaited; /* bytes of stores that store_sync has waited for, in this epoch */

/* Functions on other processors (below). */
static void run_function(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes);
static void ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes);
static void answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes);
static void ask_for_functions(void);
static void wait_for_functions(void);
static int unanswered;

void fathom_split_prepare(void) {
    run_handler = gas_register(run_function);
    ask_handler = gas_register(ask);
    answer_handler = gas_register(answer);
}

/* ---- pointers ---------------------------------------------------------------------------------------------------- */

fathom_ptr fathom_split_outside(const volatile void *p) {
    if (!p) return 0;
    core_fatal(
        "the object at %p is not in the memory that other processors reach: a library has made it; global pointers "
        "can lead to variables, constants, the stack of splitc_main and what malloc returns",
        (void *)(uintptr_t)p);
}
int fathom_split_toproc(fathom_ptr p) { return p ? (int)fathom_thread_of(p) : -1; }

/* ---- gets, puts, stores ------------------------------------------------------------------------------------------ */

void fathom_split_far_get(void *dst, fathom_ptr src, unsigned long n) { gas_get_nbi(dst, src, n); }

/* Nobody may look at what is put before sync, so it need not arrive in one piece, as a relaxed write of UPC must: the
 * conduit's one-sided operations serve, of which any number is under way, rather than a message for each word. The
 * values wait here until they have left. */
static CONDUIT_LARGE _Alignas(16) char values[65536];
static size_t values_used;

void fathom_split_far_put(fathom_ptr dst, const void *src, unsigned long n) {
    if (n > sizeof values) {
        gas_put(dst, src, n);
        return;
    }
    if (n > sizeof values - values_used) {
        gas_sync_puts();
        values_used = 0;
    }
    char *value = memcpy(values + values_used, src, n);
    values_used += (n + 15) & ~15ul;
    gas_put_nbi(dst, value, n);
}
void fathom_split_far_store(fathom_ptr dst, const void *src, unsigned long n) {
    gas_put_signal(dst, src, n, fathom_split_counter(fathom_thread_of(dst)), n);
}

void fathom_split_sync(void) {
    gas_sync();
    values_used = 0;
    wait_for_functions();
    fathom_settle();
}
int fathom_split_is_sync(void) {
    ask_for_functions();
    if (!gas_test_implicit() || unanswered) return 0;
    values_used = 0;
    fathom_settle();
    return 1;
}

/* Who comes out of the barrier stores under the next number; nobody who has not come that far uses it, and what arrives
 * under the old number has arrived, for each processor has completed its own stores before the barrier. */
void fathom_split_all_store_sync(void) {
    fathom_split_sync();
    gas_barrier();
    *(uint64_t *)fathom_local(fathom_split_counter(fathom_mythread)) = 0;
    awaited = 0;
    fathom_split_epoch++;
}
void fathom_split_store_sync(long bytes) {
    if (bytes <= 0) return;
    awaited += (uint64_t)bytes;
    gas_wait_counter(fathom_split_counter(fathom_mythread), awaited);
}
void fathom_split_reset_store_sync(void) {
    awaited = __atomic_load_n((uint64_t *)fathom_local(fathom_split_counter(fathom_mythread)), __ATOMIC_ACQUIRE);
}
void fathom_split_barrier(void) {
    wait_for_functions();
    fathom_settle();
    gas_barrier();
}

void fathom_split_bulk_read(void *dst, fathom_ptr src, size_t n) { gas_get(dst, src, n); }
void fathom_split_bulk_write(fathom_ptr dst, const void *src, size_t n) { gas_put(dst, src, n); }
void fathom_split_bulk_get(void *dst, fathom_ptr src, size_t n) { gas_get_nbi(dst, src, n); }
void fathom_split_bulk_put(fathom_ptr dst, const void *src, size_t n) { gas_put_nbi(dst, src, n); }
void fathom_split_bulk_store(fathom_ptr dst, const void *src, size_t n) { fathom_split_store(dst, src, n); }
void fathom_split_byte_write(fathom_ptr dst, int value) {
    unsigned char byte = (unsigned char)value;
    gas_put(dst, &byte, 1);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static size_t share(long blocks, size_t bytes) {
    size_t here = blocks > 0 ? ((size_t)blocks + (size_t)FATHOM_T - 1) / (size_t)FATHOM_T : 1, all;
    return __builtin_mul_overflow(here, bytes, &all) || all > FATHOM_STEP ? FATHOM_STEP : all;
}
fathom_ptr fathom_split_all_spread_malloc(long blocks, size_t bytes) { return gas_all_alloc(share(blocks, bytes)); }
fathom_ptr fathom_split_spread_malloc(long blocks, size_t bytes) { return gas_global_alloc(share(blocks, bytes)); }
void fathom_split_all_spread_free(fathom_ptr p) {
    fathom_split_barrier();
    if (fathom_mythread == 0) gas_free(p);
}
void fathom_split_spread_free(fathom_ptr p) { gas_free(p); }

/* ---- collectives ------------------------------------------------------------------------------------------------- */

enum { SYNC = GAS_IN_MYSYNC | GAS_OUT_MYSYNC };

#define COLLECTIVES(NAME, T, TYPE, OP)                                                                                 \
    T fathom_split_all_##NAME(T value) {                                                                               \
        T result;                                                                                                      \
        gas_all_reduce(gas_world(), &result, &value, 1, TYPE, OP, SYNC);                                               \
        return result;                                                                                                 \
    }                                                                                                                  \
    T fathom_split_one_##NAME(T value) {                                                                               \
        T result = 0;                                                                                                  \
        gas_reduce(gas_world(), &result, &value, 1, TYPE, OP, 0, SYNC);                                                \
        return result;                                                                                                 \
    }                                                                                                                  \
    T fathom_split_scan_##NAME(T value) {                                                                              \
        T result;                                                                                                      \
        gas_scan(gas_world(), &result, &value, 1, TYPE, OP, 0, SYNC);                                                  \
        return result;                                                                                                 \
    }
COLLECTIVES(add, int, GAS_I32, GAS_ADD)
COLLECTIVES(max, int, GAS_I32, GAS_MAX)
COLLECTIVES(min, int, GAS_I32, GAS_MIN)
COLLECTIVES(mult, int, GAS_I32, GAS_MULT)
COLLECTIVES(and, int, GAS_I32, GAS_AND)
COLLECTIVES(or, int, GAS_I32, GAS_OR)
COLLECTIVES(xor, int, GAS_I32, GAS_XOR)
COLLECTIVES(dadd, double, GAS_F64, GAS_ADD)
COLLECTIVES(dmax, double, GAS_F64, GAS_MAX)
COLLECTIVES(dmin, double, GAS_F64, GAS_MIN)
COLLECTIVES(dmult, double, GAS_F64, GAS_MULT)

int fathom_split_bcast_i(int value) {
    gas_broadcast(gas_world(), &value, &value, sizeof value, 0, SYNC);
    return value;
}
double fathom_split_bcast_d(double value) {
    gas_broadcast(gas_world(), &value, &value, sizeof value, 0, SYNC);
    return value;
}

/* Weak: programs that were written for machines whose library lacked these define them. */
#define GATHER(NAME, T)                                                                                                \
    __attribute__((weak)) void fathom_split_gather_##NAME(T *values) {                                                 \
        T value = values[0];                                                                                           \
        gas_gather(gas_world(), values, &value, sizeof value, 0, SYNC);                                                \
    }                                                                                                                  \
    __attribute__((weak)) void fathom_split_concat_##NAME(T *values) {                                                 \
        T value = values[0];                                                                                           \
        gas_gather_all(gas_world(), values, &value, sizeof value, SYNC);                                               \
    }
GATHER(i, int)
GATHER(d, double)

/* ---- atomic operations (<split-c/atomic.h>) ---------------------------------------------------------------------- */

static int atomically(fathom_ptr p, enum gas_atomic_op op, int a, int b) {
    int before;
    fathom_settle();
    gas_atomic_call(&before, p, GAS_I32, op, &a, &b);
    return before;
}
int fathom_split_fetch_add(fathom_ptr p, int value) { return atomically(p, GAS_ADD, value, 0); }
int fathom_split_exchange(fathom_ptr p, int value) { return atomically(p, GAS_SWAP, value, 0); }
int fathom_split_test_and_set(fathom_ptr p) { return atomically(p, GAS_SWAP, 1, 0); }
int fathom_split_cmp_and_swap(fathom_ptr p, int expected, int value) {
    return atomically(p, GAS_CSWAP, expected, value);
}

/* ---- functions on other processors ------------------------------------------------------------------------------- */

/* Functions have the same place in the program everywhere, wherever the program lies. */
static char *origin(void) { return (char *)(uintptr_t)&fathom_split_prepare; }

static void run_function(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    void (*function)(void *, long, long, long, long) =
        (void (*)(void *, long, long, long, long))(uintptr_t)(origin() + args[0]);
    function(fathom_split_local(args[1]), (long)args[2], (long)args[3], (long)args[4], (long)args[5]);
}
/* The processors with functions that may not have run. A message that is sent after them arrives after them: its answer
 * says that they have. */
static bool *called;
static bool has_called;

static void ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_reply_short(token, answer_handler, NULL, 0);
}
static void answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    unanswered--;
}
static void ask_for_functions(void) {
    if (!has_called) return;
    has_called = false;
    for (int p = 0; p < fathom_threads; p++) {
        if (!called[p]) continue;
        called[p] = false;
        unanswered++;
        gas_request_short(p, ask_handler, NULL, 0);
    }
}
static void wait_for_functions(void) {
    ask_for_functions();
    for (unsigned round = 0; unanswered;) core_wait(&round);
}

/* Runs on the processor that p leads to, when it next serves messages. */
void fathom_split_atomic(void (*function)(void), fathom_ptr p, long a, long b, long c, long d) {
    const uint64_t args[] = {
        (uint64_t)((char *)(uintptr_t)function - origin()), p, (uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d};
    if (!p) core_fatal("atomic: the pointer is null");
    if (core_in_handler())
        core_fatal("atomic is called by a function that runs under atomic itself; that may use the memory of its own "
                   "processor, and make no call that communicates");
    int processor = (int)fathom_thread_of(p);
    if (!called && !(called = calloc((size_t)fathom_threads, sizeof *called))) core_fatal("atomic: out of memory");
    called[processor] = has_called = true;
    gas_request_short(processor, run_handler, args, 6);
}
void fathom_split_poll(void) { gas_poll(); }

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

double fathom_split_seconds(void) { return 1e-9 * (double)core_clock_ns(); }
int fathom_split_log(void) {
    int log = __builtin_ctz((unsigned)fathom_threads);
    return 1 << log == fathom_threads ? log : -1;
}
void fathom_split_exit(int status) { gas_exit(status); }

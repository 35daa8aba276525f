/* Semaphores: bupc_sem_t and bupc_memput_signal.
 *
 * A semaphore is a counter in the memory of the thread that allocated it, as gas_put_signal adds to: a post is a signal
 * without data, one message to a far thread, and no system call where nobody sleeps. A wait sleeps until the counter can
 * give what it asks for. Taking wakes nobody: a smaller value satisfies no one.
 *
 * A boolean semaphore counts to 1. Posting adds to it as to others; taking leaves 0, so that all posts until then are
 * one. Which kind it is stands in the lowest bit of the pointer (the counter is aligned to 64 bytes), so that nobody asks
 * a far thread for it.
 */
#include "bupc_extensions.h"
#include "gas/gas_internal.h"

#define BOOLEAN 1ul

static void check_exclusive(const char *what, int flags, int a, int b) {
    if ((flags & a) && (flags & b))
        gas_fatal("bupc_sem_alloc: flags 0x%x name both kinds of %s", (unsigned)flags, what);
}

fathom_ptr bupc_sem_alloc(int flags) {
    if (flags & ~63) gas_fatal("bupc_sem_alloc: unknown flags 0x%x", (unsigned)flags);
    check_exclusive("value", flags, BUPC_SEM_BOOLEAN, BUPC_SEM_INTEGER);
    check_exclusive("producer", flags, BUPC_SEM_SPRODUCER, BUPC_SEM_MPRODUCER);
    check_exclusive("consumer", flags, BUPC_SEM_SCONSUMER, BUPC_SEM_MCONSUMER);
    fathom_ptr s = gas_alloc(sizeof(uint64_t));
    if (!s) gas_fatal("bupc_sem_alloc: no shared memory left");
    *(uint64_t *)fathom_local(s) = 0;
    fathom_fence();
    return flags & BUPC_SEM_BOOLEAN ? s | BOOLEAN : s;
}

static fathom_ptr counter_of(fathom_ptr s) { return s & ~BOOLEAN; }
static bool is_boolean(fathom_ptr s) { return s & BOOLEAN; }

void bupc_sem_free(fathom_ptr s) {
    if (s) gas_free(counter_of(s));
}

static void check(const char *function, fathom_ptr s, size_t n) {
    if (!s) gas_fatal("%s: null semaphore", function);
    if (n > 1 && is_boolean(s)) gas_fatal("%s: a boolean semaphore counts to 1, not to %zu", function, n);
    if (n > BUPC_SEM_MAXVALUE) gas_fatal("%s: %zu is more than BUPC_SEM_MAXVALUE", function, n);
}

static void post(const char *function, fathom_ptr s, size_t n) {
    check(function, s, n);
    if (n == 0) return;
    fathom_fence();
    gas_put_signal_async(counter_of(s), "", 0, counter_of(s), n);
    fathom_fence();
}

/* Takes n if they are there. */
static bool take(fathom_ptr s, uint64_t n) {
    uint64_t v;
    gas_atomic(&v, counter_of(s), GAS_U64, GAS_GET, NULL, NULL);
    while (v >= n) {
        uint64_t next = is_boolean(s) && n ? 0 : v - n, former;
        gas_atomic(&former, counter_of(s), GAS_U64, GAS_CSWAP, &v, &next);
        if (former == v) return true;
        v = former;
    }
    return false;
}

static void wait_for(const char *function, fathom_ptr s, size_t n) {
    check(function, s, n);
    unsigned round = 0;
    fathom_fence();
    while (!take(s, n)) {
        if (fathom_is_near(counter_of(s)))
            gas_wait_posted(counter_of(s), n);
        else
            core_wait_unrung(&round);
    }
    fathom_fence();
}

static int try_for(const char *function, fathom_ptr s, size_t n) {
    check(function, s, n);
    fathom_fence();
    gas_poll();
    bool taken = take(s, n);
    fathom_fence();
    return taken;
}

void bupc_sem_post(fathom_ptr s) { post("bupc_sem_post", s, 1); }
void bupc_sem_postN(fathom_ptr s, size_t n) { post("bupc_sem_postN", s, n); }
void bupc_sem_wait(fathom_ptr s) { wait_for("bupc_sem_wait", s, 1); }
void bupc_sem_waitN(fathom_ptr s, size_t n) { wait_for("bupc_sem_waitN", s, n); }
int bupc_sem_try(fathom_ptr s) { return try_for("bupc_sem_try", s, 1); }
int bupc_sem_tryN(fathom_ptr s, size_t n) { return try_for("bupc_sem_tryN", s, n); }

static void put_and_post(const char *function, fathom_ptr dst, const void *src, size_t nbytes, fathom_ptr s, size_t n,
                         void put_signal(fathom_ptr, const void *, size_t, fathom_ptr, uint64_t)) {
    check(function, s, n);
    if (n == 0) {
        gas_put(dst, src, nbytes);
    } else if (fathom_thread_of(dst) == fathom_thread_of(s)) {
        put_signal(dst, src, nbytes, counter_of(s), n);
    } else {
        gas_put(dst, src, nbytes);
        post(function, s, n);
    }
}

void bupc_memput_signal(fathom_pptr dst, const void *src, size_t nbytes, fathom_ptr s, size_t n) {
    put_and_post("bupc_memput_signal", dst.addr, src, nbytes, s, n, gas_put_signal);
}

void bupc_memput_signal_async(fathom_pptr dst, const void *src, size_t nbytes, fathom_ptr s, size_t n) {
    put_and_post("bupc_memput_signal_async", dst.addr, src, nbytes, s, n, gas_put_signal_async);
}

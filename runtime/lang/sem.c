/* Semaphores: bupc_sem_t and bupc_memput_signal.
 *
 * One counter in the memory of the thread that allocated it. A post adds to it and wakes who sleeps on it; a wait sleeps
 * until the counter can give what it asks for. Taking wakes nobody: a smaller value satisfies no one.
 */
#include "bupc_extensions.h"
#include "gas.h"

struct semaphore {
    uint32_t value;
    uint32_t flags;
};

static void check_exclusive(const char *what, int flags, int a, int b) {
    if ((flags & a) && (flags & b)) gas_fatal("bupc_sem_alloc: flags 0x%x name both kinds of %s", (unsigned)flags, what);
}

fathom_ptr bupc_sem_alloc(int flags) {
    if (flags & ~63) gas_fatal("bupc_sem_alloc: unknown flags 0x%x", (unsigned)flags);
    check_exclusive("value", flags, BUPC_SEM_BOOLEAN, BUPC_SEM_INTEGER);
    check_exclusive("producer", flags, BUPC_SEM_SPRODUCER, BUPC_SEM_MPRODUCER);
    check_exclusive("consumer", flags, BUPC_SEM_SCONSUMER, BUPC_SEM_MCONSUMER);
    fathom_ptr s = gas_alloc(sizeof(struct semaphore));
    if (!s) gas_fatal("bupc_sem_alloc: no shared memory left");
    struct semaphore fresh = {0, (uint32_t)flags};
    gas_put(s, &fresh, sizeof fresh);
    fathom_fence();
    return s;
}

void bupc_sem_free(fathom_ptr s) {
    if (s) gas_free(s);
}

static uint32_t value_of(fathom_ptr s) {
    uint32_t v;
    gas_atomic(&v, s, GAS_U32, GAS_GET, NULL, NULL);
    return v;
}

static int is_boolean(fathom_ptr s) {
    uint32_t flags;
    gas_get(&flags, s + offsetof(struct semaphore, flags), sizeof flags);
    return (flags & BUPC_SEM_BOOLEAN) != 0;
}

static uint32_t checked_count(const char *function, fathom_ptr s, size_t n) {
    if (!s) gas_fatal("%s: null semaphore", function);
    if (n > 1 && is_boolean(s)) gas_fatal("%s: a boolean semaphore counts to 1, not to %zu", function, n);
    if (n > BUPC_SEM_MAXVALUE) gas_fatal("%s: %zu is more than BUPC_SEM_MAXVALUE", function, n);
    return (uint32_t)n;
}

static void post(const char *function, fathom_ptr s, size_t n) {
    uint32_t count = checked_count(function, s, n);
    if (count == 0) return;
    fathom_fence();
    if (is_boolean(s))
        gas_atomic(NULL, s, GAS_U32, GAS_SET, &count, NULL);
    else
        gas_atomic(NULL, s, GAS_U32, GAS_ADD, &count, NULL);
    gas_flag_wake(s);
    fathom_fence();
}

/* Takes n if they are there; else leaves in *seen the value that was too small. */
static int take(fathom_ptr s, uint32_t n, uint32_t *seen) {
    uint32_t v = value_of(s);
    while (v >= n) {
        uint32_t next = v - n, former;
        gas_atomic(&former, s, GAS_U32, GAS_CSWAP, &v, &next);
        if (former == v) return 1;
        v = former;
    }
    *seen = v;
    return 0;
}

static void wait_for(const char *function, fathom_ptr s, size_t n) {
    uint32_t count = checked_count(function, s, n), seen;
    int near = gas_is_local((int)fathom_thread_of(s));
    unsigned round = 0;
    fathom_fence();
    while (!take(s, count, &seen)) {
        if (near)
            gas_flag_wait(s, seen);
        else
            gas_wait_hint(&round);
    }
    fathom_fence();
}

static int try_for(const char *function, fathom_ptr s, size_t n) {
    uint32_t count = checked_count(function, s, n), seen;
    fathom_fence();
    gas_poll();
    int taken = take(s, count, &seen);
    fathom_fence();
    return taken;
}

void bupc_sem_post(fathom_ptr s) { post("bupc_sem_post", s, 1); }
void bupc_sem_postN(fathom_ptr s, size_t n) { post("bupc_sem_postN", s, n); }
void bupc_sem_wait(fathom_ptr s) { wait_for("bupc_sem_wait", s, 1); }
void bupc_sem_waitN(fathom_ptr s, size_t n) { wait_for("bupc_sem_waitN", s, n); }
int bupc_sem_try(fathom_ptr s) { return try_for("bupc_sem_try", s, 1); }
int bupc_sem_tryN(fathom_ptr s, size_t n) { return try_for("bupc_sem_tryN", s, n); }

void bupc_memput_signal(fathom_pptr dst, const void *src, size_t nbytes, fathom_ptr s, size_t n) {
    gas_put(dst.addr, src, nbytes);
    post("bupc_memput_signal", s, n);
}

void bupc_memput_signal_async(fathom_pptr dst, const void *src, size_t nbytes, fathom_ptr s, size_t n) {
    bupc_memput_signal(dst, src, nbytes, s, n);
}

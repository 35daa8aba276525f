/* A network whose puts arrive when somebody has asked about them three times, and whose atomic operations go another way: an atomic operation
 * of a domain must not overtake a relaxed put of the same thread to the same object (UPC 1.3, B.3.1: DependOnThreads), and neither
 * must a line (gas/lines.h) that is fetched for an object beside it.
 *
 * The network wraps the conduit, of whose messages it is made. Two threads at least, none near another. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/prctl.h>

#include "program.h"
#include "gas/gas_internal.h"
#include "gas/sync.h"
#include "gas/transfer.h"

struct conduit_op {
    fathom_ptr dst;
    const void *src;
    size_t n;
    int asked; /* so often; the third time it arrives. 0: free */
};
static struct conduit_op under_way[64];

/* Some puts go by message, and those of AT_ONCE bytes into the target's memory at once. */
enum { AT_ONCE = 16 };
static bool some_by_message;
static pid_t *pids;
static int *memories; /* files; 0: not open yet */
static bool is_better(bool is_put, bool alone, int thread, size_t n) {
    (void)is_put, (void)alone, (void)thread;
    return !some_by_message || n == AT_ONCE;
}
/* Through /proc and not by process_vm_writev, which emulators lack. */
static bool reaches(int thread, const void *src, fathom_ptr dst, size_t n) {
    if (!memories[thread]) {
        char name[40];
        snprintf(name, sizeof name, "/proc/%d/mem", (int)pids[thread]);
        memories[thread] = open(name, O_WRONLY | O_CLOEXEC);
    }
    return pwrite(memories[thread], src, n, (off_t)(FATHOM_BASE + fathom_offset_of(dst))) == (ssize_t)n;
}

static struct conduit_op *put_begin(uint64_t dst, const void *src, size_t n) {
    if (some_by_message && n == AT_ONCE && reaches((int)fathom_thread_of(dst), src, dst, n)) return NULL;
    struct conduit_op *op = under_way;
    while (op->asked) op++;
    *op = (struct conduit_op){dst, src, n, 1};
    return op;
}

static bool op_test(struct conduit_op *op) {
    struct gas_transfer t = {0};
    if (op->asked++ < 3) return false;
    op->asked = 0;
    gas_transfer_send(&t, op->dst, op->src, op->n);
    gas_transfer_wait(&t);
    return true;
}

static bool atomic_is_possible(int type, unsigned long ops) { return (void)ops, type == GAS_I64; }

/* As gas_atomic, but without asking what else is under way. */
static void atomic(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2) {
    if (some_by_message && op == GAS_SET && reaches((int)fathom_thread_of(target), op1, target, sizeof(int64_t)))
        return;
    if (fathom_is_near(target)) {
        gas_atomic(fetch, target, (enum gas_atomic_type)type, (enum gas_atomic_op)op, op1, op2);
        return;
    }
    struct gas_transfer t = {.answers = 1};
    uint64_t args[] = {(uintptr_t)&t, (uintptr_t)fetch, target, (uint64_t)type | (uint64_t)op << 8, 0, 0};
    if (op1) memcpy(&args[4], op1, sizeof(int64_t));
    if (op2) memcpy(&args[5], op2, sizeof(int64_t));
    core_request((int)fathom_thread_of(target), GAS_SYNC_ATOMIC, NULL, 0, args, 6);
    gas_transfer_wait(&t);
}

__attribute__((constructor)) static void make_network(void) {
    static const struct conduit_overrides overrides = {.put_begin = put_begin,
                                                       .is_better = is_better,
                                                       .op_test = op_test,
                                                       .atomic_is_possible = atomic_is_possible,
                                                       .atomic = atomic};
    static struct conduit late;
    late = *conduit_used;
    late.overrides = &overrides;
    conduit_used = &late;
}

int main(void) {
    gas_domain domain = gas_domain_create(GAS_I64, 1u << GAS_GET | 1u << GAS_ADD | 1u << GAS_SET);
    int to = (fathom_mythread + 1) % fathom_threads;
    fathom_ptr word = board_place(to, 2);
    int64_t value, old, one = 1;
    for (int i = 0; i < 200; i++) {
        value = 10 * i;
        fathom_far_put(word, &value, sizeof value);
        fathom_far_put(word + 8, &value, sizeof value); /* a neighbour may stay under way */
        gas_domain_atomic(domain, &old, word, GAS_ADD, &one, NULL);
        CHECK(old == value);
        value++;
        fathom_far_put(word, &value, sizeof value);
        gas_handle h = gas_domain_atomic_nb(domain, &old, word, GAS_ADD, &one, NULL);
        gas_wait(&h);
        CHECK(old == value);
        gas_domain_atomic(domain, &old, word, GAS_GET, NULL, NULL);
        CHECK(old == value + 1);
        fathom_far_put(word, &value, sizeof value);
        gas_domain_atomic(domain, NULL, word, GAS_SET, &one, NULL);
        fathom_far_get(&old, word, sizeof old); /* and the put does not come after it */
        CHECK(old == 1);
    }
    /* A line that is fetched while puts to other bytes of it are under way has those, too (FATHOM_COMM=lines). */
    for (int i = 0; i < 200; i++) {
        int64_t copy;
        value = 10 * i;
        fathom_fence();
        fathom_far_put(word + 8, &value, sizeof value);
        fathom_read(word, &copy, sizeof copy);
        CHECK(*(int64_t *)fathom_read(word + 8, &copy, sizeof copy) == value);
        value++;
        gas_handle h = gas_put_nb(word + 8, &value, sizeof value);
        fathom_read(word, &copy, sizeof copy);
        gas_wait(&h);
        CHECK(*(int64_t *)fathom_read(word + 8, &copy, sizeof copy) == value);
        value++;
        gas_put_nbi(word + 8, &value, sizeof value);
        fathom_read(word, &copy, sizeof copy);
        if (i % 3 == 0)
            gas_sync_puts();
        else if (i % 3 == 1)
            while (!gas_test_puts()) {}
        else
            gas_order_puts(), gas_sync(); /* then nothing is under way any more when the latter begins */
        CHECK(*(int64_t *)fathom_read(word + 8, &copy, sizeof copy) == value);
    }
    /* An update of what a put under way writes comes behind it, and so does an atomic operation (FATHOM_COMM=updates). */
    for (int i = 0; i < 200; i++) {
        int64_t many[20]; /* so many are not gathered in a buffer of 128 bytes */
        for (int k = 0; k < 20; k++) many[k] = 100 * i + k;
        for (int k = 0; k < 3; k++) fathom_far_update(word + 1024, FATHOM_UPDATE_U64, FATHOM_UPDATE_ADD, 1);
        fathom_far_put(word, many, sizeof many);
        if (i % 2)
            fathom_far_update(word + 16, FATHOM_UPDATE_U64, FATHOM_UPDATE_ADD, 1);
        else
            gas_atomic_update(word + 16, GAS_I64, GAS_ADD, &one, NULL);
        gas_poll();
        fathom_fence();
        fathom_far_get(&value, word + 16, sizeof value);
        CHECK(value == 100 * i + 2 + 1);
    }
    /* Puts that have been put in order are not overtaken by an atomic operation, also those of a region. */
    for (int i = 0; i < 200; i++) {
        gas_handle region = GAS_DONE;
        value = 10 * i;
        if (i % 2) gas_region_begin();
        gas_put_nbi(word + 2048, &value, sizeof value);
        gas_put_nbi(word + 2056, &value, sizeof value);
        gas_order_puts();
        gas_atomic(&old, word + 2056, GAS_I64, GAS_ADD, &one, NULL);
        CHECK(old == value);
        gas_atomic(&old, word + 2048, GAS_I64, GAS_ADD, &one, NULL);
        CHECK(old == value);
        if (i % 2) region = gas_region_end();
        gas_wait(&region);
        gas_sync_puts();
        fathom_far_get(&old, word + 2048, sizeof old);
        CHECK(old == value + 1);
    }
    /* Puts by message that have been put in order are not overtaken by one that lands at once, nor by a value, nor by an atomic. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    pids = calloc((size_t)fathom_threads, sizeof *pids);
    memories = calloc((size_t)fathom_threads, sizeof *memories);
    value = getpid();
    for (int t = 0; t < fathom_threads; t++) gas_put(board_place(t, 600 + fathom_mythread), &value, sizeof value);
    fathom_barrier(0, 0);
    for (int t = 0; t < fathom_threads; t++) pids[t] = (pid_t)*board_word(fathom_mythread, 600 + t);
    fathom_far_get(&value, word + 4096, sizeof value);
    if (!reaches(to, &value, word + 4096, sizeof value)) puts("skipped: another process's memory may not be written");
    some_by_message = true;
    for (int i = 0; i < 300; i++) {
        int64_t pair[2] = {10 * i + 1, 10 * i + 1};
        value = 10 * i;
        gas_put_nbi(word + 4096, &value, sizeof value);
        gas_order_puts();
        if (i % 3 == 0) gas_put_nbi(word + 4096, pair, sizeof pair);
        if (i % 3 == 1) gas_put_value_nbi(word + 4096, (uint64_t)pair[0], sizeof pair[0]);
        if (i % 3 == 2) gas_domain_atomic(domain, NULL, word + 4096, GAS_SET, pair, NULL);
        gas_sync_puts();
        fathom_far_get(&old, word + 4096, sizeof old);
        CHECK(old == 10 * i + 1);
    }
    some_by_message = false;
    /* The handle of a put's source is complete when the operation has read it; both handles in any order. */
    for (int i = 0; i < 200; i++) {
        value = 10 * i;
        gas_handle source, whole = gas_put_source_nb(word + 3072, &value, sizeof value, &source);
        if (i % 2) gas_wait(&whole);
        gas_wait(&source);
        value = -1;
        gas_wait(&whole);
        fathom_far_get(&old, word + 3072, sizeof old);
        CHECK(old == 10 * i);
    }
    fathom_barrier(0, 0);
    gas_domain_free(domain);
    if (fathom_mythread == 0) puts("good");
    return 0;
}

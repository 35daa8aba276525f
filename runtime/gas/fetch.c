/* Atomic operations of many iterations at once (lang/fetch.h; docs/decisions/0019). One pass over the places makes the near ones and appends
 * the far ones to the record of the thread that has the object: the place and the operand. A record that is full travels while the pass
 * goes on. The answer is what the objects held, packed; the record, which stays here, says which iterations they belong to. Messages to a
 * thread are carried out in order, so operations on one object keep theirs. They go behind all writes of this thread to the threads that have objects. */
#include <stdlib.h>
#include <string.h>

#include "gas/batch.h"
#include "gas/element.h"
#include "gas/gather.h"
#include "gas/sync.h"
#include "gas/transfer.h"
#include "lang/fetch.h"

enum { MOST = 512 }; /* operations of a record */

struct operation {
    uint64_t place, operand;
};

struct record {
    struct record *next;
    struct gas_transfer *transfer;
    uint32_t count;
    uint32_t iterations[MOST];
    struct operation operations[MOST];
};

static struct record *spare;
static struct record **open; /* by thread */
static int *opened, open_count;
static char *results;
static size_t results_bytes;
static unsigned long *operands;
static size_t operands_count;
unsigned long fathom_fetched_together; /* far operations, for tests */

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* (record, count, type | op << 8): operations */
static void on_fetch_list(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)bytes;
    static CONDUIT_LARGE _Alignas(64) char former[MOST * sizeof(uint64_t)];
    const struct operation *o = payload;
    enum gas_atomic_type type = (enum gas_atomic_type)(args[2] & 0xff);
    size_t size = gas_atomic_bytes(type);
    for (size_t i = 0; i < args[1]; i++)
        gas_atomic_here(former + i * size, fathom_local(o[i].place), type, (enum gas_atomic_op)(args[2] >> 8),
                        &o[i].operand, NULL);
    core_reply(token, GAS_SYNC_FETCHED_LIST, former, args[1] * size, (uint64_t[]){args[0], size}, 2);
}

static void on_fetched_list(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)bytes;
    struct record *r = (struct record *)(uintptr_t)args[0];
    size_t size = args[1];
    for (uint32_t i = 0; i < r->count; i++)
        memcpy(results + r->iterations[i] * size, (const char *)payload + i * size, size);
    r->transfer->answers--;
    r->next = spare;
    spare = r;
}

void gas_fetch_start(void) {
    core_service(GAS_SYNC_FETCH_LIST, on_fetch_list);
    core_handler(GAS_SYNC_FETCHED_LIST, on_fetched_list);
}

static struct record *take(void) {
    struct record *r = spare;
    if (r) {
        spare = r->next;
        return r;
    }
    r = malloc(sizeof *r);
    if (!r) core_fatal("no memory for atomic operations that are made together");
    return r;
}

static void send(int thread, struct gas_transfer *t, const struct fathom_fetch *f) {
    struct record *r = open[thread];
    r->transfer = t;
    t->answers++;
    gas_gather_requests++;
    core_request(thread, GAS_SYNC_FETCH_LIST, r->operations, r->count * sizeof *r->operations,
                 (uint64_t[]){(uintptr_t)r, r->count, (uint64_t)f->type | (uint64_t)f->op << 8}, 3);
}

/* Appends an operation on a far object. */
static void add(struct gas_transfer *t, const struct fathom_fetch *f, fathom_ptr p, uint64_t operand, unsigned long k) {
    int thread = (int)fathom_thread_of(p);
    struct record *r = open[thread];
    size_t most = gas_transfer_piece() / sizeof *r->operations;
    if (!r) {
        gas_far_settle_thread(thread);
        opened[open_count++] = thread;
    } else if (r->count == MOST || r->count == most) {
        send(thread, t, f);
        r = NULL;
    }
    if (!r) {
        r = open[thread] = take();
        r->count = 0;
    }
    r->iterations[r->count] = (uint32_t)k;
    r->operations[r->count++] = (struct operation){p, operand};
}

/* ---- for generated code ------------------------------------------------------------------------------------------ */

unsigned long *fathom_fetch_operands(unsigned long n) {
    if (n > operands_count) operands = gas_strip_sized(operands, (operands_count = n) * sizeof *operands);
    return operands;
}

/* Are near places among, or between, what the loop reads? */
static bool meets(const struct fathom_fetch *f, const fathom_ptr *places, unsigned long n, size_t size) {
    if (!f->loads) return false;
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (unsigned long k = 0; k < n; k++) {
        if (places[k] == ~0ul || !fathom_is_near(places[k])) continue;
        uintptr_t at = (uintptr_t)fathom_local(places[k]);
        if (at < low) low = at;
        if (at + size > high) high = at + size;
    }
    for (unsigned i = 0; i < f->loads; i++) {
        uintptr_t from = (uintptr_t)f->load[i].from;
        if (from < high && low < from + (uintptr_t)f->load[i].bytes) return true;
    }
    return false;
}

const void *fathom_fetch_all(const struct fathom_fetch *f, unsigned long n) {
    CORE_GATE;
    gas_gather_paid();
    enum gas_atomic_type type = (enum gas_atomic_type)f->type;
    size_t size = gas_atomic_bytes(type);
    const fathom_ptr *places = fathom_gather_places(0, n);
    if (meets(f, places, n, size)) return NULL;
    if (n * size > results_bytes) results = gas_strip_aligned(results, results_bytes = n * size);
    if (!open) {
        open = core_table((size_t)fathom_threads, sizeof *open);
        opened = core_table((size_t)fathom_threads, sizeof *opened);
    }
    struct gas_transfer t = {0};
    for (unsigned long k = 0; k < n; k++) {
        fathom_ptr p = places[k];
        if (p == ~0ul) continue; /* its iteration makes no operation */
        if (!p) gas_fatal("an atomic operation has a null target");
        gas_atomic_check_place(p, size);
        if (fathom_is_near(p)) {
            gas_atomic_here(results + k * size, fathom_local(p), type, (enum gas_atomic_op)f->op, &operands[k], NULL);
            continue;
        }
        gas_far_check(p);
        fathom_fetched_together++;
        add(&t, f, p, operands[k], k);
    }
    for (int i = 0; i < open_count; i++) {
        send(opened[i], &t, f);
        open[opened[i]] = NULL;
    }
    open_count = 0;
    gas_transfer_wait(&t);
    return results;
}

int fathom_fetch_berkeley(struct fathom_fetch *f, enum fathom_fetch_type type, enum fathom_fetch_op op) {
    static const enum gas_atomic_type types[] = {
        [FATHOM_FETCH_I32] = GAS_I32, [FATHOM_FETCH_U32] = GAS_U32, [FATHOM_FETCH_I64] = GAS_I64,
        [FATHOM_FETCH_U64] = GAS_U64, [FATHOM_FETCH_F32] = GAS_F32, [FATHOM_FETCH_F64] = GAS_F64};
    static const enum gas_atomic_op ops[] = {
        [FATHOM_FETCH_GET] = GAS_GET, [FATHOM_FETCH_SWAP] = GAS_SWAP, [FATHOM_FETCH_ADD] = GAS_ADD,
        [FATHOM_FETCH_AND] = GAS_AND, [FATHOM_FETCH_OR] = GAS_OR,     [FATHOM_FETCH_XOR] = GAS_XOR};
    *f = (struct fathom_fetch){.type = (int)types[type], .op = (int)ops[op]};
    return 1;
}

int fathom_fetch_elsewhere(struct fathom_fetch *f, const struct fathom_atomic *said, void (*function)(void),
                           int parameters, unsigned long bytes) {
    if (!said || said->function != function || said->parameters != parameters || said->bytes != bytes) return 0;
    if (!said->opens(f)) return 0;
    f->operand = said->operand;
    return 1;
}

int fathom_fetch_loads(struct fathom_fetch *f, const struct fathom_strip *s, const volatile char *from, long bytes) {
    if (gas_strip_loads(s, from, bytes)) return 1;
    bool has_end = s->gather[0].high != 0;
    if (bytes < 0 || has_end || f->loads == FATHOM_FETCH_LOADS) return 0;
    f->load[f->loads++] = (struct fathom_source){from, bytes};
    return 1;
}

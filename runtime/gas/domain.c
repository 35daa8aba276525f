/* Atomic domains: objects that are changed through the domain only, so that the network may perform the operations by
 * itself.
 *
 * A network's atomics and the processor's need not see each other. The conduit's override therefore serves a domain
 * either for all targets, including the thread itself, or for none: where every thread is alone on its node this loses
 * nothing; elsewhere near threads are better off with the processor.
 */
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "gas/batch.h"
#include "gas/lines.h"
#include "gas/outbox.h"
#include "gas/sync.h"
#include "gas/transfer.h"

struct gas_domain {
    enum gas_atomic_type type;
    unsigned ops;
    bool by_conduit, is_freed;
};

/* The largest number of threads that are near one; asked once, collectively. */
static int largest_node(void) {
    static int32_t largest;
    if (gas_all_near()) return fathom_threads;
    if (!largest) {
        int32_t mine = conduit_near.count;
        gas_all_reduce(gas_world(), &largest, &mine, 1, GAS_I32, GAS_MAX, 0);
    }
    return largest;
}

/* Does any thread gather operations without a result? They go by messages, and then all must; asked once, collectively. */
static bool are_gathered(void) {
    static int32_t asked, any;
    if (!asked) {
        int32_t mine = gas_outbox_is_on;
        gas_all_reduce(gas_world(), &any, &mine, 1, GAS_I32, GAS_MAX, 0);
        asked = 1;
    }
    return any;
}

/* Does the tuning table, or the conduit, prefer the conduit's own operation? */
static bool is_better(enum gas_atomic_type type) {
    enum core_mechanism way = core_choose(&core_tuning.agreed.atomic, gas_atomic_bytes(type));
    if (way != CORE_AUTO) return way == CORE_DIRECT;
    return !core_overrides.atomic_is_better || core_overrides.atomic_is_better();
}

gas_domain gas_domain_create(enum gas_atomic_type type, unsigned ops) {
    CORE_GATE;
    if ((unsigned)type > GAS_PTS || (ops & ~gas_atomic_allowed(type)))
        gas_fatal("gas_domain_create: type %d does not have all of the operations 0x%x", (int)type, ops);
    bool alone = largest_node() == 1 && fathom_threads > 1 && !are_gathered(); /* collective: on all threads */
    gas_domain d = malloc(sizeof *d);
    if (!d) gas_fatal("gas_domain_create: no memory");
    *d = (struct gas_domain){type, ops, false, false};
    d->by_conduit = alone && core_overrides.atomic && core_overrides.atomic_is_possible && is_better(type) &&
                    core_overrides.atomic_is_possible((int)type, ops);
    return d;
}

/* The last ones that were freed are kept without operations, so that whoever uses one still is told so. */
static void keep_ended(gas_domain d) {
    enum { KEPT = 64 };
    static gas_domain ended[KEPT];
    static unsigned next;
    d->ops = 0;
    d->is_freed = true;
    free(ended[next]);
    ended[next] = d;
    next = (next + 1) % KEPT;
}

void gas_domain_free(gas_domain d) {
    if (!d) return;
    if (d->is_freed) gas_fatal("gas_domain_free: the domain has been freed");
    CORE_GATE;
    keep_ended(d);
}

static inline void check(gas_domain d, enum gas_atomic_op op) {
    if (__builtin_expect((unsigned)op > GAS_CSWAP || !(d->ops >> op & 1), 0))
        gas_fatal(d->is_freed
                      ? "gas_domain_atomic: the domain has been freed"
                      : "gas_domain_atomic: operation %d is not among those that the domain was created for (0x%x)",
                  (int)op, d->ops);
}

/* The network's operations go another way than relaxed puts, and must not overtake those to the same object. */
static void by_conduit(gas_domain d, void *fetch, fathom_ptr target, enum gas_atomic_op op, const void *op1,
                       const void *op2) {
    CORE_GATE;
    gas_atomic_check_place(target, gas_atomic_bytes(d->type));
    gas_atomic_check_operands(op, op1, op2);
    if (__builtin_expect(gas_puts_follow, 0)) gas_puts_wait();
    gas_far_settle(target, gas_atomic_bytes(d->type));
    core_overrides.atomic(fetch, target, (int)d->type, (int)op, op1, op2);
}

static inline void took(gas_domain d, fathom_ptr target) {
    if (__builtin_expect(core_tell != NULL, 0) && !fathom_is_near(target))
        core_took(&core_tuning.agreed.atomic, 0, 0, gas_atomic_bytes(d->type),
                  d->by_conduit ? CORE_DIRECT : CORE_MESSAGE);
}

void gas_domain_atomic(gas_domain d, void *fetch, fathom_ptr target, enum gas_atomic_op op, const void *op1,
                       const void *op2) {
    check(d, op);
    took(d, target);
    if (d->by_conduit)
        by_conduit(d, fetch, target, op, op1, op2);
    else
        gas_atomic(fetch, target, d->type, op, op1, op2);
}

static bool is_gathered(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                        const void *op2) {
    if (!gas_outbox_is_on || fathom_is_near(target)) return false;
    gas_atomic_check_place(target, gas_atomic_bytes(type));
    if (gas_far_is_simple() && gas_outbox_atomic_again(target, type, op, op1)) return true;
    CORE_GATE;
    if ((unsigned)op <= GAS_CSWAP) gas_atomic_check_operands(op, op1, op2);
    gas_lines_drop(target, gas_atomic_bytes(type));
    gas_far_settle_puts(target, gas_atomic_bytes(type));
    bool taken = gas_outbox_atomic(target, type, op, op1, op2);
    if (core_tell && taken)
        gas_served = (struct gas_served){GAS_BY_OWNER, gas_outbox_has_one(target, gas_atomic_bytes(type))};
    return taken;
}

void gas_atomic_update(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                       const void *op2) {
    bool taken = (unsigned)type <= GAS_PTS && is_gathered(target, type, op, op1, op2);
    if (!taken) gas_atomic(NULL, target, type, op, op1, op2);
}

void gas_domain_update(gas_domain d, fathom_ptr target, enum gas_atomic_op op, const void *op1, const void *op2) {
    check(d, op);
    if (!d->by_conduit && is_gathered(target, d->type, op, op1, op2)) {
        took(d, target);
        return;
    }
    gas_domain_atomic(d, NULL, target, op, op1, op2);
}

bool gas_domain_goes_by_messages(gas_domain d, enum gas_atomic_type *type) {
    *type = d->type;
    return !d->by_conduit;
}

#ifdef FATHOM_CONDUIT_DISTRIBUTED
bool gas_domain_update_batch(gas_domain d, struct fathom_batch *s, enum gas_atomic_op op, const void *op1) {
    check(d, op);
    size_t bytes = gas_atomic_bytes(d->type);
    fathom_ptr misplaced = 0;
    bool has_null = false;
    for (unsigned i = 0; i < s->n; i++) {
        misplaced |= s->at[i] & (bytes - 1);
        has_null |= s->at[i] == 0;
    }
    struct gas_batch b;
    if (d->by_conduit || misplaced || has_null || !gas_batch_sort(s, &b, bytes)) return false;
    uint64_t operand = 0; /* where the operations themselves do not reach */
    if (op1) memcpy(&operand, op1, bytes);
    gas_atomic_at(gas_batch_base(), b.offsets, b.near, d->type, op, &operand);
    for (size_t i = 0; i < b.far; i++) {
        if (gas_outbox_is_on && gas_far_is_simple())
            i += gas_outbox_atomic_again_all(s->at + i, b.far - i, d->type, op, &operand);
        if (i < b.far) gas_domain_update(d, s->at[i], op, &operand, NULL);
    }
    return true;
}
#endif

gas_handle gas_domain_atomic_nb(gas_domain d, void *fetch, fathom_ptr target, enum gas_atomic_op op, const void *op1,
                                const void *op2) {
    check(d, op);
    took(d, target);
    if (!d->by_conduit) return gas_atomic_nb(fetch, target, d->type, op, op1, op2);
    by_conduit(d, fetch, target, op, op1, op2);
    return GAS_DONE;
}

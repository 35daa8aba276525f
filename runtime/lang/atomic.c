/* Atomic memory operations (UPC 1.3, 7.6), over the domains of gas.
 *
 * A domain is a record that every thread has a copy of at the same offset, so that looking into it is local. UPC_PTS
 * stands apart: a `shared void *` is two words.
 */
#include "upc_atomic.h"

#include <string.h>

#include "gas/batch.h"
#include "gas/sync.h"
#include "lang/fetch.h"
#include "gas/gas_internal.h"

enum { MAGIC = 0x61646f6d };

struct domain {
    uint32_t magic;
    upc_type_t type;
    upc_op_t ops;
    gas_domain gas; /* this thread's; not for UPC_PTS */
};

enum {
    ACCESSORS = UPC_GET | UPC_SET | UPC_CSWAP,
    BITWISE = UPC_AND | UPC_OR | UPC_XOR,
    NUMERIC = UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN
};

/* The table of 7.6.2 p3. */
static upc_op_t permitted(upc_type_t type, enum gas_atomic_type *gas_type) {
    switch (type) {
    case UPC_INT:
    case UPC_INT32: *gas_type = GAS_I32; return ACCESSORS | BITWISE | NUMERIC;
    case UPC_UINT:
    case UPC_UINT32: *gas_type = GAS_U32; return ACCESSORS | BITWISE | NUMERIC;
    case UPC_LONG:
    case UPC_LLONG:
    case UPC_INT64: *gas_type = GAS_I64; return ACCESSORS | BITWISE | NUMERIC;
    case UPC_ULONG:
    case UPC_ULLONG:
    case UPC_UINT64: *gas_type = GAS_U64; return ACCESSORS | BITWISE | NUMERIC;
    case UPC_FLOAT: *gas_type = GAS_F32; return ACCESSORS | NUMERIC;
    case UPC_DOUBLE: *gas_type = GAS_F64; return ACCESSORS | NUMERIC;
    case UPC_PTS: *gas_type = GAS_PTS; return ACCESSORS;
    default: return 0;
    }
}

static const char *op_name(upc_op_t op) {
    switch (op) {
    case UPC_GET: return "UPC_GET";
    case UPC_SET: return "UPC_SET";
    case UPC_CSWAP: return "UPC_CSWAP";
    case UPC_AND: return "UPC_AND";
    case UPC_OR: return "UPC_OR";
    case UPC_XOR: return "UPC_XOR";
    case UPC_ADD: return "UPC_ADD";
    case UPC_SUB: return "UPC_SUB";
    case UPC_MULT: return "UPC_MULT";
    case UPC_INC: return "UPC_INC";
    case UPC_DEC: return "UPC_DEC";
    case UPC_MAX: return "UPC_MAX";
    case UPC_MIN: return "UPC_MIN";
    default: return "not one operation";
    }
}

static enum gas_atomic_op gas_op(upc_op_t op, int fetches) {
    switch (op) {
    case UPC_GET: return GAS_GET;
    case UPC_SET: return fetches ? GAS_SWAP : GAS_SET;
    case UPC_CSWAP: return GAS_CSWAP;
    case UPC_AND: return GAS_AND;
    case UPC_OR: return GAS_OR;
    case UPC_XOR: return GAS_XOR;
    case UPC_ADD: return GAS_ADD;
    case UPC_SUB: return GAS_SUB;
    case UPC_MULT: return GAS_MULT;
    case UPC_INC: return GAS_INC;
    case UPC_DEC: return GAS_DEC;
    case UPC_MAX: return GAS_MAX;
    default: return GAS_MIN;
    }
}

static unsigned gas_ops(upc_op_t ops) {
    unsigned bits = 0;
    for (upc_op_t rest = ops; rest; rest &= rest - 1)
        bits |= 1u << gas_op(rest & -rest, 0) | 1u << gas_op(rest & -rest, 1);
    return bits;
}

fathom_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints) {
    (void)hints; /* 7.6.3.1 p6 */
    enum gas_atomic_type gas_type;
    upc_op_t allowed = permitted(type, &gas_type);
    if (!allowed) gas_fatal("upc_all_atomicdomain_alloc: type %d has no atomic operations (UPC 1.3, 7.6.2 p3)", type);
    if (ops & ~allowed)
        gas_fatal("upc_all_atomicdomain_alloc: operations 0x%x are not permitted for type %d (UPC 1.3, 7.6.2 p3)",
                  (unsigned)(ops & ~allowed), type);
    fathom_ptr p = gas_all_alloc(sizeof(struct domain));
    if (!p) gas_fatal("upc_all_atomicdomain_alloc: no shared memory left");
    struct domain *mine = fathom_local(fathom_make(gas_me(), fathom_offset_of(p)));
    *mine = (struct domain){MAGIC, type, ops, type == UPC_PTS ? NULL : gas_domain_create(gas_type, gas_ops(ops))};
    return p;
}

void upc_all_atomicdomain_free(fathom_ptr domain) {
    if (!domain) return;
    gas_barrier(); /* valid until all threads have entered (7.6.3.2 p4) */
    struct domain *mine = fathom_local(fathom_make(gas_me(), fathom_offset_of(domain)));
    if (mine->magic == MAGIC && mine->gas) gas_domain_free(mine->gas);
    mine->magic = 0;
    gas_barrier(); /* all copies are done with */
    if (gas_me() == 0) gas_free(domain);
}

/* This thread's copy of a domain that has the operation. */
static const struct domain *domain_for(const char *function, fathom_ptr domain, upc_op_t op) {
    if (!domain) gas_fatal("%s: null domain", function);
    const struct domain *d = fathom_local(fathom_make(gas_me(), fathom_offset_of(domain)));
    if (d->magic != MAGIC) gas_fatal("%s: the domain is not one that upc_all_atomicdomain_alloc returned", function);
    if (!(op & d->ops) || (op & (op - 1)))
        gas_fatal("%s: operation 0x%x (%s) is not in the domain's set 0x%x (UPC 1.3, 7.6.3.3 p2)", function,
                  (unsigned)op, op_name(op), (unsigned)d->ops);
    return d;
}

static void apply(const char *function, fathom_ptr domain, void *fetch, upc_op_t op, fathom_ptr target, const void *op1,
                  const void *op2) {
    const struct domain *d = domain_for(function, domain, op);
    if (!target) gas_fatal("%s: null target", function);
    int operands = op == UPC_CSWAP ? 2 : (op & (UPC_GET | UPC_INC | UPC_DEC)) ? 0 : 1;
    if ((operands >= 1 && !op1) || (operands == 2 && !op2))
        gas_fatal("%s: null operand for %s (UPC 1.3, 7.6.3.3 p5)", function, op_name(op));
    if (op == UPC_GET && !fetch) gas_fatal("%s: null fetch_ptr for UPC_GET (UPC 1.3, 7.6.3.3 p6)", function);

    if (fetch) fathom_look(); /* the program may do that until another thread's value comes */
    if (d->type == UPC_PTS)
        gas_atomic_pair(fetch, target, gas_op(op, 0), op1, op2); /* equality ignores the phase (7.6.3.3 p7) */
    else if (!fetch)
        gas_domain_update(d->gas, target, gas_op(op, 0), op1, op2);
    else
        gas_domain_atomic(d->gas, fetch, target, gas_op(op, 1), op1, op2);
}

void upc_atomic_relaxed(fathom_ptr domain, void *fetch_ptr, upc_op_t op, fathom_pptr target, const void *operand1,
                        const void *operand2) {
    apply("upc_atomic_relaxed", domain, fetch_ptr, op, target.addr, operand1, operand2);
}

#ifdef FATHOM_CONDUIT_DISTRIBUTED
int fathom_batch_atomic(struct fathom_batch *s, fathom_ptr domain, int op, const void *operand) {
    const struct domain *d = domain_for("upc_atomic_relaxed", domain, op);
    bool has_operand = !(op & (UPC_INC | UPC_DEC));
    if (d->type == UPC_PTS || (op & (UPC_GET | UPC_CSWAP)) || (has_operand && !operand)) return 0;
    if (has_operand) {
        const volatile char *from = operand;
        fathom_batch_read(s, from, from + sizeof(uint64_t));
    }
    return gas_domain_update_batch(d->gas, s, gas_op(op, 0), has_operand ? operand : NULL);
}
#endif

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* Where this is no proper call, upc_atomic_relaxed says so. */
int fathom_fetch_domain(struct fathom_fetch *f, fathom_ptr domain, int op, unsigned long bytes, int has_operand) {
    if (!domain) return 0;
    const struct domain *d = fathom_local(fathom_make(gas_me(), fathom_offset_of(domain)));
    bool is_one = d->magic == MAGIC && d->type != UPC_PTS && (op & d->ops) && !(op & (op - 1)) && op != UPC_CSWAP;
    if (!is_one || (!has_operand && !(op & (UPC_GET | UPC_INC | UPC_DEC)))) return 0;
    enum gas_atomic_type type;
    if (!gas_domain_goes_by_messages(d->gas, &type) || gas_atomic_bytes(type) != bytes) return 0;
    *f = (struct fathom_fetch){.type = (int)type, .op = (int)gas_op(op, 1)};
    return 1;
}
#endif

void upc_atomic_strict(fathom_ptr domain, void *fetch_ptr, upc_op_t op, fathom_pptr target, const void *operand1,
                       const void *operand2) {
    fathom_fence();
    apply("upc_atomic_strict", domain, fetch_ptr, op, target.addr, operand1, operand2);
    fathom_fence();
}

static int all_are_near(void) {
    int near;
    gas_near(&near);
    return near == gas_count();
}

/* Fast is what one instruction of the processor does: no compare-and-swap loop, no message. Without an address: for any
 * of the job's. */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, fathom_pptr addr) {
    enum gas_atomic_type t;
    if (type == UPC_PTS || !permitted(type, &t)) return 0;
    int is_float = type == UPC_FLOAT || type == UPC_DOUBLE;
    upc_op_t one_instruction = is_float ? ACCESSORS : ACCESSORS | UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC;
    size_t bytes = t == GAS_I32 || t == GAS_U32 || t == GAS_F32 ? 4 : 8;
    if (addr.addr % bytes) return 0;
    return !(ops & ~one_instruction) && (addr.addr ? gas_is_local((int)fathom_thread_of(addr.addr)) : all_are_near());
}

/* Atomic memory operations (UPC 1.3, 7.6), over gas_atomic.
 *
 * A domain is a record that every thread has a copy of at the same offset, so that looking into it is local. Domains for
 * UPC_PTS also carry locks: a `shared void *` is two words, which no portable instruction changes at once. The locks for
 * an object are those of the thread that the object is on; atomicity is promised within one domain only (7.6.2 p2).
 */
#include "upc_atomic.h"

#include <string.h>

#include "gas.h"

enum { LOCKS = 16, LOCK_BYTES = 64, MAGIC = 0x61646f6d };

struct domain {
    uint32_t magic;
    upc_type_t type;
    upc_op_t ops;
    enum gas_atomic_type gas_type;
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

fathom_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints) {
    (void)hints; /* 7.6.3.1 p6 */
    struct domain d = {MAGIC, type, ops, GAS_I32};
    upc_op_t allowed = permitted(type, &d.gas_type);
    if (!allowed) gas_fatal("upc_all_atomicdomain_alloc: type %d has no atomic operations (UPC 1.3, 7.6.2 p3)", type);
    if (ops & ~allowed)
        gas_fatal("upc_all_atomicdomain_alloc: operations 0x%x are not permitted for type %d (UPC 1.3, 7.6.2 p3)",
                  (unsigned)(ops & ~allowed), type);
    size_t locks = type == UPC_PTS ? LOCKS * LOCK_BYTES : 0;
    fathom_ptr p = gas_all_alloc(LOCK_BYTES + locks);
    if (!p) gas_fatal("upc_all_atomicdomain_alloc: no shared memory left");
    char *mine = fathom_local(fathom_make(gas_me(), fathom_offset_of(p)));
    memset(mine, 0, LOCK_BYTES + locks);
    memcpy(mine, &d, sizeof d);
    gas_barrier(); /* from here on any thread's locks may be taken by another */
    return p;
}

void upc_all_atomicdomain_free(fathom_ptr domain) {
    if (!domain) return;
    gas_barrier(); /* valid until all threads have entered (7.6.3.2 p4) */
    if (gas_me() == 0) gas_free(domain);
}

/* ---- pointers-to-shared ---------------------------------------------------------------------------------------- */

static fathom_ptr lock_of(fathom_ptr domain, fathom_ptr target) {
    unsigned long which = (target >> 4) * 0x9e3779b97f4a7c15ul >> 60;
    return fathom_make(fathom_thread_of(target), fathom_offset_of(domain) + LOCK_BYTES * (1 + which));
}

static void apply_to_pts(fathom_ptr domain, fathom_pptr *fetch, upc_op_t op, fathom_ptr target, const fathom_pptr *op1,
                         const fathom_pptr *op2) {
    fathom_ptr lock = lock_of(domain, target);
    fathom_pptr former;
    gas_lock(lock);
    gas_get(&former, target, sizeof former);
    if (op == UPC_SET) gas_put(target, op1, sizeof *op1);
    /* Equality ignores the phase (7.6.3.3 p7). */
    if (op == UPC_CSWAP && former.addr == op1->addr) gas_put(target, op2, sizeof *op2);
    gas_unlock(lock);
    if (fetch) *fetch = former;
}

/* ---- everything else ------------------------------------------------------------------------------------------- */

static void apply(const char *function, fathom_ptr domain, void *fetch, upc_op_t op, fathom_ptr target, const void *op1,
                  const void *op2) {
    if (!domain) gas_fatal("%s: null domain", function);
    const struct domain *d = fathom_local(fathom_make(gas_me(), fathom_offset_of(domain)));
    if (d->magic != MAGIC) gas_fatal("%s: the domain is not one that upc_all_atomicdomain_alloc returned", function);
    if (!(op & d->ops) || (op & (op - 1)))
        gas_fatal("%s: operation 0x%x (%s) is not in the domain's set 0x%x (UPC 1.3, 7.6.3.3 p2)", function,
                  (unsigned)op, op_name(op), (unsigned)d->ops);
    if (!target) gas_fatal("%s: null target", function);
    int operands = op == UPC_CSWAP ? 2 : (op & (UPC_GET | UPC_INC | UPC_DEC)) ? 0 : 1;
    if ((operands >= 1 && !op1) || (operands == 2 && !op2))
        gas_fatal("%s: null operand for %s (UPC 1.3, 7.6.3.3 p5)", function, op_name(op));
    if (op == UPC_GET && !fetch) gas_fatal("%s: null fetch_ptr for UPC_GET (UPC 1.3, 7.6.3.3 p6)", function);

    if (d->type == UPC_PTS) {
        apply_to_pts(domain, fetch, op, target, op1, op2);
        return;
    }
    enum gas_atomic_type t = d->gas_type;
    switch (op) {
    case UPC_GET: gas_atomic(fetch, target, t, GAS_GET, NULL, NULL); break;
    case UPC_SET: gas_atomic(fetch, target, t, fetch ? GAS_SWAP : GAS_SET, op1, NULL); break;
    case UPC_CSWAP: gas_atomic(fetch, target, t, GAS_CSWAP, op1, op2); break;
    case UPC_AND: gas_atomic(fetch, target, t, GAS_AND, op1, NULL); break;
    case UPC_OR: gas_atomic(fetch, target, t, GAS_OR, op1, NULL); break;
    case UPC_XOR: gas_atomic(fetch, target, t, GAS_XOR, op1, NULL); break;
    case UPC_ADD: gas_atomic(fetch, target, t, GAS_ADD, op1, NULL); break;
    case UPC_SUB: gas_atomic(fetch, target, t, GAS_SUB, op1, NULL); break;
    case UPC_MULT: gas_atomic(fetch, target, t, GAS_MULT, op1, NULL); break;
    case UPC_INC: gas_atomic(fetch, target, t, GAS_INC, NULL, NULL); break;
    case UPC_DEC: gas_atomic(fetch, target, t, GAS_DEC, NULL, NULL); break;
    case UPC_MAX: gas_atomic(fetch, target, t, GAS_MAX, op1, NULL); break;
    case UPC_MIN: gas_atomic(fetch, target, t, GAS_MIN, op1, NULL); break;
    }
}

void upc_atomic_relaxed(fathom_ptr domain, void *fetch_ptr, upc_op_t op, fathom_pptr target, const void *operand1,
                        const void *operand2) {
    apply("upc_atomic_relaxed", domain, fetch_ptr, op, target.addr, operand1, operand2);
}

void upc_atomic_strict(fathom_ptr domain, void *fetch_ptr, upc_op_t op, fathom_pptr target, const void *operand1,
                       const void *operand2) {
    fathom_fence();
    apply("upc_atomic_strict", domain, fetch_ptr, op, target.addr, operand1, operand2);
    fathom_fence();
}

/* Fast is what one instruction of the processor does: no locks, no compare-and-swap loop, no other node. */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, fathom_pptr addr) {
    enum gas_atomic_type t;
    if (type == UPC_PTS || !permitted(type, &t)) return 0;
    int is_float = type == UPC_FLOAT || type == UPC_DOUBLE;
    upc_op_t one_instruction = is_float ? ACCESSORS : ACCESSORS | UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC;
    size_t bytes = t == GAS_I32 || t == GAS_U32 || t == GAS_F32 ? 4 : 8;
    if (addr.addr % bytes) return 0;
    return !(ops & ~one_instruction) && (!addr.addr || gas_is_local((int)fathom_thread_of(addr.addr)));
}

/* Atomic operations on objects in shared memory. Integers have one width twice, signed and unsigned: they differ for
 * minimum and maximum only. What the processor cannot do in one instruction is a loop of compare-and-swap on the
 * bits, floating-point values too; but GAS_CSWAP compares those as numbers, so that the two zeros are equal, as for
 * the operator ==.
 */
#include <string.h>

#include "gas/gas_internal.h"

static _Noreturn void no_such(const char *what, int number) {
    gas_fatal("gas_atomic: no such %s (%d)", what, number);
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

/* The operations on words of either width; `whole`: the type is an integer, so that the processor can add to it. */
#define APPLY(BITS)                                                                                                    \
    static uint##BITS##_t apply##BITS(uint##BITS##_t *p, enum gas_atomic_type type, enum gas_atomic_op op,             \
                                      uint##BITS##_t a, uint##BITS##_t b, bool whole) {                                \
        switch (op) {                                                                                                  \
        case GAS_GET: return __atomic_load_n(p, __ATOMIC_RELAXED);                                                     \
        case GAS_SET:                                                                                                  \
        case GAS_SWAP: return __atomic_exchange_n(p, a, __ATOMIC_RELAXED);                                             \
        default: break;                                                                                                \
        }                                                                                                              \
        if (whole) switch (op) {                                                                                       \
            case GAS_ADD: return __atomic_fetch_add(p, a, __ATOMIC_RELAXED);                                           \
            case GAS_SUB: return __atomic_fetch_sub(p, a, __ATOMIC_RELAXED);                                           \
            case GAS_INC: return __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);                                           \
            case GAS_DEC: return __atomic_fetch_sub(p, 1, __ATOMIC_RELAXED);                                           \
            case GAS_AND: return __atomic_fetch_and(p, a, __ATOMIC_RELAXED);                                           \
            case GAS_OR: return __atomic_fetch_or(p, a, __ATOMIC_RELAXED);                                             \
            case GAS_XOR: return __atomic_fetch_xor(p, a, __ATOMIC_RELAXED);                                           \
            case GAS_NOT: return __atomic_fetch_xor(p, (uint##BITS##_t)-1, __ATOMIC_RELAXED);                          \
            default: break;                                                                                            \
            }                                                                                                          \
        uint##BITS##_t old = __atomic_load_n(p, __ATOMIC_RELAXED), new;                                                \
        do {                                                                                                           \
            if (op == GAS_CSWAP && !same##BITS(type, old, a)) return old;                                              \
            new = op == GAS_CSWAP ? b : combine##BITS(old, type, op, a);                                               \
        } while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
        return old;                                                                                                    \
    }
APPLY(32)
APPLY(64)

void gas_atomic(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                const void *op2) {
    if (type == GAS_I32 || type == GAS_U32 || type == GAS_F32) {
        uint32_t a = 0, b = 0;
        if (op1) memcpy(&a, op1, sizeof a);
        if (op2) memcpy(&b, op2, sizeof b);
        if (op == GAS_SET && !fetch) {
            __atomic_store_n((uint32_t *)fathom_local(target), a, __ATOMIC_RELAXED);
            return;
        }
        uint32_t old = apply32(fathom_local(target), type, op, a, b, type != GAS_F32);
        if (fetch) memcpy(fetch, &old, sizeof old);
    } else if (type == GAS_I64 || type == GAS_U64 || type == GAS_F64 || type == GAS_PTS) {
        uint64_t a = 0, b = 0;
        if (op1) memcpy(&a, op1, sizeof a);
        if (op2) memcpy(&b, op2, sizeof b);
        if (op == GAS_SET && !fetch) {
            __atomic_store_n((uint64_t *)fathom_local(target), a, __ATOMIC_RELAXED);
            return;
        }
        uint64_t old = apply64(fathom_local(target), type, op, a, b, type == GAS_I64 || type == GAS_U64);
        if (fetch) memcpy(fetch, &old, sizeof old);
    } else {
        no_such("type", (int)type);
    }
}

/* bupc_atomicX_op_{relaxed,strict,private}: every type, every operation, over gas_atomic.
 *
 * The private ones take an object that only its own thread knows, so they are plain C.
 */
#include <stddef.h>
#include <stdint.h>

#include "gas/gas_internal.h"
#include "lang/update.h"

static inline void before(const char *x, const char *op, fathom_pptr p, int strict) {
    fathom_look();
    if (__builtin_expect(!p.addr, 0)) gas_fatal("bupc_atomic%s_%s: null target", x, op);
    if (strict) fathom_fence();
}

static inline void after(int strict) {
    if (strict) fathom_fence();
}

#define FETCHING(X, T, GT, MODE, STRICT, NAME, OP)                                                                     \
    T bupc_atomic##X##_##NAME##_##MODE(fathom_pptr dst, T val) {                                                       \
        T former;                                                                                                      \
        before(#X, #NAME, dst, STRICT);                                                                                \
        gas_atomic(&former, dst.addr, GT, OP, &val, NULL);                                                             \
        after(STRICT);                                                                                                 \
        return former;                                                                                                 \
    }

#define ACCESSORS(X, T, GT, MODE, STRICT)                                                                              \
    T bupc_atomic##X##_read_##MODE(fathom_pptr src) {                                                                  \
        T value;                                                                                                       \
        before(#X, "read", src, STRICT);                                                                               \
        gas_atomic(&value, src.addr, GT, GAS_GET, NULL, NULL);                                                         \
        after(STRICT);                                                                                                 \
        return value;                                                                                                  \
    }                                                                                                                  \
    void bupc_atomic##X##_set_##MODE(fathom_pptr dst, T val) {                                                         \
        before(#X, "set", dst, STRICT);                                                                                \
        if (STRICT)                                                                                                    \
            gas_atomic(NULL, dst.addr, GT, GAS_SET, &val, NULL);                                                       \
        else                                                                                                           \
            gas_atomic_update(dst.addr, GT, GAS_SET, &val, NULL);                                                      \
        after(STRICT);                                                                                                 \
    }                                                                                                                  \
    T bupc_atomic##X##_cswap_##MODE(fathom_pptr dst, T oldval, T newval) {                                             \
        T former;                                                                                                      \
        before(#X, "cswap", dst, STRICT);                                                                              \
        gas_atomic(&former, dst.addr, GT, GAS_CSWAP, &oldval, &newval);                                                \
        after(STRICT);                                                                                                 \
        return former;                                                                                                 \
    }                                                                                                                  \
    FETCHING(X, T, GT, MODE, STRICT, swap, GAS_SWAP)                                                                   \
    FETCHING(X, T, GT, MODE, STRICT, fetchadd, GAS_ADD)

#define BITWISE(X, T, GT, MODE, STRICT)                                                                                \
    FETCHING(X, T, GT, MODE, STRICT, fetchand, GAS_AND)                                                                \
    FETCHING(X, T, GT, MODE, STRICT, fetchor, GAS_OR)                                                                  \
    FETCHING(X, T, GT, MODE, STRICT, fetchxor, GAS_XOR)                                                                \
    T bupc_atomic##X##_fetchnot_##MODE(fathom_pptr dst) {                                                              \
        T former;                                                                                                      \
        before(#X, "fetchnot", dst, STRICT);                                                                           \
        gas_atomic(&former, dst.addr, GT, GAS_NOT, NULL, NULL);                                                        \
        after(STRICT);                                                                                                 \
        return former;                                                                                                 \
    }                                                                                                                  \
    T bupc_atomic##X##_mswap_##MODE(fathom_pptr dst, T mask, T val) {                                                  \
        T seen, former;                                                                                                \
        before(#X, "mswap", dst, STRICT);                                                                              \
        gas_atomic(&former, dst.addr, GT, GAS_GET, NULL, NULL);                                                        \
        do {                                                                                                           \
            seen = former;                                                                                             \
            T next = (seen & ~mask) | (val & mask);                                                                    \
            gas_atomic(&former, dst.addr, GT, GAS_CSWAP, &seen, &next);                                                \
        } while (former != seen);                                                                                      \
        after(STRICT);                                                                                                 \
        return former;                                                                                                 \
    }

/* `former` is what the object held; the statement after it says what it holds then. */
#define PRIVATE(X, T, NAME, PARAMETERS, CHANGE)                                                                        \
    T bupc_atomic##X##_##NAME##_private PARAMETERS {                                                                   \
        T *at = dst, former = *at;                                                                                     \
        *at = (T)(CHANGE);                                                                                             \
        return former;                                                                                                 \
    }

#define PRIVATE_ACCESSORS(X, T, U)                                                                                     \
    T bupc_atomic##X##_read_private(void *src) { return *(T *)src; }                                                   \
    void bupc_atomic##X##_set_private(void *dst, T val) { *(T *)dst = val; }                                           \
    PRIVATE(X, T, swap, (void *dst, T val), val)                                                                       \
    PRIVATE(X, T, cswap, (void *dst, T oldval, T newval), former == oldval ? newval : former)                          \
    PRIVATE(X, T, fetchadd, (void *dst, T val), (U)former + (U)val)

#define PRIVATE_BITWISE(X, T)                                                                                          \
    PRIVATE(X, T, fetchand, (void *dst, T val), former &val)                                                           \
    PRIVATE(X, T, fetchor, (void *dst, T val), former | val)                                                           \
    PRIVATE(X, T, fetchxor, (void *dst, T val), former ^ val)                                                          \
    PRIVATE(X, T, fetchnot, (void *dst), ~former)                                                                      \
    PRIVATE(X, T, mswap, (void *dst, T mask, T val), (former & ~mask) | (val & mask))

#define FLOATING(X, T, GT)                                                                                             \
    ACCESSORS(X, T, GT, relaxed, 0)                                                                                    \
    ACCESSORS(X, T, GT, strict, 1)                                                                                     \
    PRIVATE_ACCESSORS(X, T, T)

#define INTEGER(X, T, U, GT)                                                                                           \
    ACCESSORS(X, T, GT, relaxed, 0)                                                                                    \
    ACCESSORS(X, T, GT, strict, 1)                                                                                     \
    BITWISE(X, T, GT, relaxed, 0)                                                                                      \
    BITWISE(X, T, GT, strict, 1)                                                                                       \
    PRIVATE_ACCESSORS(X, T, U)                                                                                         \
    PRIVATE_BITWISE(X, T)

INTEGER(I, int, unsigned, GAS_I32)
INTEGER(U, unsigned, unsigned, GAS_U32)
INTEGER(UI, unsigned, unsigned, GAS_U32)
INTEGER(L, long, unsigned long, GAS_I64)
INTEGER(UL, unsigned long, unsigned long, GAS_U64)
INTEGER(I32, int32_t, uint32_t, GAS_I32)
INTEGER(U32, uint32_t, uint32_t, GAS_U32)
INTEGER(I64, int64_t, uint64_t, GAS_I64)
INTEGER(U64, uint64_t, uint64_t, GAS_U64)
FLOATING(F, float, GAS_F32)
FLOATING(D, double, GAS_F64)

void fathom_atomic_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                          unsigned long operand) {
    if (__builtin_expect(!p, 0)) gas_fatal("bupc_atomic: null target");
    gas_atomic_update(p, object == FATHOM_UPDATE_U64 ? GAS_U64 : GAS_U32,
                      op == FATHOM_UPDATE_ADD   ? GAS_ADD
                      : op == FATHOM_UPDATE_AND ? GAS_AND
                      : op == FATHOM_UPDATE_OR  ? GAS_OR
                                                : GAS_XOR,
                      &operand, NULL);
}

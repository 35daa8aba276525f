/* bupc_atomicX_op_mode: atomic operations on shared integers (and read, set, swap, cswap on floating point), part of
 * <bupc_extensions.h>.
 *
 * X names the type. The modes: relaxed and strict, on a shared object and ordered like such accesses; private, on an
 * object of the calling thread. Each returns the former value; cswap writes `newval` if it was `oldval`; mswap replaces
 * the bits that are set in `mask`.
 *
 * The macros take whole names, because a one-letter argument could be a macro of the program (complex.h defines I).
 */
#ifndef BUPC_ATOMIC_H
#define BUPC_ATOMIC_H

#define BUPC_DECLARE_ACCESSORS(X, T, MODE, PTR)                                                                        \
    T X##_read_##MODE(PTR src);                                                                                        \
    void X##_set_##MODE(PTR dst, T val);                                                                               \
    T X##_swap_##MODE(PTR dst, T val);                                                                                 \
    T X##_cswap_##MODE(PTR dst, T oldval, T newval);                                                                   \
    T X##_fetchadd_##MODE(PTR dst, T val);
#define BUPC_DECLARE_BITWISE(X, T, MODE, PTR)                                                                          \
    T X##_fetchand_##MODE(PTR dst, T val);                                                                             \
    T X##_fetchor_##MODE(PTR dst, T val);                                                                              \
    T X##_fetchxor_##MODE(PTR dst, T val);                                                                             \
    T X##_fetchnot_##MODE(PTR dst);                                                                                    \
    T X##_mswap_##MODE(PTR dst, T mask, T val);
#define BUPC_DECLARE_FLOAT_ATOMICS(X, T)                                                                               \
    BUPC_DECLARE_ACCESSORS(X, T, relaxed, shared void *)                                                               \
    BUPC_DECLARE_ACCESSORS(X, T, strict, shared void *)                                                                \
    BUPC_DECLARE_ACCESSORS(X, T, private, void *)
#define BUPC_DECLARE_ATOMICS(X, T)                                                                                     \
    BUPC_DECLARE_FLOAT_ATOMICS(X, T)                                                                                   \
    BUPC_DECLARE_BITWISE(X, T, relaxed, shared void *)                                                                 \
    BUPC_DECLARE_BITWISE(X, T, strict, shared void *)                                                                  \
    BUPC_DECLARE_BITWISE(X, T, private, void *)

BUPC_DECLARE_ATOMICS(bupc_atomicI, int)
BUPC_DECLARE_ATOMICS(bupc_atomicU, unsigned int)
BUPC_DECLARE_ATOMICS(bupc_atomicUI, unsigned int)
BUPC_DECLARE_ATOMICS(bupc_atomicL, long)
BUPC_DECLARE_ATOMICS(bupc_atomicUL, unsigned long)
BUPC_DECLARE_ATOMICS(bupc_atomicI32, int32_t)
BUPC_DECLARE_ATOMICS(bupc_atomicU32, uint32_t)
BUPC_DECLARE_ATOMICS(bupc_atomicI64, int64_t)
BUPC_DECLARE_ATOMICS(bupc_atomicU64, uint64_t)
BUPC_DECLARE_FLOAT_ATOMICS(bupc_atomicF, float)
BUPC_DECLARE_FLOAT_ATOMICS(bupc_atomicD, double)

#undef BUPC_DECLARE_ACCESSORS
#undef BUPC_DECLARE_BITWISE
#undef BUPC_DECLARE_FLOAT_ATOMICS
#undef BUPC_DECLARE_ATOMICS

#endif

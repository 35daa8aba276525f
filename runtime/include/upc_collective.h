/* <upc_collective.h>: collective utilities (UPC 1.3 required library, 7.4). */
#ifndef UPC_COLLECTIVE_H
#define UPC_COLLECTIVE_H

#include <stddef.h>

#include <upc_types.h>

/* Operations of the computational collectives beside those of <upc_types.h>: the caller's function. */
#define UPC_FUNC 65536
#define UPC_NONCOMM_FUNC 131072

#ifdef __UPC__

/* 7.4.2 Relocalisation */
void upc_all_broadcast(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(shared void *restrict dst, shared const void *restrict src, shared const int *restrict perm,
                     size_t nbytes, upc_flag_t flags);

/* 7.4.3 Computation: upc_all_reduceT and upc_all_prefix_reduceT for the eleven types, and bupc_all_reduce_allT, which
 * leaves the result at dst[t] on every thread t. */
#define FATHOM_DECLARE_REDUCTIONS(T, TYPE)                                                                             \
    void upc_all_reduce##T(shared void *restrict dst, shared const void *restrict src, upc_op_t op, size_t nelems,     \
                           size_t blk_size, TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                               \
    void upc_all_prefix_reduce##T(shared void *restrict dst, shared const void *restrict src, upc_op_t op,             \
                                  size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE), upc_flag_t flags);         \
    void bupc_all_reduce_all##T(shared void *restrict dst, shared const void *restrict src, upc_op_t op,               \
                                size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE), upc_flag_t flags);
FATHOM_DECLARE_REDUCTIONS(C, signed char)
FATHOM_DECLARE_REDUCTIONS(UC, unsigned char)
FATHOM_DECLARE_REDUCTIONS(S, signed short)
FATHOM_DECLARE_REDUCTIONS(US, unsigned short)
FATHOM_DECLARE_REDUCTIONS(I, signed int)
FATHOM_DECLARE_REDUCTIONS(UI, unsigned int)
FATHOM_DECLARE_REDUCTIONS(L, signed long)
FATHOM_DECLARE_REDUCTIONS(UL, unsigned long)
FATHOM_DECLARE_REDUCTIONS(F, float)
FATHOM_DECLARE_REDUCTIONS(D, double)
FATHOM_DECLARE_REDUCTIONS(LD, long double)
#undef FATHOM_DECLARE_REDUCTIONS

/* Of the 1.0 collectives specification, dropped since: sorts A, `shared [blk_size] T A[nelems]` with elements of
 * elem_size bytes, by func, which gets pointers to two elements and returns a value as strcmp does. Stable. */
void upc_all_sort(shared void *A, size_t elem_size, size_t nelems, size_t blk_size,
                  int (*func)(shared void *, shared void *), upc_flag_t flags);

#endif
#endif

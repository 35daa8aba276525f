// Every function of upc_collective.h with the type that the specification gives it.
#include <upc.h>
#include <upc_collective.h>
typedef void relocalise(shared void *restrict, shared const void *restrict, size_t, upc_flag_t);
relocalise *functions[] = {upc_all_broadcast, upc_all_scatter, upc_all_gather, upc_all_gather_all, upc_all_exchange};
void (*permute)(shared void *, shared const void *, shared const int *, size_t, upc_flag_t) = upc_all_permute;
#define COMPUTE(T, TYPE)                                                                                       \
    void (*reduce##T)(shared void *, shared const void *, upc_op_t, size_t, size_t, TYPE (*)(TYPE, TYPE),      \
                      upc_flag_t) = upc_all_reduce##T;                                                         \
    void (*prefix##T)(shared void *, shared const void *, upc_op_t, size_t, size_t, TYPE (*)(TYPE, TYPE),      \
                      upc_flag_t) = upc_all_prefix_reduce##T;
COMPUTE(C, signed char)
COMPUTE(UC, unsigned char)
COMPUTE(S, signed short)
COMPUTE(US, unsigned short)
COMPUTE(I, signed int)
COMPUTE(UI, unsigned int)
COMPUTE(L, signed long)
COMPUTE(UL, unsigned long)
COMPUTE(F, float)
COMPUTE(D, double)
COMPUTE(LD, long double)
upc_op_t ops[] = {UPC_FUNC, UPC_NONCOMM_FUNC, UPC_ADD};
shared int *p;
shared [3] long A[3 * THREADS];
shared long *B;
void f(void) { upc_all_reduceL(B, A, UPC_ADD, 3 * THREADS, 3, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }

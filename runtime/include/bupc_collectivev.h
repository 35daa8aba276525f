/* Collectives on single values: bupc_allv_reduce and its relatives, version 1.2 of that interface.
 *
 * Every thread gives a value of the same type and gets one; only the type and the root must be single-valued, and
 * nothing need be shared. All are collective and contain a barrier. A value is any expression of an object type, for
 * reductions of an arithmetic type.
 */
#ifndef BUPC_COLLECTIVEV_H
#define BUPC_COLLECTIVEV_H

#include <upc.h>
#include <upc_collective.h>

/* Programs expect these two from the original. */
#include <stdio.h>
#include <string.h>

#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

/* The functions behind the macros, over bytes. A thread whose `result` is null discards its result. */
void bupc_allv_broadcast_bytes(void *result, const void *value, size_t nbytes, int root);
void bupc_allv_scatter_bytes(void *result, const void *values, size_t nbytes, int root);
void bupc_allv_gather_bytes(void *results, const void *value, size_t nbytes, int root);
void bupc_allv_permute_bytes(void *result, const void *value, size_t nbytes, int to);
void bupc_allv_reduce_scalar(void *result, const void *value, upc_type_t type, upc_op_t op, int root); /* -1: all */
void bupc_allv_prefix_scalar(void *result, const void *value, upc_type_t type, upc_op_t op);

#define BUPC_ALLV_TYPE(TYPE)                                                                                           \
    _Generic((TYPE)0, char                                                                                             \
             : (char)-1 < 0 ? UPC_CHAR : UPC_UCHAR, signed char                                                        \
             : UPC_CHAR, unsigned char                                                                                 \
             : UPC_UCHAR, short                                                                                        \
             : UPC_SHORT, unsigned short                                                                               \
             : UPC_USHORT, int                                                                                         \
             : UPC_INT, unsigned                                                                                       \
             : UPC_UINT, long                                                                                          \
             : UPC_LONG, unsigned long                                                                                 \
             : UPC_ULONG, long long                                                                                    \
             : UPC_LLONG, unsigned long long                                                                           \
             : UPC_ULLONG, float                                                                                       \
             : UPC_FLOAT, double                                                                                       \
             : UPC_DOUBLE, long double                                                                                 \
             : UPC_LDOUBLE)

#define BUPC_ALLV_CALL(TYPE, VALUE, CALL, ...)                                                                         \
    __extension__({                                                                                                    \
        __typeof__(TYPE) bupc_allv_value = (VALUE), bupc_allv_result;                                                  \
        CALL(&bupc_allv_result, &bupc_allv_value, __VA_ARGS__);                                                        \
        bupc_allv_result;                                                                                              \
    })

/* Thread `root` gets the result; with bupc_allv_reduce_all all threads do. Thread i's prefix is over threads 0 … i. */
#define bupc_allv_reduce_all(TYPE, VALUE, OP)                                                                          \
    BUPC_ALLV_CALL(TYPE, VALUE, bupc_allv_reduce_scalar, BUPC_ALLV_TYPE(TYPE), OP, -1)
#define bupc_allv_reduce(TYPE, VALUE, ROOT, OP)                                                                        \
    BUPC_ALLV_CALL(TYPE, VALUE, bupc_allv_reduce_scalar, BUPC_ALLV_TYPE(TYPE), OP, ROOT)
#define bupc_allv_prefix_reduce(TYPE, VALUE, OP)                                                                       \
    BUPC_ALLV_CALL(TYPE, VALUE, bupc_allv_prefix_scalar, BUPC_ALLV_TYPE(TYPE), OP)

#define bupc_allv_broadcast(TYPE, VALUE, ROOT)                                                                         \
    BUPC_ALLV_CALL(TYPE, VALUE, bupc_allv_broadcast_bytes, sizeof(TYPE), ROOT)
#define bupc_allv_permute(TYPE, VALUE, TO) BUPC_ALLV_CALL(TYPE, VALUE, bupc_allv_permute_bytes, sizeof(TYPE), TO)

/* SRC: THREADS values on the root. DST: room for THREADS values on the root (on all), returned. */
#define bupc_allv_scatter(TYPE, ROOT, SRC)                                                                             \
    __extension__({                                                                                                    \
        __typeof__(TYPE) bupc_allv_result;                                                                             \
        bupc_allv_scatter_bytes(&bupc_allv_result, SRC, sizeof(TYPE), ROOT);                                           \
        bupc_allv_result;                                                                                              \
    })
#define bupc_allv_gather(TYPE, VALUE, ROOT, DST)                                                                       \
    __extension__({                                                                                                    \
        __typeof__(TYPE) bupc_allv_value = (VALUE), *bupc_allv_dst = (DST);                                            \
        bupc_allv_gather_bytes(bupc_allv_dst, &bupc_allv_value, sizeof(TYPE), ROOT);                                   \
        bupc_allv_dst;                                                                                                 \
    })
#define bupc_allv_gather_all(TYPE, VALUE, DST) bupc_allv_gather(TYPE, VALUE, -1, DST)

#endif

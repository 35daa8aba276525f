/* <upc_types.h>: the designators that the UPC libraries share (UPC 1.3, 7.3): operations, types, synchronisation flags.
 *
 * A strictly conforming C translation unit (7.3 p3), so the runtime's C sources include it too.
 */
#ifndef UPC_TYPES_H
#define UPC_TYPES_H

/* Operations (7.3.1): one bit each, so that a set of them is their bitwise or. <upc_atomic.h> continues at 1 << 9,
 * <upc_collective.h> at 1 << 16. */
typedef int upc_op_t;
#define UPC_ADD 1
#define UPC_MULT 2
#define UPC_AND 4
#define UPC_OR 8
#define UPC_XOR 16
#define UPC_LOGAND 32
#define UPC_LOGOR 64
#define UPC_MIN 128
#define UPC_MAX 256

/* Types (7.3.2). */
typedef int upc_type_t;
#define UPC_CHAR 1
#define UPC_UCHAR 2
#define UPC_SHORT 3
#define UPC_USHORT 4
#define UPC_INT 5
#define UPC_UINT 6
#define UPC_LONG 7
#define UPC_ULONG 8
#define UPC_LLONG 9
#define UPC_ULLONG 10
#define UPC_INT8 11
#define UPC_UINT8 12
#define UPC_INT16 13
#define UPC_UINT16 14
#define UPC_INT32 15
#define UPC_UINT32 16
#define UPC_INT64 17
#define UPC_UINT64 18
#define UPC_FLOAT 19
#define UPC_DOUBLE 20
#define UPC_LDOUBLE 21
#define UPC_PTS 22

/* Synchronisation flags (7.3.3): an argument is one UPC_IN_… or'ed with one UPC_OUT_…; a missing half means ALLSYNC. */
typedef int upc_flag_t;
#define UPC_IN_NOSYNC 1
#define UPC_IN_MYSYNC 2
#define UPC_IN_ALLSYNC 4
#define UPC_OUT_NOSYNC 8
#define UPC_OUT_MYSYNC 16
#define UPC_OUT_ALLSYNC 32

#endif

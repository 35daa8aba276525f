// The macros of upc_types.h are integer constants for #if, distinct and in range.
#include <upc_types.h>
#if UPC_ADD < 1 || (UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX) > 65535
#error range of operations
#endif
#if (UPC_ADD ^ UPC_MULT ^ UPC_AND ^ UPC_OR ^ UPC_XOR ^ UPC_LOGAND ^ UPC_LOGOR ^ UPC_MIN ^ UPC_MAX) != (UPC_ADD + UPC_MULT + UPC_AND + UPC_OR + UPC_XOR + UPC_LOGAND + UPC_LOGOR + UPC_MIN + UPC_MAX)
#error operations share bits
#endif
#if (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC | UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC) > 63
#error range of flags
#endif
_Static_assert(_Generic((upc_op_t)0, upc_op_t: 1, default: 0), "a type");
int distinct(upc_type_t t) {
    switch (t) { /* two equal values would not compile */
    case UPC_CHAR: case UPC_UCHAR: case UPC_SHORT: case UPC_USHORT: case UPC_INT: case UPC_UINT: case UPC_LONG:
    case UPC_ULONG: case UPC_LLONG: case UPC_ULLONG: case UPC_INT8: case UPC_UINT8: case UPC_INT16: case UPC_UINT16:
    case UPC_INT32: case UPC_UINT32: case UPC_INT64: case UPC_UINT64: case UPC_FLOAT: case UPC_DOUBLE:
    case UPC_LDOUBLE: case UPC_PTS:
        return 1;
    }
    return 0;
}
upc_flag_t flags = UPC_IN_NOSYNC | UPC_OUT_MYSYNC;

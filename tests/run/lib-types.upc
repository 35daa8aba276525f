// threads: 1
/* 7.3: <upc_types.h> designators are distinct, fit where the specification says, and serve in #if. */
#include "check.h"
#include <upc_atomic.h>
#include <upc_collective.h>

#if UPC_ADD == UPC_MULT || UPC_INT == UPC_UINT || UPC_IN_ALLSYNC == UPC_OUT_ALLSYNC
#error "designators are not distinct"
#endif
#if !(UPC_MIN | UPC_MAX | UPC_LOGAND | UPC_LOGOR | UPC_AND | UPC_OR | UPC_XOR)
#error "operations are not usable in #if"
#endif

/* Every subset of n values has its own bitwise or, because each value is one bit that no other has (7.3.1p2, 7.3.3p2). */
static void check_bits(const int *values, int n, long limit) {
    int all = 0;
    for (int i = 0; i < n; i++) {
        CHECK(values[i] > 0);
        CHECK((values[i] & (values[i] - 1)) == 0);
        CHECK((all & values[i]) == 0);
        all |= values[i];
    }
    CHECK(all < limit);
}

int main(void) {
    upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX,
                      UPC_GET, UPC_SET, UPC_CSWAP, UPC_SUB, UPC_INC, UPC_DEC, UPC_FUNC, UPC_NONCOMM_FUNC};
    check_bits(ops, 9, 65536);
    check_bits(ops, sizeof ops / sizeof *ops, 1l << 30);

    upc_flag_t flags[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC, UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    check_bits(flags, 6, 64);

    upc_type_t types[] = {UPC_CHAR, UPC_UCHAR, UPC_SHORT, UPC_USHORT, UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG,
                          UPC_LLONG, UPC_ULLONG, UPC_INT8, UPC_UINT8, UPC_INT16, UPC_UINT16, UPC_INT32, UPC_UINT32,
                          UPC_INT64, UPC_UINT64, UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS};
    int n = sizeof types / sizeof *types;
    CHECK_EQ(22, n);
    for (int i = 0; i < n; i++) {
        CHECK(types[i] > 0 && types[i] < 65536);
        for (int j = 0; j < i; j++) CHECK(types[i] != types[j]);
    }
    return 0;
}

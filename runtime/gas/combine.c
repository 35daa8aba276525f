/* The arithmetic of gas.h's reductions: element by element, in a form that the compiler vectorises. */
#include "gas/collective.h"

#define LOOP(EXPRESSION)                                                                                               \
    for (size_t i = 0; i < n; i++) d[i] = (EXPRESSION);                                                                \
    break
/* W: the type in which it adds and multiplies; unsigned, so that overflow wraps. */
#define COMBINE(NAME, T, W, BITS)                                                                                      \
    static void combine_##NAME(T *d, const T *a, const T *b, size_t n, enum gas_atomic_op op) {                        \
        switch (op) {                                                                                                  \
        case GAS_ADD: LOOP((T)((W)a[i] + (W)b[i]));                                                                    \
        case GAS_MULT: LOOP((T)((W)a[i] * (W)b[i]));                                                                   \
        case GAS_MIN: LOOP(b[i] < a[i] ? b[i] : a[i]);                                                                 \
        case GAS_MAX: LOOP(b[i] > a[i] ? b[i] : a[i]); BITS default : break;                                           \
        }                                                                                                              \
    }
#define BITWISE                                                                                                        \
    case GAS_AND: LOOP(a[i] & b[i]);                                                                                   \
    case GAS_OR: LOOP(a[i] | b[i]);                                                                                    \
    case GAS_XOR: LOOP(a[i] ^ b[i]);

COMBINE(i8, int8_t, uint8_t, BITWISE)
COMBINE(u8, uint8_t, uint8_t, BITWISE)
COMBINE(i16, int16_t, unsigned, BITWISE)
COMBINE(u16, uint16_t, unsigned, BITWISE) /* a product of two uint16_t overflows an int */
COMBINE(i32, int32_t, uint32_t, BITWISE)
COMBINE(u32, uint32_t, uint32_t, BITWISE)
COMBINE(i64, int64_t, uint64_t, BITWISE)
COMBINE(u64, uint64_t, uint64_t, BITWISE)
COMBINE(f32, float, float, )
COMBINE(f64, double, double, )

static void combine(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    const struct gas_arithmetic *x = (const struct gas_arithmetic *)o;
    switch (x->type) {
    case GAS_I32: combine_i32(dst, a, b, count, x->op); break;
    case GAS_U32: combine_u32(dst, a, b, count, x->op); break;
    case GAS_I64: combine_i64(dst, a, b, count, x->op); break;
    case GAS_U64: combine_u64(dst, a, b, count, x->op); break;
    case GAS_I8: combine_i8(dst, a, b, count, x->op); break;
    case GAS_U8: combine_u8(dst, a, b, count, x->op); break;
    case GAS_I16: combine_i16(dst, a, b, count, x->op); break;
    case GAS_U16: combine_u16(dst, a, b, count, x->op); break;
    case GAS_F32: combine_f32(dst, a, b, count, x->op); break;
    default: combine_f64(dst, a, b, count, x->op); break;
    }
}

struct gas_arithmetic gas_arithmetic_of(const char *function, enum gas_atomic_type type, enum gas_atomic_op op) {
    unsigned whole = 1u << GAS_AND | 1u << GAS_OR | 1u << GAS_XOR;
    unsigned all = 1u << GAS_ADD | 1u << GAS_MULT | 1u << GAS_MIN | 1u << GAS_MAX;
    if ((unsigned)type > GAS_U16 || type == GAS_PTS) gas_fatal("%s: no such type (%d)", function, (int)type);
    if (type != GAS_F32 && type != GAS_F64) all |= whole;
    if ((unsigned)op > GAS_CSWAP || !(all >> op & 1))
        gas_fatal("%s: operation %d is not one of a reduction of this type", function, (int)op);
    return (struct gas_arithmetic){{gas_atomic_bytes(type), combine}, type, op};
}

static void combine_custom(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    const struct gas_custom *c = (const struct gas_custom *)o;
    core_operator_enter();
    c->combine(dst, a, b, count, c->context);
    core_operator_leave();
}

struct gas_custom gas_custom_of(const char *function, size_t elem_bytes, gas_combiner *combine, void *context) {
    if (!combine) gas_fatal("%s: no function that combines", function);
    if (elem_bytes == 0 || elem_bytes > GAS_MOST_ELEMENT || (elem_bytes & (elem_bytes - 1)))
        gas_fatal("%s: elements of %zu bytes; their size must be a power of two up to %d: pad them", function,
                  elem_bytes, (int)GAS_MOST_ELEMENT);
    return (struct gas_custom){{elem_bytes, combine_custom}, combine, context};
}

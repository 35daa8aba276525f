/* The operations of updates, with C's conversions (C17 6.5.16.2, 6.3.1.8).
 *
 * Integers: sums, products and bitwise operations of two's complement depend on the low bits of their operands alone, so they are
 * computed in the object's own width, without a sign, and what C leaves undefined wraps. A shift happens in the promoted type: of
 * a narrow object that is int, so that bits come back from above, and the sign. Numbers of a shift that C leaves undefined are
 * taken modulo its width.
 *
 * Floating point: the sender has converted its operand to the type in which C computes, and rounded it. Here are one operation
 * and the conversion to the object's type.
 */
#include "gas/update.h"

#include <stdint.h>
#include <string.h>

#include "gas/transfer.h"

/* Where objects are that do not follow each other: the one or the other. */
struct places {
    const uint32_t *numbers; /* of objects */
    const uint64_t *offsets; /* bytes */
};

/* For each object: a is what it holds, b the operand; T is the object's type, U the operand's. Objects follow each other and have an
 * operand each, or they are at places, and have one operand. */
#define ONE(T, AT, CHANGE)                                                                                             \
    do {                                                                                                               \
        char *at = (AT);                                                                                               \
        gas_load_shared(&a, at, sizeof a);                                                                             \
        a = (T)(CHANGE);                                                                                               \
        gas_store_shared(at, &a, sizeof a);                                                                            \
    } while (0)
#define EACH(T, U, CHANGE)                                                                                             \
    do {                                                                                                               \
        T a;                                                                                                           \
        U b;                                                                                                           \
        memcpy(&b, q, sizeof b);                                                                                       \
        if (places.offsets) {                                                                                          \
            for (size_t i = 0; i < n; i++) ONE(T, p + places.offsets[i], CHANGE);                                      \
            return;                                                                                                    \
        }                                                                                                              \
        if (places.numbers) {                                                                                          \
            for (size_t i = 0; i < n; i++) ONE(T, p + places.numbers[i] * sizeof a, CHANGE);                           \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            memcpy(&b, q + i * sizeof b, sizeof b);                                                                    \
            ONE(T, p + i * sizeof a, CHANGE);                                                                          \
        }                                                                                                              \
        return;                                                                                                        \
    } while (0)

/* W is the unsigned form of the promoted type, P the promoted type. */
#define INTEGERS(NAME, T, W, P)                                                                                        \
    static void NAME(char *p, enum fathom_update_op op, const char *q, size_t n, struct places places) {               \
        enum { WIDTH = sizeof(W) * 8 };                                                                                \
        switch (op) {                                                                                                  \
        case FATHOM_UPDATE_ADD: EACH(T, T, (W)a + (W)b);                                                               \
        case FATHOM_UPDATE_SUB: EACH(T, T, (W)a - (W)b);                                                               \
        case FATHOM_UPDATE_MUL: EACH(T, T, (W)a *(W)b);                                                                \
        case FATHOM_UPDATE_AND: EACH(T, T, a &b);                                                                      \
        case FATHOM_UPDATE_OR: EACH(T, T, a | b);                                                                      \
        case FATHOM_UPDATE_XOR: EACH(T, T, a ^ b);                                                                     \
        case FATHOM_UPDATE_SHL: EACH(T, T, (W)a << (b & (WIDTH - 1)));                                                 \
        case FATHOM_UPDATE_SHR: EACH(T, T, (P)a >> (b & (WIDTH - 1)));                                                 \
        }                                                                                                              \
    }
INTEGERS(u8, uint8_t, uint32_t, int32_t)
INTEGERS(u16, uint16_t, uint32_t, int32_t)
INTEGERS(u32, uint32_t, uint32_t, uint32_t)
INTEGERS(u64, uint64_t, uint64_t, uint64_t)
INTEGERS(i8, int8_t, uint32_t, int32_t)
INTEGERS(i16, int16_t, uint32_t, int32_t)
INTEGERS(i32, int32_t, uint32_t, int32_t)
INTEGERS(i64, int64_t, uint64_t, int64_t)

#define FLOATING(NAME, T, U)                                                                                           \
    static void NAME(char *p, enum fathom_update_op op, const char *q, size_t n, struct places places) {               \
        switch (op) {                                                                                                  \
        case FATHOM_UPDATE_ADD: EACH(T, U, (U)a + b);                                                                  \
        case FATHOM_UPDATE_SUB: EACH(T, U, (U)a - b);                                                                  \
        case FATHOM_UPDATE_MUL: EACH(T, U, (U)a *b);                                                                   \
        default: return;                                                                                               \
        }                                                                                                              \
    }
FLOATING(f32, float, float)
FLOATING(f64, double, double)
FLOATING(f32_by_f64, float, double)

static void change(void *at, unsigned kind, const void *operands, size_t n, struct places places) {
    enum fathom_update_op op = (enum fathom_update_op)(kind & 7);
    switch ((enum fathom_update_object)(kind >> 3)) {
    case FATHOM_UPDATE_U8: u8(at, op, operands, n, places); break;
    case FATHOM_UPDATE_U16: u16(at, op, operands, n, places); break;
    case FATHOM_UPDATE_U32: u32(at, op, operands, n, places); break;
    case FATHOM_UPDATE_U64: u64(at, op, operands, n, places); break;
    case FATHOM_UPDATE_I8: i8(at, op, operands, n, places); break;
    case FATHOM_UPDATE_I16: i16(at, op, operands, n, places); break;
    case FATHOM_UPDATE_I32: i32(at, op, operands, n, places); break;
    case FATHOM_UPDATE_I64: i64(at, op, operands, n, places); break;
    case FATHOM_UPDATE_F32: f32(at, op, operands, n, places); break;
    case FATHOM_UPDATE_F64: f64(at, op, operands, n, places); break;
    case FATHOM_UPDATE_F32_BY_F64: f32_by_f64(at, op, operands, n, places); break;
    }
}

void gas_update_here(void *at, unsigned kind, const void *operands, size_t n) {
    change(at, kind, operands, n, (struct places){NULL, NULL});
}

void gas_update_each(void *at, const uint32_t *places, size_t n, unsigned kind, const void *operand) {
    if (n) change(at, kind, operand, n, (struct places){places, NULL});
}

void gas_update_at(void *at, const uint64_t *offsets, size_t n, unsigned kind, const void *operand) {
    change(at, kind, operand, n, (struct places){NULL, offsets});
}

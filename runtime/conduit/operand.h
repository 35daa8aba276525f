/* Operands of atomic operations that a network has no name for: an increment is an addition of 1, a subtraction one of the negative. */
#ifndef CONDUIT_OPERAND_H
#define CONDUIT_OPERAND_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gas.h"

/* A number of the types of domains (`GAS_I32` to `GAS_F64`). */
union operand {
    int32_t i32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
};

static inline union operand operand_small(int type, int n) {
    switch (type) {
    case GAS_F32: return (union operand){.f32 = (float)n};
    case GAS_F64: return (union operand){.f64 = n};
    default: return (union operand){.i64 = n}; /* little-endian: its lower half is the 32-bit one */
    }
}

static inline union operand operand_negative(int type, const void *operand, size_t size) {
    union operand v = {0};
    memcpy(&v, operand, size);
    switch (type) {
    case GAS_F32: v.f32 = -v.f32; break;
    case GAS_F64: v.f64 = -v.f64; break;
    default: v.u64 = -v.u64; break;
    }
    return v;
}

#endif

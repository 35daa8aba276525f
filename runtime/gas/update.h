/* What an update `x op= y` makes of its object: the same on the thread that has the object as on the one that asks. */
#ifndef GAS_UPDATE_H
#define GAS_UPDATE_H

#include <stddef.h>
#include <stdint.h>

#include "gas.h"
#include "lang/update.h"

/* An object's type and an operation in one number. */
enum { GAS_UPDATE_BITS = 7 };
static inline unsigned gas_update_kind(enum fathom_update_object object, enum fathom_update_op op) {
    return (unsigned)object << 3 | (unsigned)op;
}

/* Bytes of an object; of its operand. */
static inline size_t gas_update_bytes(unsigned kind) {
    static const unsigned char bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 4};
    return bytes[kind >> 3];
}
static inline size_t gas_update_operand_bytes(unsigned kind) {
    return kind >> 3 == FATHOM_UPDATE_F32_BY_F64 ? 8 : gas_update_bytes(kind);
}

/* Updates n objects, one after the other in memory, by as many operands. Each is read and written whole. */
void gas_update_here(void *at, unsigned kind, const void *operands, size_t n);
/* Updates n objects by one operand, one after the other: object k is places[k] objects behind `at`. */
void gas_update_each(void *at, const uint32_t *places, size_t n, unsigned kind, const void *operand);
/* The same where object k is offsets[k] bytes behind `at`. */
void gas_update_at(void *at, const uint64_t *offsets, size_t n, unsigned kind, const void *operand);

#endif

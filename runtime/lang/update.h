/* Updates `x op= y` whose value nobody wants, of objects that are far, for generated code (docs/decisions/0013): the thread that
 * has the object computes, if FATHOM_COMM has the word `updates`. The runtime's parts are gas/far.c and gas/update.c. Included by
 * the prelude; includes nothing. */
#ifndef FATHOM_UPDATE_H
#define FATHOM_UPDATE_H

/* The object's type. C's conversions make signedness matter for shifts to the right alone. An object of type float is computed
 * with in the type of the operand: float, or double. */
enum fathom_update_object {
    FATHOM_UPDATE_U8,
    FATHOM_UPDATE_U16,
    FATHOM_UPDATE_U32,
    FATHOM_UPDATE_U64,
    FATHOM_UPDATE_I8,
    FATHOM_UPDATE_I16,
    FATHOM_UPDATE_I32,
    FATHOM_UPDATE_I64,
    FATHOM_UPDATE_F32,
    FATHOM_UPDATE_F64,
    FATHOM_UPDATE_F32_BY_F64
};
enum fathom_update_op {
    FATHOM_UPDATE_ADD,
    FATHOM_UPDATE_SUB,
    FATHOM_UPDATE_MUL,
    FATHOM_UPDATE_AND,
    FATHOM_UPDATE_OR,
    FATHOM_UPDATE_XOR,
    FATHOM_UPDATE_SHL,
    FATHOM_UPDATE_SHR
};

/* The object at p is far; the operand's low bytes count, as many as the object has, or it is the number of a shift. */
void fathom_far_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op, unsigned long operand);

/* An atomic operation whose result is not used, on an object anywhere of 4 or 8 bytes: ADD, AND, OR, XOR (lang/bupc_atomic.c). */
void fathom_atomic_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                          unsigned long operand);

FATHOM_INLINE void fathom_far_update_float(fathom_ptr p, enum fathom_update_op op, float operand) {
    unsigned int bits;
    __builtin_memcpy(&bits, &operand, sizeof bits);
    fathom_far_update(p, FATHOM_UPDATE_F32, op, bits);
}
FATHOM_INLINE void fathom_far_update_double(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                                            double operand) {
    unsigned long bits;
    __builtin_memcpy(&bits, &operand, sizeof bits);
    fathom_far_update(p, object, op, bits);
}

#endif

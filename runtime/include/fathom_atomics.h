/** @file fathom_atomics.h
 * @brief Atomics: a part of fathom.h, which programs include.
 *
 * It has atomic operations on objects of other threads, and domains of them.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_atomics Atomics
 * @brief Atomic updates of shared variables.
 *
 * They are atomic with respect to each other, on any threads. They order nothing else (fathom_order() does). An object
 * must be aligned to its size: a call ends the job if it is not, but a near object may take an instruction only, which
 * does not look. Complete when they return.
 *
 * @code
 * long ticket = (long)fathom_fetch_add(counter, 1);     // int64_t at `counter`, on any thread
 * @endcode
 * @{ */

/** Types of the objects. */
enum fathom_type {
    FATHOM_I32 = GAS_I32, /**< int32_t */
    FATHOM_U32 = GAS_U32, /**< uint32_t */
    FATHOM_I64 = GAS_I64, /**< int64_t */
    FATHOM_U64 = GAS_U64, /**< uint64_t */
    FATHOM_F32 = GAS_F32, /**< float */
    FATHOM_F64 = GAS_F64, /**< double */
    FATHOM_PTR = GAS_PTS, /**< fathom_ptr: get, set, swap and compare-and-swap only */
    FATHOM_I8 = GAS_I8,   /**< int8_t: reductions and scans only */
    FATHOM_U8 = GAS_U8,   /**< uint8_t: reductions and scans only */
    FATHOM_I16 = GAS_I16, /**< int16_t: reductions and scans only */
    FATHOM_U16 = GAS_U16  /**< uint16_t: reductions and scans only */
};

/** The operation on an object x, with operands a and b. Integers wrap around. Bitwise operations are for integers. */
enum fathom_operator {
    FATHOM_GET = GAS_GET,    /**< x stays */
    FATHOM_SET = GAS_SET,    /**< x = a */
    FATHOM_ADD = GAS_ADD,    /**< x = x + a */
    FATHOM_SUB = GAS_SUB,    /**< x = x - a */
    FATHOM_MULT = GAS_MULT,  /**< x = x * a */
    FATHOM_INC = GAS_INC,    /**< x = x + 1 */
    FATHOM_DEC = GAS_DEC,    /**< x = x - 1 */
    FATHOM_AND = GAS_AND,    /**< x = x & a */
    FATHOM_OR = GAS_OR,      /**< x = x | a */
    FATHOM_XOR = GAS_XOR,    /**< x = x ^ a */
    FATHOM_NOT = GAS_NOT,    /**< x = ~x */
    FATHOM_MIN = GAS_MIN,    /**< x = the smaller of x and a */
    FATHOM_MAX = GAS_MAX,    /**< x = the greater of x and a */
    FATHOM_SWAP = GAS_SWAP,  /**< x = a; for the former value */
    FATHOM_CSWAP = GAS_CSWAP /**< if x equals a, x = b; values are equal if their bits are */
};

/** Applies an operator to any object.
 * @param[out] fetch receives the former value; null if it is not needed.
 * @param target the object.
 * @param type the type of the object and of the other pointers' objects.
 * @param op the operator.
 * @param a,b operands; null if the operator takes none. */
static inline void fathom_atomic(void *fetch, fathom_ptr target, enum fathom_type type, enum fathom_operator op,
                                 const void *a, const void *b) {
    gas_atomic(fetch, target, (enum gas_atomic_type)type, (enum gas_atomic_op)op, a, b);
}
/** Begins fathom_atomic(). Operands may change at once; `*fetch` has its value when the handle is complete.
 * @param fetch,target,type,op,a,b as for fathom_atomic().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_atomic_nb(void *fetch, fathom_ptr target, enum fathom_type type, enum fathom_operator op,
                                         const void *a, const void *b) {
    return gas_atomic_nb(fetch, target, (enum gas_atomic_type)type, (enum gas_atomic_op)op, a, b);
}
/** Reads an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @return its value. */
static inline int64_t fathom_atomic_get(fathom_ptr target) {
    int64_t value;
    gas_atomic(&value, target, GAS_I64, GAS_GET, NULL, NULL);
    return value;
}
/** Writes an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value its new value. */
static inline void fathom_atomic_set(fathom_ptr target, int64_t value) {
    gas_atomic(NULL, target, GAS_I64, GAS_SET, &value, NULL);
}
/** Adds to an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value the summand; the sum wraps around.
 * @return the value before. */
static inline int64_t fathom_fetch_add(fathom_ptr target, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_ADD, &value, NULL);
    return before;
}
/** Replaces an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value its new value.
 * @return the value before. */
static inline int64_t fathom_swap(fathom_ptr target, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_SWAP, &value, NULL);
    return before;
}
/** Replaces an int64_t if it is `expected`.
 * @param target an int64_t, aligned, on any thread.
 * @param expected the value that it must have.
 * @param value its new value then.
 * @return the value before: `expected` if it was replaced. */
static inline int64_t fathom_compare_swap(fathom_ptr target, int64_t expected, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_CSWAP, &expected, &value);
    return before;
}

/** A set of objects of one type that are changed only through it while it is used, so that the network may perform the
 * operations. */
typedef gas_domain fathom_domain;
/** Makes a domain. Collective.
 * @param type of its objects.
 * @param operators the bits 1u << FATHOM_ADD and so on of all operators that will be used.
 * @return the domain, for this thread. */
static inline fathom_domain fathom_domain_create(enum fathom_type type, unsigned operators) {
    return gas_domain_create((enum gas_atomic_type)type, operators);
}
/** Ends a domain, when no thread uses it any more. Collective.
 * @param domain the result of fathom_domain_create(). */
static inline void fathom_domain_free(fathom_domain domain) { gas_domain_free(domain); }
/** As fathom_atomic(), for an object of a domain and an operator that it was created with.
 * @param domain the domain of the object.
 * @param fetch,target,op,a,b as for fathom_atomic(); the type is the domain's. */
static inline void fathom_domain_atomic(fathom_domain domain, void *fetch, fathom_ptr target, enum fathom_operator op,
                                        const void *a, const void *b) {
    gas_domain_atomic(domain, fetch, target, (enum gas_atomic_op)op, a, b);
}

/** @} */

#ifdef __cplusplus
}
#endif

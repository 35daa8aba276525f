/** @file fathom_waiting.h
 * @brief Waiting for values: a part of fathom.h, which programs include.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_waiting Waiting for values
 * @brief Wait until objects in this thread's or near memory, which others change, satisfy comparisons.
 *
 * A change by a signal (fathom_put_signal(), fathom_put_signal_set()) wakes a thread that waits for one value at once;
 * other changes are noticed within a millisecond. If the change came by a signal, or behind fathom_order(), what was written
 * before it is visible.
 *
 * @code
 * fathom_condition come[2];                       // which of two flags is set first?
 * const int32_t one = 1;
 * come[0] = fathom_when(flags, FATHOM_I32, FATHOM_EQ, &one);
 * come[1] = fathom_when(flags + 4, FATHOM_I32, FATHOM_EQ, &one);
 * size_t first = fathom_wait_until_any(come, 2);
 * @endcode
 * @{ */

/** How a value is compared with another. */
enum fathom_comparison {
    FATHOM_EQ = GAS_EQ, /**< equal */
    FATHOM_NE = GAS_NE, /**< not equal */
    FATHOM_LT = GAS_LT, /**< less */
    FATHOM_LE = GAS_LE, /**< less or equal */
    FATHOM_GT = GAS_GT, /**< greater */
    FATHOM_GE = GAS_GE  /**< greater or equal */
};
/** A comparison of an object with a value; its member `at` is 0 if there is none. */
typedef struct gas_condition fathom_condition;

/** Makes a condition.
 * @param at the object, in near memory, aligned to its size.
 * @param type of the object and the value; not one of those for reductions only.
 * @param comparison object `comparison` value.
 * @param value must exist as long as the condition.
 * @return the condition. */
static inline fathom_condition fathom_when(fathom_ptr at, enum fathom_type type, enum fathom_comparison comparison,
                                           const void *value) {
    fathom_condition c = {at, value, (enum gas_atomic_type)type, (enum gas_comparison)comparison};
    return c;
}
/** Does a condition hold now? Does not serve messages.
 * @param condition with an object.
 * @return 1 or 0. */
static inline int fathom_holds(fathom_condition condition) { return gas_holds(&condition); }
/** Waits until a condition holds; serves messages.
 * @param condition with an object. */
static inline void fathom_wait_until(fathom_condition condition) { gas_wait_until(&condition); }
/** Has each of the conditions held once? Those that hold are marked: their `at` becomes 0. Never waits; serves messages.
 * @param[in,out] conditions those without an object are left out.
 * @param n their number.
 * @return 1 or 0. */
static inline int fathom_test_until_all(fathom_condition *conditions, size_t n) {
    return gas_test_until_all(conditions, n);
}
/** Waits until each has held once.
 * @param[in,out] conditions,n as for fathom_test_until_all(). */
static inline void fathom_wait_until_all(fathom_condition *conditions, size_t n) { gas_wait_until_all(conditions, n); }
/** Which hold? They are marked. Never waits; serves messages.
 * @param[in,out] conditions,n as for fathom_test_until_all().
 * @param[out] which room for n places in the array; null if they are not needed.
 * @return their number. */
static inline size_t fathom_test_until_some(fathom_condition *conditions, size_t n, size_t *which) {
    return gas_test_until_some(conditions, n, which);
}
/** As fathom_test_until_some(), but waits until there is one; 0 only if all are marked.
 * @param[in,out] conditions,n as there.
 * @param[out] which as there.
 * @return their number. */
static inline size_t fathom_wait_until_some(fathom_condition *conditions, size_t n, size_t *which) {
    return gas_wait_until_some(conditions, n, which);
}
/** Finds one that holds, and marks it. Never waits; serves messages.
 * @param[in,out] conditions,n as for fathom_test_until_all().
 * @return its place, or n. */
static inline size_t fathom_test_until_any(fathom_condition *conditions, size_t n) {
    return gas_test_until_any(conditions, n);
}
/** As fathom_test_until_any(), but waits until there is one; n only if all are marked.
 * @param[in,out] conditions,n as there.
 * @return its place, or n. */
static inline size_t fathom_wait_until_any(fathom_condition *conditions, size_t n) {
    return gas_wait_until_any(conditions, n);
}

/** @} */

#ifdef __cplusplus
}
#endif

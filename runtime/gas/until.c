/* Waiting until values in near memory satisfy comparisons: one, all, some or any of many.
 *
 * Objects are changed by others' stores, atomics and signals, of which only the last wake a sleeping thread; so a wait for
 * one condition sleeps on the word that a signal changes, and a wait for several looks again once a millisecond.
 */
#include "gas/lines.h"
#include "gas/sync.h"

static _Noreturn void bad(const struct gas_condition *c) {
    if ((unsigned)c->type > GAS_PTS) gas_fatal("gas_wait_until: no such type of a value (%d)", (int)c->type);
    if ((unsigned)c->comparison > GAS_GE) gas_fatal("gas_wait_until: no such comparison (%d)", (int)c->comparison);
    if (!c->at)
        gas_fatal(
            "gas_wait_until: the value's address is null, as fathom_global gives it for private memory: only memory "
            "in a segment can be waited for");
    if (!c->value) gas_fatal("gas_wait_until: nothing to compare the value at 0x%lx with", c->at);
    if (c->at % gas_atomic_bytes(c->type) != 0)
        gas_fatal("gas_wait_until: the value at 0x%lx is not aligned to its size, %zu bytes", c->at,
                  gas_atomic_bytes(c->type));
    gas_fatal(
        "gas_wait_until: the value at 0x%lx is on thread %ld, which is not near: only near memory can be waited for",
        c->at, fathom_thread_of(c->at));
}

static void check(const struct gas_condition *c) {
    bool good = (unsigned)c->type <= GAS_PTS && (unsigned)c->comparison <= GAS_GE && c->value && c->at &&
                c->at % gas_atomic_bytes(c->type) == 0 && fathom_is_near(c->at);
    if (__builtin_expect(!good, 0)) bad(c);
}

static uint32_t word32(const void *p) { return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE); }
static uint64_t word64(const void *p) { return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE); }

/* A NaN is unequal to everything and neither less nor greater. */
#define COMPARE(T, BITS)                                                                                               \
    do {                                                                                                               \
        uint##BITS##_t bits = word##BITS(at);                                                                          \
        T x, y;                                                                                                        \
        __builtin_memcpy(&x, &bits, sizeof x);                                                                         \
        __builtin_memcpy(&y, c->value, sizeof y);                                                                      \
        switch (c->comparison) {                                                                                       \
        case GAS_EQ: return x == y;                                                                                    \
        case GAS_NE: return x != y;                                                                                    \
        case GAS_LT: return x < y;                                                                                     \
        case GAS_LE: return x <= y;                                                                                    \
        case GAS_GT: return x > y;                                                                                     \
        default: return x >= y;                                                                                        \
        }                                                                                                              \
    } while (0)

static bool holds(const struct gas_condition *c) {
    const void *at = fathom_local(c->at);
    switch (c->type) {
    case GAS_I32: COMPARE(int32_t, 32);
    case GAS_U32: COMPARE(uint32_t, 32);
    case GAS_F32: COMPARE(float, 32);
    case GAS_I64: COMPARE(int64_t, 64);
    case GAS_F64: COMPARE(double, 64);
    default: COMPARE(uint64_t, 64);
    }
}

/* What others have written before it is visible, too, and not what was kept from before. */
static bool has_come(const struct gas_condition *c) {
    if (!holds(c)) return false;
    gas_lines_forget();
    return true;
}

int gas_holds(const struct gas_condition *c) {
    check(c);
    return has_come(c);
}

void gas_wait_until(const struct gas_condition *c) {
    check(c);
    const uint32_t *word = fathom_local(c->at);
    if (gas_atomic_bytes(c->type) == 8)
        word += __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; /* the half that signals change */
    for (unsigned round = 0;;) {
        uint32_t old = word32(word);
        if (has_come(c)) return;
        core_wait_word_unrung(&round, word, old, ~0u);
    }
}

/* Marks those that hold, `most` of them; *left: conditions that do not. */
static size_t mark(struct gas_condition *c, size_t n, size_t *which, size_t most, size_t *left) {
    size_t newly = 0;
    *left = 0;
    for (size_t i = 0; i < n && newly < most; i++) {
        if (!c[i].at) continue;
        check(&c[i]);
        if (!has_come(&c[i])) {
            ++*left;
            continue;
        }
        c[i].at = 0;
        if (which) which[newly] = i;
        newly++;
    }
    return newly;
}

static size_t test(struct gas_condition *c, size_t n, size_t *which, size_t most, size_t *left) {
    size_t newly = mark(c, n, which, most, left);
    if (newly || !*left) return newly;
    core_poll_for_others();
    return mark(c, n, which, most, left);
}

static size_t wait(struct gas_condition *c, size_t n, size_t *which, size_t most) {
    for (unsigned round = 0;;) {
        size_t left, newly = mark(c, n, which, most, &left);
        if (newly || !left) return newly;
        core_wait_unrung(&round);
    }
}

int gas_test_until_all(struct gas_condition *c, size_t n) {
    size_t left;
    test(c, n, NULL, n, &left);
    return left == 0;
}

void gas_wait_until_all(struct gas_condition *c, size_t n) {
    while (wait(c, n, NULL, n)) {}
}

size_t gas_test_until_some(struct gas_condition *c, size_t n, size_t *which) {
    size_t left;
    return test(c, n, which, n, &left);
}

size_t gas_wait_until_some(struct gas_condition *c, size_t n, size_t *which) { return wait(c, n, which, n); }

size_t gas_test_until_any(struct gas_condition *c, size_t n) {
    size_t left, which;
    return test(c, n, &which, 1, &left) ? which : n;
}

size_t gas_wait_until_any(struct gas_condition *c, size_t n) {
    size_t which;
    return wait(c, n, &which, 1) ? which : n;
}

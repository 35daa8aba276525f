/* Waiting for values: comparisons of every type, and all, some or any of many conditions; signals that set a word. */
#include "suite.h"

/* Every comparison of every type against C's own, for pairs of values that differ in sign and size. */
CASE(until_comparisons_are_those_of_the_type) {
    static const int64_t values[] = {-2, -1, 0, 1, 2, INT32_MIN, INT32_MAX};
    enum { N = sizeof values / sizeof *values };
    fathom_ptr at = gas_alloc(8);
    ASSERT(at, "no room");
#define CHECK(T, TYPE)                                                                                                 \
    for (int i = 0; i < N; i++)                                                                                        \
        for (int j = 0; j < N; j++) {                                                                                  \
            T x = (T)values[i], y = (T)values[j];                                                                      \
            memcpy(fathom_local(at), &x, sizeof x);                                                                    \
            int right[] = {x == y, x != y, x<y, x <= y, x> y, x >= y};                                                 \
            for (int c = GAS_EQ; c <= GAS_GE; c++)                                                                     \
                EQUAL(right[c], gas_holds(&(struct gas_condition){at, &y, TYPE, (enum gas_comparison)c}));             \
        }
    CHECK(int32_t, GAS_I32)
    CHECK(uint32_t, GAS_U32)
    CHECK(int64_t, GAS_I64)
    CHECK(uint64_t, GAS_U64)
    CHECK(float, GAS_F32)
    CHECK(double, GAS_F64)
    gas_free(at);
}

/* Each thread's word goes up by one with each turn: the neighbour does it. */
CASE(until_one_value_changes_by_a_put) {
    fathom_ptr box = everywhere(8);
    *(int64_t *)here(box) = 0;
    gas_barrier();
    for (int64_t turn = 1; turn <= suite_rounds(20); turn++) {
        gas_put_value(on(neighbour(1), box), (uint64_t)turn, 8);
        gas_wait_until(&(struct gas_condition){on(me(), box), &turn, GAS_I64, GAS_GE});
    }
    gas_barrier();
    free_everywhere(box);
}

/* All threads set a flag on each thread, in an order of their own; those that have come are counted once each. */
static void flags_come(int way) {
    fathom_ptr flags = everywhere(4 * (size_t)count());
    memset(here(flags), 0, 4 * (size_t)count());
    gas_barrier();
    const int32_t one = 1;
    struct gas_condition c[count()];
    for (int t = 0; t < count(); t++)
        c[t] = (struct gas_condition){on(me(), flags) + 4 * (fathom_ptr)t, &one, GAS_I32, GAS_EQ};
    int without = way == 0 || count() == 1 ? -1 : neighbour(1); /* is left out of the conditions */
    if (without >= 0) c[without].at = 0;
    for (int i = 0; i < count(); i++)
        gas_atomic(NULL, on(neighbour(i), flags) + 4 * (fathom_ptr)me(), GAS_I32, GAS_SET, &one, NULL);
    size_t n = (size_t)count(), come = 0, which[count()];
    bool *seen = calloc(n, sizeof *seen);
    if (way == 0) {
        gas_wait_until_all(c, n);
        for (int t = 0; t < count(); t++) seen[t] = true;
        come = n;
    } else if (way == 1) {
        for (size_t newly; (newly = gas_wait_until_some(c, n, which)) != 0; come += newly)
            for (size_t i = 0; i < newly; i++) {
                ASSERT(!seen[which[i]], "flag %zu came twice", which[i]);
                seen[which[i]] = true;
            }
    } else {
        for (size_t i; (i = gas_wait_until_any(c, n)) < n; come++) {
            ASSERT(!seen[i], "flag %zu came twice", i);
            seen[i] = true;
        }
    }
    EQUAL(count() - (without >= 0), come);
    for (int t = 0; t < count(); t++) {
        EQUAL(0, c[t].at);
        if (seen[t]) EQUAL(1, ((int32_t *)here(flags))[t]);
        EQUAL(t != without, seen[t]);
    }
    EQUAL(1, gas_test_until_all(c, n));
    EQUAL(0, gas_test_until_some(c, n, which));
    EQUAL(n, gas_test_until_any(c, n));
    free(seen);
    gas_barrier();
    free_everywhere(flags);
}
CASE(until_all_of_many) { flags_come(0); }
CASE(until_some_of_many) { flags_come(1); }
CASE(until_any_of_many) { flags_come(2); }

CASE(until_tests_do_not_wait) {
    fathom_ptr at = gas_alloc(16);
    ASSERT(at, "no room");
    double *x = fathom_local(at), zero = 0;
    x[0] = 1, x[1] = 0;
    struct gas_condition c[] = {{at, &zero, GAS_F64, GAS_LT}, {at + 8, &zero, GAS_F64, GAS_LT}};
    EQUAL(0, gas_test_until_all(c, 2));
    EQUAL(0, gas_test_until_some(c, 2, NULL));
    EQUAL(2, gas_test_until_any(c, 2));
    x[1] = -1;
    EQUAL(1, gas_test_until_any(c, 2));
    EQUAL(0, c[1].at);
    x[1] = 1; /* has held once: that suffices */
    EQUAL(0, gas_test_until_all(c, 2));
    x[0] = -1;
    EQUAL(1, gas_test_until_all(c, 2));
    gas_free(at);
}

/* A word that signals set holds the last value, and whoever sees it sees the data; of every size, blocking and not. */
CASE(signal_sets_a_word_after_the_data) {
    enum { LARGEST = 100000 };
    struct box {
        uint64_t word;
        uint8_t data[LARGEST];
    };
    fathom_ptr box = everywhere(sizeof(struct box));
    struct box *mine_box = here(box);
    mine_box->word = 0;
    gas_barrier();
    int to = neighbour(1), from = neighbour(-1);
    uint8_t *data = malloc(LARGEST);
    for (uint64_t turn = 1; turn <= (uint64_t)suite_rounds(30); turn++) {
        size_t n = random_size(&together, LARGEST);
        fill_pattern(data, n, turn * 1000 + (uint64_t)me());
        fathom_ptr there = on(to, box), bytes = there + offsetof(struct box, data);
        uint64_t value = turn * 0x123456789 + 7;
        if (turn % 2) {
            gas_put_signal_set(bytes, data, n, there, value);
        } else {
            gas_handle op = gas_put_signal_set_nb(bytes, data, n, there, value);
            gas_wait(&op);
        }
        gas_wait_until(&(struct gas_condition){on(me(), box), &value, GAS_U64, GAS_EQ});
        PATTERN(mine_box->data, n, turn * 1000 + (uint64_t)from);
        gas_barrier();
    }
    free(data);
    free_everywhere(box);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static const int64_t zero;
static fathom_ptr other(size_t n) { return on(neighbour(1), everywhere(n)); }

ENDS(until_unaligned, 1, 1,
     "fathom: thread [0-9]+: gas_wait_until: the value at 0x[0-9a-f]+ is not aligned to its size, 8 bytes.*\\|") {
    gas_holds(&(struct gas_condition){gas_alloc(16) + 4, &zero, GAS_I64, GAS_EQ});
}
ENDS(until_type_that_atomics_lack, 1, 1,
     "fathom: thread [0-9]+: gas_wait_until: no such type of a value \\(7\\).*\\|") {
    gas_holds(&(struct gas_condition){gas_alloc(16), &zero, GAS_I8, GAS_EQ});
}
ENDS(until_no_such_comparison, 1, 1, "fathom: thread [0-9]+: gas_wait_until: no such comparison \\(6\\).*\\|") {
    gas_holds(&(struct gas_condition){gas_alloc(16), &zero, GAS_I64, (enum gas_comparison)6});
}
ENDS(until_without_a_value, 1, 1,
     "fathom: thread [0-9]+: gas_wait_until: nothing to compare the value at 0x[0-9a-f]+ with.*\\|") {
    gas_holds(&(struct gas_condition){gas_alloc(16), NULL, GAS_I64, GAS_EQ});
}
ENDS(signal_set_word_elsewhere, 2, 1,
     "fathom: thread [0-9]+: gas_put_signal_set: the data go to thread [0-9]+, but the word is on thread [0-9]+.*\\|") {
    fathom_ptr box = other(16);
    gas_put_signal_set(box, &zero, 8, on((int)fathom_thread_of(box) ? 0 : 1, box) + 8, 1);
    gas_barrier();
}

ENDS(until_in_private_memory, 1, 1,
     "fathom: thread [0-9]+: gas_wait_until: the value's address is null, as fathom_global gives it for private "
     "memory.*\\|") {
    int64_t here_only = 0;
    gas_wait_until(&(struct gas_condition){fathom_is_shared(&here_only) ? 8 : 0, &here_only, GAS_I64, GAS_EQ});
}

/* Atomics: every operator on every type against a model; nobody comes between two of them; and the same for domains. */
#include "gas/gas_internal.h"
#include "suite.h"

/* ---- the model --------------------------------------------------------------------------------------------------- */

enum { TYPES = GAS_PTS + 1, OPERATORS = GAS_CSWAP + 1 };
static const size_t size_of[TYPES] = {4, 4, 8, 8, 4, 8, 8};
static const char *const type_name[TYPES] = {"I32", "U32", "I64", "U64", "F32", "F64", "PTS"};
static const char *const operator_name[OPERATORS] = {"GET", "SET", "ADD", "SUB", "MULT", "INC",  "DEC",  "AND",
                                                     "OR",  "XOR", "NOT", "MIN", "MAX",  "SWAP", "CSWAP"};

static bool has(int type, int op) {
    if (type == GAS_PTS) return op == GAS_GET || op == GAS_SET || op == GAS_SWAP || op == GAS_CSWAP;
    bool bits = op == GAS_AND || op == GAS_OR || op == GAS_XOR || op == GAS_NOT;
    return !bits || (type != GAS_F32 && type != GAS_F64);
}

union value {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
};

/* Integers, signed or not, through unsigned arithmetic of their width. */
static uint64_t integer(int op, uint64_t x, uint64_t a, bool less) {
    switch (op) {
    case GAS_ADD: return x + a;
    case GAS_SUB: return x - a;
    case GAS_MULT: return x * a;
    case GAS_INC: return x + 1;
    case GAS_DEC: return x - 1;
    case GAS_AND: return x & a;
    case GAS_OR: return x | a;
    case GAS_XOR: return x ^ a;
    case GAS_NOT: return ~x;
    case GAS_MIN: return less ? x : a;
    case GAS_MAX: return less ? a : x;
    default: return x;
    }
}
static double real(int op, double x, double a) {
    switch (op) {
    case GAS_ADD: return x + a;
    case GAS_SUB: return x - a;
    case GAS_MULT: return x * a;
    case GAS_INC: return x + 1;
    case GAS_DEC: return x - 1;
    case GAS_MIN: return x < a ? x : a;
    case GAS_MAX: return x < a ? a : x;
    default: return x;
    }
}

static union value model(int type, int op, union value x, union value a, union value b) {
    union value r = x;
    if (op == GAS_GET) return x;
    if (op == GAS_SET || op == GAS_SWAP) return a;
    if (op == GAS_CSWAP) return memcmp(&x, &a, size_of[type]) == 0 ? b : x;
    switch (type) {
    case GAS_I32: r.u32 = (uint32_t)integer(op, x.u32, a.u32, x.i32 < a.i32); break;
    case GAS_U32: r.u32 = (uint32_t)integer(op, x.u32, a.u32, x.u32 < a.u32); break;
    case GAS_I64: r.u64 = integer(op, x.u64, a.u64, x.i64 < a.i64); break;
    case GAS_U64: r.u64 = integer(op, x.u64, a.u64, x.u64 < a.u64); break;
    case GAS_F32: r.f32 = (float)real(op, x.f32, a.f32); break;
    case GAS_F64: r.f64 = real(op, x.f64, a.f64); break;
    default: break;
    }
    return r;
}

/* Small numbers and edges, so that comparisons are equal now and then and nothing is lost in floating point. */
static union value some_value(int type) {
    union value v = {.u64 = 0};
    int64_t small = random_between(&mine, -5, 5);
    switch (type) {
    case GAS_F32: v.f32 = (float)small / 2; break;
    case GAS_F64: v.f64 = (double)small / 2; break;
    case GAS_I32:
    case GAS_U32:
        v.u32 = random_below(&mine, 3)   ? (uint32_t)small
                : random_below(&mine, 2) ? (uint32_t)random_word(&mine)
                                         : UINT32_MAX / 2 + 1;
        break;
    default:
        v.u64 = random_below(&mine, 3)   ? (uint64_t)small
                : random_below(&mine, 2) ? random_word(&mine)
                                         : UINT64_MAX / 2 + 1;
    }
    return v;
}

static void check_equal(int type, int op, const char *what, union value expected, union value is) {
    ASSERT(memcmp(&expected, &is, size_of[type]) == 0, "%s %s: %s is %" PRIx64 ", not %" PRIx64, type_name[type],
           operator_name[op], what, is.u64, expected.u64);
}

/* One operator at a random place, in one of the ways to call it. */
static void one_atomic(gas_domain domain, int type, int op, fathom_ptr at, bool fetch, bool nb) {
    union value x = some_value(type), a = some_value(type), b = some_value(type), was = {.u64 = 0x7777777777777777},
                is = {.u64 = 0};
    if (op == GAS_CSWAP && random_below(&mine, 2)) a = x;
    union value guard = was;
    if (domain)
        gas_domain_atomic(domain, NULL, at, GAS_SET, &x, NULL);
    else
        gas_put(at, &x, size_of[type]);
    bool one = op != GAS_GET && op != GAS_INC && op != GAS_DEC && op != GAS_NOT;
    union value a_given = a, b_given = b;
    const void *op1 = one ? &a_given : NULL, *op2 = op == GAS_CSWAP ? &b_given : NULL;
    void *to = fetch ? &was : NULL;
    if (nb) {
        gas_handle h = domain ? gas_domain_atomic_nb(domain, to, at, (enum gas_atomic_op)op, op1, op2)
                              : gas_atomic_nb(to, at, (enum gas_atomic_type)type, (enum gas_atomic_op)op, op1, op2);
        memset(&a_given, 0xee, sizeof a_given), memset(&b_given, 0xee, sizeof b_given);
        gas_wait(&h);
    } else if (domain) {
        gas_domain_atomic(domain, to, at, (enum gas_atomic_op)op, op1, op2);
    } else {
        gas_atomic(to, at, (enum gas_atomic_type)type, (enum gas_atomic_op)op, op1, op2);
    }
    if (domain)
        gas_domain_atomic(domain, &is, at, GAS_GET, NULL, NULL);
    else
        gas_get(&is, at, size_of[type]);
    check_equal(type, op, "the object", model(type, op, x, a, b), is);
    if (fetch) {
        check_equal(type, op, "what was fetched", x, was);
        memcpy(&was, &guard, size_of[type]);
    }
    ASSERT(memcmp(&was, &guard, sizeof was) == 0, "bytes beside what was fetched have changed");
}

CASE(atomics_of_every_type_and_operator_do_as_the_model) {
    fathom_ptr objects = everywhere(64 * (size_t)count());
    for (int t = 0; t < count(); t++)
        for (int type = 0; type < TYPES; type++)
            for (int op = 0; op < OPERATORS; op++) {
                if (!has(type, op)) continue;
                fathom_ptr at =
                    on(t, objects) + 64 * (fathom_ptr)me() + (size_of[type] == 4 ? 4 * random_below(&mine, 2) : 0);
                for (int way = 0; way < 4; way++)
                    if (op != GAS_GET || way & 1) one_atomic(NULL, type, op, at, way & 1, way & 2);
            }
    free_everywhere(objects);
}

CASE(atomics_of_32_bits_leave_their_neighbours_alone) {
    fathom_ptr words = everywhere(4 * 64);
    uint32_t *own = here(words);
    for (int i = 0; i < 64; i++) own[i] = (uint32_t)i;
    gas_barrier();
    if (me() == 0)
        for (int t = 0; t < count(); t++) {
            for (int i = 1; i < 64; i += 2)
                gas_atomic(NULL, on(t, words) + 4 * (fathom_ptr)i, GAS_U32, GAS_NOT, NULL, NULL);
            uint32_t back[64];
            gas_get(back, on(t, words), sizeof back);
            for (int i = 0; i < 64; i++) EQUAL(i % 2 ? ~(uint32_t)i : (uint32_t)i, back[i]);
        }
    free_everywhere(words);
}

CASE(atomics_keep_equal_only_what_has_the_same_bits) {
    fathom_ptr at = everywhere(16);
    if (me() == 0) {
        fathom_ptr x = on(count() - 1, at);
        double zero = 0.0, negative = -0.0, was, one = 1;
        gas_put(x, &zero, 8);
        gas_atomic(&was, x, GAS_F64, GAS_CSWAP, &zero, &one);
        ASSERT(was == 0.0 && memcmp(&was, &negative, 8) != 0, "was %g", was);
        gas_get(&was, x, 8);
        ASSERT(was == 1.0, "is %g", was);
    }
    free_everywhere(at);
}

/* ---- together ---------------------------------------------------------------------------------------------------- */

/* All threads add to counters on all threads, each in every type; the sums are exact. */
static void add_together(gas_domain (*domain_of)(int type)) {
    long rounds = suite_rounds(150);
    fathom_ptr sums = everywhere(64);
    memset(here(sums), 0, 64);
    gas_barrier();
    for (int type = GAS_I32; type <= GAS_F64; type++) {
        gas_domain domain = domain_of ? domain_of(type) : NULL;
        fathom_ptr at = sums + 8 * (fathom_ptr)type;
        uint64_t fetched_max = 0;
        for (long i = 0; i < rounds; i++)
            for (int d = 0; d < count(); d++) {
                union value one, was;
                if (type == GAS_F32)
                    one.f32 = 1;
                else if (type == GAS_F64)
                    one.f64 = 1;
                else
                    one.u64 = 0, one.u32 = 1;
                int op = type <= GAS_U64 && i % 2 ? GAS_INC : GAS_ADD;
                const void *operand = op == GAS_ADD ? &one : NULL;
                if (domain)
                    gas_domain_atomic(domain, &was, on(neighbour(d), at), (enum gas_atomic_op)op, operand, NULL);
                else
                    gas_atomic(&was, on(neighbour(d), at), (enum gas_atomic_type)type, (enum gas_atomic_op)op, operand,
                               NULL);
                uint64_t n = type == GAS_F32   ? (uint64_t)was.f32
                             : type == GAS_F64 ? (uint64_t)was.f64
                             : type <= GAS_U32 ? was.u32
                                               : was.u64;
                if (d == 0) {
                    ASSERT(i == 0 || n > fetched_max, "fetched %" PRIu64 " after %" PRIu64, n, fetched_max);
                    fetched_max = n;
                }
            }
        gas_barrier();
        union value is = {.u64 = 0};
        if (domain)
            gas_domain_atomic(domain, &is, on(me(), at), GAS_GET, NULL, NULL);
        else
            memcpy(&is, here(at), size_of[type]);
        uint64_t n = type == GAS_F32   ? (uint64_t)is.f32
                     : type == GAS_F64 ? (uint64_t)is.f64
                     : type <= GAS_U32 ? is.u32
                                       : is.u64;
        EQUAL((uint64_t)rounds * (uint64_t)count(), n);
        gas_barrier();
        if (domain) gas_domain_free(domain);
    }
    free_everywhere(sums);
}
CASE(atomics_by_all_on_one_object_lose_nothing) { add_together(NULL); }

CASE(atomics_compare_and_swap_lets_one_win) {
    fathom_ptr top = everywhere(8);
    *(uint64_t *)here(top) = 0;
    fathom_ptr wins = everywhere(8 * (size_t)count());
    gas_barrier();
    uint64_t won = 0;
    long rounds = suite_rounds(100);
    for (uint64_t i = 0; i < (uint64_t)rounds; i++) {
        uint64_t was, next = i + 1;
        gas_atomic(&was, on(count() - 1, top), GAS_U64, GAS_CSWAP, &i, &next);
        if (was == i) won++;
        while (was < i) { /* somebody must still set i; wait for it, then try again */
            gas_poll();
            gas_atomic(&was, on(count() - 1, top), GAS_U64, GAS_CSWAP, &i, &next);
            if (was == i) won++;
        }
    }
    gas_put_value(on(0, wins) + 8 * (fathom_ptr)me(), won, 8);
    gas_barrier();
    if (me() == 0) {
        uint64_t all = 0;
        for (int t = 0; t < count(); t++) all += ((uint64_t *)here(wins))[t];
        EQUAL(rounds, all);
        EQUAL(rounds, gas_get_value(on(count() - 1, top), 8));
    }
    free_everywhere(wins);
    free_everywhere(top);
}

CASE(atomics_under_way_together_all_arrive) {
    fathom_ptr words = everywhere(8 * 32);
    memset(here(words), 0, 8 * 32);
    gas_barrier();
    gas_handle h[64];
    uint64_t was[64];
    for (int i = 0; i < 64; i++)
        h[i] = gas_atomic_nb(&was[i], on(neighbour(i), words) + 8 * (fathom_ptr)(i % 32), GAS_U64, GAS_ADD,
                             &(uint64_t){1}, NULL);
    gas_wait_all(h, 64);
    gas_barrier();
    uint64_t all = 0, sum = 0;
    for (int i = 0; i < 32; i++) sum += ((uint64_t *)here(words))[i];
    gas_all_reduce(gas_world(), &all, &sum, 1, GAS_U64, GAS_ADD, 0);
    EQUAL(64 * count(), all);
    free_everywhere(words);
}

/* ---- domains ----------------------------------------------------------------------------------------------------- */

static unsigned all_operators(int type) {
    unsigned ops = 0;
    for (int op = 0; op < OPERATORS; op++)
        if (has(type, op)) ops |= 1u << op;
    return ops;
}

CASE(domains_of_every_type_and_operator_do_as_the_model) {
    fathom_ptr objects = everywhere(64 * (size_t)count());
    for (int type = 0; type < TYPES; type++) {
        gas_domain domain = gas_domain_create((enum gas_atomic_type)type, all_operators(type));
        for (int t = 0; t < count(); t++)
            for (int op = 0; op < OPERATORS; op++)
                for (int way = 0; way < 4 && has(type, op); way++)
                    if (op != GAS_GET || way & 1)
                        one_atomic(domain, type, op, on(t, objects) + 64 * (fathom_ptr)me(), way & 1, way & 2);
        gas_barrier();
        gas_domain_free(domain);
    }
    free_everywhere(objects);
}

static gas_domain sum_domain(int type) {
    return gas_domain_create((enum gas_atomic_type)type, 1u << GAS_ADD | 1u << GAS_GET | 1u << GAS_INC);
}
CASE(domains_used_by_all_on_one_object_lose_nothing) { add_together(sum_domain); }

CASE(domains_several_at_once) {
    fathom_ptr words = everywhere(64);
    memset(here(words), 0, 64);
    gas_domain add = gas_domain_create(GAS_I64, 1u << GAS_ADD), max = gas_domain_create(GAS_F64, 1u << GAS_MAX);
    gas_barrier();
    for (int i = 0; i < 20; i++)
        for (int t = 0; t < count(); t++) {
            gas_domain_atomic(add, NULL, on(t, words), GAS_ADD, &(int64_t){me() + 1}, NULL);
            gas_domain_atomic(max, NULL, on(t, words) + 8, GAS_MAX, &(double){me() + i}, NULL);
        }
    gas_barrier();
    gas_domain_free(add);
    gas_domain_free(max);
    EQUAL(20 * count() * (count() + 1) / 2, *(int64_t *)here(words));
    EQUAL(count() - 1 + 19, *((double *)here(words) + 1));
    free_everywhere(words);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static const int64_t one_more = 1;
static volatile enum gas_atomic_type i64 =
    GAS_I64; /* with a constant near ones are an instruction, which checks nothing */
#define UNALIGNED                                                                                                      \
    "fathom: thread [0-9]+: gas_atomic: the object at 0x[0-9a-f]+ is not aligned to its size, 8 bytes.*\\|"

ENDS(atomic_unaligned, 1, 1, UNALIGNED) {
    fathom_ptr words = everywhere(16);
    gas_atomic(NULL, on(neighbour(1), words) + 4, i64, GAS_ADD, &one_more, NULL);
    gas_barrier();
}
ENDS(atomic_unaligned_begun, 1, 1, UNALIGNED) {
    fathom_ptr words = everywhere(16);
    gas_handle h = gas_atomic_nb(NULL, on(neighbour(1), words) + 2, GAS_I64, GAS_ADD, &one_more, NULL);
    gas_wait(&h);
}
ENDS(atomic_unaligned_update, 1, 1, UNALIGNED) {
    fathom_ptr words = everywhere(16);
    gas_atomic_update(on(neighbour(1), words) + 1, i64, GAS_ADD, &one_more, NULL);
    gas_barrier();
}

#define DOMAIN_FREED(by) "fathom: thread [0-9]+: " by ": the domain has been freed.*\\|"
ENDS(domain_used_after_its_end, 1, 1, DOMAIN_FREED("gas_domain_atomic")) {
    fathom_ptr words = everywhere(8);
    gas_domain d = gas_domain_create(GAS_I64, 1u << GAS_ADD);
    gas_domain_free(d);
    gas_domain_atomic(d, NULL, on(neighbour(1), words), GAS_ADD, &one_more, NULL);
}
ENDS(domain_freed_twice, 1, 1, DOMAIN_FREED("gas_domain_free")) {
    gas_domain d = gas_domain_create(GAS_I64, 1u << GAS_ADD);
    gas_domain_free(d);
    gas_domain_free(d);
}

/* The program computes the address. */
static const void *const volatile nowhere;
#define NO_OPERAND(which) "fathom: thread [0-9]+: gas_atomic: the address of " which " is null.*\\|"
ENDS(atomic_without_operand, 1, 1, NO_OPERAND("the operand")) {
    fathom_ptr words = everywhere(8);
    gas_atomic(NULL, on(neighbour(1), words), GAS_I64, GAS_ADD, nowhere, NULL);
}
ENDS(atomic_without_operand_on_own_memory, 1, 1, NO_OPERAND("the operand")) {
    gas_atomic(NULL, on(me(), everywhere(8)), GAS_I64, GAS_ADD, nowhere, NULL);
}
ENDS(atomic_without_operand_of_floating_point, 1, 1, NO_OPERAND("the operand")) {
    fathom_ptr words = everywhere(8);
    gas_atomic(NULL, on(neighbour(1), words), GAS_F64, GAS_ADD, nowhere, NULL);
}
ENDS(atomic_without_the_second_operand, 1, 1, NO_OPERAND("one of two operands")) {
    fathom_ptr words = everywhere(8);
    gas_atomic(NULL, on(neighbour(1), words), GAS_I64, GAS_CSWAP, &one_more, nowhere);
}
ENDS(atomic_without_operand_begun, 1, 1, NO_OPERAND("the operand")) {
    fathom_ptr words = everywhere(8);
    gas_handle h = gas_atomic_nb(NULL, on(neighbour(1), words), GAS_U32, GAS_XOR, nowhere, NULL);
    gas_wait(&h);
}
ENDS(atomic_without_operand_of_a_domain, 1, 1, NO_OPERAND("the operand")) {
    fathom_ptr words = everywhere(8);
    gas_domain d = gas_domain_create(GAS_I64, 1u << GAS_ADD);
    gas_domain_atomic(d, NULL, on(neighbour(1), words), GAS_ADD, nowhere, NULL);
}
ENDS(atomic_update_without_operand, 1, 1, NO_OPERAND("the operand")) {
    fathom_ptr words = everywhere(8);
    gas_atomic_update(on(neighbour(1), words), i64, GAS_ADD, nowhere, NULL);
    gas_barrier();
}

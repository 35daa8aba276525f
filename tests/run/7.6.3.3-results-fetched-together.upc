// flags: -fcomm-opt
// comm: gathers gathers=3,force
// Atomic operations whose results a loop uses are made for many iterations together. Each loop here is compared with itself on a private copy,
// also where it reads or writes the table in other ways, or changes what places and operands are computed from.
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <bupc_extensions.h>
#include "check.h"

enum { EACH = 64, N = 300 };
static shared [EACH] long table[EACH * THREADS];
static shared long other[EACH * THREADS];
static shared unsigned words[EACH * THREADS];
static shared double doubles[EACH * THREADS];
static shared struct { int tag; long count; } records[EACH * THREADS];
static shared [N] long lists[THREADS][N];
static upc_atomicdomain_t *longs, *more_longs, *unsigneds, *of_doubles;

/* What the loops do to shared arrays, they do to these. */
static long *copy;
static unsigned *copy_of_words;
static double *copy_of_doubles;
static struct { int tag; long count; } *copy_of_records;

/* Private memory of a loop. */
static long key[N + 1], got[N + 1], weight[N + 1];
static long one;
/* What it had computed on the shared table. */
static long shared_key[N + 1], shared_got[N + 1], shared_weight[N + 1], shared_one;

static long changed(upc_op_t op, long *p, const long *x) {
    long old = *p;
    if (op == UPC_INC) ++*p;
    if (op == UPC_DEC) --*p;
    if (op == UPC_ADD) *p += *x;
    if (op == UPC_AND) *p &= *x;
    if (op == UPC_OR) *p |= *x;
    if (op == UPC_XOR) *p ^= *x;
    if (op == UPC_MAX && *x > *p) *p = *x;
    if (op == UPC_SET) *p = *x;
    return old;
}

#define BY_DOMAIN(R, OP, AT, X) upc_atomic_relaxed(longs, &R, OP, &table[AT], X, NULL)
#define ON_COPY(R, OP, AT, X) (R = changed(OP, &copy[AT], X))
#define ADDED(AT, X) bupc_atomicL_fetchadd_relaxed(&table[AT], X)
#define ADDED_ON_COPY(AT, X) added(&copy[AT], X)
static long added(long *p, long x) { return *p += x, *p - x; }
#define IN_TABLE(AT) table[AT]
#define IN_COPY(AT) copy[AT]
#define OWN_TABLE ((long *)&table[MYTHREAD * EACH])
#define OWN_COPY (copy + MYTHREAD * EACH)

#define EACH_LOOP(LOOP)                                                                                                \
    LOOP(plain, for (int i = 0; i < n; i++) { long r; FETCH(r, UPC_INC, key[i], NULL); got[i] = r; })                    \
    LOOP(down, for (long i = 0; i <= n - 1; i++) { FETCH(got[i], UPC_DEC, key[i] / 2 * 2, NULL); })                      \
    LOOP(from_five, for (unsigned i = 5; i < (unsigned)n; ++i) { FETCH(got[i - 5], UPC_GET, key[i], NULL); got[i] += 3; }) \
    LOOP(by_one, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_ADD, key[i], &one); })                                 \
    LOOP(by_weights, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_XOR, key[i], &weight[i]); })                        \
    LOOP(by_own, for (int i = 0; i < n; i++) {                                                                         \
        long w = weight[i] + i, at = key[i] ^ 1, r;                                                                    \
        FETCH(r, UPC_ADD, at, &w);                                                                                     \
        got[i] = r + w;                                                                                                \
    })                                                                                                                 \
    LOOP(kept_in_one, { long r = 0, s = 0;                                                                             \
        for (int i = 0; i < n; i++) { FETCH(r, UPC_MAX, key[i], &weight[i]); s = s * 3 + r; }                            \
        got[0] = s, got[1] = r; })                                                                                     \
    LOOP(some, for (int i = 0; i < n; i++) {                                                                           \
        if (weight[i] % 3 == 0) continue;                                                                              \
        long r;                                                                                                        \
        if (key[i] % 2) FETCH(r, UPC_OR, key[i], &one);                                                                \
        else r = i;                                                                                                    \
        got[i] = r;                                                                                                    \
    })                                                                                                                 \
    LOOP(swapped, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_SET, key[i], &weight[i]); })                           \
    /* What places and operands are computed from changes. */                                                         \
    LOOP(to_next_key, for (int i = 0; i < n; i++) { long r; FETCH(r, UPC_INC, key[i], NULL); key[i + 1] = (r & 63) % EACH; }) \
    LOOP(to_key_by_pointer, { long *p = n ? key : got;                                                                 \
        for (int i = 0; i < n; i++) { long r; FETCH(r, UPC_INC, key[i], NULL); p[i + 1] = (r & 31); got[i] = r; } })         \
    LOOP(key_is_result, { long *q = key + 1; for (int i = 0; i < n; i++) { FETCH(*q, UPC_AND, key[i], &one); *q &= 15; q++; } }) \
    LOOP(one_changes, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_ADD, key[i], &one); one += i; })                  \
    LOOP(one_by_pointer, { long *p = n ? &one : got;                                                                   \
        for (int i = 0; i < n; i++) { FETCH(got[i], UPC_ADD, key[i], &one); *p = i; } })                                 \
    LOOP(one_is_result, for (int i = 0; i < n; i++) { FETCH(one, UPC_ADD, key[i], &one); one &= 7; })                   \
    LOOP(weights_change, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_ADD, key[i], &weight[i]); weight[i + 1] = got[i] & 3; }) \
    /* The table is read and written in other ways. */                                                                \
    LOOP(reads_table, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); got[i] += 100 * T(key[i / 2]); }) \
    LOOP(writes_table, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); T(key[i + 1]) = i; })         \
    LOOP(updates_table, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); T(key[i / 2]) += i; })       \
    LOOP(reads_own, { long *mine = OWN; for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); got[i] += mine[i % EACH]; } }) \
    LOOP(writes_own, { long *mine = OWN; for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); mine[i % EACH] = i; } }) \
    LOOP(own_in_order, { long *mine = OWN, m = n < EACH ? n : EACH;                                                    \
        for (int i = 0; i < m; i++) { FETCH(got[i], UPC_INC, key[i], NULL); got[i] += mine[i]; } })                      \
    LOOP(result_in_own, { long *mine = OWN, m = n < EACH ? n : EACH;                                                   \
        for (int i = 0; i < m; i++) { FETCH(mine[i], UPC_INC, key[i], NULL); } })                                        \
    LOOP(keys_in_own, { long *mine = OWN, m = n < EACH ? n : EACH;                                                     \
        for (int i = 0; i < m; i++) { FETCH(got[i], UPC_INC, mine[i] & (EACH - 1), NULL); } })                           \
    LOOP(two_a_turn, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); FETCH(weight[i], UPC_INC, key[i + 1], NULL); }) \
    /* It is not known ahead which operations are made. */                                                            \
    LOOP(left, for (int i = 0; i < n; i++) { FETCH(got[i], UPC_INC, key[i], NULL); if (got[i] > 6) break; })              \
    LOOP(left_before, for (int i = 0; i < n; i++) { if (weight[i] > 90) break; FETCH(got[i], UPC_INC, key[i], NULL); })   \
    LOOP(depends, { long r = 0; for (int i = 0; i < n; i++) { if (r % 5 != 4) FETCH(r, UPC_INC, key[i], NULL); else r++; got[i] = r; } }) \
    LOOP(place_depends, { long r = 0; for (int i = 0; i < n; i++) { FETCH(r, UPC_INC, (r + i) & (EACH - 1), NULL); got[i] = r; } }) \
    /* Functions of Berkeley UPC. */                                                                                  \
    LOOP(sum, { long s = 0; for (int i = 0; i < n; i++) s += ADD(key[i], 2) * (i + 1); got[0] = s; })                  \
    LOOP(added_key, for (int i = 0; i < n; i++) got[i] = ADD(key[i], key[i] + weight[i]);)                             \
    LOOP(behind_choice, { long s = 0; for (int i = 0; i < n; i++) if (weight[i] % 2 && ADD(key[i], 1) > 3) s += i; got[0] = s; }) \
    LOOP(to_keys, for (int i = 0; i < n; i++) key[i + 1] = ADD(key[i], 1) & (EACH - 1);)                               \
    LOOP(in_other_loop, for (int i = 0; i < n; i++) { int m = i % 4; for (int j = 0; j < m; j++) got[i] += ADD(key[j], 1); }) \
    LOOP(hidden_names, for (int i = 0; i < n; i++) { long r, k = key[i]; { long i = 4; r = ADD(k, 1) + i; } got[i] = r; })            \
    LOOP(hides_by_result, for (int i = 0; i < n; i++) { long r, k = key[i]; { long i; FETCH(i, UPC_INC, k, NULL); r = i; } got[i] = r; }) \
    LOOP(in_subscript, for (int i = 0; i < n; i++) got[(unsigned long)ADD(key[i], 1) % N] += i;)

#define FETCH BY_DOMAIN
#define T IN_TABLE
#define OWN OWN_TABLE
#define ADD ADDED
#define ON_SHARED(NAME, ...) static void NAME##_on_shared(int n) { __VA_ARGS__ }
EACH_LOOP(ON_SHARED)
#undef FETCH
#undef T
#undef OWN
#undef ADD
#define FETCH ON_COPY
#define T IN_COPY
#define OWN OWN_COPY
#define ADD ADDED_ON_COPY
#define ON_PRIVATE(NAME, ...) static void NAME##_on_copy(int n) { __VA_ARGS__ }
EACH_LOOP(ON_PRIVATE)
#undef FETCH

static void begin(int seed) {
    srand((unsigned)seed);
    for (int i = 0; i <= N; i++) {
        key[i] = rand() % (EACH * THREADS);
        got[i] = -1;
        weight[i] = rand() % 100;
    }
    one = seed % 5 - 1;
}

/* One thread at a time changes what is shared. All change their copies. */
static void both(const char *name, void (*on_shared)(int), void (*on_copy)(int), int n, int turn) {
    if (turn == MYTHREAD) {
        begin(n + turn);
        on_shared(n);
        memcpy(shared_key, key, sizeof key);
        memcpy(shared_got, got, sizeof got);
        memcpy(shared_weight, weight, sizeof weight);
        shared_one = one;
    }
    upc_barrier;
    begin(n + turn);
    /* Every thread has its own part in mind: the copy of the one whose turn it is. */
    if (turn == MYTHREAD) {
        on_copy(n);
        if (memcmp(shared_key, key, sizeof key) || memcmp(shared_got, got, sizeof got) || memcmp(shared_weight, weight, sizeof weight) ||
            shared_one != one) {
            printf("%s, %d iterations: other values\n", name, n);
            exit(1);
        }
        for (long i = 0; i < EACH * THREADS; i++)
            if (table[i] != copy[i]) {
                printf("%s, %d iterations: table[%ld] is %ld, not %ld\n", name, n, i, table[i], copy[i]);
                exit(1);
            }
    }
    upc_barrier;
    for (long i = 0; i < EACH * THREADS; i++) copy[i] = table[i];
    upc_barrier;
}

/* Other types, tables behind pointers, parts of records, lists that are shared. */
static void others(int n, shared unsigned *by_pointer, long *by) {
    long r[N];
    unsigned u;
    double x;
    begin(n);
    for (int i = 0; i < n; i++) {
        unsigned least = 40;
        upc_atomic_relaxed(unsigneds, &u, UPC_MAX, &by_pointer[key[i]], &least, NULL);
        r[i] = u;
    }
    for (int i = 0; i < n; i++) {
        unsigned old = copy_of_words[key[i]];
        CHECK(r[i] == old);
        if (old < 40) copy_of_words[key[i]] = 40;
    }
    for (int i = 0; i < n; i++) r[i] = bupc_atomicU_swap_relaxed(&words[key[i]], (unsigned char)weight[i]);
    for (int i = 0; i < n; i++) {
        CHECK(r[i] == copy_of_words[key[i]]);
        copy_of_words[key[i]] = (unsigned char)weight[i];
    }
    double all = 0, all_of_copy = 0;
    for (int i = 0; i < n; i++) {
        double add = weight[i] * 0.25;
        upc_atomic_relaxed(of_doubles, &x, UPC_ADD, &doubles[key[i]], &add, NULL);
        all = all / 2 + x;
    }
    for (int i = 0; i < n; i++) {
        all_of_copy = all_of_copy / 2 + copy_of_doubles[key[i]];
        copy_of_doubles[key[i]] += weight[i] * 0.25;
    }
    CHECK(all == all_of_copy);
    for (int i = 0; i < n; i++) {
        upc_atomic_relaxed(longs, &r[i], UPC_ADD, &records[key[i]].count, by, NULL);
        if (key[i] % 2) r[i] += records[key[i]].tag;
    }
    for (int i = 0; i < n; i++) {
        CHECK(r[i] == copy_of_records[key[i]].count + (key[i] % 2 ? copy_of_records[key[i]].tag : 0));
        copy_of_records[key[i]].count += *by;
    }
    /* The domain changes. */
    upc_atomicdomain_t *d = longs;
    for (int i = 0; i < n; i++) {
        upc_atomic_relaxed(d, &r[i], UPC_INC, &other[key[i]], NULL, NULL);
        d = i % 2 ? longs : more_longs;
    }
    /* Lists, and where the next element of each goes; then the same where the keys are in this thread's list. */
    for (int i = 0; i < n; i++) {
        long at;
        upc_atomic_relaxed(longs, &at, UPC_INC, &other[key[i] % THREADS], NULL, NULL);
        lists[key[i] % THREADS][at % N] = key[i];
    }
    long *own = (long *)lists[MYTHREAD];
    for (int i = 0; i < n; i++) own[i] = i % 2 ? 0 : MYTHREAD;
    for (int i = 0; i < n; i++) {
        long at;
        upc_atomic_relaxed(longs, &at, UPC_SET, &other[own[i]], &weight[i], NULL);
        lists[MYTHREAD][(i + 1) % N] = at % 2 ? MYTHREAD : 0;
        r[i] = at;
    }
    long zero = 0, mine = 0;
    (void)zero, (void)mine;
    for (int i = 1; i < n; i++) CHECK(own[i] == (r[i - 1] % 2 ? MYTHREAD : 0));
}

static int is_own(int i, const char *affinity) {
    int block = strchr(affinity, 'b') ? 7 : strchr(affinity, 'l') ? N : 1;
    return i / block % THREADS == MYTHREAD;
}

/* In a upc_forall the keys may be shared, where they are this thread's. Each thread has a row of the table, on the next one. */
static shared long keys[N * THREADS];
static shared [7] int blocked_keys[N * THREADS];
static shared [*] long long_keys[N * THREADS];
static void own(void) {
    long row = (MYTHREAD + 1) % THREADS * EACH, counts[EACH] = {0}, s = 0, t = 0, r;
    enum { LAST = EACH - 1 };
    upc_forall (int i = 0; i < N * THREADS; i++; i) {
        keys[i] = i * 7 % 53;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &blocked_keys[i]) blocked_keys[i] = i * 5 % 61;
    upc_forall (int i = 0; i < N * THREADS; i++; &long_keys[i]) long_keys[i] = i * 3 % 59;
    upc_forall (int i = 0; i < EACH * THREADS; i++; i) table[i] = 0;
    upc_barrier;
#define OVER(AFFINITY, KEY, LOW, HIGH, MORE)                                                                                               \
    upc_forall (int i = LOW; i < HIGH; i++; AFFINITY) {                                                                \
        upc_atomic_relaxed(longs, &r, UPC_ADD, &table[row + (KEY)], &one, NULL);                                       \
        s = s * 3 + r;                                                                                                 \
        MORE;                                                                                                          \
    }                                                                                                                  \
    for (int i = LOW; i < HIGH; i++)                                                                                   \
        if (is_own(i, #AFFINITY)) t = t * 3 + counts[KEY], counts[KEY] += one;                                         \
    CHECK(s == t)
    one = 3;
    OVER(i, i % LAST, 0, N, );
    OVER(i, keys[i], 0, N * THREADS, );
    OVER(&keys[i], keys[i], 5, N * THREADS - 3, );
    OVER(&blocked_keys[i], blocked_keys[i], 0, N * THREADS, );
    OVER(&blocked_keys[i], blocked_keys[i] & i, 3, N, );
    OVER(&long_keys[i], long_keys[i], 1, N * THREADS - 1, );
    OVER(&long_keys[i], long_keys[i], 1, N * THREADS - 1, if (r % 7 == 0) continue; got[i % N] = r);
    OVER(&keys[i], keys[i] ^ 1, 0, N * THREADS, lists[(MYTHREAD + 1) % THREADS][i % N] = r);
    /* The keys change, by their name and by a pointer. Both loops are this thread's. */
    long *mine = (long *)&long_keys[MYTHREAD * N], now[N];
    for (int k = 0; k < N; k++) now[k] = mine[k];
    upc_forall (int i = 0; i < N * THREADS; i++; &long_keys[i]) {
        upc_atomic_relaxed(longs, &r, UPC_ADD, &table[row + long_keys[i]], &one, NULL);
        if (i % N + 1 < N) mine[i % N + 1] = r & LAST;
    }
    for (int k = 0; k < N; k++) {
        long old = counts[now[k]];
        counts[now[k]] += one;
        if (k + 1 < N) now[k + 1] = old & LAST;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &long_keys[i]) {
        long old = bupc_atomicL_fetchadd_relaxed(&table[row + long_keys[i]], 1);
        if (i % N + 1 < N) long_keys[i + 1] = old & LAST;
    }
    for (int k = 0; k < N; k++) {
        long old = counts[now[k]]++;
        if (k + 1 < N) now[k + 1] = old & LAST;
    }
    for (int k = 0; k < N; k++) CHECK(mine[k] == now[k]);
    for (int k = 0; k < EACH; k++) CHECK(table[row + k] == counts[k]);
    upc_barrier;
}

int main(void) {
    longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC | UPC_DEC | UPC_ADD | UPC_AND | UPC_OR | UPC_XOR | UPC_MAX | UPC_GET | UPC_SET, 0);
    more_longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    unsigneds = upc_all_atomicdomain_alloc(UPC_UINT, UPC_MAX, 0);
    of_doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    long all = EACH * THREADS;
    copy = calloc((size_t)all, sizeof *copy);
    copy_of_words = calloc((size_t)all, sizeof *copy_of_words);
    copy_of_doubles = calloc((size_t)all, sizeof *copy_of_doubles);
    copy_of_records = calloc((size_t)all, sizeof *copy_of_records);
    const int lengths[] = {0, 1, 7, 8, 9, 40, N};
    for (int turn = 0; turn < THREADS; turn++) {
#define RUN(NAME, ...) both(#NAME, NAME##_on_shared, NAME##_on_copy, lengths[l], turn);
        for (int l = 0; l < 7; l++) {
            EACH_LOOP(RUN)
        }
        long by = -3;
        if (turn == MYTHREAD) others(N, words, &by);
        upc_barrier;
        for (long i = 0; i < all; i++) {
            copy_of_words[i] = words[i];
            copy_of_doubles[i] = doubles[i];
            copy_of_records[i].count = records[i].count;
        }
        upc_barrier;
    }
    own();
    /* All at once: every operation is made once, and no result comes twice. */
    static shared [] long counters[8];
    static shared [] char seen[8 * 4 * 1000];
    for (int i = 0; i < N; i++) {
        long at;
        upc_atomic_relaxed(longs, &at, UPC_INC, &counters[i % 8], NULL, NULL);
        if (at < 1000) seen[(i % 8) * 1000 + at] = 1;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        for (int k = 0; k < 8; k++) {
            long number = (N / 8 + (k < N % 8)) * (long)THREADS;
            CHECK(counters[k] == number);
            for (long at = 0; at < number && at < 1000; at++) CHECK(seen[k * 1000 + at]);
        }
    return 0;
}

// Loops that write where they say late, through pointers into allocated memory: into another allocation than they read, into the same one, into one that took
// the place of others. Each loop is compared with one that a label keeps as it is written.
// conduits: smp template mpi
#include <upc_relaxed.h>

#include "check.h"

#define N 400
typedef struct { long a, b; } pair;
static int id[N], back[N];
static shared long *all, *other;
shared [7] long table[7 * 100 * THREADS];

// The same loop, and one with a label.
#define BOTH(NAME, TYPE, BODY)                                                                                         \
    static void NAME##_plain(TYPE *q, TYPE *p) {                                                                       \
        for (int i = 0; i < N; i++) BODY                                                                               \
    }                                                                                                                  \
    static void NAME##_as_written(TYPE *q, TYPE *p) {                                                                  \
        for (int i = 0; i < N; i++) {                                                                                  \
            __label__ here;                                                                                            \
            if (id[0] == -1) goto here;                                                                                \
        here:                                                                                                          \
            BODY                                                                                                       \
        }                                                                                                              \
    }

BOTH(scatter, shared long, { q[id[i]] = 3 * p[i] + 1; })
BOTH(gather, shared long, { q[i] = 3 * p[id[i]] + 1; })
BOTH(both, shared long, { q[back[i]] = 3 * p[id[i]] + 1; })
BOTH(update, shared long, { q[id[i]] += p[i]; })
BOTH(in_part, shared long, { if (i % 3) *q++ = 3 * p[i] + 1; })
BOTH(backward, shared long, { if (i % 3) *--q = 3 * p[i] + 1; })
BOTH(blocks, shared [5] long, { q[id[i]] = 3 * p[i] + p[i + 1]; })
BOTH(own, shared [] long, { q[id[i]] = 3 * p[i] + 1; })
BOTH(own_gathered, shared [] long, { q[i] = 3 * p[id[i]] + 1; })
BOTH(pairs, shared [] pair, { q[id[i]].b = 3 * p[i].b + p[i].a; })
BOTH(rows, shared [] long, { ((shared [] long(*)[20])q)[id[i] / 20][id[i] % 20] = 3 * p[i] + 1; })
BOTH(mine, shared long, {
    long *own = (long *)(q + (MYTHREAD - upc_threadof(q) + THREADS) % THREADS);
    own[id[i] % (2 * N / THREADS)] = 3 * p[i] + 1;
})
BOTH(static_array, shared long, { table[id[i]] = 3 * p[i] + 1; })

static void walk_plain(shared [] long *q, shared [] long *p) {
    int k = 0;
    for (shared [] long *w = p; w != p + N; w++) {
        q[id[k]] = 3 * *w + 1;
        k++;
    }
}
static void walk_as_written(shared [] long *q, shared [] long *p) { own_as_written(q, p); }

// The clause sets the pointer.
static shared long *set_to[N + 1];
static void set_plain(shared long *q, shared long *p) {
    int i = 0;
    shared long *e = p + N;
    for (; p != e; p++, q = set_to[i]) {
        q[2] = *p + 1;
        i++;
    }
}
static void set_as_written(shared long *q, shared long *p) {
    for (int i = 0; i < N; i++) {
        __label__ here;
        if (id[0] == -1) goto here;
    here:
        q[2] = p[i] + 1;
        q = set_to[i + 1];
    }
}
// A pointer behind the end of what one thread has, which leads to the next thread.
static void behind_plain(shared [] long *q, shared [] long *p) {
    shared [3 * N] long *end = (shared [3 * N] long *)q + 3 * N;
    for (int i = 0; i < N; i++) end[-1 - back[i]] = 3 * p[i] + 1;
}
static void behind_as_written(shared [] long *q, shared [] long *p) {
    shared [3 * N] long *end = (shared [3 * N] long *)q + 3 * N;
    for (int i = 0; i < N; i++) {
        __label__ here;
        if (id[0] == -1) goto here;
    here:
        end[-1 - back[i]] = 3 * p[i] + 1;
    }
}

static void global_plain(shared long *q, shared long *p) {
    all = p, other = q;
    for (int i = 0; i < N; i++) other[id[i]] = 3 * all[i] + 1;
}
static void my_part_plain(shared long *q, shared long *p) {
    long *own = (long *)(q + (MYTHREAD - upc_threadof(q) + THREADS) % THREADS);
    for (int i = 0; i < N; i++) own[id[i] % (2 * N / THREADS)] = 3 * p[i] + 1;
}
static void my_part_as_written(shared long *q, shared long *p) { mine_as_written(q, p); }
static void global_as_written(shared long *q, shared long *p) { scatter_as_written(q, p); }

// This thread's part, by a pointer to private memory.
static void private_plain(shared [] long *q, shared [] long *p) {
    long *mine = (long *)q;
    for (int i = 0; i < N; i++) mine[id[i]] = 3 * p[i] + 1;
}
static void private_as_written(shared [] long *q, shared [] long *p) { own_as_written(q, p); }
static void private_table_plain(shared [] long *q, shared [] long *p) {
    long *mine = (long *)q;
    for (int i = 0; i < N; i++) mine[i] = 3 * p[id[i]] + 1;
}
static void private_table_as_written(shared [] long *q, shared [] long *p) { own_gathered_as_written(q, p); }

// Fills `words` elements, runs the loop, and returns a sum of all that was there afterwards. The halves may be parts of one allocation.
#define SUM_OF(NAME, TYPE)                                                                                             \
    static unsigned long NAME(void (*loop)(TYPE *, TYPE *), TYPE *q, TYPE *p, TYPE *from, int words, TYPE *more) {     \
        unsigned long sum = 0;                                                                                         \
        for (int i = 0; i < words; i++) from[i] = more[i] = i * 7 + 1;                                                 \
        upc_fence;                                                                                                     \
        loop(q, p);                                                                                                    \
        upc_fence;                                                                                                     \
        for (int i = 0; i < words; i++) sum = sum * 31 + from[i] * 3 + more[i];                                        \
        return sum;                                                                                                    \
    }
SUM_OF(sum_of, shared long)
SUM_OF(sum_of_own, shared [] long)
#define SAME_WITH(SUM, NAME, TYPE, CAST, Q, P, FROM, WORDS, MORE)                                                      \
    CHECK(SUM((void (*)(TYPE *, TYPE *))NAME##_plain, Q, P, FROM, WORDS, MORE) ==                                      \
          SUM((void (*)(TYPE *, TYPE *))NAME##_as_written, Q, P, FROM, WORDS, MORE))
#define SAME(NAME, Q, P, FROM, WORDS, MORE) SAME_WITH(sum_of, NAME, shared long, , Q, P, FROM, WORDS, MORE)
#define SAME_OWN(NAME, Q, P, FROM, WORDS, MORE) SAME_WITH(sum_of_own, NAME, shared [] long, , Q, P, FROM, WORDS, MORE)

// Two allocations of all threads, and one in which both pointers are.
static void compare(shared long *x, shared long *y, int words) {
    SAME(scatter, y, x, x, words, y);
    SAME(gather, y, x, x, words, y);
    SAME(both, y, x, x, words, y);
    SAME(update, y, x, x, words, y);
    SAME(in_part, y, x, x, words, y);
    SAME(backward, y + N, x, x, words, y);
    SAME(global, y, x, x, words, y);
    for (int i = 0; i <= N; i++) set_to[i] = x + i;
    SAME(set, y, x, x, words, y);
    SAME(mine, y, x, x, words, y);
    SAME(my_part, y, x, x, words, y);
    SAME(static_array, y, x, x, words, y);
}
static void compare_own(shared [] long *x, shared [] long *y, int words) {
    SAME_OWN(own, y, x, x, words, y);
    SAME_OWN(own_gathered, y, x, x, words, y);
    SAME_OWN(walk, y, x, x, words, y);
    SAME_OWN(rows, y, x, x, words, y);
}
static void each(void (*what)(void)) {
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) what();
        upc_barrier;
    }
}

static shared long *x, *y, *big;
static shared [] long *shared there[THREADS], *shared there_too[THREADS];
static int next(void) { return (MYTHREAD + 1) % THREADS; }
static void apart(void) {
    compare(x, y, 2 * N);
    compare(y, x, 2 * N);
}
static void in_one(void) {
    for (int by = 0; by < 9; by += 4) {
        compare(big, big + by, 2 * N);
        compare(big + by, big, 2 * N);
    }
    compare(big, big + 2 * N, 2 * N);
    // Where one of the former allocations ended, and the other one began.
    for (int k = 0; k < 6 * N; k += 3 * N / 8) {
        SAME(scatter, big + k, big + k + 3 * N / 8, big, 8 * N, big);
        SAME(gather, big + k + 3 * N / 8, big + k, big, 8 * N, big);
    }
}
static void apart_there(void) {
    SAME_OWN(behind, there[next()], there[next()] + 2 * N, there[next()], 3 * N, there_too[next()]);
    compare_own(there[next()], there_too[next()], 2 * N);
    compare_own(there_too[next()], there[MYTHREAD], 2 * N);
    SAME_OWN(private, there[MYTHREAD], there[next()], there[next()], 2 * N, there[MYTHREAD]);
    SAME_OWN(private, there[MYTHREAD], there_too[MYTHREAD], there_too[MYTHREAD], 2 * N, there[MYTHREAD]);
    SAME_OWN(private_table, there[MYTHREAD], there_too[next()], there[next()], 2 * N, there[MYTHREAD]);
}
static void in_one_there(void) {
    for (int by = 0; by < 9; by += 4) {
        shared [] long *p = there[next()], *own = there[MYTHREAD];
        compare_own(p, p + by, 2 * N);
        compare_own(p + by, p, 2 * N);
        SAME_OWN(private, own + by, own, own, 2 * N, own);
        SAME_OWN(private_table, own + by, own, own, 2 * N, own);
    }
    for (int k = 0; k < 6 * N; k += 3 * N / 8) {
        shared [] long *p = there[next()], *own = there[MYTHREAD];
        SAME_OWN(own, p + k, p + k + 3 * N / 8, p, 8 * N, p);
        SAME_OWN(own_gathered, p + k + 3 * N / 8, p + k, p, 8 * N, p);
        SAME_OWN(private, own + k, own + k + 3 * N / 8, own, 8 * N, own);
    }
    shared [] pair *p = (shared [] pair *)there[next()];
    for (int k = 0; k < 2; k++) {
        long sum[2];
        for (int w = 0; w < 2; w++) {
            for (int i = 0; i < N; i++) p[i].a = i, p[i].b = 2 * i;
            (w ? pairs_as_written : pairs_plain)(p, p + k);
            sum[w] = 0;
            for (int i = 0; i < N; i++) sum[w] = sum[w] * 31 + p[i].a * 3 + p[i].b;
        }
        CHECK(sum[0] == sum[1]);
    }
}
static void blocked(void) {
    shared [5] long *b = (shared [5] long *)big;
    for (int by = 0; by < 2; by++) {
        unsigned long sum[2];
        for (int w = 0; w < 2; w++) {
            for (int i = 0; i < 2 * N; i++) big[i] = i;
            (w ? blocks_as_written : blocks_plain)(b, b + by * 5);
            sum[w] = 0;
            for (int i = 0; i < 2 * N; i++) sum[w] = sum[w] * 31 + big[i];
        }
        CHECK(sum[0] == sum[1]);
    }
}

int main() {
    for (int i = 0; i < N; i++) id[i] = (i * 37 + 5) % N, back[i] = (i * 111 + 3) % N;
    for (int round = 0; round < 3; round++) {
        x = upc_all_alloc(3 * N, sizeof(long));
        y = upc_all_alloc(3 * N, sizeof(long));
        each(apart);
        if (round == 0) upc_all_free(x), upc_all_free(y);
        if (round > 0 && MYTHREAD == round % THREADS) upc_free(x), upc_free(y);
        upc_barrier;
        // Where both were there is one now, which a single thread has taken in some rounds.
        shared static shared long *shared made;
        if (round % 2) {
            if (MYTHREAD == 0) made = upc_global_alloc(8 * N, sizeof(long));
            upc_barrier;
            big = made;
        } else {
            big = upc_all_alloc(8 * N, sizeof(long));
        }
        each(in_one);
        each(blocked);
        upc_barrier;
        if (MYTHREAD == (round + 1) % THREADS) upc_free(big);
        upc_barrier;

        there[MYTHREAD] = upc_alloc(3 * N * sizeof(long));
        there_too[MYTHREAD] = upc_alloc(3 * N * sizeof(long));
        upc_barrier;
        each(apart_there);
        int freed = round % 2 ? MYTHREAD : next();
        upc_free(there[freed]), upc_free(there_too[freed]);
        upc_barrier;
        there[MYTHREAD] = upc_alloc(8 * N * sizeof(long));
        upc_barrier;
        each(in_one_there);
        upc_free(there[MYTHREAD]);
        upc_barrier;
    }
    return 0;
}

/* Fine-grained reads across computers: elements of a table at random places, `target[k] = table[place[k]]`. The plain loop; the same
 * with a sum; the library's indexed get; what an expert writes by hand; and, with BALE defined, bale's versions: exstack, exstack2,
 * conveyors, and its plain loop (AGP). All in one program and one run, so that FATHOM_COMM decides alone.
 *
 *     fathom cc --conduit mpi -O3 -fcomm-opt -o index_gather index_gather.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=gathers fathom run -n 2 index_gather [ELEMENTS [ACCESSES [ACCESSES OF THE LOOP [ROUNDS]]]]
 *
 * All threads gather at the same time, as many elements from each other as from their own memory. Every result is checked. */
#include <bupc_extensions.h>

#include "side.h"

enum { PIECE = 1 << 15 }; /* elements: by hand and by the library, so many at once */

static shared long *table;             /* element i is 3 * i + 1 */
shared [] long *shared inbox[THREADS]; /* for each sender a number and so many indices, or answers */

static long *place, *target, expected, wrong;

/* The loop. Its arguments are what a program has: a pointer-to-shared, and two pointers of one type. */
static void gather(long *to, shared const long *from, const long *at, long n) {
    for (long k = 0; k < n; k++) to[k] = from[at[k]];
}
static double plain(long n) {
    gather(target, table, place, n);
    return 0;
}

static double summed(long n) {
    shared const long *from = table;
    long sum = 0;
    for (long k = 0; k < n; k++) sum += from[place[k]];
    wrong += sum != expected;
    for (long k = 0; k < n; k++) target[k] = 3 * place[k] + 1;
    return 0;
}

static double by_library(long n) {
    static shared const void *from[PIECE];
    static void *to[PIECE];
    for (long begin = 0; begin < n; begin += PIECE) {
        long m = n - begin < PIECE ? n - begin : PIECE;
        for (long k = 0; k < m; k++) from[k] = &table[place[begin + k]], to[k] = &target[begin + k];
        bupc_memget_ilist((size_t)m, to, sizeof *target, (size_t)m, from, sizeof *target);
    }
    return 0;
}

/* Sorted by owner, sent at once, answered by the owners, and brought into order. */
static double by_hand(long n) {
    static long sorted[PIECE], position[PIECE];
    const long *mine = (const long *)&table[MYTHREAD];
    for (long begin = 0; begin < n; begin += PIECE) {
        const long *at = place + begin;
        long m = n - begin < PIECE ? n - begin : PIECE, first[MOST + 1] = {0}, next[MOST];
        unsigned threads = (unsigned)THREADS;
        for (long k = 0; k < m; k++) first[(unsigned long)at[k] % threads + 1]++;
        for (int t = 0; t < THREADS; t++) first[t + 1] += first[t], next[t] = first[t];
        for (long k = 0; k < m; k++) {
            long to = next[(unsigned long)at[k] % threads]++;
            sorted[to] = (long)((unsigned long)at[k] / threads), position[to] = k;
        }
        for (int i = 1; i < THREADS; i++) {
            int t = (MYTHREAD + i) % THREADS;
            shared [] long *box = inbox[t] + (long)MYTHREAD * (PIECE + 1);
            long count = first[t + 1] - first[t];
            upc_memput(box + 1, sorted + first[t], (size_t)count * sizeof *sorted);
            upc_memput(box, &count, sizeof count);
        }
        for (long k = first[MYTHREAD]; k < first[MYTHREAD + 1]; k++) target[begin + position[k]] = mine[sorted[k]];
        upc_barrier;
        for (int t = 0; t < THREADS; t++) {
            if (t == MYTHREAD) continue;
            long *box = (long *)inbox[MYTHREAD] + (long)t * (PIECE + 1);
            for (long k = 1; k <= box[0]; k++) box[k] = mine[box[k]];
        }
        upc_barrier;
        for (int i = 1; i < THREADS; i++) {
            int t = (MYTHREAD + i) % THREADS;
            upc_memget(sorted + first[t], inbox[t] + (long)MYTHREAD * (PIECE + 1) + 1,
                       (size_t)(first[t + 1] - first[t]) * sizeof *sorted);
            for (long k = first[t]; k < first[t + 1]; k++) target[begin + position[k]] = sorted[k];
        }
    }
    return 0;
}

#ifdef BALE
double ig_agp(int64_t *tgt, int64_t *index, int64_t n, shared int64_t *table);
double ig_exstack(int64_t *tgt, int64_t *pckindx, int64_t n, int64_t *ltable, int64_t buf_cnt);
double ig_exstack2(int64_t *tgt, int64_t *pckindx, int64_t n, int64_t *ltable, int64_t buf_cnt);
double ig_conveyor(int64_t *tgt, int64_t *pckindx, int64_t n, int64_t *ltable);
void lgp_init(int argc, char **argv);

static int64_t *packed; /* as bale's programs have it: thread and index, computed before */
static int64_t *own(void) { return (int64_t *)&table[MYTHREAD]; }
static double agp(long n) { return ig_agp(target, place, n, table); }
static double exstack(long n) { return ig_exstack(target, packed, n, own(), 1024); }
static double exstack_8192(long n) { return ig_exstack(target, packed, n, own(), 8192); }
static double exstack2(long n) { return ig_exstack2(target, packed, n, own(), 1024); }
static double conveyor(long n) { return ig_conveyor(target, packed, n, own()); }
#endif

int main(int argc, char **argv) {
    take_arguments(argc, argv);
    table = upc_all_alloc((size_t)table_elements * THREADS, sizeof *table);
    long *mine = (long *)&table[MYTHREAD];
    for (long i = 0; i < table_elements; i++) mine[i] = 3 * (i * THREADS + MYTHREAD) + 1;
    place = room((size_t)accesses * sizeof *place), target = room((size_t)accesses * sizeof *target);
    uint64_t seed = 0x9e3779b97f4a7c15u * (uint64_t)(MYTHREAD + 1);
    for (long k = 0; k < accesses; k++) {
        place[k] = below(&seed, table_elements * THREADS);
        if (k < loop_accesses) expected += 3 * place[k] + 1;
    }
    inbox[MYTHREAD] = upc_alloc((size_t)THREADS * (PIECE + 1) * sizeof(long));
    struct form forms[] = {
        {"loop", ALWAYS, plain, loop_accesses},  {"loop, sum", ALWAYS, summed, loop_accesses},
        {"by hand", ALWAYS, by_hand, accesses},  {"bupc_memget_ilist", ALWAYS, by_library, accesses},
#ifdef BALE
        {"AGP", ALWAYS, agp, loop_accesses < 10000 ? loop_accesses : 10000},     {"exstack", OFF, exstack, accesses},
        {"exstack 8192", OFF, exstack_8192, accesses}, {"exstack2", OFF, exstack2, accesses},
        {"conveyor", OFF, conveyor, accesses},
#endif
    };
#ifdef BALE
    lgp_init(argc, argv);
    packed = room((size_t)accesses * sizeof *packed);
    for (long k = 0; k < accesses; k++) packed[k] = place[k] / THREADS << 16 | place[k] % THREADS;
#endif
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            if (is_left_out(&forms[i])) continue;
            for (long k = 0; k < accesses; k++) target[k] = -1;
            double ns = round_of(&forms[i]);
            long before = wrong;
            for (long k = 0; k < forms[i].n; k++) wrong += target[k] != 3 * place[k] + 1;
            if (wrong > before) fprintf(stderr, "index_gather: %s: thread %d: %ld wrong results\n", forms[i].name, MYTHREAD, wrong - before);
            if (MYTHREAD == 0) printf("index-gather\t%s\t%d\t%.2f\n", forms[i].name, r, ns), fflush(stdout);
        }
    return wrong != 0;
}

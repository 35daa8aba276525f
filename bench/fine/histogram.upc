/* Fine-grained updates across computers: counters at random places. The plain loop, the same by relaxed atomic operations, what an
 * expert writes by hand, and, with BALE defined, bale's versions: exstack, exstack2, conveyors, and its plain loop (AGP). All in one
 * program and one run, so that FATHOM_COMM decides alone.
 *
 *     fathom cc --conduit mpi -O3 -fcomm-opt -o histogram histogram.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=updates fathom run -n 2 histogram [ELEMENTS [ACCESSES [ACCESSES OF THE LOOP [ROUNDS]]]]
 *
 * Updates that are not atomic have counters of their own for each thread, so that there is no race. The counts are checked. */
#include <upc_atomic.h>

#include "side.h"

enum { PIECE = 1 << 15 };

static shared long *counts;            /* all threads' */
static shared long *own_counts;        /* each thread's own, on all threads: THREADS * elements each */
shared [] long *shared inbox[THREADS]; /* for each sender a number and so many indices */

static long *place;
static upc_atomicdomain_t *domain;

static void count(shared long *to, const long *at, long n) {
    for (long k = 0; k < n; k++) to[at[k]] += 1;
}
static double plain(long n) {
    count(own_counts + (long)MYTHREAD * THREADS * table_elements, place, n);
    return 0;
}

static double atomic(long n) {
    long one = 1;
    for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[place[k]], &one, NULL);
    return 0;
}

/* Sorted by owner, sent at once, and added up by the owners. */
static double by_hand(long n) {
    static long sorted[PIECE];
    long *mine = (long *)&counts[MYTHREAD];
    for (long begin = 0; begin < n; begin += PIECE) {
        const long *at = place + begin;
        long m = n - begin < PIECE ? n - begin : PIECE, first[MOST + 1] = {0}, next[MOST];
        unsigned threads = (unsigned)THREADS;
        for (long k = 0; k < m; k++) first[(unsigned long)at[k] % threads + 1]++;
        for (int t = 0; t < THREADS; t++) first[t + 1] += first[t], next[t] = first[t];
        for (long k = 0; k < m; k++)
            sorted[next[(unsigned long)at[k] % threads]++] = (long)((unsigned long)at[k] / threads);
        for (int i = 1; i < THREADS; i++) {
            int t = (MYTHREAD + i) % THREADS;
            long some = first[t + 1] - first[t];
            shared [] long *box = inbox[t] + (long)MYTHREAD * (PIECE + 1);
            upc_memput(box + 1, sorted + first[t], (size_t)some * sizeof some);
            upc_memput(box, &some, sizeof some);
        }
        for (long k = first[MYTHREAD]; k < first[MYTHREAD + 1]; k++) mine[sorted[k]]++;
        upc_barrier;
        for (int t = 0; t < THREADS; t++) {
            if (t == MYTHREAD) continue;
            const long *box = (const long *)inbox[MYTHREAD] + (long)t * (PIECE + 1);
            for (long k = 1; k <= box[0]; k++) mine[box[k]]++;
        }
        upc_barrier;
    }
    return 0;
}

#ifdef BALE
#include <histo.h>
static histo_t data;
static double agp(long n) { return data.l_num_ups = n, histo_agp(&data); }
static double exstack(long n) { return data.l_num_ups = n, histo_exstack(&data, 1024); }
static double exstack_8192(long n) { return data.l_num_ups = n, histo_exstack(&data, 8192); }
static double exstack_2(long n) { return data.l_num_ups = n, histo_exstack2(&data, 1024); }
static double conveyor(long n) { return data.l_num_ups = n, histo_conveyor(&data); }
#endif

/* What all threads have counted on this one. */
static long sum_of(const shared long *from) {
    const long *mine = (const long *)&from[MYTHREAD];
    long sum = 0;
    for (long i = 0; i < table_elements; i++) sum += mine[i];
    return sum;
}

int main(int argc, char **argv) {
    take_arguments(argc, argv);
    counts = upc_all_alloc((size_t)table_elements * THREADS, sizeof *counts);
    own_counts = upc_all_alloc((size_t)table_elements * THREADS * THREADS, sizeof *own_counts);
    memset((long *)&counts[MYTHREAD], 0, (size_t)table_elements * sizeof(long));
    memset((long *)&own_counts[MYTHREAD], 0, (size_t)table_elements * THREADS * sizeof(long));
    place = room((size_t)accesses * sizeof *place);
    uint64_t seed = 0x9e3779b97f4a7c15u * (uint64_t)(MYTHREAD + 1);
    for (long k = 0; k < accesses; k++) place[k] = below(&seed, table_elements * THREADS);
    inbox[MYTHREAD] = upc_alloc((size_t)THREADS * (PIECE + 1) * sizeof(long));
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    struct form forms[] = {
        {"loop, += 1", ALWAYS, plain, loop_accesses}, {"loop, atomics", ALWAYS, atomic, loop_accesses}, {"by hand", ALWAYS, by_hand, accesses},
#ifdef BALE
        {"AGP", ALWAYS, agp, loop_accesses},          {"exstack", OFF, exstack, accesses},
        {"exstack 8192", OFF, exstack_8192, accesses}, {"exstack2", OFF, exstack_2, accesses},
        {"conveyor", OFF, conveyor, accesses},
#endif
    };
    enum { FORMS = sizeof forms / sizeof *forms };
#ifdef BALE
    lgp_init(argc, argv);
    data.counts = counts, data.lcounts = (int64_t *)&counts[MYTHREAD];
    data.lnum_counts = table_elements, data.num_counts = table_elements * THREADS;
    data.index = place, data.pckindx = room((size_t)accesses * sizeof *data.pckindx);
    for (long k = 0; k < accesses; k++) data.pckindx[k] = place[k] / THREADS << 20 | place[k] % THREADS;
#endif
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < FORMS; i++) {
            if (is_left_out(&forms[i])) continue;
            double ns = round_of(&forms[i]);
            if (MYTHREAD == 0) printf("histogram\t%s\t%d\t%.2f\n", forms[i].name, r, ns), fflush(stdout);
        }
    long made = 0, counted = sum_of(counts);
    for (int i = 1; i < FORMS; i++) made += is_left_out(&forms[i]) ? 0 : rounds * forms[i].n;
    for (int t = 0; t < THREADS; t++) counted += sum_of(own_counts + (long)t * THREADS * table_elements);
    made += rounds * forms[0].n;
    static shared long sums[THREADS];
    sums[MYTHREAD] = counted;
    upc_barrier;
    if (MYTHREAD) return 0;
    for (int t = 1; t < THREADS; t++) counted += sums[t];
    if (counted == made * THREADS) return 0;
    fprintf(stderr, "histogram: %ld counted, %ld made\n", counted, made * THREADS);
    return 1;
}

/* Fine-grained reads across computers: elements of a table at random places. The plain loop, which FATHOM_COMM=gathers fetches together; the
 * same loop in a form that is not gathered; the library's indexed get; and what an expert writes by hand, all in one program.
 * Nanoseconds for each element, the median of nine repetitions.
 *
 *     fathom cc --conduit mpi -O2 -fcomm-opt -o index_gather index_gather.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=gathers fathom run -n 2 index_gather
 *
 * All threads gather at the same time, as many elements from each other as from their own memory. The sums are checked. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>
#include <bupc_extensions.h>

enum { ELEMENTS = 1 << 14, GATHERED = 1 << 15, REPETITIONS = 9, MOST = 16 };

shared long table[ELEMENTS * THREADS]; /* element i is 3 * i + 1 */
shared [] long *shared inbox[THREADS]; /* for each sender a number and so many indices, or answers */

static long place[GATHERED]; /* in the table */
static long target[GATHERED];
static long expected, wrong;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void plain(void) {
    for (long k = 0; k < GATHERED; k++) target[k] = table[place[k]];
}

static void summed(void) {
    long sum = 0;
    for (long k = 0; k < GATHERED; k++) sum += table[place[k]];
    wrong += sum != expected;
}

/* The compiler does not take this for a loop that counts. */
static void one_by_one(void) {
    long k = 0;
    while (k < GATHERED / 16) {
        target[k] = table[place[k]];
        k++;
    }
}

static void by_library(void) {
    static shared const void *from[GATHERED];
    static void *to[GATHERED];
    for (long k = 0; k < GATHERED; k++) from[k] = &table[place[k]], to[k] = &target[k];
    bupc_memget_ilist(GATHERED, to, sizeof *target, GATHERED, from, sizeof *target);
}

/* Sorted by owner, sent at once, answered by the owners, and brought into order. */
static void by_hand(void) {
    static long sorted[GATHERED], position[GATHERED];
    int first[MOST + 1] = {0}, next[MOST];
    for (int k = 0; k < GATHERED; k++) first[place[k] % THREADS + 1]++;
    for (int t = 0; t < THREADS; t++) first[t + 1] += first[t], next[t] = first[t];
    for (int k = 0; k < GATHERED; k++) {
        int at = next[place[k] % THREADS]++;
        sorted[at] = place[k] / THREADS, position[at] = k;
    }
    for (int i = 0; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        long n = first[t + 1] - first[t];
        shared [] long *box = inbox[t] + (long)MYTHREAD * (GATHERED + 1);
        upc_memput(box + 1, sorted + first[t], (size_t)n * sizeof n);
        upc_memput(box, &n, sizeof n);
    }
    upc_barrier;
    const long *mine = (const long *)&table[MYTHREAD];
    for (int t = 0; t < THREADS; t++) {
        long *box = (long *)inbox[MYTHREAD] + (long)t * (GATHERED + 1);
        for (long k = 1; k <= box[0]; k++) box[k] = mine[box[k]];
    }
    upc_barrier;
    for (int i = 0; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS, n = first[t + 1] - first[t];
        upc_memget(sorted + first[t], inbox[t] + (long)MYTHREAD * (GATHERED + 1) + 1, (size_t)n * sizeof(long));
        for (int k = first[t]; k < first[t + 1]; k++) target[position[k]] = sorted[k];
    }
}

static void measure(const char *name, void (*what)(void), int times) {
    double ns[REPETITIONS];
    for (int r = 0; r < REPETITIONS; r++) {
        for (int k = 0; k < times; k++) target[k] = -1;
        upc_barrier;
        upc_tick_t from = upc_ticks_now();
        what();
        upc_barrier;
        ns[r] = (double)upc_ticks_to_ns(upc_ticks_now() - from) / times;
        for (int k = 0; k < times && what != summed; k++) wrong += target[k] != 3 * place[k] + 1;
    }
    qsort(ns, REPETITIONS, sizeof *ns, by_value);
    if (MYTHREAD == 0) printf("%-28s %9.1f ns\n", name, ns[REPETITIONS / 2]);
}

int main(void) {
    if (THREADS > MOST) {
        if (MYTHREAD == 0) fprintf(stderr, "index_gather: at most %d threads\n", MOST);
        return 1;
    }
    srand(17u + (unsigned)MYTHREAD);
    long *mine = (long *)&table[MYTHREAD];
    for (long i = 0; i < ELEMENTS; i++) mine[i] = 3 * (i * THREADS + MYTHREAD) + 1;
    for (int k = 0; k < GATHERED; k++) place[k] = (long)rand() % ((long)THREADS * ELEMENTS), expected += 3 * place[k] + 1;
    inbox[MYTHREAD] = upc_alloc((size_t)THREADS * (GATHERED + 1) * sizeof(long));
    upc_barrier;
    measure("target[k] = table[place[k]]", plain, GATHERED);
    measure("sum += table[place[k]]", summed, GATHERED);
    measure("the same, one by one", one_by_one, GATHERED / 16);
    measure("bupc_memget_ilist", by_library, GATHERED);
    measure("by hand", by_hand, GATHERED);
    if (wrong) fprintf(stderr, "index_gather: thread %d: %ld wrong results\n", MYTHREAD, wrong);
    return wrong != 0;
}

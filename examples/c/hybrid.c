/* A histogram that the OpenMP threads of all processes count together: one process for each computer, or for each socket, and
 * OpenMP inside. Each OpenMP thread draws its share of the numbers. For most it adds 1 to a counter, by an atomic
 * operation on whatever process has that. The rare ones it sends to their owner as messages, and waits for the answers. In
 * the end it puts how many it had into a table on process 0.
 *
 *     cc -O2 -fopenmp hybrid.c -o hybrid $(pkg-config --cflags --libs fathom-smp)
 *     FATHOM_THREADS=2 OMP_NUM_THREADS=4 ./hybrid [numbers for each process]
 *
 * Checks itself: each number has been counted once. Without OpenMP, or where a conduit cannot have it, a process has one
 * thread, and the result is the same.
 */
#include <fathom.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { BINS = 1024, RARE = 50, MOST_CREW = 256 };

static fathom_ptr bins, had; /* BINS counters on each process; a table of MOST_CREW on process 0 for each process */
static int on_rare, on_noted;
static int64_t rare_here;        /* handlers run one at a time, so they need no lock */
static int64_t noted[MOST_CREW]; /* by OpenMP thread: the answers that have come */

static int crew_number(void) {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static void rare(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    rare_here++;
    fathom_reply_short(token, on_noted, args, nargs);
}

/* May run in another OpenMP thread than the one that waits for it. */
static void note(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    __atomic_fetch_add(&noted[args[0]], 1, __ATOMIC_RELEASE);
}

static uint64_t number(uint64_t i) { /* SplitMix64 */
    uint64_t z = i * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* What one OpenMP thread does with numbers first, first + step, ... below end. */
static void draw(uint64_t first, uint64_t step, uint64_t end) {
    int64_t drawn = 0, sent = 0;
    uint64_t self = (uint64_t)crew_number();
    for (uint64_t i = first; i < end; i += step, drawn++) {
        uint64_t x = number(i), bin = x % BINS;
        int owner = (int)(x / BINS % (uint64_t)fathom_count());
        if (x >> 40 < (1 << 24) / RARE) {
            fathom_request_short(owner, on_rare, &self, 1);
            sent++;
        } else {
            fathom_fetch_add(fathom_on(owner, bins) + 8 * bin, 1);
        }
    }
    for (unsigned round = 0; __atomic_load_n(&noted[self], __ATOMIC_ACQUIRE) < sent;) fathom_pause(&round);
    fathom_put(had + 8 * ((uint64_t)fathom_me() * MOST_CREW + self), &drawn, sizeof drawn);
}

int main(int argc, char **argv) {
    int provided;
    fathom_init_thread(&argc, &argv, FATHOM_THREAD_MULTIPLE, &provided);
    uint64_t each = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000, first = (uint64_t)fathom_me() * each;
    on_rare = fathom_register(rare), on_noted = fathom_register(note);
    bins = fathom_alloc_all(BINS * 8);
    had = fathom_alloc_all((size_t)fathom_count() * MOST_CREW * 8);
    int64_t *mine = fathom_address(fathom_on(fathom_me(), bins)), *table = fathom_address(fathom_on(fathom_me(), had));
    for (int i = 0; i < BINS; i++) mine[i] = 0;
    for (int i = 0; i < fathom_count() * MOST_CREW; i++) table[i] = 0;
    fathom_barrier_all();

    int crew = 1;
#ifdef _OPENMP
    if (provided == FATHOM_THREAD_MULTIPLE)
        crew = omp_get_max_threads() < MOST_CREW ? omp_get_max_threads() : MOST_CREW;
#endif
#pragma omp parallel num_threads(crew)
    draw(first + (uint64_t)crew_number(), (uint64_t)crew, first + each);

    fathom_barrier_all(); /* outside of the parallel region: by one thread of the process */
    int64_t counted = rare_here, all, drawn = 0;
    for (int i = 0; i < BINS; i++) counted += mine[i];
    fathom_all_reduce(fathom_world(), &all, &counted, 1, FATHOM_I64, FATHOM_ADD);
    for (int i = 0; i < fathom_count() * MOST_CREW; i++) drawn += table[i];
    int64_t expected = (int64_t)each * fathom_count();
    if (all != expected || (fathom_me() == 0 && drawn != expected))
        fathom_fatal("%" PRId64 " numbers were counted and %" PRId64 " drawn, of %" PRId64, all, drawn, expected);
    if (fathom_me() == 0)
        printf("%" PRId64 " numbers, counted by %d processes of %d OpenMP threads: good\n", all, fathom_count(), crew);
    fathom_finalize();
    return 0;
}

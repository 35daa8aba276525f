/* The C side of barrier.upc: Mellor-Crummey and Scott's centralised barrier. The last to arrive resets the count and
 * flips the sense for which the others spin. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

struct place {
    _Alignas(64) int missing;
    _Alignas(64) int sense;
};
static struct place *place;
static int threads, my_sense;

/* Before the threads of the program are forked, so that they all have it. */
__attribute__((constructor)) static void map(void) {
    place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) abort();
}

void barrier_c_join(int n) {
    threads = n;
    place->missing = n; /* all write the same, before the first use */
}

void barrier_c(void) {
    my_sense = !my_sense;
    if (__atomic_sub_fetch(&place->missing, 1, __ATOMIC_ACQ_REL) == 0) {
        __atomic_store_n(&place->missing, threads, __ATOMIC_RELAXED);
        __atomic_store_n(&place->sense, my_sense, __ATOMIC_RELEASE);
    } else
        while (__atomic_load_n(&place->sense, __ATOMIC_ACQUIRE) != my_sense) __builtin_ia32_pause();
}

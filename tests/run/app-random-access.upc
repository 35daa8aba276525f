// threads: 1 2 3 4 8
/* Random updates of a table that is cyclic over all threads (the HPC Challenge's RandomAccess, made exact by atomics);
 * updating once more with the same numbers must give the first table back. */
#include <upc_atomic.h>

#include "check.h"

#define WORDS 4096
#define UPDATES 20000

shared uint64_t table[WORDS * THREADS];

/* The sequence is that of the HPC Challenge benchmark. */
static void update(upc_atomicdomain_t *domain) {
    uint64_t ran = 0x9e3779b97f4a7c15u * (MYTHREAD + 1);
    for (int i = 0; i < UPDATES; i++) {
        ran = (ran << 1) ^ ((int64_t)ran < 0 ? 7 : 0);
        shared uint64_t *word = &table[ran % ((uint64_t)WORDS * THREADS)];
        upc_atomic_relaxed(domain, NULL, UPC_XOR, word, &ran, NULL);
    }
}

int main(void) {
    long i, changed = 0;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_XOR, 0);
    upc_forall (i = 0; i < (long)WORDS * THREADS; i++; &table[i]) table[i] = i;
    upc_barrier;
    update(domain);
    upc_barrier;
    upc_forall (i = 0; i < (long)WORDS * THREADS; i++; &table[i]) changed += table[i] != (uint64_t)i;
    CHECK(changed > WORDS / 4);
    upc_barrier;
    update(domain);
    upc_barrier;
    upc_forall (i = 0; i < (long)WORDS * THREADS; i++; &table[i]) CHECK_EQ(i, table[i]);
    upc_all_atomicdomain_free(domain);
    return 0;
}

// All threads change the same objects at once, their own and others', in loops and one by one: no change is lost, whoever performs it.
// A thread that is near no other one changes its own objects by loads and stores, while its progress thread is kept out.
// conduits: smp template mpi
#include <upc_atomic.h>
#include <upc_relaxed.h>

#include "check.h"

#define EACH 97
#define CHANGES 6000
shared long longs[EACH * THREADS];
shared int ints[EACH * THREADS];
shared double doubles[EACH * THREADS];
shared unsigned long least[EACH * THREADS];
shared float products[EACH * THREADS];
static long place[CHANGES];

static void loops(upc_atomicdomain_t *l, upc_atomicdomain_t *i, upc_atomicdomain_t *d, upc_atomicdomain_t *u, upc_atomicdomain_t *f) {
    long one = 1;
    int two = 2;
    double half = 0.5;
    unsigned long mine = 1000 + MYTHREAD;
    float factor = 2;
    for (long k = 0; k < CHANGES; k++) upc_atomic_relaxed(l, NULL, UPC_ADD, &longs[place[k]], &one, NULL);
    for (long k = 0; k < CHANGES; k++) upc_atomic_relaxed(i, NULL, UPC_SUB, &ints[place[k]], &two, NULL);
    for (long k = 0; k < CHANGES; k++) upc_atomic_relaxed(d, NULL, UPC_ADD, &doubles[place[k]], &half, NULL);
    for (long k = 0; k < CHANGES; k++) upc_atomic_relaxed(u, NULL, UPC_MIN, &least[place[k]], &mine, NULL);
    for (long k = 0; k < 3 * EACH; k++) upc_atomic_relaxed(f, NULL, UPC_MULT, &products[(long)k * THREADS / 3], &factor, NULL);
    for (long k = 0; k < CHANGES; k += 5) upc_atomic_relaxed(l, NULL, UPC_INC, &longs[place[k]], NULL, NULL);
}

// The same one by one, with results, which the processor or the owner performs.
static long singly(upc_atomicdomain_t *l) {
    long one = 1, found = 0, sum = 0;
    for (long k = 0; k < CHANGES / 10; k++) {
        upc_atomic_relaxed(l, &found, UPC_ADD, &longs[place[k]], &one, NULL);
        if (found % 2) sum++;
    }
    return sum;
}

// All change objects of thread 0, which makes nothing but such changes: its progress thread performs those of the others meanwhile.
#define TURNS 20
#define OWN_TURNS 1000
static void of_one(upc_atomicdomain_t *l) {
    long one = 1;
    for (int turn = 0; turn < (MYTHREAD ? TURNS : OWN_TURNS); turn++)
        for (long k = 0; k < CHANGES; k++) upc_atomic_relaxed(l, NULL, UPC_ADD, &longs[place[k]], &one, NULL);
}

int main(void) {
    upc_atomicdomain_t *l = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC, 0);
    upc_atomicdomain_t *i = upc_all_atomicdomain_alloc(UPC_INT, UPC_SUB, 0);
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    upc_atomicdomain_t *u = upc_all_atomicdomain_alloc(UPC_ULONG, UPC_MIN, 0);
    upc_atomicdomain_t *f = upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_MULT, 0);
    unsigned long state = 12345 + MYTHREAD * 7919ul;
    for (long k = 0; k < CHANGES; k++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        place[k] = (long)((state >> 33) % (EACH * THREADS));
    }
    for (int k = MYTHREAD; k < EACH * THREADS; k += THREADS) {
        longs[k] = ints[k] = 0;
        doubles[k] = 0;
        least[k] = ~0ul;
        products[k] = 1;
    }
    upc_barrier;
    loops(l, i, d, u, f);
    CHECK(singly(l) <= CHANGES / 10);
    upc_barrier;
    if (MYTHREAD == 0) {
        long sum = 0, twos = 0, beyond = 0;
        double halves = 0;
        for (int k = 0; k < EACH * THREADS; k++) {
            sum += longs[k];
            twos += ints[k];
            halves += doubles[k];
            beyond += least[k] != ~0ul && least[k] >= 1000 + (unsigned long)THREADS;
        }
        CHECK_EQ((long)THREADS * (CHANGES + CHANGES / 5 + CHANGES / 10), sum);
        CHECK_EQ(-2l * THREADS * CHANGES, twos);
        CHECK_EQ((long)THREADS * CHANGES, (long)(2 * halves));
        CHECK_EQ(0l, beyond);
        for (int k = 0; k < EACH * THREADS; k += THREADS) {
            float expected = 1;
            for (long n = 0; n < 3 * EACH; n++)
                if ((long)n * THREADS / 3 == k)
                    for (int t = 0; t < THREADS; t++) expected *= 2;
            CHECK(products[k] == expected);
        }
    }
    upc_barrier;
    for (long k = 0; k < CHANGES; k++) place[k] = place[k] % 3 * THREADS;
    for (int k = MYTHREAD; k < EACH * THREADS; k += THREADS) longs[k] = 0;
    upc_barrier;
    of_one(l);
    upc_barrier;
    if (MYTHREAD == 0) CHECK_EQ((TURNS * (THREADS - 1l) + OWN_TURNS) * CHANGES, longs[0] + longs[THREADS] + longs[2 * THREADS]);
    upc_barrier;
    return 0;
}

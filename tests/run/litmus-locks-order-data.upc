// threads: 1 2 3 4 8
/* B.3.1p2: upc_lock implies a strict read and upc_unlock a strict write: relaxed data that a lock guards behave as one thread's. */
#include "check.h"

#define ROUNDS (8000 / THREADS)
shared long counter;
shared struct {
    int a, b, c;
} triple;
shared [] int history[16];
upc_lock_t *lock;

int main(void) {
    lock = upc_all_lock_alloc();
    for (int i = 0; i < ROUNDS; i++) {
        upc_lock(lock);
        counter++;
        CHECK(triple.a == triple.b && triple.b == triple.c);
        triple.a++;
        for (int k = 0; k < 16; k++) CHECK_EQ(history[0], history[k]);
        triple.b = triple.a;
        for (int k = 15; k >= 0; k--) history[k]++;
        triple.c++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(ROUNDS * THREADS, counter);
    CHECK_EQ(ROUNDS * THREADS, triple.c);
    CHECK_EQ(ROUNDS * THREADS, history[7]);
    return 0;
}

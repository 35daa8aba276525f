// threads: 1 2 3 8
/* A thread's relaxed writes and its relaxed atomic operations on the same object keep their order (B.3.1), as long as no other
 * thread touches the object in the same synchronisation phase (7.6: else atomicity would be lost). */
#include <stdio.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>

#define CHECK(c) ((c) ? (void)0 : (printf("line %d, thread %d: not true: %s\n", __LINE__, MYTHREAD, #c), upc_global_exit(1)))

enum { WORDS = 8 };
shared [WORDS] long a[WORDS * THREADS];

int main(void) {
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_GET | UPC_SET | UPC_ADD, 0);
    shared [WORDS] long *to = &a[WORDS * ((MYTHREAD + 1) % THREADS)];
    long one = 1, old;
    upc_barrier;
    for (long i = 0; i < 2000; i++) {
        int k = (int)(i % WORDS);
        to[k] = i; /* then the atomic operation sees it */
        to[(k + 1) % WORDS] = -i;
        upc_atomic_relaxed(d, &old, UPC_ADD, &to[k], &one, 0);
        CHECK(old == i);
        CHECK(to[k] == i + 1);
        to[k] = 7; /* and does not come before it */
        upc_atomic_relaxed(d, NULL, UPC_SET, &to[k], &one, 0);
        CHECK(to[k] == 1);
        upc_atomic_relaxed(d, NULL, UPC_ADD, &to[k], &one, 0);
        to[k] = 5;
        upc_atomic_relaxed(d, &old, UPC_GET, &to[k], 0, 0);
        CHECK(old == 5);
    }
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return 0;
}

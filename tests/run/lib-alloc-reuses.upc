// threads: 1 2 4
/* 7.2.2: freed space is used again: far more is allocated, in all, than a heap holds at once; sizes vary. */
#include "check.h"
#include "random.h"

int main(void) {
    const size_t large = 8u << 20;
    for (int round = 0; round < 3000; round++) {
        shared [] char *p = upc_alloc(large + (size_t)(round % 7) * 4096);
        CHECK(p != NULL);
        p[0] = (char)round;
        p[large - 1] = (char)~round;
        CHECK(p[0] == (char)round && p[large - 1] == (char)~round);
        upc_free(p);
    }
    enum { LIVE = 100 };
    shared [] char *live[LIVE] = {NULL};
    size_t size[LIVE] = {0};
    unsigned long random = 12345u + (unsigned)MYTHREAD;
    for (int round = 0; round < 20000; round++) {
        unsigned long r = next_random(&random);
        int k = (int)(r % LIVE);
        if (live[k]) {
            CHECK(live[k][0] == (char)k && live[k][size[k] - 1] == (char)(k + 1));
            upc_free(live[k]);
        }
        size[k] = 2 + (r >> 8) % 3000;
        live[k] = upc_alloc(size[k]);
        CHECK(live[k] != NULL);
        live[k][0] = (char)k;
        live[k][size[k] - 1] = (char)(k + 1);
    }
    for (int k = 0; k < LIVE; k++) upc_free(live[k]);
    return 0;
}

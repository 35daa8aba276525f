// threads: 1 2 3 4 5 7 8
/* upc_all_sort: random lengths (fewer elements than threads among them), block sizes, element sizes and beginnings; keys
 * that are all different, few, all the same, sorted, sorted the other way round; against a stable sort of a copy. Elements
 * keep all their bytes. A function that contradicts itself still leaves a permutation. */
#include "check.h"
#include "random.h"
#include <upc_collective.h>

#define MOST 260 /* elements a thread */
#define ROUNDS 90

static shared void *all;

static unsigned long state = 99;
static unsigned long draw(unsigned long below) { return next_random(&state) % below; }

/* The first 2 bytes of an element are its key, 2 more its place before; the others depend on both. */
static int key_of(shared void *e) {
    shared [] unsigned char *p = (shared [] unsigned char *)e;
    return p[0] << 8 | p[1];
}
static int by_key(shared void *a, shared void *b) { return key_of(a) - key_of(b); }
static int by_chance(shared void *a, shared void *b) {
    static unsigned long mine = 7;
    (void)a, (void)b;
    return (int)((next_random(&mine) >> 7) % 3) - 1;
}

static int *keys, *order;
static unsigned char byte(int i, size_t k) {
    return (unsigned char)(k == 0 ? keys[i] >> 8 : k == 1 ? keys[i] : k == 2 ? i >> 8 : k == 3 ? i : keys[i] * 31 + i * 7 + (int)k);
}
static int by_key_and_place(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return keys[x] != keys[y] ? keys[x] - keys[y] : x - y;
}
static void make_keys(int n) {
    unsigned long kind = draw(6);
    for (int i = 0; i < n; i++) {
        keys[i] = kind == 0   ? (int)draw(65536)
                  : kind == 1 ? (int)draw(3)
                  : kind == 2 ? 77
                  : kind == 3 ? i
                  : kind == 4 ? n - i
                              : (int)(i < n / 2 ? draw(10) : 60000 + draw(10));
        order[i] = i;
    }
    qsort(order, (size_t)n, sizeof *order, by_key_and_place);
}

#define SORTS(NAME, SIZE, BLOCK, BLOCK_SIZE)                                                                           \
    struct NAME {                                                                                                      \
        unsigned char bytes[SIZE];                                                                                     \
    };                                                                                                                 \
    static void NAME(void) {                                                                                           \
        shared [BLOCK] struct NAME *a = (shared [BLOCK] struct NAME *)(shared struct NAME *)all;                       \
        int most = BLOCK_SIZE ? MOST * THREADS : MOST, n = draw(4) ? (int)draw((unsigned long)most + 1) : (int)draw(12); \
        int is_by_key = draw(8) != 0;                                                                                  \
        if (n > most) n = most;                                                                                        \
        a += draw(BLOCK_SIZE ? 2 * BLOCK_SIZE * THREADS : 9);                                                          \
        make_keys(n);                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            if ((int)upc_threadof(&a[i]) == MYTHREAD)                                                                  \
                for (size_t k = 0; k < SIZE; k++) a[i].bytes[k] = byte(i, k);                                          \
        upc_all_sort(a, SIZE, (size_t)n, BLOCK_SIZE, is_by_key ? by_key : by_chance, 0);                               \
        if (is_by_key) {                                                                                               \
            for (int i = MYTHREAD; i < n; i += THREADS) {                                                              \
                struct NAME e = a[i];                                                                                  \
                for (size_t k = 0; k < SIZE; k++) CHECK_EQ(byte(order[i], k), e.bytes[k]);                             \
            }                                                                                                          \
        } else if (MYTHREAD == 0) { /* each is there once, whole */                                                    \
            char *seen = calloc((size_t)n + 1, 1);                                                                     \
            for (int i = 0; i < n; i++) {                                                                              \
                struct NAME e = a[i];                                                                                  \
                int place = e.bytes[2] << 8 | e.bytes[3];                                                              \
                CHECK(place < n && !seen[place]);                                                                      \
                seen[place] = 1;                                                                                       \
                for (size_t k = 0; k < SIZE; k++) CHECK_EQ(byte(place, k), e.bytes[k]);                                \
            }                                                                                                          \
            free(seen);                                                                                                \
        }                                                                                                              \
        upc_barrier;                                                                                                   \
    }

SORTS(words_on_one_thread, 4, , 0)
SORTS(words_in_turn, 4, 1, 1)
SORTS(odd_ones, 5, 3, 3)
SORTS(pairs, 24, 7, 7)
SORTS(long_ones, 129, 2, 2)
SORTS(long_blocks, 8, 100, 100)

int main(void) {
    all = upc_all_alloc(THREADS, 129 * (MOST + 64) + 8 * 400);
    keys = malloc((size_t)(MOST * THREADS + 12) * sizeof *keys);
    order = malloc((size_t)(MOST * THREADS + 12) * sizeof *order);
    for (int round = 0; round < ROUNDS; round++) {
        switch (draw(6)) {
        case 0: words_on_one_thread(); break;
        case 1: words_in_turn(); break;
        case 2: odd_ones(); break;
        case 3: pairs(); break;
        case 4: long_ones(); break;
        default: long_blocks();
        }
    }
    return 0;
}

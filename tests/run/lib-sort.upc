// threads: 1 2 3 4 7
/* upc_all_sort of the 1.0 collectives: any layout and length, elements larger than a word, stable. */
#include "check.h"
#include <upc_collective.h>

#define PER_THREAD 70
struct item {
    int key, place;
    char text[5];
};
shared [3] struct item blocked[PER_THREAD * THREADS];
shared struct item cyclic[PER_THREAD * THREADS];

static int by_key(shared void *a, shared void *b) {
    int x = ((shared struct item *)a)->key, y = ((shared struct item *)b)->key;
    return x < y ? -1 : x > y;
}

static struct item item(int i) {
    struct item it = {i * 7919 % 53, i, ""};
    it.text[0] = (char)('a' + it.key % 26);
    return it;
}

#define CHECK_SORT(array, block, n)                                                              \
    do {                                                                                         \
        for (int i = 0; i < (n); i++)                                                            \
            if ((int)upc_threadof(&(array)[i]) == MYTHREAD) (array)[i] = item(i);                \
        upc_all_sort(array, sizeof(struct item), (size_t)(n), block, by_key, 0);                 \
        for (int i = 0; i < (n); i++) {                                                          \
            struct item it = (array)[i], was = item(it.place);                                   \
            CHECK(it.key == was.key && it.text[0] == was.text[0]);                               \
            if (i == 0) continue;                                                                \
            struct item before = (array)[i - 1];                                                 \
            CHECK(before.key < it.key || (before.key == it.key && before.place < it.place));     \
        }                                                                                        \
        upc_barrier;                                                                             \
    } while (0)

int main(void) {
    for (int n = 0; n <= PER_THREAD * THREADS; n = n * 3 + 1) {
        CHECK_SORT(blocked, 3, n);
        CHECK_SORT(cyclic, 1, n);
    }
    return 0;
}

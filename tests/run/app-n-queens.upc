// threads: 1 2 3 4 8
/* Queens on an n x n board: the first two rows' choices are dealt to the threads, the counts meet under a lock. */
#include "check.h"

shared int found;
upc_lock_t *lock;

/* Ways to complete a board whose occupied columns and diagonals are given as bits. */
static int complete(int n, int columns, int left, int right) {
    int all = (1 << n) - 1, ways = 0;
    if (columns == all) return 1;
    for (int open = all & ~(columns | left | right); open; open &= open - 1) {
        int queen = open & -open;
        ways += complete(n, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return ways;
}

int main(void) {
    static const int expected[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
    lock = upc_all_lock_alloc();
    for (int n = 2; n < 10; n++) {
        int mine = 0, first, second;
        /* The outer loop has no affinity of its own: each thread walks all of it, and the inner one deals. */
        upc_forall (first = 0; first < n; first++; continue)
            upc_forall (second = 0; second < n; second++; first * n + second) {
                if (second - first >= -1 && second - first <= 1) continue;
                int a = 1 << first, b = 1 << second;
                mine += complete(n, a | b, ((a << 1) | b) << 1, ((a >> 1) | b) >> 1);
            }
        upc_lock(lock);
        found += mine;
        upc_unlock(lock);
        upc_barrier n;
        CHECK_EQ(expected[n], found);
        upc_barrier;
        if (MYTHREAD == 0) found = 0;
        upc_barrier;
    }
    upc_all_lock_free(lock);
    return 0;
}

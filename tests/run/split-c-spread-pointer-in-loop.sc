// threads: 1 2 3 4
/* A loop that walks along a spread pointer, or a spread array, meets every processor in turn: what is known of the first
 * element's processor holds of no other. */
#include <split-c/split-c.h>
#include <stdio.h>

struct pair {
    int from, to;
};
static struct pair *spread pairs;
static int *spread numbers;
static int squares[4 * PROCS]::;

int splitc_main() {
    int wrong = 0;
    pairs = all_spread_malloc(PROCS * PROCS, sizeof(struct pair));
    numbers = all_spread_malloc(PROCS * PROCS, sizeof(int));
    barrier();
    for (int p = 0; p < PROCS; p++) {
        struct pair mine = {MYPROC, p};
        pairs[MYPROC * PROCS + p] = mine;
    }
    for (int p = 0; p < PROCS; p++) numbers[MYPROC * PROCS + p] = 100 * MYPROC + p;
    on_one for (int i = 0; i < 4 * PROCS; i++) squares[i] = i * i;
    barrier();
    /* On its own processor, by a local pointer. */
    for (int p = 0; p < PROCS; p++) {
        const struct pair *pair = tolocal(pairs + p * PROCS + MYPROC);
        const int *number = tolocal(numbers + p * PROCS + MYPROC);
        wrong += pair->from != p || pair->to != MYPROC || *number != 100 * p + MYPROC;
    }
    for (int k = 0; k < 4; k++) {
        int i = k * PROCS + MYPROC;
        wrong += *(int *)tolocal(&squares[i]) != i * i;
    }
    /* From every processor. */
    int sum = 0, last = 4 * PROCS - 1;
    for (int i = 0; i < 4 * PROCS; i++) sum += squares[i];
    wrong += sum != last * (last + 1) * (2 * last + 1) / 6;
    for (int i = 0; i < PROCS * PROCS; i++) wrong += numbers[i] != 100 * (i / PROCS) + i % PROCS;
    if (wrong) printf("processor %d: %d values are wrong\n", MYPROC, wrong);
    return wrong != 0;
}

/* Times a movement of data by every mechanism that can do it. A line of standard input is a cell of the grid:
 *
 *     gather get 8 64 4096 loop prefetch vector
 *
 * decision, direction, bytes of an element, of a stride, of payload, mechanisms. Each round times all of them in turn, so
 * that what changes meanwhile changes for all: each by force, but for the one that the tuning table chooses, which is left to
 * the table. The answer: which that is, and the times of every round.
 *
 *     choice	gather get 8 64 4096	vector	loop 60.4 60.1 60.2 ...	vector 51.2 50.1 50.3 ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gas_tuning.h"
#include "probe/movement.h"

enum { MOST = 8, ROUNDS = 31 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double timed(struct movement *m, long n) {
    double start = now_ns();
    movement_perform(m, n);
    return (now_ns() - start) / (double)n;
}

/* How many movements take about so long. */
static long calibrate(struct movement *m, double batch_ns) {
    timed(m, 1);
    for (long n = 1;; n *= 2) {
        double ns = timed(m, n) * (double)n;
        if (ns > batch_ns / 2) return ns > batch_ns ? n : 2 * n;
    }
}

static void take(const char *decision, const char *mechanism) {
    gas_tune_reset();
    if (!mechanism) return;
    char line[100];
    snprintf(line, sizeof line, "%s: %s", decision, mechanism);
    const char *wrong = gas_tune(line);
    if (wrong) gas_fatal("%s: %s", line, wrong);
}

static void cell(char *line, int rounds, double batch_ns) {
    char decision[32], direction[8];
    const char *mechanisms[MOST];
    size_t element, stride, bytes;
    int used, count = 0;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%31s %7s %zu %zu %zu%n", decision, direction, &element, &stride, &bytes, &used) != 5)
        gas_fatal("not a cell: %s", line);
    struct movement m = {.decision = decision,
                         .is_put = strcmp(direction, "put") == 0,
                         .element = element,
                         .stride = stride,
                         .bytes = bytes};
    const char *why = movement_begin(&m);
    if (why) {
        printf("left out\t%s %s %zu %zu %zu\t%s\n", decision, direction, element, stride, bytes, why);
        return;
    }
    const char *chosen = gas_tuned(decision, element, m.stride, m.bytes);
    int of_choice = -1;
    for (const char *word = strtok(line + used, " "); word && count < MOST - 1; word = strtok(NULL, " ")) {
        if (strcmp(word, chosen) == 0) of_choice = count;
        if (gas_tune_can(word)) mechanisms[count++] = word;
    }
    /* Nobody would take it here, but the table does. */
    if (of_choice < 0) mechanisms[of_choice = count++] = chosen;
    static double ns[MOST][ROUNDS];
    long n[MOST];
    for (int k = 0; k < count; k++) {
        take(decision, k == of_choice ? NULL : mechanisms[k]);
        n[k] = calibrate(&m, batch_ns);
    }
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < count; i++) {
            int k = r % 2 ? count - 1 - i : i;
            take(decision, k == of_choice ? NULL : mechanisms[k]);
            timed(&m, 1); /* what the one before left in the caches is not this one's */
            ns[k][r] = timed(&m, n[k]);
        }
    gas_tune_reset();
    printf("choice\t%s %s %zu %zu %zu\t%s", decision, direction, element, stride, bytes, chosen);
    for (int k = 0; k < count; k++) {
        printf("\t%s", mechanisms[k]);
        for (int r = 0; r < rounds; r++) printf(" %.4g", ns[k][r]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    double batch_ns = argc > 2 ? atof(argv[2]) * 1e3 : 250e3;
    if (rounds < 1 || rounds > ROUNDS) rounds = ROUNDS;
    if (gas_me() == 0) {
        static char line[300];
        printf("table\t%s\n", gas_tuning_file());
        while (fgets(line, sizeof line, stdin)) cell(line, rounds, batch_ns);
        gas_exit(0);
    }
    /* The others sleep: the movements are one thread's. */
    fathom_ptr flag = gas_alloc(64);
    *(uint32_t *)fathom_local(flag) = 0;
    for (;;) gas_flag_wait(flag, 0);
}

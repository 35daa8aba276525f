/* Radix sort in Split-C (sorts.h says what is sorted and checked), in two forms.
 *
 *     fathom run -n 4 -O3 examples/sorts/radix.sc [FORM [KEYS [DISTRIBUTION [SEED]]]]
 *
 * FORM is fine, bulk or all; KEYS are on each processor (100000); DISTRIBUTION is random, sorted, equal, few
 * (different keys) or all.
 *
 * The keys are sorted by their lowest digit of 8 bits (-DBITS=11: of 11), then by the next, and so on, each time
 * keeping the order of equal digits. A pass counts the digits on each processor, finds out from all counts where each
 * processor's keys of each digit go, and sends them there. The fine form stores each count and each key by itself;
 * the bulk form first puts a processor's keys in order, and stores those of one digit together.
 */
#include "sorts.h"

#ifndef BITS
#define BITS 8
#endif
enum { DIGITS = 1 << BITS, PASSES = (32 + BITS - 1) / BITS };

static int digit_of(uint32_t key, int pass) { return key >> pass * BITS & (DIGITS - 1); }

/* The digits that processor p finds the places of: of all digits an equal share, side by side. */
static int first_digit(int p) { return (int)((long)DIGITS * p / PROCS); }
static int owner(int digit) {
    int p = (int)((long)digit * PROCS / DIGITS);
    while (first_digit(p + 1) <= digit) p++;
    return p;
}

/* place[p][d]: where the next key of digit d from processor p goes, counted over all processors. */
static int place[PROCS]::[DIGITS];

/* Called with the counts of all processors for the own digits, of processor p at counts[p * width]: turns each into the
 * place of the first of these keys. Digits come first in the order of places, processors second. */
static void scan(int *counts, int width, int digits) {
    int all = 0;
    for (int p = 0; p < PROCS; p++)
        for (int d = 0; d < digits; d++) all += counts[p * width + d];
    int next = all_scan_add(all) - all;
    for (int d = 0; d < digits; d++)
        for (int p = 0; p < PROCS; p++) {
            int count = counts[p * width + d];
            counts[p * width + d] = next;
            next += count;
        }
}

static void count_digits(int count[DIGITS], const uint32_t *key, int n, int pass) {
    memset(count, 0, DIGITS * sizeof *count);
    for (int i = 0; i < n; i++) count[digit_of(key[i], pass)]++;
}

/* ---- fine-grained ------------------------------------------------------------------------------------------------ */

static void pass_fine(int pass, int n, uint32_t from[PROCS]::[n], uint32_t to[PROCS]::[n]) {
    const uint32_t *key = tolocal(from[MYPROC]);
    int width = DIGITS / PROCS + 1, mine = first_digit(MYPROC), digits = first_digit(MYPROC + 1) - mine;
    int counts[PROCS]::[PROCS][width], count[DIGITS];

    count_digits(count, key, n, pass);
    for (int d = 0; d < DIGITS; d++) {
        int p = owner(d);
        counts[p][MYPROC][d - first_digit(p)] :- count[d];
    }
    all_store_sync();
    int (*own)[width] = tolocal(counts[MYPROC]);
    scan(own[0], width, digits);
    for (int p = 0; p < PROCS; p++)
        for (int d = 0; d < digits; d++) place[p][mine + d] :- own[p][d];
    all_store_sync();

    int *next = tolocal(place[MYPROC]);
    for (int i = 0; i < n; i++) {
        int at = next[digit_of(key[i], pass)]++;
        to[at / n][at % n] :- key[i];
    }
    all_store_sync();
}

static struct sorted fine(int n, uint32_t keys[PROCS]::[n], uint32_t other[PROCS]::[n]) {
    for (int pass = 0; pass < PASSES; pass++)
        if (pass % 2 == 0)
            pass_fine(pass, n, keys, other);
        else
            pass_fine(pass, n, other, keys);
    return (struct sorted){tolocal((PASSES % 2 ? other : keys)[MYPROC]), n};
}

/* ---- bulk -------------------------------------------------------------------------------------------------------- */

static void pass_bulk(int pass, int n, uint32_t from[PROCS]::[n], uint32_t to[PROCS]::[n], uint32_t *ordered) {
    const uint32_t *key = tolocal(from[MYPROC]);
    int width = DIGITS / PROCS + 1, mine = first_digit(MYPROC), digits = first_digit(MYPROC + 1) - mine;
    int counts[PROCS]::[PROCS][width], count[DIGITS], end[DIGITS];

    count_digits(count, key, n, pass);
    for (int i = 0; i < PROCS; i++) {
        int p = (MYPROC + i) % PROCS, first = first_digit(p); /* each begins elsewhere */
        bulk_store(counts[p][MYPROC], count + first, (first_digit(p + 1) - first) * sizeof(int));
    }
    /* While they are under way: the own keys in the order of their digits. */
    for (int d = 0, sum = 0; d < DIGITS; d++) end[d] = sum, sum += count[d];
    for (int i = 0; i < n; i++) ordered[end[digit_of(key[i], pass)]++] = key[i];
    all_store_sync();
    int (*own)[width] = tolocal(counts[MYPROC]);
    scan(own[0], width, digits);
    for (int i = 0; i < PROCS; i++) {
        int p = (MYPROC + i) % PROCS;
        bulk_store(&place[p][mine], own[p], digits * sizeof(int));
    }
    all_store_sync();

    /* The keys of one digit lie side by side, here and there; there a run may end on the next processor. */
    const int *next = tolocal(place[MYPROC]);
    for (int i = 0; i < DIGITS; i++) {
        int d = (first_digit(MYPROC) + i) % DIGITS, at = next[d];
        for (int k = end[d] - count[d]; k < end[d];) {
            int run = n - at % n < end[d] - k ? n - at % n : end[d] - k;
            bulk_store(&to[at / n][at % n], ordered + k, run * sizeof *ordered);
            k += run;
            at += run;
        }
    }
    all_store_sync();
}

static struct sorted bulk(int n, uint32_t keys[PROCS]::[n], uint32_t other[PROCS]::[n]) {
    uint32_t *ordered = room(n, sizeof *ordered);
    for (int pass = 0; pass < PASSES; pass++)
        if (pass % 2 == 0)
            pass_bulk(pass, n, keys, other, ordered);
        else
            pass_bulk(pass, n, other, keys, ordered);
    free(ordered);
    return (struct sorted){tolocal((PASSES % 2 ? other : keys)[MYPROC]), n};
}

int splitc_main(int argc, char **argv) {
    static const struct form forms[] = {{"fine", fine}, {"bulk", bulk}};
    return run("radix sort", forms, 2, argc, argv);
}

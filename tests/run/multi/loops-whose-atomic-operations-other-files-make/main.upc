// flags: -fcomm-opt
// comm: gathers gathers=3,force
// A loop that calls a function of another file, which is one relaxed atomic operation, may make many of them together; and not if the function does more.
// Each thread has counters of its own, on all threads.
#include <string.h>
#include <upc_relaxed.h>
#include "../../check.h"
#include "functions.h"

enum { OWN = 40, N = 150 };
shared long table[OWN * THREADS];
shared [5] long fives[OWN * THREADS];
shared unsigned words[OWN * THREADS];
shared double doubles[OWN * THREADS];
shared struct { char c; long n; } records[OWN * THREADS];
shared long list[N * THREADS];

static long key[N], copy[OWN], got[N], right[N];
static int first;

/* Compares what the loop got with what the same loop gets from a private copy, and the counters. */
static void compare(const char *what, shared long *p) {
    upc_barrier;
    for (int i = 0; i < N; i++)
        if (got[i] != right[i]) CHECK_EQ(right[i], got[i]), printf("%s %d\n", what, i);
    for (int j = 0; j < OWN; j++)
        if (p) CHECK_EQ(copy[j], p[first + j]);
    memset(got, 0, sizeof got);
    memset(right, 0, sizeof right);
    upc_barrier;
}
static long added(long j, long x) { return copy[j] += x, copy[j] - x; }

static void that_are_operations(shared long *p) {
    for (int i = 0; i < N; i++) got[i] = next(p, first + key[i]);
    for (int i = 0; i < N; i++) right[i] = added(key[i], 1);
    compare("next", p);
    for (int i = 0; i < N; i++) {
        long at = add_at(table, first + key[i], i + 2);
        list[i * THREADS + MYTHREAD] = at;
        got[i] = at + 1;
    }
    for (int i = 0; i < N; i++) right[i] = added(key[i], i + 2) + 1, CHECK_EQ(right[i] - 1, list[i * THREADS + MYTHREAD]);
    compare("add_at", p);
    for (int i = 0; i < N; i++) got[i] = add_by_int(p, (1L << 32) + first + key[i], 7);
    for (int i = 0; i < N; i++) right[i] = added(key[i], 7);
    compare("add_by_int", p);
    if (first < 200)
        for (int i = 0; i < N; i++) got[i] = add_by_byte(p, 512 + first + key[i], i);
    if (first < 200)
        for (int i = 0; i < N; i++) right[i] = added(key[i], i);
    compare("add_by_byte", p);
    for (long i = 0; i < N; i++) {
        if (key[i] % 3 == 0) continue;
        got[i] = add(&p[first + key[i]], key[i] % 5);
    }
    for (int i = 0; i < N; i++)
        if (key[i] % 3) right[i] = added(key[i], key[i] % 5);
    compare("add", p);
    for (unsigned i = 0; i < N; i++) got[i] = key[i] > 9 && three(&table[first + key[i]]) > 5;
    for (int i = 0; i < N; i++) right[i] = key[i] > 9 && added(key[i], 3) > 5;
    compare("three", p);
    for (int i = 0; i < N; i++) next(p, first + key[i]);
    for (int i = 0; i < N; i++) added(key[i], 1);
    compare("without a result", p);
    upc_forall (int i = 0; i < N * THREADS; i++; i) {
        long r = add_at(p, first + key[i / THREADS], i / THREADS);
        got[i / THREADS] = r;
    }
    for (int i = 0; i < N; i++) right[i] = added(key[i], i);
    compare("upc_forall", p);
    for (int i = 0; i < N; i++) got[i] = three((shared long *)&fives[first + key[i]]);
    for (int i = 0; i < N; i++) right[i] = 0;
    long fifths[OWN] = {0};
    for (int i = 0; i < N; i++) right[i] = fifths[key[i]], fifths[key[i]] += 3;
    compare("by a cast", 0);
    for (int i = 0; i < N; i++) got[i] = swap_in_fives(fives, first + key[i], i);
    for (int i = 0; i < N; i++) right[i] = fifths[key[i]], fifths[key[i]] = i;
    compare("swap_in_fives", 0);
    long in_records[OWN] = {0};
    for (int i = 0; i < N; i++) got[i] = add((shared long *)&records[first + key[i]].n, i);
    for (int i = 0; i < N; i++) right[i] = in_records[key[i]], in_records[key[i]] += i;
    compare("records", 0);
    unsigned bits[OWN] = {0};
    for (int i = 0; i < N; i++) got[i] = flip(&words[first + key[i]], i);
    for (int i = 0; i < N; i++) right[i] = bits[key[i]], bits[key[i]] ^= i;
    compare("flip", 0);
    double sums[OWN] = {0};
    for (int i = 0; i < N; i++) got[i] = add_double(doubles, first + key[i], i) * 2;
    for (int i = 0; i < N; i++) right[i] = sums[key[i]] * 2, sums[key[i]] += i;
    compare("add_double", 0);
}

static void that_are_none(shared long *p) {
    for (int i = 0; i < N; i++) got[i] = counts(p, first + key[i]) + (calls << 20);
    for (int i = 0; i < N; i++) right[i] = added(key[i], 1) + (i + 1L << 20);
    compare("counts", p);
    for (int i = 0; i < N; i++) got[i] = add_twice(p, first + key[i]);
    for (int i = 0; i < N; i++) right[i] = added(key[i], 2) + 1;
    compare("add_twice", p);
    for (int i = 0; i < N; i++) got[i] = add_beside(p, first + key[i], i);
    for (int i = 0; i < N; i++) right[i] = added(key[i] ^ 1, i);
    compare("add_beside", p);
    for (int i = 0; i < N; i++) got[i] = reads(p, first + key[i]);
    for (int i = 0; i < N; i++) right[i] = copy[key[i]];
    compare("reads", p);
    for (int which = 0; which < 2; which++) {
        upc_barrier;
        use_domain(which);
        for (int i = 0; i < N; i++) got[i] = in_domain(p, first + key[i]);
        for (int i = 0; i < N; i++) right[i] = added(key[i], 1);
        compare("in_domain", p);
    }
    upc_barrier;
    for (int j = 0; j < OWN; j++) doubles[first + j] = 0;
    long sums[OWN] = {0};
    for (int i = 0; i < N; i++) got[i] = truncated(&doubles[first + key[i]], i + 0.5);
    for (int i = 0; i < N; i++) right[i] = sums[key[i]], sums[key[i]] += i;
    compare("truncated", 0);
}

/* What the loop does besides prevents that its operations are made together. */
static void beside(shared long *p) {
    for (int i = 0; i < N; i++) {
        p[first + key[i]] += i;
        got[i] = next(p, first + key[i] / 2);
    }
    for (int i = 0; i < N; i++) added(key[i], i), right[i] = added(key[i] / 2, 1);
    compare("the table is written", p);
    for (int i = 0; i < N; i++) got[i] = next(p, first + key[i]) * 3 + table[first + 1];
    for (int i = 0; i < N; i++) right[i] = added(key[i], 1) * 3, right[i] += copy[1];
    compare("the table is read", p);
    long at = key[0];
    for (int i = 0; i < N; i++) got[i] = at, at = next(p, first + at) % OWN;
    at = key[0];
    for (int i = 0; i < N; i++) right[i] = at, at = added(at, 1) % OWN;
    compare("a result is a place", p);
    long keys[N], *to = keys;
    memcpy(keys, key, sizeof keys);
    for (int i = 0; i < N; i++) got[i] = next(p, first + keys[i]), to[(i + 7) % N] = i % OWN;
    memcpy(keys, key, sizeof keys);
    for (int i = 0; i < N; i++) right[i] = added(keys[i], 1), to[(i + 7) % N] = i % OWN;
    compare("places change", p);
    for (int i = 0; i < N; i++) {
        got[i] = add_at(p, first + key[i], 2);
        if (got[i] > 300) break;
    }
    for (int i = 0; i < N; i++) {
        right[i] = added(key[i], 2);
        if (right[i] > 300) break;
    }
    compare("the loop is left", p);
}

int main(void) {
    first = OWN * MYTHREAD;
    for (int i = 0; i < N; i++) key[i] = i * 7L * (MYTHREAD + 1) % OWN;
    make_domains();
    upc_barrier;
    that_are_operations(table);
    that_are_none(table);
    beside(table);
    upc_barrier;
    return 0;
}

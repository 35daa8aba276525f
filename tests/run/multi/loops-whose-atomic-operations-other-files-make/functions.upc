#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <bupc_extensions.h>
#include "functions.h"

static upc_atomicdomain_t *longs, *of_ints, *of_doubles, *chosen, *both[2];
long calls;

void make_domains(void) {
    longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_SET, 0);
    of_ints = upc_all_atomicdomain_alloc(UPC_UINT, UPC_XOR, 0);
    of_doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, 0);
    both[0] = longs;
    both[1] = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC | UPC_DEC, 0);
    chosen = longs;
}
void use_domain(int which) { chosen = both[which]; }

long next(shared long *p, long i) {
    long before;
    upc_atomic_relaxed(longs, &before, UPC_INC, &p[i], NULL, NULL);
    return (before);
}
long add_at(shared long *p, long i, long x) {
    long before = 0;
    upc_atomic_relaxed(longs, &before, UPC_ADD, p + i, &x, 0);
    return before;
}
long add_by_int(shared long *p, int i, long x) {
    long r;
    r = bupc_atomicL_fetchadd_relaxed(&p[i], x);
    return r;
}
long add_by_byte(shared long *p, unsigned char i, long x) { return bupc_atomicL_fetchadd_relaxed(&p[i], x); }
long add(shared long *p, long x) { return bupc_atomicL_fetchadd_relaxed(p, x); }
long three(shared long *p) { return bupc_atomicL_fetchadd_relaxed(p, 3); }
long swap_in_fives(shared [5] long *p, long i, long x) {
    long before;
    upc_atomic_relaxed(longs, &before, UPC_SET, &p[i], &x, 0);
    return before;
}
unsigned flip(shared unsigned *p, unsigned x) {
    unsigned before;
    upc_atomic_relaxed(of_ints, &before, UPC_XOR, &*p, &x, 0);
    return before;
}
double add_double(shared double *p, long i, double x) {
    double before;
    upc_atomic_relaxed(of_doubles, &before, UPC_ADD, &p[i], &x, 0);
    return before;
}

long counts(shared long *p, long i) {
    calls++;
    return bupc_atomicL_fetchadd_relaxed(&p[i], 1);
}
long add_twice(shared long *p, long i) {
    long before;
    upc_atomic_relaxed(longs, &before, UPC_INC, &p[i], 0, 0);
    upc_atomic_relaxed(longs, &before, UPC_INC, &p[i], 0, 0);
    return before;
}
long add_beside(shared long *p, long i, long x) { return bupc_atomicL_fetchadd_relaxed(&p[i ^ 1], x); }
long reads(shared long *p, long i) { return p[i]; }
long in_domain(shared long *p, long i) {
    long before;
    upc_atomic_relaxed(chosen, &before, UPC_INC, &p[i], 0, 0);
    return before;
}
double truncated(shared double *p, double x) {
    double before;
    long whole = (long)x;
    x = (double)whole;
    upc_atomic_relaxed(of_doubles, &before, UPC_ADD, p, &x, 0);
    return before;
}

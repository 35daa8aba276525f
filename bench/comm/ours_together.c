/* Barrier, atomics and collectives. The root of a broadcast alternates, so that no thread can run ahead. */
#include "ours.h"

enum { BROADCAST = 64 << 10 };
static gas_domain domain;

void ours_together_start(void) { domain = gas_domain_create(GAS_U64, 1u << GAS_ADD); }

void ours_barrier(long n) {
    for (long i = 0; i < n; i++) gas_barrier();
}

/* The word of thread 1, for both. */
static fathom_ptr counter(void) { return fathom_make(1, fathom_offset_of(ours_base)) + SIDE_AT_COUNTER; }

void ours_add(long n) {
    uint64_t one = 1, before = 0;
    for (long i = 0; i < n; i++) gas_atomic(&before, counter(), GAS_U64, GAS_ADD, &one, NULL);
}
void ours_add_domain(long n) {
    uint64_t one = 1, before = 0;
    for (long i = 0; i < n; i++) gas_domain_atomic(domain, &before, counter(), GAS_ADD, &one, NULL);
}
void c_add(long n) { plain_add(fathom_local(counter()), n); }

static void require(int ok, const char *what) {
    if (!ok) gas_fatal("%s: wrong result", what);
}

void ours_all_reduce(long n) {
    int64_t mine = gas_me() + 1, all = 0;
    for (long i = 0; i < n; i++) gas_all_reduce(gas_world(), &all, &mine, 1, GAS_I64, GAS_ADD, 0);
    require(all == 3, "all-reduce");
}

static void broadcast(long n, size_t bytes) {
    char *own = ours_own + SIDE_AT_BULK;
    own[bytes - 1] = (char)(gas_me() ? 0 : 77);
    for (long i = 0; i < n; i++) gas_broadcast(gas_world(), own, own, bytes, (int)(i % 2), 0);
    require(own[bytes - 1] == 77, "broadcast");
}
void ours_broadcast8(long n) { broadcast(n, 8); }
void ours_broadcast64k(long n) { broadcast(n, BROADCAST); }

/* What conformance.rs runs as a job of many ranks on a computer of few processors: starts, puts to and gets from every
 * thread, makes an atomic operation and a message's round trip with each, and the collectives that grow with the number of
 * threads; barriers in between. Nothing here depends on time, and nothing is large.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gas.h"

enum { BARRIERS = 20, ALL_SYNC = GAS_IN_ALLSYNC | GAS_OUT_ALLSYNC };

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) gas_fatal("many.c:%d: not true: %s", __LINE__, #what);                                            \
    } while (0)

static int on_ask, on_answer;
static int answers;
static int me, threads;

static fathom_ptr on(fathom_ptr all, int thread) { return all + ((unsigned long)thread << FATHOM_SEG_BITS); }
static uint64_t word(int from, int to) { return (uint64_t)from * 1000003 + (uint64_t)to; }

static void ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    gas_reply_short(token, on_answer, args, nargs);
}

static void answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    CHECK(args[0] == word(me, gas_token_source(token)));
    answers++;
}

/* Everybody begins with its neighbour, so that nobody has to serve all others at once. */
static void data(uint64_t *words, fathom_ptr all) {
    for (int i = 0; i < threads; i++) {
        int to = (me + i) % threads;
        gas_put_value(on(all, to) + 8 * (unsigned long)me, word(me, to), 8);
    }
    gas_barrier();
    for (int from = 0; from < threads; from++) CHECK(words[from] == word(from, me));
    for (int i = 0; i < threads; i++) {
        int from = (me + i) % threads;
        uint64_t copy[2] = {0};
        gas_get(copy, on(all, from) + 8 * (unsigned long)(me / 2 * 2), sizeof copy);
        CHECK(copy[me % 2] == word(me, from));
    }
    gas_barrier();
}

static void operations(uint64_t *words, fathom_ptr all) {
    for (int i = 0; i < threads; i++) {
        int to = (me + i) % threads;
        gas_atomic(NULL, on(all, to) + 8 * (unsigned long)me, GAS_U64, GAS_ADD, &(uint64_t){1}, NULL);
        gas_request_short(to, on_ask, &(uint64_t){word(me, to)}, 1);
    }
    for (unsigned round = 0; answers < threads;) gas_wait_hint(&round);
    gas_barrier();
    for (int from = 0; from < threads; from++) CHECK(words[from] == word(from, me) + 1);
}

static void collectives(void) {
    gas_team world = gas_world();
    uint64_t *out = calloc((size_t)threads, 8), *in = calloc((size_t)threads, 8), sum = 0, root = word(me, 7);
    CHECK(out && in);
    for (int t = 0; t < threads; t++) out[t] = word(me, t);
    gas_exchange(world, in, out, 8, ALL_SYNC);
    for (int t = 0; t < threads; t++) CHECK(in[t] == word(t, me));
    gas_gather_all(world, in, out, 8, ALL_SYNC);
    for (int t = 0; t < threads; t++) CHECK(in[t] == word(t, 0));
    gas_all_reduce(world, &sum, &(uint64_t){(uint64_t)me + 1}, 1, GAS_U64, GAS_ADD, ALL_SYNC);
    CHECK(sum == (uint64_t)threads * ((uint64_t)threads + 1) / 2);
    gas_broadcast(world, &root, &root, 8, threads - 1, ALL_SYNC);
    CHECK(root == word(threads - 1, 7));
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    me = gas_me();
    threads = gas_count();
    on_ask = gas_register(ask);
    on_answer = gas_register(answer);
    fathom_ptr all = gas_all_alloc(8 * ((size_t)threads + 1));
    uint64_t *words = fathom_local(on(all, me));
    gas_barrier();
    data(words, all);
    operations(words, all);
    collectives();
    for (int i = 0; i < BARRIERS; i++) gas_barrier();
    if (me == 0) printf("%d threads: good\n", threads);
    return 0;
}

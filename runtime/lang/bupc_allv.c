/* Collectives on single values, over bytes: what the macros of bupc_collectivev.h call.
 *
 * Each thread lays what it gives where the others can read it and tells them the place through collective_share; then
 * each takes what it needs. Two places a thread are used in turn: who shares again has read what was offered before.
 */
#include <stddef.h>

#include "collective.h"

struct offer {
    fathom_ptr at;
    size_t nbytes; /* of what is offered: 0 where a thread offers nothing */
    int to;        /* permute only */
};

static struct {
    fathom_ptr at;
    size_t room;
} places[2];
static unsigned turn;

static void offer(const void *value, size_t nbytes, int to) {
    turn ^= 1;
    if (nbytes > places[turn].room) {
        if (places[turn].at) gas_free(places[turn].at);
        places[turn].at = gas_alloc(nbytes);
        if (!places[turn].at) gas_fatal("bupc_allv: no shared memory left for a value of %zu bytes", nbytes);
        places[turn].room = nbytes;
    }
    struct offer mine = {places[turn].at, nbytes, to};
    if (nbytes) gas_put(mine.at, value, nbytes);
    collective_share(&mine, sizeof mine);
}

static struct offer offer_of(int thread) {
    struct offer his;
    collective_look(thread, &his, sizeof his);
    return his;
}

static void check_root(const char *function, int root) {
    if (root < 0 || root >= gas_count()) gas_fatal("%s: root thread %d of %d", function, root, gas_count());
}

void bupc_allv_broadcast_bytes(void *result, const void *value, size_t nbytes, int root) {
    check_root("bupc_allv_broadcast", root);
    offer(value, gas_me() == root ? nbytes : 0, 0);
    gas_get(result, offer_of(root).at, nbytes);
}

void bupc_allv_scatter_bytes(void *result, const void *values, size_t nbytes, int root) {
    check_root("bupc_allv_scatter", root);
    if (gas_me() == root && !values) gas_fatal("bupc_allv_scatter: null source on the root");
    offer(values, gas_me() == root ? nbytes * (size_t)gas_count() : 0, 0);
    gas_get(result, offer_of(root).at + nbytes * (size_t)gas_me(), nbytes);
}

/* A root of -1 is every thread. */
void bupc_allv_gather_bytes(void *results, const void *value, size_t nbytes, int root) {
    if (root != -1) check_root("bupc_allv_gather", root);
    offer(value, nbytes, 0);
    if (!results || (root != -1 && root != gas_me())) return;
    for (int t = 0; t < gas_count(); t++) gas_get((char *)results + (size_t)t * nbytes, offer_of(t).at, nbytes);
}

void bupc_allv_permute_bytes(void *result, const void *value, size_t nbytes, int to) {
    check_root("bupc_allv_permute", to);
    offer(value, nbytes, to);
    for (int t = 0; t < gas_count(); t++) {
        struct offer his = offer_of(t);
        if (his.to != gas_me()) continue;
        gas_get(result, his.at, nbytes);
        return;
    }
    gas_fatal("bupc_allv_permute: no thread sends to thread %d", gas_me());
}

/* ⊕ of the values of threads 0 … last. */
static void reduce_to(int last, void *result, const void *value, upc_type_t type, upc_op_t op) {
    char word[COLLECTIVE_WORD];
    size_t nbytes = collective_type_bytes(type);
    collective_share(value, nbytes);
    collective_look(0, result, nbytes);
    for (int t = 1; t <= last; t++) {
        collective_look(t, word, nbytes);
        collective_combine(type, op, result, word);
    }
}

void bupc_allv_reduce_scalar(void *result, const void *value, upc_type_t type, upc_op_t op) {
    reduce_to(gas_count() - 1, result, value, type, op);
}

void bupc_allv_prefix_scalar(void *result, const void *value, upc_type_t type, upc_op_t op) {
    reduce_to(gas_me(), result, value, type, op);
}

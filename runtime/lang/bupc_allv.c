/* Collectives on single values, over bytes: what the macros of bupc_collectivev.h call. Values are private; the collectives
 * of gas.h move them. They promise a barrier.
 */
#include <stddef.h>
#include <string.h>

#include "collective.h"

enum { SYNC = GAS_IN_ALLSYNC | GAS_OUT_MYSYNC };

static void check_root(const char *function, int root) {
    if (root < 0 || root >= gas_count()) gas_fatal("%s: root thread %d of %d", function, root, gas_count());
}

void bupc_allv_broadcast_bytes(void *result, const void *value, size_t nbytes, int root) {
    check_root("bupc_allv_broadcast", root);
    gas_broadcast(gas_world(), result, value, nbytes, root, SYNC);
}

void bupc_allv_scatter_bytes(void *result, const void *values, size_t nbytes, int root) {
    check_root("bupc_allv_scatter", root);
    if (gas_me() == root && !values) gas_fatal("bupc_allv_scatter: null source on the root");
    gas_scatter(gas_world(), result, values, nbytes, root, SYNC);
}

/* A root of -1 is every thread. A thread that wants nothing still passes on, or receives, what the others want. */
void bupc_allv_gather_bytes(void *results, const void *value, size_t nbytes, int root) {
    void *unwanted = NULL;
    if (root != -1) check_root("bupc_allv_gather", root);
    if (!results && (root == -1 || root == gas_me())) results = unwanted = gas_room(nbytes * (size_t)gas_count());
    if (root == -1)
        gas_gather_all(gas_world(), results, value, nbytes, SYNC);
    else
        gas_gather(gas_world(), results, value, nbytes, root, SYNC);
    free(unwanted);
}

/* ---- permute ----------------------------------------------------------------------------------------------------- */

/* Where others put their values for this thread, two places that are used in turn: a thread that comes to the same one again
 * has been through a barrier since its owner read it. At the same offset on every thread. */
struct mail {
    uint64_t number; /* of the permutation that the value is of */
    char value[];
};
static struct {
    fathom_ptr at[2];
    size_t room;
    uint64_t number;
} box;

/* Collective: all threads give values of the same size. */
static void make_room(size_t nbytes) {
    if (box.room >= nbytes && box.at[0]) return;
    gas_barrier(); /* nobody reads the old ones any more */
    for (int i = 0; i < 2; i++) {
        if (box.at[i] && gas_me() == 0) gas_free(box.at[i]);
        box.at[i] = gas_all_alloc(sizeof(struct mail) + nbytes);
        if (!box.at[i]) gas_fatal("bupc_allv_permute: no shared memory left for a value of %zu bytes", nbytes);
        ((struct mail *)fathom_local(fathom_make(gas_me(), fathom_offset_of(box.at[i]))))->number = 0;
    }
    box.room = nbytes;
    gas_barrier();
}

void bupc_allv_permute_bytes(void *result, const void *value, size_t nbytes, int to) {
    check_root("bupc_allv_permute", to);
    make_room(nbytes);
    size_t offset = fathom_offset_of(box.at[++box.number & 1]);
    fathom_ptr there = fathom_make(to, offset);
    gas_handle put = gas_put_nb(there + offsetof(struct mail, value), value, nbytes);
    gas_put(there + offsetof(struct mail, number), &box.number, sizeof box.number);
    gas_wait(&put);
    gas_barrier();
    const struct mail *mine = fathom_local(fathom_make(gas_me(), offset));
    if (mine->number != box.number) gas_fatal("bupc_allv_permute: no thread sends to thread %d", gas_me());
    memcpy(result, mine->value, nbytes);
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

void bupc_allv_reduce_scalar(void *result, const void *value, upc_type_t type, upc_op_t op, int root) {
    if (root != -1) check_root("bupc_allv_reduce", root);
    struct collective_operator o = collective_operator_of(type, op);
    memcpy(result, value, o.operator.elem); /* what the others get, whom nobody promises anything */
    gas_reduce_by(gas_world(), result, value, 1, &o.operator, root, SYNC);
}

void bupc_allv_prefix_scalar(void *result, const void *value, upc_type_t type, upc_op_t op) {
    struct collective_operator o = collective_operator_of(type, op);
    gas_scan_by(gas_world(), result, value, 1, &o.operator, false, SYNC);
}

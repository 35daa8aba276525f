/* Transfers under way, and the handles by which callers of gas.h know them.
 *
 * A transfer is complete when every answer that it expects has come and every part of it is done. The handler of a
 * reply, which has the transfer's address as an argument, counts an answer down. A part is anything else that must be
 * asked, or pushed on, from outside of handlers: an operation of the conduit's own, or a chain of transfers. Gets that the
 * conduit has noted, to get them together, it carries out when one of their transfers is first asked about. A blocking
 * call keeps its transfer on the stack. A call with a handle takes its transfer from a pool that never shrinks, so that
 * a late mistake with a handle meets a transfer and not something else. A handle is not the transfer's address but its
 * number with a count of the number's uses: a second synchronisation is detected. All of this is used inside the gate
 * (core/gate.h); so the handle may be synchronised by another POSIX thread than the one that got it.
 */
#ifndef GAS_HANDLE_H
#define GAS_HANDLE_H

#include "gas/gas_internal.h"

struct gas_part {
    struct gas_part *next;
    bool (*is_done)(struct gas_part *part); /* when true, the part is gone; may begin more for `owner` */
    struct gas_transfer *owner;
    void *state;
    uint64_t value; /* of a transfer by value: the conduit reads from it */
};

struct gas_transfer {
    uint64_t answers; /* still due */
    struct gas_part *parts;
    bool has_notes; /* gets that the conduit has noted, and carries out when the transfer is asked about */
    struct gas_transfer *next_free;
    uint32_t number;
    uint16_t uses;
    bool is_live;
};

/* A transfer from the pool, complete so far. */
struct gas_transfer *gas_transfer_new(void);
/* The handle of a transfer from the pool; GAS_DONE, and the transfer back in the pool, if nothing of it is under way. Does
 * not ask: what the conduit completes together with others is to stay with them. */
gas_handle gas_transfer_handle(struct gas_transfer *t);
/* Waits for a transfer from the pool that has no handle, and gives it back. */
void gas_transfer_end(struct gas_transfer *t);
/* Adds a part, which is not done. */
struct gas_part *gas_transfer_part(struct gas_transfer *t, bool (*is_done)(struct gas_part *), void *state);
/* Asks the parts, and has what is noted carried out. */
bool gas_transfer_ask(struct gas_transfer *t);

/* Has it completed? Does not poll. Parts are asked though answers are due: the conduit may begin them only then. */
static inline bool gas_transfer_done(struct gas_transfer *t) {
    return t->parts || t->has_notes ? gas_transfer_ask(t) : t->answers == 0;
}

static inline void gas_transfer_wait(struct gas_transfer *t) {
    conduit_is_awaited = !conduit_has_pthreads; /* others are not to wait, too */
    for (unsigned round = 0; !gas_transfer_done(t);) core_wait_answer(&round);
    conduit_is_awaited = false;
}

#endif

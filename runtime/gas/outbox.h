/* Write combining: a thread's relaxed puts, and relaxed atomic operations whose result nobody wants, are gathered in a buffer
 * for each far thread, and sent many at a time. On if FATHOM_COMM has the word `outbox`. With the word `updates`, so are updates
 * (`x op= y`), which the target computes.
 *
 * What the memory model (UPC 1.3, B) asks for: between two strict operations of a thread, its relaxed writes may come late,
 * but not behind its own later accesses to the same bytes, and all of them are at their place at the next strict operation.
 * So gas_outbox_settle is called before every access that goes another way (gas_far_settle does it), and the fence sends
 * what is left and waits for the answers (gas_outbox_settle_all).
 *
 * Beyond the model: what is held back is sent, too, before a thread waits for the deed of another one, when it polls, and
 * when it has made some other far accesses since; of a thread that only computes, or waits in a loop of loads of its own memory, the
 * progress thread sends it, because there are programs that wait for relaxed writes in loops.
 *
 * Handlers never come here, so nothing is entered twice.
 */
#ifndef GAS_OUTBOX_H
#define GAS_OUTBOX_H

#include <stdbool.h>

#include "gas.h"

enum { GAS_OUTBOX_MOST = 64 }; /* bytes of what is taken as one object */

extern bool gas_outbox_is_on;
extern bool gas_updates_are_on; /* owners compute; gas_outbox_is_on, too */

/* `bytes` of each buffer; 0: unsaid. `bundles`: what waits for several threads that are near each other goes to one of them. Called
 * once, where some threads are far. */
void gas_outbox_start(size_t bytes, bool bundles);
/* Takes n bytes, 1 to GAS_OUTBOX_MOST, of a put to a far thread; false: it must go another way, and gas_outbox_settle comes
 * first. gas_far_settle_puts comes first. */
bool gas_outbox_put(fathom_ptr dst, const void *src, size_t n);
/* The same for more bytes, which may be several objects; false also where they are too many for a buffer. */
bool gas_outbox_put_long(fathom_ptr dst, const void *src, size_t n);
/* As gas_atomic without a result, on an object that is far; false as above. */
bool gas_outbox_atomic(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                       const void *op2);
/* An update (gas/update.h) of a far object by the operand, which has 8 bytes; false as above. */
bool gas_outbox_update(fathom_ptr target, unsigned kind, const void *operand);
/* The same, quickly, if the update or operation is like the one before on that thread; false: call the functions above. Nothing else may be under
 * way to that place but what is in the buffers. The operand's other bytes are 0. */
bool gas_outbox_again(fathom_ptr p, unsigned kind, uint64_t operand);
/* The same at n places, up to the first at which it is not taken: returns how many were. */
size_t gas_outbox_again_all(const fathom_ptr *p, size_t n, unsigned kind, uint64_t operand);
bool gas_outbox_atomic_again(fathom_ptr p, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1);
size_t gas_outbox_atomic_again_all(const fathom_ptr *p, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                                   const void *op1);
/* Is the access of n bytes that was taken last to the thread of p the only one in its message so far? */
bool gas_outbox_has_one(fathom_ptr p, size_t n);
/* A put of 1, 2, 4 or 8 aligned bytes, carried out when everything before it is seen by all; if nothing is unconfirmed but puts to
 * that thread, and there are such. Confirms all; adds the answer to t->answers. false: it must go another way. */
struct gas_transfer;
bool gas_outbox_put_last(fathom_ptr dst, const void *src, size_t n, struct gas_transfer *t);
/* What may overlap with the n bytes at p is at its place when this returns; the second: everything for this thread. */
void gas_outbox_settle(fathom_ptr p, size_t n);
void gas_outbox_settle_thread(int thread);
/* Sends all of it, without waiting; false: not now, because it is being sent, or inside a handler. */
bool gas_outbox_send(void);
/* Before a fence: a buffer's only put, where nothing was sent that is not confirmed, goes its own way: alone a message is no gain. */
void gas_outbox_take_alone(void (*put)(fathom_ptr dst, const void *src, size_t n));
/* In the progress thread: sends it to threads that have room, as far as the conduit can tell. Is anything left? */
bool gas_outbox_send_beside(void);
/* Sends all of it, and adds to t->answers what will be answered. */
void gas_outbox_settle_all(struct gas_transfer *t);

#endif

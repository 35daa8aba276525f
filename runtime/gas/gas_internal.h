/* Declarations that the parts of gas and lang/start.c share, beyond gas.h. */
#ifndef GAS_INTERNAL_H
#define GAS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "gas.h"

/* Reserves the memory that near threads share; called before the threads are made. */
void gas_sync_prepare(void);
/* Called in each thread, before the first barrier. */
void gas_sync_start(void);
void gas_data_start(void);

/* The last step of a start: all threads have started, and know whether their tuning tables agree. */
void gas_first_barrier(void);

/* The program's barrier: value has_value ? value : none. */
void gas_program_notify(bool has_value, int value);
void gas_program_wait(bool has_value, int value);
void gas_program_barrier(bool has_value, int value);

/* gas_atomic for a pointer of two words; GAS_GET, GAS_SET (which fetches) and GAS_CSWAP, which compares addresses only. */
void gas_atomic_pair(fathom_pptr *fetch, fathom_ptr target, enum gas_atomic_op op, const fathom_pptr *op1,
                     const fathom_pptr *op2);

/* As gas_domain_atomic without a result, but it may be carried out late: before the thread's next strict operation, and before
 * what the thread does next with the same object. */
void gas_domain_update(gas_domain d, fathom_ptr target, enum gas_atomic_op op, const void *op1, const void *op2);

/* The same without a domain: atomic to all other operations but those of domains. */
void gas_atomic_update(fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                       const void *op2);

/* How the far access was served that was made last, and the messages that it began (a line that it fetched, an outbox that was
 * empty): for explained programs, set only while gas_tell has somebody to tell. */
enum gas_service { GAS_ALONE, GAS_BY_OUTBOX, GAS_BY_OWNER, GAS_BY_LINE };
struct gas_served {
    enum gas_service by;
    unsigned long messages;
};
extern struct gas_served gas_served;
/* The message that the access to p began is counted here, until it travels in another one. */
void gas_message_counted(fathom_ptr p, unsigned long *count);
/* As fathom_far_read, for an access that returns to `pc`; says in gas_served how it was served. */
void gas_far_read_told(void *dst, fathom_ptr src, size_t n, const void *pc);
/* Requests that loops in strips, and gathers, have sent so far; and atomic operations that are fetched together. */
extern unsigned long fathom_strips_fetched, gas_gather_requests;

/* As gas_put_signal, but it never waits until the data have arrived, only for room; it needs no further action of this
 * thread. */
void gas_put_signal_async(fathom_ptr dst, const void *src, size_t n, fathom_ptr counter, uint64_t add);

/* As gas_wait_counter, for a near counter that is changed only by signals and by the code that lowers it. */
void gas_wait_posted(fathom_ptr counter, uint64_t at_least);

/* Collective: returns on all threads the value that `make` returns on `thread`. */
fathom_ptr gas_from_thread(int thread, fathom_ptr (*make)(void));

/* The number of looks before sleeping, if as many threads wait for each other as the job has. */
static inline unsigned gas_spins(void) { return core_spins(); }

#endif

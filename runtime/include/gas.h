/* gas.h: the communication interface that the languages' libraries stand on.
 *
 * A global address is a fathom_ptr (prelude.h). Sizes are bytes. Destination, source, size, in that order.
 * `lang` uses this header and the prelude only. A conduit overrides what it can do better; the functions here are the
 * whole of what a caller sees. Not thread-safe within a process: one UPC thread is one process.
 */
#ifndef GAS_H
#define GAS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/prelude.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- who am I -------------------------------------------------------------------------------------------------- */

static inline int gas_me(void) { return fathom_mythread; }
static inline int gas_count(void) { return fathom_threads; }
/* Can this process read and write the segment of `thread` with loads and stores? */
int gas_is_local(int thread);

/* ---- data ------------------------------------------------------------------------------------------------------ */

/* Blocking; complete at the target when they return. */
static inline void gas_put(fathom_ptr dst, const void *src, size_t n) { fathom_memput(dst, src, n); }
static inline void gas_get(void *dst, fathom_ptr src, size_t n) { fathom_memget(dst, src, n); }
static inline void gas_copy(fathom_ptr dst, fathom_ptr src, size_t n) { fathom_memcpy(dst, src, n); }
static inline void gas_fill(fathom_ptr dst, int c, size_t n) { fathom_memset(dst, c, n); }

/* ---- atomics --------------------------------------------------------------------------------------------------- */

enum gas_atomic_type { GAS_I32, GAS_U32, GAS_I64, GAS_U64, GAS_F32, GAS_F64, GAS_PTS /* fathom_ptr */ };
enum gas_atomic_op {
    GAS_GET, GAS_SET, GAS_ADD, GAS_SUB, GAS_MULT, GAS_INC, GAS_DEC,
    GAS_AND, GAS_OR, GAS_XOR, GAS_NOT, GAS_MIN, GAS_MAX, GAS_SWAP /* = SET that fetches */, GAS_CSWAP
};
/* Applies `op` to the object at `target`; writes its former value to *fetch unless fetch is null. Operands point to
 * objects of the type, or are null where the operator takes none; for GAS_CSWAP op1 is the expected value and op2 the
 * new one. Relaxed: orders nothing else. */
void gas_atomic(void *fetch, fathom_ptr target, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                const void *op2);

/* ---- synchronisation ------------------------------------------------------------------------------------------- */

/* A barrier of the runtime's own (no value, never matches one of the program's); orders all accesses. */
void gas_barrier(void);
/* Let waiting threads of an oversubscribed computer run. Call it in every loop that waits for another thread:
 * `round` counts the iterations; the first few spin, later ones yield, then sleep. Also notices that the job is ending. */
void gas_wait_hint(unsigned *round);
/* Waits until the 32-bit word at `flag` (in a segment of this node) is no longer `old`; spins briefly, then sleeps in the
 * kernel (futex). Whoever changes it calls gas_flag_wake. */
void gas_flag_wait(fathom_ptr flag, uint32_t old);
void gas_flag_wake(fathom_ptr flag);
/* Progress: delivers what has arrived. */
void gas_poll(void);

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* Bytes in the segment of the calling thread, 64-byte aligned (page aligned from 1 MiB on); 0 if there is no room. Any
 * thread may free them, by gas_free, whatever thread they are on. */
fathom_ptr gas_alloc(size_t n);
/* `n` bytes at the same offset in every thread's segment; the result names thread 0's. Collective / called by one thread. */
fathom_ptr gas_all_alloc(size_t n);
fathom_ptr gas_global_alloc(size_t n);
void gas_free(fathom_ptr p);

/* ---- locks ----------------------------------------------------------------------------------------------------- */

/* A FIFO lock in the first 48 of 64 bytes at `lock` (the rest is the owner's), zero-initialised: fair, and the waiter
 * sleeps when cores are scarce. Orders all accesses. Taking it twice or releasing another's is fatal. */
void gas_lock(fathom_ptr lock);
int gas_trylock(fathom_ptr lock); /* 1: taken */
void gas_unlock(fathom_ptr lock);

/* ---- end ------------------------------------------------------------------------------------------------------- */

/* Ends the job at once with `status`, after flushing this thread's files. */
void gas_exit(int status) __attribute__((noreturn));
/* Reports `fathom: thread T: message` (with the source line of the caller in generated code where it can be found),
 * once for the job, and ends the job with a non-zero status. */
void gas_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif

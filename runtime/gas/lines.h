/* A cache of lines: what relaxed reads of generated code fetch from far threads is kept, with what lies beside it, until the
 * thread's next strict operation. On if FATHOM_COMM has the word `lines`.
 *
 * What the memory model (UPC 1.3, B) asks for: a relaxed read may return a value that was fetched at any time since the
 * thread's last strict operation, read or write, but none from before that, and none older than the thread's own last write to
 * the place. So every fence makes all lines void (gas_lines_forget, which counts an epoch), writes of the thread bring what is
 * kept up to date or drop it, and a line is fetched behind all writes of the thread to any of its bytes.
 *
 * Beyond the model: lines are void, too, after the thread has waited for another one, or polled, and when the progress thread has
 * looked; and no value is kept for ever without a fence, because there are programs that wait for relaxed writes in loops.
 *
 * Strict and volatile reads, atomic operations, calls of the library and the runtime's own reads never come here, and
 * neither do handlers.
 */
#ifndef GAS_LINES_H
#define GAS_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "gas.h"

enum { GAS_LINES_MOST = 64 };                 /* bytes of the largest object that is read from a line */
enum { GAS_LINES_WIDEST = CORE_WIDEST_LINE }; /* bytes; a page has them */

extern bool gas_lines_are_on;
extern uint64_t gas_lines_epoch;
extern uint64_t gas_lines_filled;       /* the epoch in which a line was fetched last */
extern unsigned long gas_lines_fetched; /* so far */

/* `bytes` of a line; 0: unsaid. Called once, where some threads are far. */
void gas_lines_start(size_t bytes);

/* What has been fetched so far is not used any more. */
static inline void gas_lines_forget(void) { /* atomic because POSIX threads that wait for near words call it, too */
    __atomic_store_n(&gas_lines_epoch, __atomic_load_n(&gas_lines_epoch, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}
/* The same, by the progress thread; not where the environment says how large lines are. */
void gas_lines_forget_beside(void);
static inline bool gas_lines_are_kept(void) {
    return __builtin_expect(gas_lines_filled == __atomic_load_n(&gas_lines_epoch, __ATOMIC_RELAXED), 0);
}

/* Reads an object of a far thread; false: it must be read another way. */
bool gas_lines_read(void *dst, fathom_ptr src, size_t n);

/* FATHOM_COMM_CHECK: `dst` was read from a line, for the access that returns to `pc`. */
void gas_lines_check(const void *dst, fathom_ptr src, size_t n, const void *pc);

/* Called by gas_lines_wrote and gas_lines_drop. */
void gas_lines_change(fathom_ptr p, const void *src, size_t n);
/* The same for lines alone, and not for what loops have fetched (foreseen.h). */
void gas_lines_void(fathom_ptr p, const void *src, size_t n);
/* This thread writes, or has just written, n bytes to a far thread: those that are kept change, too. */
static inline void gas_lines_wrote(fathom_ptr p, const void *src, size_t n) {
    if (gas_lines_are_kept()) gas_lines_change(p, src, n);
}
/* Lines with any of these bytes are void: they are about to change, to values that are not known here. */
static inline void gas_lines_drop(fathom_ptr p, size_t n) {
    if (gas_lines_are_kept()) gas_lines_change(p, NULL, n);
}
/* They are read by a library's call. What comes after it should be no older than what it gets, though the model would allow that. */
static inline void gas_lines_reread(fathom_ptr p, size_t n) {
    if (gas_lines_are_kept()) gas_lines_void(p, NULL, n);
}

#endif

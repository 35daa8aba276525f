/* <split-c/split-c.h>: the library of Split-C (docs/split-c.md). MYPROC and PROCS are words of the language.
 *
 * Bytes count as `sizeof` does. A function that is named all_… is called by every processor.
 */
#ifndef SPLIT_C_H
#define SPLIT_C_H

#include <stddef.h>

/* A program's own functions of these names, and libc's sync(), are others. */
#define FATHOM_SPLIT(symbol) __asm__("fathom_split_" #symbol)

/* log2 of PROCS; negative if PROCS is not a power of two. */
#define PROCSLOG (fathom_split_log())
int fathom_split_log(void);

/* ---- pointers ---- */

/* The processor of an object, its local address, and the pointer made of both. */
int toproc(const void *global p) FATHOM_SPLIT(toproc);
#define tolocal(p) (__fathom_tolocal(p))
#define toglobal(processor, p) (__fathom_toglobal((processor), (p)))

/* ---- control ---- */

void barrier(void) FATHOM_SPLIT(barrier);
/* Waits for all gets, puts and atomic() of this processor; says whether they are complete. */
void sync(void) FATHOM_SPLIT(sync);
int is_sync(void) FATHOM_SPLIT(is_sync);
/* All stores of all processors are complete. */
void all_store_sync(void) FATHOM_SPLIT(all_store_sync);
/* That many more bytes have been stored here; forgets what has come and was not waited for. */
void store_sync(long bytes) FATHOM_SPLIT(store_sync);
void reset_store_sync(void) FATHOM_SPLIT(reset_store_sync);

/* Before a statement or block. */
#define on_proc(processor)                                                                                             \
    if (MYPROC != (processor))                                                                                         \
        ;                                                                                                              \
    else
#define on_one on_proc(0)

void splitc_exit(int status) FATHOM_SPLIT(exit) __attribute__((noreturn));
double get_seconds(void) FATHOM_SPLIT(seconds);

/* Runs f(local address, a, b, c, d) on the processor of p, whole between two of its steps; up to four more arguments of
 * the size of long. It runs when that processor next communicates or waits, and has run after sync() or barrier(). f makes
 * no call or access that communicates. */
void fathom_split_atomic(void (*f)(void), void *global p, long a, long b, long c, long d);
#define FATHOM_SPLIT_ATOMIC(f, p, a, b, c, d, ...)                                                                     \
    fathom_split_atomic((void (*)(void))(f), (p), (long)(a), (long)(b), (long)(c), (long)(d))
#define FATHOM_SPLIT_MANY(...) fathom_split_atomic_many()
void fathom_split_atomic_many(void) __attribute__((error("atomic() takes at most four arguments after the pointer")));
#define FATHOM_SPLIT_EIGHTH(p, a, b, c, d, e, g, which, ...) which
#define FATHOM_SPLIT_FORM(...)                                                                                         \
    FATHOM_SPLIT_EIGHTH(__VA_ARGS__, FATHOM_SPLIT_MANY, FATHOM_SPLIT_MANY, FATHOM_SPLIT_ATOMIC, FATHOM_SPLIT_ATOMIC,   \
                        FATHOM_SPLIT_ATOMIC, FATHOM_SPLIT_ATOMIC, FATHOM_SPLIT_ATOMIC, 0)
#define atomic(f, ...) FATHOM_SPLIT_FORM(__VA_ARGS__)(f, __VA_ARGS__, 0, 0, 0, 0, 0)
/* Serves messages once. */
void splitc_poll(void) FATHOM_SPLIT(poll);

/* ---- data ---- */

void bulk_read(void *to, const void *global from, size_t bytes) FATHOM_SPLIT(bulk_read);
void bulk_write(void *global to, const void *from, size_t bytes) FATHOM_SPLIT(bulk_write);
/* Complete after sync(); bulk_store as a store. */
void bulk_get(void *to, const void *global from, size_t bytes) FATHOM_SPLIT(bulk_get);
void bulk_put(void *global to, const void *from, size_t bytes) FATHOM_SPLIT(bulk_put);
void bulk_store(void *global to, const void *from, size_t bytes) FATHOM_SPLIT(bulk_store);
#define bulk_sync sync
/* Right also where others write the bytes beside it. */
void byte_write(void *global to, int value) FATHOM_SPLIT(byte_write);

/* ---- memory: `blocks` objects of `bytes` each, object k on processor k mod PROCS; null if there is no room ---- */

void *spread all_spread_malloc(long blocks, size_t bytes) FATHOM_SPLIT(all_spread_malloc);
void all_spread_free(void *spread p) FATHOM_SPLIT(all_spread_free);
/* Called by one processor. */
void *spread spread_malloc(long blocks, size_t bytes) FATHOM_SPLIT(spread_malloc);
void spread_free(void *spread p) FATHOM_SPLIT(spread_free);

#include <split-c/com.h>

#endif

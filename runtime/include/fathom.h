/** @file fathom.h
 * @brief Fathom for programs in C and C++: one address space over many processes, without UPC.
 *
 * A program is started as a number of *threads*, which are processes. Each owns a *segment* of memory that all can
 * reach, by *global addresses* (::fathom_ptr). Threads move data with puts and gets, update it with atomics,
 * communicate by active messages, and synchronise with barriers, locks and collectives. The conduit determines which
 * threads share memory and how the others communicate: a program is the same on one computer and on a cluster.
 *
 * Everything here is an inline function over gas.h: a put of a constant size to a thread on the same node is a store.
 * C11 (with the GNU extensions, `-std=gnu11` or newer) and C++17. Compile and link with the flags of `pkg-config
 * --cflags --libs fathom-smp` (or `-template`, `-mpi`, `-libfabric`); see docs/c-api.md.
 *
 * Start and end of a job, and memory, are described here; the rest in parts that this file includes: puts and gets in
 * fathom_transfers.h, fathom_atomics.h, fathom_messages.h, waiting for values in fathom_waiting.h, and barriers, locks,
 * teams and collectives in fathom_collectives.h.
 *
 * These rules hold everywhere:
 * - Sizes are in bytes, and come last: destination, source, size.
 * - Within a process, one POSIX thread calls, unless the program has asked for more (fathom_init_thread()).
 * - Mistakes end the whole job with a message and a non-zero status; functions do not return error codes.
 *   Operations that can fail in a correct program (allocations) report that in their return value.
 * - *Progress*: messages are delivered, and handlers run, only inside calls that communicate or wait. A thread that
 *   computes for a long time calls fathom_progress() regularly, if others may send it messages.
 * - *Order*: a blocking put or atomic is complete at its target when it returns. Operations that have only been begun
 *   have no order until they have been waited for. fathom_order() orders what is complete before all operations after
 *   it.
 *
 * @code
 * #include <fathom.h>
 * #include <stdio.h>
 *
 * int main(int argc, char **argv) {
 *     fathom_init(&argc, &argv);
 *     fathom_ptr box = fathom_alloc_all(sizeof(double));         // one on every thread
 *     int next = (fathom_me() + 1) % fathom_count();
 *     double mine = fathom_me();
 *     fathom_put(fathom_on(next, box), &mine, sizeof mine);
 *     fathom_barrier_all();
 *     printf("thread %d has %g\n", fathom_me(), *(double *)fathom_address(fathom_on(fathom_me(), box)));
 *     fathom_finalize();
 *     return 0;
 * }
 * @endcode
 */
#ifndef FATHOM_H
#define FATHOM_H

#ifndef FATHOM_CONDUIT_HEADER
#error                                                                                                                 \
    "no conduit: compile with the flags of `pkg-config --cflags fathom-smp` (or fathom-template, fathom-mpi, fathom-libfabric)"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* For programs that ask for -Wshadow: C++ has tags and functions in one name space. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include "fathom_work.h"
#include "gas.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_jobs Start and end of a job
 * @brief The number of this thread, the number of threads, and the end of a job.
 *
 * The job ends with the status 0 when all threads have returned from main or called exit(0). It ends as soon as one of
 * them ends otherwise: by another status, fathom_exit(), a fatal error, a signal. Then all are ended within seconds,
 * and the job's status is that of the first. No processes and no memory are left behind.
 * @{ */

/** Starts the job. It must be main's first call: code before it may run once for all threads, or in each.
 *
 * The number of threads is FATHOM_THREADS of the environment or the launcher's (mpirun); 1 if neither gives it. The
 * size of the heaps is FATHOM_HEAP, or a share of this computer's memory.
 * @param argc,argv main's parameters; a launcher's own arguments are removed.
 * Returns in every thread, after all have started. Prints a message and exits with a non-zero status if the job cannot
 * be started: invalid numbers, not enough memory. */
static inline void fathom_init(int *argc, char ***argv) { gas_start(argc, argv); }

/** Which POSIX threads of a process may call, as MPI's levels: each includes those before it. */
enum fathom_thread_level {
    FATHOM_THREAD_SINGLE = GAS_THREAD_SINGLE,         /**< the process has one that calls */
    FATHOM_THREAD_FUNNELED = GAS_THREAD_FUNNELED,     /**< only the one that started the job */
    FATHOM_THREAD_SERIALIZED = GAS_THREAD_SERIALIZED, /**< any, but never two at the same time */
    FATHOM_THREAD_MULTIPLE = GAS_THREAD_MULTIPLE      /**< any, at any time */
};

/** As fathom_init(), for a process of which several POSIX threads (OpenMP's, for example) are to call.
 *
 * At level multiple puts, gets, atomics, signals and allocations in near memory run in parallel. Everything else of a
 * process is done by one POSIX thread at a time; one that waits lets the others in. Handlers run in whichever makes a
 * call, one at a time. Transfers without handles (`_nbi`) and access regions belong to the POSIX thread that begins
 * them, and fathom_quiet() completes its own. A handle may be waited for by any, once. Collective calls on a team are
 * made by one at a time; different ones may make them on different teams. A lock belongs to the POSIX thread that
 * takes it. Do not hold a mutex of the program, in a call, that a handler takes.
 *
 * A call that the level does not allow ends the job with a message where that can be seen at little cost: not in a put, get
 * or atomic of near memory.
 *
 * It may be called again, also after fathom_init(), by the POSIX thread that started the job: that raises the level, and
 * never lowers it, so that a program and its libraries can each ask for what they need.
 * @param argc,argv as for fathom_init().
 * @param required an ::fathom_thread_level; processes of a job may ask for different ones.
 * @param[out] provided the level that the process has: `required`, or less if the conduit cannot give that; `sim` has
 * single only; more if it had more already. May be null. */
static inline void fathom_init_thread(int *argc, char ***argv, int required, int *provided) {
    int level = (int)gas_start_threads(argc, argv, (enum gas_thread_level)required);
    if (provided) *provided = level;
}
/** The level that this process has.
 * @return an ::fathom_thread_level; ::FATHOM_THREAD_SINGLE after fathom_init(). */
static inline int fathom_thread_level(void) { return (int)gas_thread_level(); }

/** Completes this thread's transfers and waits until all threads have called it. The return from main must follow;
 * until then, memory can still be read and written. A program that returns from main without this call also ends
 * normally, but a thread that has ended early no longer runs the program's handlers for others. Collective. */
static inline void fathom_finalize(void) {
    gas_sync();
    gas_barrier();
}

/** This thread's number: 0 to fathom_count() - 1.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_me(void) { return gas_me(); }
/** The number of threads of the job. It never changes.
 * @return 1 or more. */
static inline int fathom_count(void) { return gas_count(); }

/** The threads whose memory this process can reach by loads and stores: `*count` of them, consecutively numbered from
 * the returned one on; this thread is among them.
 * @param[out] count their number; not null.
 * @return the first of them.
 * @code
 * int n, first = fathom_near(&n);   // "my node"
 * @endcode */
static inline int fathom_near(int *count) { return gas_near(count); }
/** Is `thread` one of fathom_near()'s? 1 or 0.
 * @param thread 0 to fathom_count() - 1.
 * @return 1 or 0. */
static inline int fathom_thread_is_near(int thread) { return gas_is_local(thread); }
/** The conduit that the program is linked with: "smp", "mpi", ...
 * @return a string that lives as long as the program. */
static inline const char *fathom_conduit_name(void) { return gas_conduit(); }

/** Ends the whole job now with `status`, after saving this thread's open files. Not collective. Does not return.
 * @param status 0 to 255. */
static inline void __attribute__((noreturn)) fathom_exit(int status) { gas_exit(status); }

/** Ends the whole job with a non-zero status and a message on stderr, in one line: `fathom: thread T: message`. If
 * several threads fail, one message is printed. Does not return.
 * @param ... a format and its arguments, as for printf; without a line end. */
#define fathom_fatal(...) gas_fatal(__VA_ARGS__)

/** @} */

/** @defgroup fathom_memory Memory
 * @brief Global addresses, and the segments that they point into.
 *
 * A ::fathom_ptr is an integer: a thread and an offset in its segment; 0 is null. Adding bytes stays on the thread.
 * It has the same meaning on all threads and may be stored, sent and compared.
 *
 * @code
 * fathom_ptr table = fathom_alloc_all(1000 * sizeof(long));          // 1000 on every thread, at the same offset
 * fathom_ptr seventh = fathom_on(3, table) + 7 * sizeof(long);       // one of thread 3's
 * long *mine = (long *)fathom_address(fathom_on(fathom_me(), table)); // my own, as C has it
 * @endcode
 * @{ */

#ifdef FATHOM_DOXYGEN /* prelude.h has it */
/** A global address: of a byte in some thread's segment. 0 is null. An integer: adding bytes stays on the thread. */
typedef unsigned long fathom_ptr;
#endif

/** Allocates in this thread's segment. Any thread can free it. Not collective.
 * @param bytes 0 gives null.
 * @return aligned to 64 bytes, or to a page if it is 1 MiB or more; 0 if there is no room. The content is undefined. */
static inline fathom_ptr fathom_alloc(size_t bytes) { return gas_alloc(bytes); }

/** As fathom_alloc(), at an address that is a multiple of `align`.
 * @param bytes 0 gives null.
 * @param align a power of two up to 2 MiB.
 * @return 0 if there is no room. */
static inline fathom_ptr fathom_alloc_aligned(size_t bytes, size_t align) { return gas_alloc_aligned(bytes, align); }
/** As fathom_alloc(), filled with zeros.
 * @param bytes 0 gives null.
 * @return 0 if there is no room. */
static inline fathom_ptr fathom_alloc_zeroed(size_t bytes) { return gas_alloc_zeroed(bytes); }
/** Makes an allocation in this thread's segment larger or smaller; it may move, and loses an alignment above 64.
 * @param p a result of fathom_alloc(), fathom_alloc_aligned() or fathom_alloc_zeroed() on this thread; 0 allocates.
 * @param bytes 0 frees.
 * @return the address; 0, and nothing is changed, if there is no room. */
static inline fathom_ptr fathom_realloc(fathom_ptr p, size_t bytes) { return gas_realloc(p, bytes); }
/** The size that was asked for.
 * @param p the start of an allocation in near memory, for symmetric memory on a thread near thread 0; 0 has 0.
 * @return bytes. */
static inline size_t fathom_alloc_bytes(fathom_ptr p) { return gas_alloc_bytes(p); }

/** Allocates `bytes` on every thread, at the same offset: fathom_on() finds each thread's part. Collective: all
 * threads call it with the same number, and it synchronises them.
 * @param bytes for each thread; 0 gives null.
 * @return thread 0's part, the same on all threads; 0 (everywhere) if there is no room. The content is undefined. */
static inline fathom_ptr fathom_alloc_all(size_t bytes) { return gas_all_alloc(bytes); }

/** As fathom_alloc_all(), at addresses that are multiples of `align`.
 * @param bytes for each thread; 0 gives null.
 * @param align a power of two up to 2 MiB; the same on all threads.
 * @return thread 0's part, the same on all threads; 0 (everywhere) if there is no room. */
static inline fathom_ptr fathom_alloc_all_aligned(size_t bytes, size_t align) {
    return gas_all_alloc_aligned(bytes, align);
}

/** As fathom_alloc_all(), filled with zeros, which all see when it returns.
 * @param bytes for each thread; 0 gives null.
 * @return thread 0's part, the same on all threads; 0 (everywhere) if there is no room. */
static inline fathom_ptr fathom_alloc_all_zeroed(size_t bytes) {
    fathom_ptr p = gas_all_alloc(bytes);
    if (p) {
        gas_fill(fathom_make(gas_me(), fathom_offset_of(p)), 0, bytes);
        gas_barrier();
    }
    return p;
}

/** As fathom_alloc_all(), but called by one thread, which then gives the address to the others.
 * @param bytes for each thread; 0 gives null.
 * @return thread 0's part; 0 if there is no room. The content is undefined. */
static inline fathom_ptr fathom_alloc_symmetric(size_t bytes) { return gas_global_alloc(bytes); }

/** Frees memory of one of the allocators, on all threads if it is symmetric. Called once, by any thread, when no
 * thread uses the memory any more. Null is ignored. An address that was not allocated, or has been freed, ends the job
 * with a message.
 * @param p the allocator's result, or 0. */
static inline void fathom_free(fathom_ptr p) { gas_free(p); }

/** The address with the same offset in the segment of `thread`. Meaningful for memory of the symmetric allocators. It
 * costs nothing.
 * @param thread 0 to fathom_count() - 1.
 * @param p any global address except null.
 * @return its global address. */
static inline fathom_ptr fathom_on(int thread, fathom_ptr p) { return fathom_make(thread, fathom_offset_of(p)); }

/** The thread whose segment `p` is in.
 * @param p any global address except null.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_owner(fathom_ptr p) { return (int)fathom_thread_of(p); }

/** The C pointer to the memory at `p`, for loads and stores, or a null pointer if `p` is null or on a thread out of
 * reach (see fathom_near()). The pointer is valid as long as the memory is allocated.
 * @param p any global address, or 0.
 * @return the pointer, or null. */
static inline void *fathom_address(fathom_ptr p) {
    return p != 0 && gas_is_local((int)fathom_thread_of(p)) ? fathom_local(p) : NULL;
}

/** The global address for a C pointer into a segment: the inverse of fathom_address(). 0 if it points elsewhere, to
 * private memory.
 * @param p any pointer.
 * @return the global address, or 0. */
static inline fathom_ptr fathom_global(const void *p) { return fathom_is_shared(p) ? fathom_word(p) : 0; }

/** @} */

#ifdef __cplusplus
}
#endif

#include "fathom_transfers.h"

#include "fathom_atomics.h"
#include "fathom_collectives.h"
#include "fathom_messages.h"
#include "fathom_waiting.h"

#include "fathom_former.h"

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif

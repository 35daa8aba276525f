/** @file fathom.h
 * @brief Fathom for programs in C and C++: one address space over many processes, without UPC.
 *
 * A program is started as a number of *threads*, which are processes. Each owns a *segment* of memory that all can
 * reach, by *global addresses* (::fathom_ptr). Threads move data with puts and gets, update it with atomics, talk by
 * active messages, and synchronise with barriers, locks and collectives. Which of them share memory, and what carries
 * the rest, is the conduit's business: a program is the same on one computer and on a cluster.
 *
 * Everything here is an inline function over gas.h: a put of a constant size to a thread on the same node is a store.
 * C11 (with the GNU extensions, `-std=gnu11` or newer) and C++17. Compile and link with what
 * `pkg-config --cflags --libs fathom-smp` prints (or `-template`, `-mpi`); see docs/c-api.md.
 *
 * What holds everywhere:
 * - Sizes are in bytes, and come last: destination, source, size.
 * - Within a process, the interface is not thread-safe: one thread of a process calls it.
 * - Mistakes end the whole job with a message and a non-zero status; functions do not return error codes. What can
 *   fail in a correct program (memory that is not there) says so in its return value.
 * - *Progress*: messages are delivered, and handlers run, only inside calls that communicate or wait. A thread that
 *   computes for long calls fathom_poll() now and then, if others may want something of it.
 * - *Order*: a blocking put or atomic is complete at its target when it returns. Operations that have not been waited
 *   for are in no order. fathom_order() puts all that went before it ahead of all that follows.
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
#error "which conduit? compile with what `pkg-config --cflags fathom-smp` (or fathom-template, fathom-mpi) prints"
#endif

#include <stddef.h>
#include <stdint.h>

#include "gas.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_jobs Start and end of a job
 * @brief Who am I, how many are we, and how does it end.
 *
 * The job ends when all threads have returned from main or called exit(0), with the status 0; or as soon as one of them
 * ends otherwise: by another status, fathom_exit(), a fatal error, a signal. Then all are ended within seconds, and the
 * job's status is that of the first. Nothing is left behind, neither processes nor memory.
 * @{ */

/** Starts the job. The first thing that main does: what stands before it may happen once for all threads, or in each.
 *
 * The number of threads is FATHOM_THREADS of the environment or what the launcher (mpirun) has decided; 1 if neither
 * says. How much memory segments have is FATHOM_HEAP, or a share of this computer's.
 * @param argc,argv main's parameters; a launcher's own arguments are taken out.
 * Returns in every thread, after all have started. Complains and exits with a non-zero status where a job cannot be
 * started: numbers that make no sense, not enough memory. */
static inline void fathom_init(int *argc, char ***argv) { gas_start(argc, argv); }

/** Completes this thread's transfers and waits until all threads have called it. To be followed by the return from
 * main; until then, memory can still be read and written. A program that returns from main without it ends in order
 * too, but a thread that ends early serves the others only as far as they do not need its program. Collective. */
static inline void fathom_finalize(void) {
    gas_sync();
    gas_barrier();
}

/** This thread's number: 0 to fathom_count() - 1.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_me(void) { return gas_me(); }
/** How many threads the job has. Never changes.
 * @return 1 or more. */
static inline int fathom_count(void) { return gas_count(); }

/** The threads whose memory this process can reach by loads and stores: `*count` of them, consecutively numbered from
 * the returned one on; this thread is among them.
 * @param[out] count how many; not null.
 * @return the first of them.
 * @code
 * int n, first = fathom_near(&n);   // "my node"
 * @endcode */
static inline int fathom_near(int *count) { return gas_near(count); }
/** Is `thread` one of fathom_near()'s? 1 or 0.
 * @param thread 0 to fathom_count() - 1.
 * @return 1 or 0. */
static inline int fathom_can_reach(int thread) { return gas_is_local(thread); }
/** The conduit that the program is linked with: "smp", "mpi", ...
 * @return a string that lives as long as the program. */
static inline const char *fathom_conduit_name(void) { return gas_conduit(); }

/** Ends the whole job now with `status`, after saving this thread's open files. Not collective. Does not return.
 * @param status 0 to 255. */
static inline void __attribute__((noreturn)) fathom_exit(int status) { gas_exit(status); }

/** Ends the whole job with a non-zero status and a message on stderr, in one line: `fathom: thread T: message`. When
 * several threads fail, one of them is heard. Does not return.
 * @param ... a format and what belongs to it, as for printf; without a line end. */
#define fathom_fatal(...) gas_fatal(__VA_ARGS__)

/** @} */

/** @defgroup fathom_memory Memory
 * @brief Global addresses, and the segments that they point into.
 *
 * A ::fathom_ptr is an integer: which thread, and where in its segment; 0 is null. Adding bytes stays on the thread.
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

/** Allocates `bytes` on every thread, at the same offset: fathom_on() finds each thread's part. Collective: all
 * threads call it with the same number, and it synchronises them.
 * @param bytes for each thread; 0 gives null.
 * @return thread 0's part, the same on all threads; 0 (everywhere) if there is no room. The content is undefined. */
static inline fathom_ptr fathom_alloc_all(size_t bytes) { return gas_all_alloc(bytes); }

/** As fathom_alloc_all(), but called by one thread, which then tells the others.
 * @param bytes for each thread; 0 gives null.
 * @return thread 0's part; 0 if there is no room. The content is undefined. */
static inline fathom_ptr fathom_alloc_symmetric(size_t bytes) { return gas_global_alloc(bytes); }

/** Frees what one of the three allocators gave, on all threads if it was symmetric. Called once, by any thread, when
 * nobody uses the memory any more. Null is ignored. Anything else that was not allocated, or has been freed, ends the
 * job with a message.
 * @param p what the allocator returned, or 0. */
static inline void fathom_free(fathom_ptr p) { gas_free(p); }

/** The same place in the segment of `thread`. Meaningful for memory of the symmetric allocators. No cost.
 * @param thread 0 to fathom_count() - 1.
 * @param p any global address but null.
 * @return its global address. */
static inline fathom_ptr fathom_on(int thread, fathom_ptr p) { return fathom_make(thread, fathom_offset_of(p)); }

/** The thread whose segment `p` is in.
 * @param p any global address but null.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_owner(fathom_ptr p) { return (int)fathom_thread_of(p); }

/** The C pointer to what `p` names, for loads and stores, or a null pointer if `p` is null or on a thread out of reach
 * (see fathom_near()). A pointer found once is good for as long as the memory is allocated.
 * @param p any global address, or 0.
 * @return the pointer, or null. */
static inline void *fathom_address(fathom_ptr p) {
    return p != 0 && gas_is_local((int)fathom_thread_of(p)) ? fathom_local(p) : NULL;
}

/** The global address of what a C pointer into a segment points to: the inverse of fathom_address(). 0 if it points
 * elsewhere, to private memory.
 * @param p any pointer.
 * @return the global address, or 0. */
static inline fathom_ptr fathom_global(const void *p) {
    long thread = fathom_thread_of((fathom_ptr)(uintptr_t)p);
    return thread >= 0 && thread < gas_count() && gas_is_local((int)thread) ? (fathom_ptr)(uintptr_t)p : 0;
}

/** @} */

/** @defgroup fathom_transfers Put and get, blocking
 * @brief Move bytes to and from any thread's segment.
 *
 * Complete when they return: what was put is in its place. Where the remote side is near, these are memcpy, inlined;
 * any size and alignment will do. The two sides may not overlap. Pieces of 1, 2, 4 and 8 bytes, aligned to their size,
 * move at once: nobody sees half of one.
 *
 * @code
 * double x = 1.5, y;
 * fathom_put(fathom_on(1, box), &x, sizeof x);
 * fathom_get(&y, fathom_on(1, box), sizeof y);   // y == 1.5, if nobody else writes
 * @endcode
 * @{ */

/** Copies `bytes` from private (or any near) memory to a global address.
 * @param dst where it goes: a global address.
 * @param src where it comes from: private or near memory.
 * @param bytes how many. */
static inline void fathom_put(fathom_ptr dst, const void *src, size_t bytes) { gas_put(dst, src, bytes); }
/** Copies `bytes` from a global address to private (or any near) memory.
 * @param dst where it goes: private or near memory.
 * @param src where it comes from: a global address.
 * @param bytes how many. */
static inline void fathom_get(void *dst, fathom_ptr src, size_t bytes) { gas_get(dst, src, bytes); }
/** Copies `bytes` between two global addresses, on any threads.
 * @param dst where it goes: a global address.
 * @param src where it comes from: a global address.
 * @param bytes how many. */
static inline void fathom_copy(fathom_ptr dst, fathom_ptr src, size_t bytes) { gas_copy(dst, src, bytes); }
/** Sets `bytes` to the byte `c`.
 * @param dst where it goes: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes how many. */
static inline void fathom_fill(fathom_ptr dst, int c, size_t bytes) { gas_fill(dst, c, bytes); }
/** Writes the low `bytes` of `value`.
 * @param dst the place, of any alignment.
 * @param value in this computer's byte order.
 * @param bytes 1, 2, 4 or 8. */
static inline void fathom_put_value(fathom_ptr dst, uint64_t value, size_t bytes) { gas_put_value(dst, value, bytes); }
/** Reads 1, 2, 4 or 8 bytes, extended with zeros.
 * @param src a global address of any alignment.
 * @param bytes 1, 2, 4 or 8.
 * @return the value. */
static inline uint64_t fathom_get_value(fathom_ptr src, size_t bytes) { return gas_get_value(src, bytes); }

/** Everything that this thread has written, by puts, stores or atomics, is seen by all before anything that it reads or
 * writes afterwards. What has only been begun (`_nb`, `_nbi`) must have been waited for. */
static inline void fathom_order(void) { fathom_fence(); }

/** @} */

/** @defgroup fathom_handles Put and get, with handles
 * @brief Begin a transfer, compute, wait for it.
 *
 * Until its handle is complete, the source of a put may not change and the destination of a get has no value. A put is
 * complete when the data is in its place. Every handle must be completed, by the thread that got it. Operations under
 * way are in no order among each other.
 *
 * @code
 * fathom_op ops[2];
 * ops[0] = fathom_get_nb(left, from_left, bytes);
 * ops[1] = fathom_get_nb(right, from_right, bytes);
 * compute_the_middle();
 * fathom_wait_all(ops, 2);
 * @endcode
 * @{ */

/** A transfer under way, or ::FATHOM_DONE. */
typedef gas_handle fathom_op;
/** The handle of what is complete already. */
#define FATHOM_DONE ((fathom_op)0)

/** Begins fathom_put().
 * @param dst where it goes: a global address.
 * @param src where it comes from: private or near memory.
 * @param bytes how many.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_nb(fathom_ptr dst, const void *src, size_t bytes) {
    return gas_put_nb(dst, src, bytes);
}
/** Begins fathom_get().
 * @param dst where it goes: private or near memory.
 * @param src where it comes from: a global address.
 * @param bytes how many.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_get_nb(void *dst, fathom_ptr src, size_t bytes) { return gas_get_nb(dst, src, bytes); }
/** Begins fathom_copy().
 * @param dst where it goes: a global address.
 * @param src where it comes from: a global address.
 * @param bytes how many.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_copy_nb(fathom_ptr dst, fathom_ptr src, size_t bytes) {
    return gas_copy_nb(dst, src, bytes);
}
/** Begins fathom_fill().
 * @param dst where it goes: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes how many.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_fill_nb(fathom_ptr dst, int c, size_t bytes) { return gas_fill_nb(dst, c, bytes); }

/** Is it complete? Then `*op` becomes ::FATHOM_DONE. Never waits; serves messages.
 * @param[in,out] op a handle of this thread.
 * @return 1 or 0. */
static inline int fathom_test(fathom_op *op) { return gas_test(op); }
/** Waits until it is complete; `*op` becomes ::FATHOM_DONE.
 * @param[in,out] op a handle of this thread. */
static inline void fathom_wait_op(fathom_op *op) { gas_wait(op); }
/** Are all `n` complete? Then all become ::FATHOM_DONE. Never waits.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n how many.
 * @return 1 or 0. */
static inline int fathom_test_all(fathom_op *ops, size_t n) { return gas_test_all(ops, n); }
/** Waits until all `n` are complete; all become ::FATHOM_DONE.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n how many. */
static inline void fathom_wait_all(fathom_op *ops, size_t n) { gas_wait_all(ops, n); }
/** Those of `n` that have completed become ::FATHOM_DONE. Never waits.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n how many.
 * @return how many became so by this call. */
static inline size_t fathom_test_some(fathom_op *ops, size_t n) { return gas_test_some(ops, n); }
/** As fathom_test_some(), but waits until there is at least one.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n how many.
 * @return how many became ::FATHOM_DONE by this call; 0 only if all had been before. */
static inline size_t fathom_wait_some(fathom_op *ops, size_t n) { return gas_wait_some(ops, n); }

/** @} */

/** @defgroup fathom_implicit Put and get, many at once
 * @brief Begin any number of transfers, then wait for all of them together.
 *
 * The same rules as with handles, until the call that completes them.
 *
 * @code
 * for (int t = 0; t < fathom_count(); t++) fathom_put_nbi(fathom_on(t, row) + offset, part[t], bytes);
 * fathom_sync();            // all parts have arrived
 * @endcode
 * @{ */

/** Begins fathom_put(), to be completed by fathom_sync(), fathom_sync_puts() or the region's handle.
 * @param dst where it goes: a global address.
 * @param src where it comes from: private or near memory.
 * @param bytes how many. */
static inline void fathom_put_nbi(fathom_ptr dst, const void *src, size_t bytes) { gas_put_nbi(dst, src, bytes); }
/** Begins fathom_get(), to be completed by fathom_sync(), fathom_sync_gets() or the region's handle.
 * @param dst where it goes: private or near memory.
 * @param src where it comes from: a global address.
 * @param bytes how many. */
static inline void fathom_get_nbi(void *dst, fathom_ptr src, size_t bytes) { gas_get_nbi(dst, src, bytes); }
/** Begins fathom_copy(); counts as a put.
 * @param dst where it goes: a global address.
 * @param src where it comes from: a global address.
 * @param bytes how many. */
static inline void fathom_copy_nbi(fathom_ptr dst, fathom_ptr src, size_t bytes) { gas_copy_nbi(dst, src, bytes); }
/** Begins fathom_fill(); counts as a put.
 * @param dst where it goes: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes how many. */
static inline void fathom_fill_nbi(fathom_ptr dst, int c, size_t bytes) { gas_fill_nbi(dst, c, bytes); }
/** Begins fathom_put_value(). Nothing needs to be kept: the value has been taken.
 * @param dst,value,bytes as for fathom_put_value(). */
static inline void fathom_put_value_nbi(fathom_ptr dst, uint64_t value, size_t bytes) {
    gas_put_value_nbi(dst, value, bytes);
}
/** Waits for all of this thread's implicit puts and gets, other than those of regions. */
static inline void fathom_sync(void) { gas_sync(); }
/** Waits for the implicit puts, copies and fills. */
static inline void fathom_sync_puts(void) { gas_sync_puts(); }
/** Waits for the implicit gets. */
static inline void fathom_sync_gets(void) { gas_sync_gets(); }
/** Would fathom_sync() return at once? 1 or 0. Never waits; serves messages.
 * @return 1 or 0. */
static inline int fathom_test_sync(void) { return gas_test_implicit(); }
/** From here to fathom_region_end(), this thread's implicit operations belong to a handle of their own. Regions do not
 * nest. */
static inline void fathom_region_begin(void) { gas_region_begin(); }
/** Ends the region.
 * @return the handle of all that was begun in it. */
static inline fathom_op fathom_region_end(void) { return gas_region_end(); }

/** @} */

/** @defgroup fathom_signals Put with a signal
 * @brief Data and the news of it in one operation: no round trip between the two.
 *
 * @code
 * // producer                                           // consumer
 * fathom_put_signal(fathom_on(t, data), block, bytes,   fathom_wait_signal(fathom_on(fathom_me(), counter), 1);
 *                   fathom_on(t, counter), 1);          use(fathom_address(fathom_on(fathom_me(), data)));
 * @endcode
 * @{ */

/** Puts `bytes`, then adds `add` to a 64-bit counter: a thread that sees the counter changed sees the data. Returns
 * when the source may change, which may be before anything has arrived: only the counter tells.
 * @param dst,src,bytes as for fathom_put().
 * @param counter a uint64_t, aligned, on the thread of `dst`; set before by its owner, changed by signals and atomics.
 * @param add modulo 2^64. */
static inline void fathom_put_signal(fathom_ptr dst, const void *src, size_t bytes, fathom_ptr counter, uint64_t add) {
    gas_put_signal(dst, src, bytes, counter, add);
}
/** Begins fathom_put_signal(); the source may change when the handle is complete.
 * @param dst,src,bytes,counter,add as for fathom_put_signal().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_signal_nb(fathom_ptr dst, const void *src, size_t bytes, fathom_ptr counter,
                                             uint64_t add) {
    return gas_put_signal_nb(dst, src, bytes, counter, add);
}
/** Waits until the counter is at least `at_least`, counting round 2^64. Serves messages; sleeps when it takes long.
 * @param counter of this thread.
 * @param at_least at most 2^63 - 1 ahead of the counter. */
static inline void fathom_wait_signal(fathom_ptr counter, uint64_t at_least) { gas_wait_counter(counter, at_least); }

/** @} */

/** @defgroup fathom_strides Strided and indexed
 * @brief Many pieces in one operation: sections of arrays of any dimension, lists of places.
 *
 * Strided: elements of `elem_bytes`, `count[0]` x ... x `count[dims - 1]` of them; element (i0, i1, ...) lies
 * i0 * stride[0] + i1 * stride[1] + ... bytes from the start, on either side with strides of its own. Strides may be
 * negative, and 0 on the source. No two elements of a destination may overlap. Everything remote is on one thread.
 *
 * @code
 * // a column of 100 doubles from a matrix with rows of 640 bytes on thread 1
 * double column[100];
 * ptrdiff_t here = sizeof(double), there = 640;
 * size_t n = 100;
 * fathom_get_strided(column, &here, fathom_on(1, matrix) + 8 * j, &there, sizeof(double), &n, 1);
 * @endcode
 * @{ */

/** Puts a section. Complete at the target when it returns.
 * @param dst,src where element (0, 0, ...) is.
 * @param dst_stride,src_stride in bytes, `dims` of each.
 * @param elem_bytes size of one element.
 * @param count elements in each dimension; any of them 0 moves nothing.
 * @param dims 0 (one element) or more. */
static inline void fathom_put_strided(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src,
                                      const ptrdiff_t *src_stride, size_t elem_bytes, const size_t *count, int dims) {
    gas_put_strided(dst, dst_stride, src, src_stride, elem_bytes, count, dims);
}
/** Gets a section; parameters as for fathom_put_strided().
 * @param dst,src,dst_stride,src_stride,elem_bytes,count,dims as there. */
static inline void fathom_get_strided(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src,
                                      const ptrdiff_t *src_stride, size_t elem_bytes, const size_t *count, int dims) {
    gas_get_strided(dst, dst_stride, src, src_stride, elem_bytes, count, dims);
}
/** Begins fathom_put_strided(). The arrays of strides and counts may be changed at once.
 * @param dst,src,dst_stride,src_stride,elem_bytes,count,dims as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_strided_nb(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src,
                                              const ptrdiff_t *src_stride, size_t elem_bytes, const size_t *count,
                                              int dims) {
    return gas_put_strided_nb(dst, dst_stride, src, src_stride, elem_bytes, count, dims);
}
/** Begins fathom_get_strided(). The arrays of strides and counts may be changed at once.
 * @param dst,src,dst_stride,src_stride,elem_bytes,count,dims as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_get_strided_nb(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src,
                                              const ptrdiff_t *src_stride, size_t elem_bytes, const size_t *count,
                                              int dims) {
    return gas_get_strided_nb(dst, dst_stride, src, src_stride, elem_bytes, count, dims);
}

/** Scatters: `n` elements of `elem_bytes`, from `src[i]` to `dst[i]`, which may be on any threads. Complete when it
 * returns. No two destinations may overlap.
 * @param dst the places, aligned as they like.
 * @param src the elements, in private or near memory.
 * @param elem_bytes size of each.
 * @param n how many. */
static inline void fathom_put_indexed(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n) {
    gas_put_indexed(dst, src, elem_bytes, n);
}
/** Gathers: `n` elements of `elem_bytes`, from `src[i]`, on any threads, to `dst[i]`. Complete when it returns.
 * @param dst where they go, in private or near memory.
 * @param src the places, aligned as they like.
 * @param elem_bytes size of each.
 * @param n how many. */
static inline void fathom_get_indexed(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n) {
    gas_get_indexed(dst, src, elem_bytes, n);
}
/** Begins fathom_put_indexed(). The lists may be changed at once; what they point to may not.
 * @param dst,src,elem_bytes,n as for fathom_put_indexed().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_indexed_nb(const fathom_ptr *dst, const void *const *src, size_t elem_bytes,
                                              size_t n) {
    return gas_put_indexed_nb(dst, src, elem_bytes, n);
}
/** Begins fathom_get_indexed(). The lists may be changed at once.
 * @param dst,src,elem_bytes,n as for fathom_get_indexed().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_get_indexed_nb(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n) {
    return gas_get_indexed_nb(dst, src, elem_bytes, n);
}

/** @} */

/** @defgroup fathom_atomics Atomics
 * @brief Updates of shared variables that nobody can come between.
 *
 * Atomic with respect to each other, on any threads. They order nothing else (fathom_order() does). An object must be
 * aligned to its size. Complete when they return.
 *
 * @code
 * long ticket = (long)fathom_fetch_add(counter, 1);     // int64_t at `counter`, on any thread
 * @endcode
 * @{ */

/** Types of the objects. */
enum fathom_type {
    FATHOM_I32 = GAS_I32, /**< int32_t */
    FATHOM_U32 = GAS_U32, /**< uint32_t */
    FATHOM_I64 = GAS_I64, /**< int64_t */
    FATHOM_U64 = GAS_U64, /**< uint64_t */
    FATHOM_F32 = GAS_F32, /**< float */
    FATHOM_F64 = GAS_F64, /**< double */
    FATHOM_PTR = GAS_PTS  /**< fathom_ptr: get, set, swap and compare-and-swap only */
};

/** What is done to an object x, with operands a and b. Integers wrap round. The bitwise ones are for integers. */
enum fathom_operator {
    FATHOM_GET = GAS_GET,    /**< x stays */
    FATHOM_SET = GAS_SET,    /**< x = a */
    FATHOM_ADD = GAS_ADD,    /**< x = x + a */
    FATHOM_SUB = GAS_SUB,    /**< x = x - a */
    FATHOM_MULT = GAS_MULT,  /**< x = x * a */
    FATHOM_INC = GAS_INC,    /**< x = x + 1 */
    FATHOM_DEC = GAS_DEC,    /**< x = x - 1 */
    FATHOM_AND = GAS_AND,    /**< x = x & a */
    FATHOM_OR = GAS_OR,      /**< x = x | a */
    FATHOM_XOR = GAS_XOR,    /**< x = x ^ a */
    FATHOM_NOT = GAS_NOT,    /**< x = ~x */
    FATHOM_MIN = GAS_MIN,    /**< x = the smaller of x and a */
    FATHOM_MAX = GAS_MAX,    /**< x = the greater of x and a */
    FATHOM_SWAP = GAS_SWAP,  /**< x = a; for the former value */
    FATHOM_CSWAP = GAS_CSWAP /**< if x equals a, x = b; equal are values with the same bits */
};

/** Applies an operator to any object.
 * @param[out] fetch where the former value goes; null if it is not wanted.
 * @param target the object.
 * @param type of the object and of what the other pointers point to.
 * @param op the operator.
 * @param a,b operands; null where the operator takes none. */
static inline void fathom_atomic(void *fetch, fathom_ptr target, enum fathom_type type, enum fathom_operator op,
                                 const void *a, const void *b) {
    gas_atomic(fetch, target, (enum gas_atomic_type)type, (enum gas_atomic_op)op, a, b);
}
/** Begins fathom_atomic(). Operands may change at once; `*fetch` has its value when the handle is complete.
 * @param fetch,target,type,op,a,b as for fathom_atomic().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_atomic_nb(void *fetch, fathom_ptr target, enum fathom_type type,
                                         enum fathom_operator op, const void *a, const void *b) {
    return gas_atomic_nb(fetch, target, (enum gas_atomic_type)type, (enum gas_atomic_op)op, a, b);
}
/** Reads an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @return its value. */
static inline int64_t fathom_atomic_get(fathom_ptr target) {
    int64_t value;
    gas_atomic(&value, target, GAS_I64, GAS_GET, NULL, NULL);
    return value;
}
/** Writes an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value what it becomes. */
static inline void fathom_atomic_set(fathom_ptr target, int64_t value) {
    gas_atomic(NULL, target, GAS_I64, GAS_SET, &value, NULL);
}
/** Adds to an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value what is added; wraps round.
 * @return the value before. */
static inline int64_t fathom_fetch_add(fathom_ptr target, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_ADD, &value, NULL);
    return before;
}
/** Replaces an int64_t.
 * @param target an int64_t, aligned, on any thread.
 * @param value what it becomes.
 * @return the value before. */
static inline int64_t fathom_swap(fathom_ptr target, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_SWAP, &value, NULL);
    return before;
}
/** Replaces an int64_t if it is `expected`.
 * @param target an int64_t, aligned, on any thread.
 * @param expected what it must be.
 * @param value what it then becomes.
 * @return the value before: `expected` if it was replaced. */
static inline int64_t fathom_compare_swap(fathom_ptr target, int64_t expected, int64_t value) {
    int64_t before;
    gas_atomic(&before, target, GAS_I64, GAS_CSWAP, &expected, &value);
    return before;
}

/** A set of objects of one type that, while it is used, are changed through it only: then the network may do it. */
typedef gas_domain fathom_domain;
/** Makes a domain. Collective.
 * @param type of its objects.
 * @param operators the bits 1u << FATHOM_ADD and so on of all operators that will be used.
 * @return the domain, for this thread. */
static inline fathom_domain fathom_domain_create(enum fathom_type type, unsigned operators) {
    return gas_domain_create((enum gas_atomic_type)type, operators);
}
/** Ends a domain, when nobody uses it any more. Collective.
 * @param domain what fathom_domain_create() returned. */
static inline void fathom_domain_free(fathom_domain domain) { gas_domain_free(domain); }
/** As fathom_atomic(), for an object of a domain and an operator that it was created with.
 * @param domain the domain of the object.
 * @param fetch,target,op,a,b as for fathom_atomic(); the type is the domain's. */
static inline void fathom_domain_atomic(fathom_domain domain, void *fetch, fathom_ptr target, enum fathom_operator op,
                                        const void *a, const void *b) {
    gas_domain_atomic(domain, fetch, target, (enum gas_atomic_op)op, a, b);
}

/** @} */

/** @defgroup fathom_messages Active messages
 * @brief Run a function on another thread, with arguments and a payload.
 *
 * A *request* runs its handler on the receiver, which may answer with one *reply*. A handler runs inside some call of
 * the receiver's that communicates or waits, one at a time; it may read and write near memory, reply once, and call
 * nothing else that communicates or waits. Short messages carry up to ::FATHOM_MAX_ARGS arguments of 64 bits; medium
 * ones a payload too, of up to fathom_max_medium() bytes, that is gone when the handler returns; long ones a payload
 * of any size that is put into the receiver's segment before the handler runs. Calls return when arguments and payload
 * may be changed. Messages between a pair of threads arrive once each and in order, requests among requests and
 * replies among replies.
 *
 * @code
 * static int counted;
 * static void count(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) { counted++; }
 * ...
 * int on_count = fathom_register(count);
 * fathom_barrier_all();                                  // now all have it
 * fathom_request_short(0, on_count, NULL, 0);
 * unsigned round = 0;
 * if (fathom_me() == 0) while (counted < fathom_count()) fathom_pause(&round);
 * @endcode
 * @{ */

/** The most arguments of a message. */
#define FATHOM_MAX_ARGS ((int)GAS_MAX_ARGS)
/** Names the message that a handler works on; valid until the handler returns. */
typedef gas_token fathom_token;
/** A handler.
 * `payload` is null if there is none. That of a medium message is aligned to 8 bytes. */
typedef gas_handler fathom_handler;

/** Enters a handler into this thread's table. All threads register the same handlers in the same order, and no message
 * may name one before all have: a barrier between is usual.
 * @param handler the function.
 * @return the handler's number, the same on all threads. */
static inline int fathom_register(fathom_handler *handler) { return gas_register(handler); }
/** Bytes that a medium message can carry: at least 4096.
 * @return the most bytes; the same on all threads. */
static inline size_t fathom_max_medium(void) { return gas_max_medium(); }
/** Sends a request without payload.
 * @param thread to whom; may be the sender: then the handler has run when this returns.
 * @param handler its number.
 * @param args,nargs the arguments; null and 0 if there are none. */
static inline void fathom_request_short(int thread, int handler, const uint64_t *args, int nargs) {
    gas_request_short(thread, handler, args, nargs);
}
/** Sends a request with a payload that is copied. Other parameters as for fathom_request_short().
 * @param thread,handler,args,nargs as there.
 * @param payload,bytes at most fathom_max_medium(). */
static inline void fathom_request_medium(int thread, int handler, const void *payload, size_t bytes,
                                         const uint64_t *args, int nargs) {
    gas_request_medium(thread, handler, payload, bytes, args, nargs);
}
/** Sends a request with a payload that is put into place. Other parameters as for fathom_request_short().
 * @param thread,handler,args,nargs as there.
 * @param dst where it goes: a global address on `thread`, which nobody else uses meanwhile.
 * @param payload,bytes of any size. */
static inline void fathom_request_long(int thread, int handler, fathom_ptr dst, const void *payload, size_t bytes,
                                       const uint64_t *args, int nargs) {
    gas_request_long(thread, handler, dst, payload, bytes, args, nargs);
}
/** Answers a request, from its handler, without payload.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short(). */
static inline void fathom_reply_short(fathom_token token, int handler, const uint64_t *args, int nargs) {
    gas_reply_short(token, handler, args, nargs);
}
/** Answers a request, from its handler, with a payload that is copied.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short().
 * @param payload,bytes at most fathom_max_medium(). */
static inline void fathom_reply_medium(fathom_token token, int handler, const void *payload, size_t bytes,
                                       const uint64_t *args, int nargs) {
    gas_reply_medium(token, handler, payload, bytes, args, nargs);
}
/** Answers a request, from its handler, with a payload that is put at `dst`, on the asker.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short().
 * @param dst a global address on the thread that asked.
 * @param payload,bytes of any size. */
static inline void fathom_reply_long(fathom_token token, int handler, fathom_ptr dst, const void *payload,
                                     size_t bytes, const uint64_t *args, int nargs) {
    gas_reply_long(token, handler, dst, payload, bytes, args, nargs);
}
/** The thread that sent the message.
 * @param token of the request or reply.
 * @return its number. */
static inline int fathom_source(fathom_token token) { return gas_token_source(token); }
/** Delivers what has arrived. Never waits. */
static inline void fathom_poll(void) { gas_poll(); }
/** One turn of a loop that waits for another thread: serves messages, spins, and after a while lets others run. Ends
 * the process if the job is ending.
 * @param round 0 before the loop; the function counts. */
static inline void fathom_pause(unsigned *round) { gas_wait_hint(round); }

/** @} */

/** @defgroup fathom_barriers Barriers
 * @brief Nobody goes on before all have come, and all that they did before is seen.
 *
 * @code
 * fathom_barrier_begin();      // I have written my part
 * compute_something_private();
 * fathom_barrier_end();        // everybody has
 * @endcode
 * @{ */

/** Waits for all threads. Collective. Serves messages. What has only been begun (`_nb`, `_nbi`) is not completed by
 * it: what is to be seen after it must have been waited for before. */
static inline void fathom_barrier_all(void) { gas_barrier(); }
/** First half of a barrier: tells the others that this thread has come. Between the halves nothing that is collective.
 * */
static inline void fathom_barrier_begin(void) { gas_barrier_notify(); }
/** Have all come? Then fathom_barrier_end() is not called any more.
 * @return 1 or 0. Never waits; serves messages. */
static inline int fathom_barrier_test(void) { return gas_barrier_try(); }
/** Second half of a barrier: waits for the others. */
static inline void fathom_barrier_end(void) { gas_barrier_wait(); }

/** @} */

/** @defgroup fathom_locks Locks
 * @brief Mutual exclusion between any threads, first come first served.
 *
 * @code
 * fathom_ptr lock = fathom_lock_create();     // one thread; the others get to know the address
 * fathom_lock(lock);
 * ...
 * fathom_unlock(lock);
 * @endcode
 * @{ */

/** A new lock in this thread's segment, free; to be freed by fathom_free(). Not collective.
 * @return 0 if there is no room. */
static inline fathom_ptr fathom_lock_create(void) {
    fathom_ptr lock = gas_alloc(64);
    if (lock) gas_fill(lock, 0, 64);
    return lock;
}
/** Takes a lock; waits until it is free. Sees all that was written under it. Taking it twice is an error.
 * @param lock what fathom_lock_create() returned, on any thread. */
static inline void fathom_lock(fathom_ptr lock) { gas_lock(lock); }
/** Takes a lock if it is free.
 * @param lock what fathom_lock_create() returned, on any thread.
 * @return 1 if it did. */
static inline int fathom_trylock(fathom_ptr lock) { return gas_trylock(lock); }
/** Releases a lock. Releasing what this thread does not hold is an error.
 * @param lock what fathom_lock_create() returned, on any thread. */
static inline void fathom_unlock(fathom_ptr lock) { gas_unlock(lock); }

/** @} */

/** @defgroup fathom_collectives Teams and collectives
 * @brief Operations that all members of a team do together.
 *
 * Buffers are private or near memory of the caller; `bytes` is for each member. A collective returns when this
 * thread's buffers may be changed and its result is there; it does not mean that others have returned. All members
 * call the same collectives of a team in the same order. dst and src may be the same (where the shapes allow), not
 * overlap otherwise.
 *
 * @code
 * double sum, mine = partial();
 * fathom_all_reduce(fathom_world(), &sum, &mine, 1, FATHOM_F64, FATHOM_ADD);
 * @endcode
 * @{ */

/** An ordered set of threads. */
typedef gas_team fathom_team;

/** The team of all threads, in the order of their numbers.
 * @return the team; lives as long as the job. */
static inline fathom_team fathom_world(void) { return gas_world(); }
/** Divides a team: members that give the same colour form a new one, ordered by key, then by rank in the parent.
 * Collective on the parent.
 * @param parent the team to divide.
 * @param colour 0 or more; a negative one joins none and gets null.
 * @param key any number.
 * @return the new team, or null. */
static inline fathom_team fathom_team_split(fathom_team parent, int colour, int key) {
    return gas_team_split(parent, colour, key);
}
/** Ends a team that fathom_team_split() made. Collective on it.
 * @param team what fathom_team_split() returned; null is ignored. */
static inline void fathom_team_free(fathom_team team) { gas_team_free(team); }
/** This thread's rank in the team: 0 to fathom_team_size() - 1.
 * @param team this thread is a member of it.
 * @return the rank. */
static inline int fathom_team_rank(fathom_team team) { return gas_team_rank(team); }
/** How many members the team has.
 * @param team any.
 * @return 1 or more. */
static inline int fathom_team_size(fathom_team team) { return gas_team_size(team); }
/** The number of the thread that has rank `rank`.
 * @param team any.
 * @param rank 0 to fathom_team_size() - 1.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_team_thread(fathom_team team, int rank) { return gas_team_thread(team, rank); }

/** A barrier of the team.
 * @param team whose members call it. */
static inline void fathom_team_barrier(fathom_team team) { gas_team_barrier(team); }
/** Copies `bytes` from the root's `src` to every member's `dst`.
 * @param team whose members call it.
 * @param dst room for `bytes`.
 * @param src the root's data; the others' is not looked at.
 * @param bytes how many.
 * @param root the rank of the one. */
static inline void fathom_broadcast(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_broadcast(team, dst, src, bytes, root, 0);
}
/** Member r gets piece r of the root's `src`, which has fathom_team_size() pieces of `bytes`.
 * @param team whose members call it.
 * @param dst room for one piece.
 * @param src the root's pieces, by rank; the others' is not looked at.
 * @param bytes of one piece.
 * @param root the rank of the one. */
static inline void fathom_scatter(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_scatter(team, dst, src, bytes, root, 0);
}
/** The root's `dst` gets everybody's `bytes`, by rank.
 * @param team whose members call it.
 * @param dst the root's room for all pieces; the others' is not touched.
 * @param src one piece.
 * @param bytes of one piece.
 * @param root the rank of the one. */
static inline void fathom_gather(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_gather(team, dst, src, bytes, root, 0);
}
/** Everybody's `dst` gets everybody's `bytes`, by rank.
 * @param team whose members call it.
 * @param dst room for all pieces.
 * @param src one piece.
 * @param bytes of one piece. */
static inline void fathom_gather_all(fathom_team team, void *dst, const void *src, size_t bytes) {
    gas_gather_all(team, dst, src, bytes, 0);
}
/** Piece r of member s's `src` becomes piece s of member r's `dst`; a transposition.
 * @param team whose members call it.
 * @param dst room for a piece from each member.
 * @param src a piece for each member.
 * @param bytes of one piece. */
static inline void fathom_exchange(fathom_team team, void *dst, const void *src, size_t bytes) {
    gas_exchange(team, dst, src, bytes, 0);
}
/** Combines `count` elements of all members, each with its counterparts, into the root's `dst`. The result is the same
 * every time, for floating-point values too.
 * @param team,dst,src,root whose members, where to, where from, at whom.
 * @param count elements.
 * @param type their type.
 * @param op FATHOM_ADD, FATHOM_MULT, FATHOM_MIN, FATHOM_MAX; for integers also FATHOM_AND, FATHOM_OR, FATHOM_XOR. */
static inline void fathom_reduce(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                                 enum fathom_operator op, int root) {
    gas_reduce(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, root, 0);
}
/** As fathom_reduce(), into everybody's `dst`.
 * @param team,dst,src,count,type,op as there. */
static inline void fathom_all_reduce(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                                     enum fathom_operator op) {
    gas_all_reduce(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, 0);
}
/** Member r gets the combination of members 0 to r; see fathom_reduce().
 * @param team,dst,src,count,type,op as there.
 * @param exclusive not 0: of members 0 to r - 1, and member 0's dst stays as it is. */
static inline void fathom_scan(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                               enum fathom_operator op, int exclusive) {
    gas_scan(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, exclusive, 0);
}

/** @} */

#ifdef __cplusplus
}
#endif
#endif

/** @file fathom_transfers.h
 * @brief Put and get: a part of fathom.h, which programs include.
 *
 * It has puts and gets: blocking, with handles, many at once, with a signal, strided and indexed.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_transfers Put and get, blocking
 * @brief Move bytes to and from any thread's segment.
 *
 * They are complete when they return: the data are at their destination. If the remote side is near, these are memcpy,
 * inlined; any size and alignment is allowed. The two sides must not overlap. Pieces of 1, 2, 4 and 8 bytes, aligned to
 * their size, move as a whole: no thread sees half of one.
 *
 * Between near threads a transfer of 1, 2, 4, 8 or 16 bytes is one store: a thread that sees a flag may reset it at
 * once, and it stays reset. Transfers of other sizes may write a byte more than once.
 *
 * @code
 * double x = 1.5, y;
 * fathom_put(fathom_on(1, box), &x, sizeof x);
 * fathom_get(&y, fathom_on(1, box), sizeof y);   // y == 1.5, if no other thread writes
 * @endcode
 * @{ */

/** Copies `bytes` from private (or any near) memory to a global address.
 * @param dst the destination: a global address.
 * @param src the source: private or near memory.
 * @param bytes the number of bytes. */
static inline void fathom_put(fathom_ptr dst, const void *src, size_t bytes) { gas_put(dst, src, bytes); }
/** Copies `bytes` from a global address to private (or any near) memory.
 * @param dst the destination: private or near memory.
 * @param src the source: a global address.
 * @param bytes the number of bytes. */
static inline void fathom_get(void *dst, fathom_ptr src, size_t bytes) { gas_get(dst, src, bytes); }
/** Copies `bytes` between two global addresses, on any threads.
 * @param dst the destination: a global address.
 * @param src the source: a global address.
 * @param bytes the number of bytes. */
static inline void fathom_copy(fathom_ptr dst, fathom_ptr src, size_t bytes) { gas_copy(dst, src, bytes); }
/** Sets `bytes` to the byte `c`.
 * @param dst the destination: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes the number of bytes. */
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

/** All writes of this thread, by puts, stores or atomics, are visible to all before anything that it reads or writes
 * afterwards. Operations that have only been begun (`_nb`, `_nbi`) must have been waited for. */
static inline void fathom_order(void) { fathom_fence(); }

/** @} */

/** @defgroup fathom_handles Put and get, with handles
 * @brief Begin a transfer, compute, wait for it.
 *
 * Until its handle is complete, the source of a put may not change and the destination of a get has no value. A put is
 * complete when the data are at their destination. Every handle must be completed once, by the thread that got it (by any
 * of its POSIX threads at level multiple).
 * Operations under way have no order among each other.
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
/** The handle of a transfer that is already complete. */
#define FATHOM_DONE ((fathom_op)0)

/** Begins fathom_put().
 * @param dst the destination: a global address.
 * @param src the source: private or near memory.
 * @param bytes the number of bytes.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_nb(fathom_ptr dst, const void *src, size_t bytes) {
    return gas_put_nb(dst, src, bytes);
}
/** Begins fathom_put_value(). The value is copied.
 * @param dst,value,bytes as for fathom_put_value().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_value_nb(fathom_ptr dst, uint64_t value, size_t bytes) {
    return gas_put_value_nb(dst, value, bytes);
}
/** As fathom_put_nb(), with a second handle, for the source alone: when that is complete, the source may change, and
 * the data may still be on their way. Where the conduit moves the data by itself, both are complete at the same time.
 * @param dst,src,bytes as there.
 * @param[out] source the source's handle, which must be waited for, too; ::FATHOM_DONE if it may change at once.
 * @return the handle of the put; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_source_nb(fathom_ptr dst, const void *src, size_t bytes, fathom_op *source) {
    return gas_put_source_nb(dst, src, bytes, source);
}
/** Begins fathom_get().
 * @param dst the destination: private or near memory.
 * @param src the source: a global address.
 * @param bytes the number of bytes.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_get_nb(void *dst, fathom_ptr src, size_t bytes) { return gas_get_nb(dst, src, bytes); }
/** Begins fathom_copy().
 * @param dst the destination: a global address.
 * @param src the source: a global address.
 * @param bytes the number of bytes.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_copy_nb(fathom_ptr dst, fathom_ptr src, size_t bytes) {
    return gas_copy_nb(dst, src, bytes);
}
/** Begins fathom_fill().
 * @param dst the destination: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes the number of bytes.
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
 * @param n their number.
 * @return 1 or 0. */
static inline int fathom_test_all(fathom_op *ops, size_t n) { return gas_test_all(ops, n); }
/** Waits until all `n` are complete; all become ::FATHOM_DONE.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n their number. */
static inline void fathom_wait_all(fathom_op *ops, size_t n) { gas_wait_all(ops, n); }
/** Those of `n` that have completed become ::FATHOM_DONE. Never waits.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n their number.
 * @return the number that became so by this call. */
static inline size_t fathom_test_some(fathom_op *ops, size_t n) { return gas_test_some(ops, n); }
/** As fathom_test_some(), but waits until there is at least one.
 * @param[in,out] ops handles of this thread; some may be ::FATHOM_DONE.
 * @param n their number.
 * @return the number that became ::FATHOM_DONE by this call; 0 only if all had been before. */
static inline size_t fathom_wait_some(fathom_op *ops, size_t n) { return gas_wait_some(ops, n); }

/** @} */

/** @defgroup fathom_implicit Put and get, many at once
 * @brief Begin any number of transfers, then wait for all of them together.
 *
 * The same rules as with handles, until the call that completes them.
 *
 * @code
 * for (int t = 0; t < fathom_count(); t++) fathom_put_nbi(fathom_on(t, row) + offset, part[t], bytes);
 * fathom_quiet();            // all parts have arrived
 * @endcode
 * @{ */

/** Begins fathom_put(), to be completed by fathom_quiet(), fathom_quiet_puts() or the region's handle.
 * @param dst the destination: a global address.
 * @param src the source: private or near memory.
 * @param bytes the number of bytes. */
static inline void fathom_put_nbi(fathom_ptr dst, const void *src, size_t bytes) { gas_put_nbi(dst, src, bytes); }
/** Begins fathom_get(), to be completed by fathom_quiet(), fathom_quiet_gets() or the region's handle.
 * @param dst the destination: private or near memory.
 * @param src the source: a global address.
 * @param bytes the number of bytes. */
static inline void fathom_get_nbi(void *dst, fathom_ptr src, size_t bytes) { gas_get_nbi(dst, src, bytes); }
/** Begins fathom_copy(); counts as a put.
 * @param dst the destination: a global address.
 * @param src the source: a global address.
 * @param bytes the number of bytes. */
static inline void fathom_copy_nbi(fathom_ptr dst, fathom_ptr src, size_t bytes) { gas_copy_nbi(dst, src, bytes); }
/** Begins fathom_fill(); counts as a put.
 * @param dst the destination: a global address.
 * @param c the byte; its low 8 bits count.
 * @param bytes the number of bytes. */
static inline void fathom_fill_nbi(fathom_ptr dst, int c, size_t bytes) { gas_fill_nbi(dst, c, bytes); }
/** Begins fathom_put_value(). The value is copied.
 * @param dst,value,bytes as for fathom_put_value(). */
static inline void fathom_put_value_nbi(fathom_ptr dst, uint64_t value, size_t bytes) {
    gas_put_value_nbi(dst, value, bytes);
}
/** Waits for all of this thread's implicit puts and gets, other than those of regions. */
static inline void fathom_quiet(void) { gas_sync(); }
/** Waits for the implicit puts, copies and fills. */
static inline void fathom_quiet_puts(void) { gas_sync_puts(); }
/** Orders the blocking and implicit puts, copies and fills to each thread before those, the atomics and the signals
 * that this thread sends there afterwards, without completing them: it waits only for those that the conduit moves by
 * itself, without an order. */
static inline void fathom_order_puts(void) { gas_order_puts(); }
/** Waits for the implicit gets. */
static inline void fathom_quiet_gets(void) { gas_sync_gets(); }
/** Would fathom_quiet() return at once? 1 or 0. Never waits; serves messages.
 * @return 1 or 0. */
static inline int fathom_test_quiet(void) { return gas_test_implicit(); }
/** From here to fathom_region_end(), this thread's implicit operations belong to a handle of their own. Regions do not
 * nest. */
static inline void fathom_region_begin(void) { gas_region_begin(); }
/** Ends the region.
 * @return the handle of all operations that were begun in it. */
static inline fathom_op fathom_region_end(void) { return gas_region_end(); }

/** @} */

/** @defgroup fathom_signals Put with a signal
 * @brief Data and a notification in one operation: no round trip between the two.
 *
 * @code
 * // producer                                           // consumer
 * fathom_put_signal(fathom_on(t, data), block, bytes,   fathom_wait_signal(fathom_on(fathom_me(), counter), 1);
 *                   fathom_on(t, counter), 1);          use(fathom_address(fathom_on(fathom_me(), data)));
 * @endcode
 * @{ */

/** Puts `bytes`, then adds `add` to a 64-bit counter: a thread that sees the counter changed sees the data. Returns
 * when the source may change, which may be before the data have arrived: only the counter tells that.
 * @param dst,src,bytes as for fathom_put(). Of 0 bytes it is a signal alone: neither `dst` nor `src` is looked at.
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
/** Puts `bytes`, then writes `value` to a 64-bit word, otherwise as fathom_put_signal().
 * @param dst,src,bytes as for fathom_put().
 * @param word a uint64_t, aligned, on the thread of `dst`.
 * @param value its new value. */
static inline void fathom_put_signal_set(fathom_ptr dst, const void *src, size_t bytes, fathom_ptr word,
                                         uint64_t value) {
    gas_put_signal_set(dst, src, bytes, word, value);
}
/** Begins fathom_put_signal_set(); the source may change when the handle is complete.
 * @param dst,src,bytes,word,value as for fathom_put_signal_set().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_signal_set_nb(fathom_ptr dst, const void *src, size_t bytes, fathom_ptr word,
                                                 uint64_t value) {
    return gas_put_signal_set_nb(dst, src, bytes, word, value);
}
/** Waits until the counter is at least `at_least`, modulo 2^64. Serves messages; sleeps after a while.
 * @param counter of this thread.
 * @param at_least at most 2^63 - 1 ahead of the counter. */
static inline void fathom_wait_signal(fathom_ptr counter, uint64_t at_least) { gas_wait_counter(counter, at_least); }

/** @} */

/** @defgroup fathom_strides Strided and indexed
 * @brief Many pieces in one operation: sections of arrays of any dimension, lists of addresses.
 *
 * Strided: elements of `elem_bytes`, `count[0]` x ... x `count[dims - 1]` of them; element (i0, i1, ...) lies
 * i0 * stride[0] + i1 * stride[1] + ... bytes from the start, on either side with strides of its own. Strides may be
 * negative, and 0 on the source. No two elements of a destination may overlap. All remote elements are on one thread.
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
 * @param dst,src the address of element (0, 0, ...).
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
 * @param dst the addresses, of any alignment.
 * @param src the elements, in private or near memory.
 * @param elem_bytes size of each.
 * @param n their number. */
static inline void fathom_put_indexed(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n) {
    gas_put_indexed(dst, src, elem_bytes, n);
}
/** Gathers: `n` elements of `elem_bytes`, from `src[i]`, on any threads, to `dst[i]`. Complete when it returns.
 * @param dst the destinations, in private or near memory.
 * @param src the addresses, of any alignment.
 * @param elem_bytes size of each.
 * @param n their number. */
static inline void fathom_get_indexed(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n) {
    gas_get_indexed(dst, src, elem_bytes, n);
}
/** Begins fathom_put_indexed(). The lists may be changed at once, but not the elements to which they point.
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

/** A piece of private or near memory: members `at` and `bytes`. */
typedef struct gas_region fathom_piece;
/** A piece of any thread's memory: members `at` and `bytes`. */
typedef struct gas_remote_region fathom_remote_piece;

/** The bytes of one list of pieces to those of another, in order; the pieces may differ in length, and are on any threads.
 * Complete when it returns. No two destinations may overlap.
 * @param dst,ndst the destinations.
 * @param src,nsrc the sources; together as many bytes as the destinations. */
static inline void fathom_put_list(const fathom_remote_piece *dst, size_t ndst, const fathom_piece *src, size_t nsrc) {
    gas_put_list(dst, ndst, src, nsrc);
}
/** The same in the other direction.
 * @param dst,ndst,src,nsrc as for fathom_put_list(). */
static inline void fathom_get_list(const fathom_piece *dst, size_t ndst, const fathom_remote_piece *src, size_t nsrc) {
    gas_get_list(dst, ndst, src, nsrc);
}
/** Begins fathom_put_list(). The lists may be changed at once, but not the bytes to which they point.
 * @param dst,ndst,src,nsrc as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_put_list_nb(const fathom_remote_piece *dst, size_t ndst, const fathom_piece *src,
                                           size_t nsrc) {
    return gas_put_list_nb(dst, ndst, src, nsrc);
}
/** Begins fathom_get_list(). The lists may be changed at once.
 * @param dst,ndst,src,nsrc as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_get_list_nb(const fathom_piece *dst, size_t ndst, const fathom_remote_piece *src,
                                           size_t nsrc) {
    return gas_get_list_nb(dst, ndst, src, nsrc);
}

/** @} */

#ifdef __cplusplus
}
#endif

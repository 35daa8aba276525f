/* Split-C's library as explained programs call it (explain_split_c.h): each call does what the library's does, and is
 * counted for the processor of the global pointer, and timed. A file of its own, because programs without Split-C's library
 * have none of it.
 */
#define __SPLIT_C__ 1
#include "gas/gas_internal.h"

#include "lang/explain_trace.h"

/* split_c.c */
void fathom_split_barrier(void);
void fathom_split_all_store_sync(void);
void fathom_split_bulk_read(void *dst, fathom_ptr src, size_t n);
void fathom_split_bulk_write(fathom_ptr dst, const void *src, size_t n);
void fathom_split_bulk_get(void *dst, fathom_ptr src, size_t n);
void fathom_split_bulk_put(fathom_ptr dst, const void *src, size_t n);
void fathom_split_bulk_store(fathom_ptr dst, const void *src, size_t n);
void fathom_split_byte_write(fathom_ptr dst, int value);
fathom_ptr fathom_split_all_spread_malloc(long blocks, size_t bytes);
fathom_ptr fathom_split_spread_malloc(long blocks, size_t bytes);
int fathom_split_fetch_add(fathom_ptr p, int value);
int fathom_split_exchange(fathom_ptr p, int value);
int fathom_split_test_and_set(fathom_ptr p);
int fathom_split_cmp_and_swap(fathom_ptr p, int expected, int value);
void fathom_split_atomic(void (*function)(void), fathom_ptr p, long a, long b, long c, long d);

/* ---- far objects: the site has just been set --------------------------------------------------------------------- */

#ifdef FATHOM_CONDUIT_DISTRIBUTED
void fathom_explain_split_far_get(void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_split_far_put(fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_split_far_store(fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_far_memput(fathom_ptr dst, const void *src, unsigned long n);

#define FAR(where, ...)                                                                                                \
    struct fathom_span span = trace_far_begin();                                                                       \
    __VA_ARGS__;                                                                                                       \
    trace_far_end(&span, where)

void fathom_explain_split_far_get(void *dst, fathom_ptr src, unsigned long n) {
    FAR(src, fathom_split_far_get(dst, src, n));
}
void fathom_explain_split_far_put(fathom_ptr dst, const void *src, unsigned long n) {
    FAR(dst, fathom_split_far_put(dst, src, n));
}
void fathom_explain_split_far_store(fathom_ptr dst, const void *src, unsigned long n) {
    FAR(dst, fathom_split_far_store(dst, src, n));
}
void fathom_explain_far_memput(fathom_ptr dst, const void *src, unsigned long n) {
    FAR(dst, fathom_far_memput(dst, src, n));
}
#endif

/* ---- calls ------------------------------------------------------------------------------------------------------- */

#define BARRIER(...)                                                                                                   \
    struct fathom_span span = trace_barrier_begin(s);                                                                  \
    __VA_ARGS__;                                                                                                       \
    trace_barrier_end(&span)

void fathom_explain_split_barrier(struct fathom_site *s) { BARRIER(fathom_split_barrier()); }
void fathom_explain_split_all_store_sync(struct fathom_site *s) { BARRIER(fathom_split_all_store_sync()); }

#define TRANSFER(where, n, ...)                                                                                        \
    struct fathom_span span = trace_transfer_begin(s, where, n);                                                       \
    __VA_ARGS__;                                                                                                       \
    trace_transfer_end(&span, where)

void fathom_explain_split_bulk_read(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n) {
    TRANSFER(src, n, fathom_split_bulk_read(dst, src, n));
}
void fathom_explain_split_bulk_get(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n) {
    TRANSFER(src, n, fathom_split_bulk_get(dst, src, n));
}
void fathom_explain_split_bulk_write(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n) {
    TRANSFER(dst, n, fathom_split_bulk_write(dst, src, n));
}
void fathom_explain_split_bulk_put(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n) {
    TRANSFER(dst, n, fathom_split_bulk_put(dst, src, n));
}
void fathom_explain_split_bulk_store(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n) {
    TRANSFER(dst, n, fathom_split_bulk_store(dst, src, n));
}
void fathom_explain_split_byte_write(struct fathom_site *s, fathom_ptr dst, int value) {
    TRANSFER(dst, 1, fathom_split_byte_write(dst, value));
}

fathom_ptr fathom_explain_split_all_spread_malloc(struct fathom_site *s, long blocks, unsigned long bytes) {
    struct fathom_span span = fathom_explain_begin(s);
    fathom_ptr p = fathom_split_all_spread_malloc(blocks, bytes);
    fathom_explain_end(&span);
    trace_allocated(s, p, (uint64_t)blocks, bytes);
    return p;
}
fathom_ptr fathom_explain_split_spread_malloc(struct fathom_site *s, long blocks, unsigned long bytes) {
    struct fathom_span span = fathom_explain_begin(s);
    fathom_ptr p = fathom_split_spread_malloc(blocks, bytes);
    fathom_explain_end(&span);
    trace_allocated(s, p, (uint64_t)blocks, bytes);
    return p;
}

int fathom_explain_split_fetch_add(struct fathom_site *s, fathom_ptr p, int value) {
    TRANSFER(p, sizeof value, int before = fathom_split_fetch_add(p, value));
    return before;
}
int fathom_explain_split_exchange(struct fathom_site *s, fathom_ptr p, int value) {
    TRANSFER(p, sizeof value, int before = fathom_split_exchange(p, value));
    return before;
}
int fathom_explain_split_test_and_set(struct fathom_site *s, fathom_ptr p) {
    TRANSFER(p, sizeof(int), int before = fathom_split_test_and_set(p));
    return before;
}
int fathom_explain_split_cmp_and_swap(struct fathom_site *s, fathom_ptr p, int expected, int value) {
    TRANSFER(p, sizeof value, int before = fathom_split_cmp_and_swap(p, expected, value));
    return before;
}
/* What the function moves by itself is local to its processor. */
void fathom_explain_split_atomic(struct fathom_site *s, void (*function)(void), fathom_ptr p, long a, long b, long c,
                                 long d) {
    TRANSFER(p, 0, fathom_split_atomic(function, p, a, b, c, d));
}

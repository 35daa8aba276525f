/* What explained Split-C programs call instead of the library's functions, with the site as first argument (explain.h), and
 * instead of what the inline functions of split_c.h call for far objects; explain_split_c.c has them.
 */
#ifndef FATHOM_EXPLAIN_SPLIT_C_H
#define FATHOM_EXPLAIN_SPLIT_C_H

void fathom_explain_split_barrier(struct fathom_site *s);
void fathom_explain_split_all_store_sync(struct fathom_site *s);
void fathom_explain_split_bulk_read(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_split_bulk_get(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_split_bulk_write(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_split_bulk_put(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_split_bulk_store(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_split_byte_write(struct fathom_site *s, fathom_ptr dst, int value);
fathom_ptr fathom_explain_split_all_spread_malloc(struct fathom_site *s, long blocks, unsigned long bytes);
fathom_ptr fathom_explain_split_spread_malloc(struct fathom_site *s, long blocks, unsigned long bytes);
int fathom_explain_split_fetch_add(struct fathom_site *s, fathom_ptr p, int value);
int fathom_explain_split_exchange(struct fathom_site *s, fathom_ptr p, int value);
int fathom_explain_split_test_and_set(struct fathom_site *s, fathom_ptr p);
int fathom_explain_split_cmp_and_swap(struct fathom_site *s, fathom_ptr p, int expected, int value);
void fathom_explain_split_atomic(struct fathom_site *s, void (*function)(void), fathom_ptr p, long a, long b, long c,
                                 long d);

#endif

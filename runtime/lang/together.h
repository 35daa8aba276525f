/* Calls of upc_memget that are under way together, for generated code (plan/together.rs of crates/lower): the calls of a group begin
 * transfers, and what comes behind the group waits for all of them. The runtime's part is gas/together.c. Included by the prelude. */
#ifndef FATHOM_TOGETHER_H
#define FATHOM_TOGETHER_H

/* Variables that a group reads by their names; calls under way at once. */
enum { FATHOM_TOGETHER_NAMED = 16, FATHOM_TOGETHER_MOST = 64 };

struct fathom_extent {
    const volatile void *at;
    unsigned long n;
};

struct fathom_together {
    void *transfer; /* null: nothing is under way */
    unsigned names, count;
    struct fathom_extent named[FATHOM_TOGETHER_NAMED], into[FATHOM_TOGETHER_MOST];
};

/* Begins a transfer from far memory, or copies; waits for what is under way if the order could be told. */
void fathom_together_begin_get(struct fathom_together *t, void *dst, fathom_ptr src, unsigned long n);
/* These objects will be read: if one of them is being written, it waits. */
void fathom_together_read(struct fathom_together *t, const struct fathom_extent *read, unsigned count);
void fathom_together_wait(struct fathom_together *t);

FATHOM_INLINE void fathom_together_begin(struct fathom_together *t) {
    t->transfer = 0;
    t->names = t->count = 0;
}
/* The group reads this variable: it must not be under way. */
FATHOM_INLINE void fathom_together_named(struct fathom_together *t, const volatile void *at, unsigned long n) {
    t->named[t->names].at = at;
    t->named[t->names++].n = n;
}
FATHOM_INLINE struct fathom_extent fathom_shared_extent(fathom_ptr p, unsigned long n) {
    struct fathom_extent e = {0, 0};
    if (fathom_is_near(p)) {
        e.at = fathom_local(p);
        e.n = n;
    }
    return e;
}
FATHOM_INLINE void fathom_together_get(struct fathom_together *t, void *dst, fathom_pptr src, unsigned long n) {
    if (!t->transfer && fathom_is_near(src.addr))
        fathom_copy_near(dst, fathom_local(src.addr), n);
    else
        fathom_together_begin_get(t, dst, src.addr, n);
}
FATHOM_INLINE void fathom_together_end(struct fathom_together *t) {
    if (t->transfer) fathom_together_wait(t);
}

#endif

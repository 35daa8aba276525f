/* Copies between lists of memory regions: bupc_mem{cpy,put,get}_{vlist,ilist,fstrided,strided}, blocking and _async.
 *
 * All twelve are one copy between two `side`s, each a sequence of regions: the bytes of the source's regions, in order,
 * fill the destination's. What differs is how a side finds its next region and whether its addresses are shared. Where
 * both sides have the same strided shape, or lists of small regions of one length, gas has a call for it.
 */
#include "bupc_extensions.h"

#include "gas.h"

struct side {
    int is_shared;
    size_t regions, next;
    unsigned long at; /* of the current region: a fathom_ptr or a C address … */
    size_t left;      /* … and what is left of it */
    void (*find)(struct side *s, size_t i);

    const void *list;   /* vlist, ilist */
    size_t len;         /* ilist, strided: bytes of every region */
    unsigned long base; /* strided */
    const size_t *strides, *count;
    size_t levels;
};

static void find_vlist(struct side *s, size_t i) {
    if (s->is_shared) {
        const bupc_smemvec_t *v = s->list;
        s->at = v[i].addr.addr;
        s->left = v[i].len;
    } else {
        const bupc_pmemvec_t *v = s->list;
        s->at = (unsigned long)v[i].addr;
        s->left = v[i].len;
    }
}

static void find_ilist(struct side *s, size_t i) {
    if (s->is_shared)
        s->at = ((const fathom_pptr *)s->list)[i].addr;
    else
        s->at = (unsigned long)((void *const *)s->list)[i];
    s->left = s->len;
}

static void find_strided(struct side *s, size_t i) {
    s->at = s->base;
    s->left = s->len;
    for (size_t level = 0; level < s->levels; level++) {
        s->at += i % s->count[level] * s->strides[level];
        i /= s->count[level];
    }
}

static struct side vlist(int is_shared, size_t count, const void *list) {
    return (struct side){.is_shared = is_shared, .regions = count, .find = find_vlist, .list = list};
}

static struct side ilist(int is_shared, size_t count, const void *list, size_t len) {
    return (struct side){.is_shared = is_shared, .regions = count, .find = find_ilist, .list = list, .len = len};
}

/* `count` and `strides` have one entry a level; the region itself is not one. */
static struct side strided(int is_shared, unsigned long base, size_t len, const size_t *strides, const size_t *count,
                           size_t levels) {
    struct side s = {.is_shared = is_shared,
                     .regions = 1,
                     .find = find_strided,
                     .base = base,
                     .len = len,
                     .strides = strides,
                     .count = count,
                     .levels = levels};
    for (size_t i = 0; i < levels; i++) s.regions *= count[i];
    return s;
}

/* Makes the current region a non-empty one; 0 at the end. */
static int advance(struct side *s) {
    while (s->left == 0) {
        if (s->next == s->regions) return 0;
        s->find(s, s->next++);
    }
    return 1;
}

/* ---- one copy ---------------------------------------------------------------------------------------------------- */

/* Pieces that are not near wait here until there are many, and batches are under way at the same time. */
enum { BATCH = 256, UNDER_WAY = 16 };

struct copy {
    int is_put; /* else a get */
    size_t pieces, handles;
    struct gas_remote_region remote[BATCH];
    struct gas_region local[BATCH];
    bupc_handle_t handle[UNDER_WAY];
};

static void add_handle(struct copy *c, bupc_handle_t h) {
    if (h == BUPC_COMPLETE_HANDLE) return;
    if (c->handles == UNDER_WAY) {
        gas_wait_all(c->handle, UNDER_WAY);
        c->handles = 0;
    }
    c->handle[c->handles++] = h;
}

static void send_batch(struct copy *c) {
    if (c->pieces) {
        add_handle(c, c->is_put ? gas_put_list_nb(c->remote, c->pieces, c->local, c->pieces)
                                : gas_get_list_nb(c->local, c->pieces, c->remote, c->pieces));
        c->pieces = 0;
    }
}

static void copy_far(struct copy *c, int is_put, fathom_ptr remote, void *local, size_t n) {
    c->is_put = is_put;
    c->remote[c->pieces] = (struct gas_remote_region){remote, n};
    c->local[c->pieces++] = (struct gas_region){local, n};
    if (c->pieces == BATCH) send_batch(c);
}

/* Waits for all but one handle. */
static bupc_handle_t last_handle(struct copy *c) {
    if (c->handles == 0) return BUPC_COMPLETE_HANDLE;
    gas_wait_all(c->handle, c->handles - 1);
    return c->handle[c->handles - 1];
}

/* Near pieces are copied at once; of the others a handle may be left. */
static bupc_handle_t copy_sides(const char *function, struct side dst, struct side src) {
    struct copy c;
    c.pieces = c.handles = 0;
    for (;;) {
        int more = advance(&dst);
        if (more != advance(&src)) gas_fatal("%s: source and destination differ in size", function);
        if (!more) break;
        size_t n = dst.left < src.left ? dst.left : src.left;
        if (dst.is_shared && src.is_shared) {
            if (fathom_is_near(dst.at) && fathom_is_near(src.at))
                gas_copy(dst.at, src.at, n);
            else
                add_handle(&c, gas_copy_nb(dst.at, src.at, n));
        } else if (dst.is_shared) {
            if (fathom_is_near(dst.at))
                gas_put(dst.at, (const void *)src.at, n);
            else
                copy_far(&c, 1, dst.at, (void *)src.at, n);
        } else {
            if (fathom_is_near(src.at))
                gas_get((void *)dst.at, src.at, n);
            else
                copy_far(&c, 0, src.at, (void *)dst.at, n);
        }
        dst.at += n;
        dst.left -= n;
        src.at += n;
        src.left -= n;
    }
    send_batch(&c);
    return last_handle(&c);
}

/* Regions of one length on both sides, one side private: gas has mechanisms for elements up to this size, and calls
 * that take addresses without phases. */
enum { MOST_ELEMENT = 255, ELEMENTS = 1024 };

static bupc_handle_t copy_elements(int is_put, const fathom_pptr *shared, void *const *private, size_t bytes,
                                   size_t count) {
    fathom_ptr at[ELEMENTS];
    struct copy c;
    c.handles = 0;
    while (count) {
        size_t n = count < ELEMENTS ? count : ELEMENTS;
        for (size_t i = 0; i < n; i++) at[i] = shared[i].addr;
        add_handle(&c, is_put ? gas_put_indexed_nb(at, (const void *const *)private, bytes, n)
                              : gas_get_indexed_nb(private, at, bytes, n));
        shared += n;
        private += n;
        count -= n;
    }
    return last_handle(&c);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

bupc_handle_t bupc_memcpy_vlist_async(size_t dstcount, const bupc_smemvec_t *dst, size_t srccount,
                                      const bupc_smemvec_t *src) {
    return copy_sides("bupc_memcpy_vlist", vlist(1, dstcount, dst), vlist(1, srccount, src));
}

bupc_handle_t bupc_memput_vlist_async(size_t dstcount, const bupc_smemvec_t *dst, size_t srccount,
                                      const bupc_pmemvec_t *src) {
    return copy_sides("bupc_memput_vlist", vlist(1, dstcount, dst), vlist(0, srccount, src));
}

bupc_handle_t bupc_memget_vlist_async(size_t dstcount, const bupc_pmemvec_t *dst, size_t srccount,
                                      const bupc_smemvec_t *src) {
    return copy_sides("bupc_memget_vlist", vlist(0, dstcount, dst), vlist(1, srccount, src));
}

bupc_handle_t bupc_memcpy_ilist_async(size_t dstcount, const fathom_pptr *dst, size_t dstlen, size_t srccount,
                                      const fathom_pptr *src, size_t srclen) {
    return copy_sides("bupc_memcpy_ilist", ilist(1, dstcount, dst, dstlen), ilist(1, srccount, src, srclen));
}

bupc_handle_t bupc_memput_ilist_async(size_t dstcount, const fathom_pptr *dst, size_t dstlen, size_t srccount,
                                      const void *const *src, size_t srclen) {
    if (dstlen == srclen && dstcount == srccount && dstlen <= MOST_ELEMENT)
        return copy_elements(1, dst, (void *const *)src, dstlen, dstcount);
    return copy_sides("bupc_memput_ilist", ilist(1, dstcount, dst, dstlen), ilist(0, srccount, src, srclen));
}

bupc_handle_t bupc_memget_ilist_async(size_t dstcount, void *const *dst, size_t dstlen, size_t srccount,
                                      const fathom_pptr *src, size_t srclen) {
    if (dstlen == srclen && dstcount == srccount && dstlen <= MOST_ELEMENT)
        return copy_elements(0, src, dst, dstlen, dstcount);
    return copy_sides("bupc_memget_ilist", ilist(0, dstcount, dst, dstlen), ilist(1, srccount, src, srclen));
}

/* ---- strides ----------------------------------------------------------------------------------------------------- */

bupc_handle_t bupc_memcpy_fstrided_async(fathom_pptr dst, size_t dstlen, size_t dststride, size_t dstcount,
                                         fathom_pptr src, size_t srclen, size_t srcstride, size_t srccount) {
    return copy_sides("bupc_memcpy_fstrided", strided(1, dst.addr, dstlen, &dststride, &dstcount, 1),
                      strided(1, src.addr, srclen, &srcstride, &srccount, 1));
}

bupc_handle_t bupc_memput_fstrided_async(fathom_pptr dst, size_t dstlen, size_t dststride, size_t dstcount,
                                         const void *src, size_t srclen, size_t srcstride, size_t srccount) {
    if (dstlen == srclen && dstcount == srccount)
        return gas_put_strided_nb(dst.addr, (const ptrdiff_t *)&dststride, src, (const ptrdiff_t *)&srcstride, dstlen,
                                  &dstcount, 1);
    return copy_sides("bupc_memput_fstrided", strided(1, dst.addr, dstlen, &dststride, &dstcount, 1),
                      strided(0, (unsigned long)src, srclen, &srcstride, &srccount, 1));
}

bupc_handle_t bupc_memget_fstrided_async(void *dst, size_t dstlen, size_t dststride, size_t dstcount, fathom_pptr src,
                                         size_t srclen, size_t srcstride, size_t srccount) {
    if (dstlen == srclen && dstcount == srccount)
        return gas_get_strided_nb(dst, (const ptrdiff_t *)&dststride, src.addr, (const ptrdiff_t *)&srcstride, dstlen,
                                  &dstcount, 1);
    return copy_sides("bupc_memget_fstrided", strided(0, (unsigned long)dst, dstlen, &dststride, &dstcount, 1),
                      strided(1, src.addr, srclen, &srcstride, &srccount, 1));
}

/* count[0] is the length of a region; count[1 …] go with strides[0 …]. */
bupc_handle_t bupc_memcpy_strided_async(fathom_pptr dst, const size_t *dststrides, fathom_pptr src,
                                        const size_t *srcstrides, const size_t *count, size_t levels) {
    return copy_sides("bupc_memcpy_strided", strided(1, dst.addr, count[0], dststrides, count + 1, levels),
                      strided(1, src.addr, count[0], srcstrides, count + 1, levels));
}

bupc_handle_t bupc_memput_strided_async(fathom_pptr dst, const size_t *dststrides, const void *src,
                                        const size_t *srcstrides, const size_t *count, size_t levels) {
    return gas_put_strided_nb(dst.addr, (const ptrdiff_t *)dststrides, src, (const ptrdiff_t *)srcstrides, count[0],
                              count + 1, (int)levels);
}

bupc_handle_t bupc_memget_strided_async(void *dst, const size_t *dststrides, fathom_pptr src, const size_t *srcstrides,
                                        const size_t *count, size_t levels) {
    return gas_get_strided_nb(dst, (const ptrdiff_t *)dststrides, src.addr, (const ptrdiff_t *)srcstrides, count[0],
                              count + 1, (int)levels);
}

/* ---- blocking forms ---------------------------------------------------------------------------------------------- */

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                                          \
    void bupc_##NAME PARAMETERS {                                                                                      \
        bupc_handle_t handle = bupc_##NAME##_async ARGUMENTS;                                                          \
        gas_wait(&handle);                                                                                             \
    }

BLOCKING(memcpy_vlist, (size_t dn, const bupc_smemvec_t *d, size_t sn, const bupc_smemvec_t *s), (dn, d, sn, s))
BLOCKING(memput_vlist, (size_t dn, const bupc_smemvec_t *d, size_t sn, const bupc_pmemvec_t *s), (dn, d, sn, s))
BLOCKING(memget_vlist, (size_t dn, const bupc_pmemvec_t *d, size_t sn, const bupc_smemvec_t *s), (dn, d, sn, s))
BLOCKING(memcpy_ilist, (size_t dn, const fathom_pptr *d, size_t dl, size_t sn, const fathom_pptr *s, size_t sl),
         (dn, d, dl, sn, s, sl))
BLOCKING(memput_ilist, (size_t dn, const fathom_pptr *d, size_t dl, size_t sn, const void *const *s, size_t sl),
         (dn, d, dl, sn, s, sl))
BLOCKING(memget_ilist, (size_t dn, void *const *d, size_t dl, size_t sn, const fathom_pptr *s, size_t sl),
         (dn, d, dl, sn, s, sl))
BLOCKING(memcpy_fstrided,
         (fathom_pptr d, size_t dl, size_t dst, size_t dn, fathom_pptr s, size_t sl, size_t sst, size_t sn),
         (d, dl, dst, dn, s, sl, sst, sn))
BLOCKING(memput_fstrided,
         (fathom_pptr d, size_t dl, size_t dst, size_t dn, const void *s, size_t sl, size_t sst, size_t sn),
         (d, dl, dst, dn, s, sl, sst, sn))
BLOCKING(memget_fstrided, (void *d, size_t dl, size_t dst, size_t dn, fathom_pptr s, size_t sl, size_t sst, size_t sn),
         (d, dl, dst, dn, s, sl, sst, sn))
BLOCKING(memcpy_strided,
         (fathom_pptr d, const size_t *ds, fathom_pptr s, const size_t *ss, const size_t *n, size_t levels),
         (d, ds, s, ss, n, levels))
BLOCKING(memput_strided,
         (fathom_pptr d, const size_t *ds, const void *s, const size_t *ss, const size_t *n, size_t levels),
         (d, ds, s, ss, n, levels))
BLOCKING(memget_strided, (void *d, const size_t *ds, fathom_pptr s, const size_t *ss, const size_t *n, size_t levels),
         (d, ds, s, ss, n, levels))

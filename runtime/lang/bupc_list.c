/* Copies between lists of memory regions: bupc_mem{cpy,put,get}_{vlist,ilist,fstrided,strided}, blocking and _async.
 *
 * All twelve are one copy between two `side`s, each a sequence of regions: the bytes of the source's regions, in order,
 * fill the destination's. What differs is how a side finds its next region and whether its addresses are shared.
 */
#include "bupc_extensions.h"

#include "gas.h"

struct side {
    int is_shared;
    size_t regions, next;
    unsigned long at; /* of the current region: a fathom_ptr or a C address … */
    size_t left;      /* … and what is left of it */
    void (*find)(struct side *s, size_t i);

    const void *list;  /* vlist, ilist */
    size_t len;        /* ilist, strided: bytes of every region */
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
    struct side s = {.is_shared = is_shared, .regions = 1,      .find = find_strided, .base = base,
                     .len = len,             .strides = strides, .count = count,       .levels = levels};
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

static void copy_sides(const char *function, struct side dst, struct side src) {
    for (;;) {
        int more = advance(&dst);
        if (more != advance(&src)) gas_fatal("%s: source and destination differ in size", function);
        if (!more) return;
        size_t n = dst.left < src.left ? dst.left : src.left;
        if (dst.is_shared && src.is_shared)
            gas_copy(dst.at, src.at, n);
        else if (dst.is_shared)
            gas_put(dst.at, (const void *)src.at, n);
        else
            gas_get((void *)dst.at, src.at, n);
        dst.at += n;
        dst.left -= n;
        src.at += n;
        src.left -= n;
    }
}

/* ---- lists ----------------------------------------------------------------------------------------------------- */

void bupc_memcpy_vlist(size_t dstcount, const bupc_smemvec_t *dst, size_t srccount, const bupc_smemvec_t *src) {
    copy_sides("bupc_memcpy_vlist", vlist(1, dstcount, dst), vlist(1, srccount, src));
}

void bupc_memput_vlist(size_t dstcount, const bupc_smemvec_t *dst, size_t srccount, const bupc_pmemvec_t *src) {
    copy_sides("bupc_memput_vlist", vlist(1, dstcount, dst), vlist(0, srccount, src));
}

void bupc_memget_vlist(size_t dstcount, const bupc_pmemvec_t *dst, size_t srccount, const bupc_smemvec_t *src) {
    copy_sides("bupc_memget_vlist", vlist(0, dstcount, dst), vlist(1, srccount, src));
}

void bupc_memcpy_ilist(size_t dstcount, const fathom_pptr *dst, size_t dstlen, size_t srccount, const fathom_pptr *src,
                       size_t srclen) {
    copy_sides("bupc_memcpy_ilist", ilist(1, dstcount, dst, dstlen), ilist(1, srccount, src, srclen));
}

void bupc_memput_ilist(size_t dstcount, const fathom_pptr *dst, size_t dstlen, size_t srccount, const void *const *src,
                       size_t srclen) {
    copy_sides("bupc_memput_ilist", ilist(1, dstcount, dst, dstlen), ilist(0, srccount, src, srclen));
}

void bupc_memget_ilist(size_t dstcount, void *const *dst, size_t dstlen, size_t srccount, const fathom_pptr *src,
                       size_t srclen) {
    copy_sides("bupc_memget_ilist", ilist(0, dstcount, dst, dstlen), ilist(1, srccount, src, srclen));
}

/* ---- strides --------------------------------------------------------------------------------------------------- */

void bupc_memcpy_fstrided(fathom_pptr dst, size_t dstlen, size_t dststride, size_t dstcount, fathom_pptr src,
                          size_t srclen, size_t srcstride, size_t srccount) {
    copy_sides("bupc_memcpy_fstrided", strided(1, dst.addr, dstlen, &dststride, &dstcount, 1),
               strided(1, src.addr, srclen, &srcstride, &srccount, 1));
}

void bupc_memput_fstrided(fathom_pptr dst, size_t dstlen, size_t dststride, size_t dstcount, const void *src,
                          size_t srclen, size_t srcstride, size_t srccount) {
    copy_sides("bupc_memput_fstrided", strided(1, dst.addr, dstlen, &dststride, &dstcount, 1),
               strided(0, (unsigned long)src, srclen, &srcstride, &srccount, 1));
}

void bupc_memget_fstrided(void *dst, size_t dstlen, size_t dststride, size_t dstcount, fathom_pptr src, size_t srclen,
                          size_t srcstride, size_t srccount) {
    copy_sides("bupc_memget_fstrided", strided(0, (unsigned long)dst, dstlen, &dststride, &dstcount, 1),
               strided(1, src.addr, srclen, &srcstride, &srccount, 1));
}

/* count[0] is the length of a region; count[1 …] go with strides[0 …]. */
void bupc_memcpy_strided(fathom_pptr dst, const size_t *dststrides, fathom_pptr src, const size_t *srcstrides,
                         const size_t *count, size_t levels) {
    copy_sides("bupc_memcpy_strided", strided(1, dst.addr, count[0], dststrides, count + 1, levels),
               strided(1, src.addr, count[0], srcstrides, count + 1, levels));
}

void bupc_memput_strided(fathom_pptr dst, const size_t *dststrides, const void *src, const size_t *srcstrides,
                         const size_t *count, size_t levels) {
    copy_sides("bupc_memput_strided", strided(1, dst.addr, count[0], dststrides, count + 1, levels),
               strided(0, (unsigned long)src, count[0], srcstrides, count + 1, levels));
}

void bupc_memget_strided(void *dst, const size_t *dststrides, fathom_pptr src, const size_t *srcstrides,
                         const size_t *count, size_t levels) {
    copy_sides("bupc_memget_strided", strided(0, (unsigned long)dst, count[0], dststrides, count + 1, levels),
               strided(1, src.addr, count[0], srcstrides, count + 1, levels));
}

/* ---- asynchronous forms: complete when they return (see nb.c) --------------------------------------------------- */

#define ASYNC(NAME, PARAMETERS, ARGUMENTS)          \
    bupc_handle_t bupc_##NAME##_async PARAMETERS { \
        bupc_##NAME ARGUMENTS;                      \
        return BUPC_COMPLETE_HANDLE;                \
    }

ASYNC(memcpy_vlist, (size_t dn, const bupc_smemvec_t *d, size_t sn, const bupc_smemvec_t *s), (dn, d, sn, s))
ASYNC(memput_vlist, (size_t dn, const bupc_smemvec_t *d, size_t sn, const bupc_pmemvec_t *s), (dn, d, sn, s))
ASYNC(memget_vlist, (size_t dn, const bupc_pmemvec_t *d, size_t sn, const bupc_smemvec_t *s), (dn, d, sn, s))
ASYNC(memcpy_ilist, (size_t dn, const fathom_pptr *d, size_t dl, size_t sn, const fathom_pptr *s, size_t sl),
      (dn, d, dl, sn, s, sl))
ASYNC(memput_ilist, (size_t dn, const fathom_pptr *d, size_t dl, size_t sn, const void *const *s, size_t sl),
      (dn, d, dl, sn, s, sl))
ASYNC(memget_ilist, (size_t dn, void *const *d, size_t dl, size_t sn, const fathom_pptr *s, size_t sl),
      (dn, d, dl, sn, s, sl))
ASYNC(memcpy_fstrided,
      (fathom_pptr d, size_t dl, size_t dst, size_t dn, fathom_pptr s, size_t sl, size_t sst, size_t sn),
      (d, dl, dst, dn, s, sl, sst, sn))
ASYNC(memput_fstrided,
      (fathom_pptr d, size_t dl, size_t dst, size_t dn, const void *s, size_t sl, size_t sst, size_t sn),
      (d, dl, dst, dn, s, sl, sst, sn))
ASYNC(memget_fstrided, (void *d, size_t dl, size_t dst, size_t dn, fathom_pptr s, size_t sl, size_t sst, size_t sn),
      (d, dl, dst, dn, s, sl, sst, sn))
ASYNC(memcpy_strided, (fathom_pptr d, const size_t *ds, fathom_pptr s, const size_t *ss, const size_t *n, size_t levels),
      (d, ds, s, ss, n, levels))
ASYNC(memput_strided, (fathom_pptr d, const size_t *ds, const void *s, const size_t *ss, const size_t *n, size_t levels),
      (d, ds, s, ss, n, levels))
ASYNC(memget_strided, (void *d, const size_t *ds, fathom_pptr s, const size_t *ss, const size_t *n, size_t levels),
      (d, ds, s, ss, n, levels))

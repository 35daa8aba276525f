/* Mechanisms for strided copies; see strided_mechanisms.h. Each is the fastest somewhere: `fathom tune` measures which
 * and where. */
#include "gas/strided_mechanisms.h"

#include "core/core.h"
#include "core/tuning.h"
#include "gas/copy.h"
#include "gas/element.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* `vector` is a constant; `ahead`, too, where it is 0. */
GAS_ALWAYS_INLINE void rows(const struct gas_plane *p, char *dst, const char *src, size_t size, size_t vector,
                            size_t ahead) {
    gas_elements(gas_element_array(dst, p->dst0, p->dst1), gas_element_array(src, p->src0, p->src1), p->n0, p->n1, size,
                 vector, ahead);
}
GAS_ELEMENT_FOR_WIDE static void rows_wide(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    rows(p, dst, src, size, GAS_ELEMENT_WIDE, 0);
}
GAS_ELEMENT_FOR_WIDE static void rows_wide_ahead(const struct gas_plane *p, char *dst, const char *src, size_t size,
                                                 size_t ahead) {
    rows(p, dst, src, size, GAS_ELEMENT_WIDE, ahead);
}

static bool has_wide(size_t size) { return gas_element_may_be_wide(size) && gas_element_has_wide(); }

void gas_plane_loop(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    rows(p, dst, src, size, GAS_ELEMENT_NARROW, 0);
}

#ifdef __x86_64__
/* Elements of 64 or 128 bytes, `size` a constant, whose place is 16 bytes off a wide vector's alignment: a narrow
 * vector, wide ones that are aligned, and a narrow one. Wide stores from the start on would cross into a second cache
 * line, every store or every other one, and take twice as long there. Where elements follow one another, a narrow end
 * and the next narrow beginning are one wide store. */
GAS_ELEMENT_FOR_WIDE GAS_ALWAYS_INLINE void row_inside(char *dst, ptrdiff_t dst_stride, const char *src,
                                                       ptrdiff_t src_stride, size_t n, size_t size) {
    const size_t end = size - GAS_ELEMENT_NARROW;
    const bool is_packed = dst_stride == (ptrdiff_t)size;
    _mm_storeu_si128((__m128i *)(void *)dst, _mm_loadu_si128((const __m128i *)(const void *)src));
    for (;;) {
        for (size_t at = GAS_ELEMENT_NARROW; at < end; at += GAS_ELEMENT_WIDE)
            _mm256_storeu_si256((__m256i *)(void *)(dst + at),
                                _mm256_loadu_si256((const __m256i *)(const void *)(src + at)));
        __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(src + end));
        if (--n == 0) {
            _mm_storeu_si128((__m128i *)(void *)(dst + end), last);
            return;
        }
        src += src_stride;
        __m128i first = _mm_loadu_si128((const __m128i *)(const void *)src);
        if (is_packed) {
            _mm256_storeu_si256((__m256i *)(void *)(dst + end), _mm256_set_m128i(first, last));
            dst += size;
        } else {
            _mm_storeu_si128((__m128i *)(void *)(dst + end), last);
            dst += dst_stride;
            _mm_storeu_si128((__m128i *)(void *)dst, first);
        }
    }
}

GAS_ELEMENT_FOR_WIDE static void rows_inside(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    for (size_t row = 0; row < p->n1; row++, dst += p->dst1, src += p->src1) {
        if (size == 64 && p->dst0 == 64)
            row_inside(dst, 64, src, p->src0, p->n0, 64);
        else if (size == 64)
            row_inside(dst, p->dst0, src, p->src0, p->n0, 64);
        else
            row_inside(dst, p->dst0, src, p->src0, p->n0, 128);
    }
}
#else /* has_wide refuses this */
static void rows_inside(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    gas_plane_loop(p, dst, src, size);
}
#endif

enum core_mechanism gas_plane_wide(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    size_t strides = (size_t)p->dst0 | (size_t)p->dst1, at = (uintptr_t)dst | strides;
    bool is_off = size <= 128 && at % GAS_ELEMENT_WIDE == GAS_ELEMENT_NARROW;
    bool is_inside = (size == 64 || size == 128) && strides % GAS_ELEMENT_WIDE == 0 && p->n0 > 0;
    if (!has_wide(size) || (is_off && !is_inside)) {
        gas_plane_loop(p, dst, src, size);
        return CORE_LOOP;
    }
    (is_off ? rows_inside : rows_wide)(p, dst, src, size);
    return CORE_WIDE;
}

/* A prefetched line must still be in the cache when it is used: where a stride reaches few sets of the first cache, at
 * most as many lines as half of its ways stay there. Most caches have eight ways or more, with a page in each. */
static size_t ahead_by(const struct gas_plane *p, size_t size) {
    enum { HALF = 4 * 4096 };
    size_t dst = core_filled_by(size, gas_distance(p->dst0)), src = core_filled_by(size, gas_distance(p->src0));
    size_t most = HALF / (dst > src ? dst : src);
    return most > GAS_ELEMENT_AHEAD ? GAS_ELEMENT_AHEAD : most > 4 ? most : 4;
}

enum core_mechanism gas_plane_prefetch(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    size_t ahead = ahead_by(p, size);
    if (p->n0 <= ahead) return gas_plane_wide(p, dst, src, size);
    if (has_wide(size))
        rows_wide_ahead(p, dst, src, size, ahead);
    else
        rows(p, dst, src, size, GAS_ELEMENT_NARROW, ahead);
    return CORE_PREFETCH;
}

void gas_plane_library(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    gas_elements_library(gas_element_array(dst, p->dst0, p->dst1), gas_element_array(src, p->src0, p->src1), p->n0,
                         p->n1, size);
}

/* ---- past the caches --------------------------------------------------------------------------------------------- */

/* Gathered data goes through a buffer that stays in the first cache, and from there by whole lines. */
static void stream_gathered(char *dst, const char *src, ptrdiff_t stride, size_t n, size_t size) {
    _Alignas(64) char buffer[4096];
    size_t most = sizeof buffer / size;
    while (n) {
        size_t now = n < most ? n : most;
        /* Up to the end of a line of the destination, so that no line is written in two parts. */
        size_t over = ((uintptr_t)dst + now * size) % 64;
        if (now < n && over % size == 0 && now > over / size) now -= over / size;
        gas_plane_loop(&(struct gas_plane){.n0 = now, .n1 = 1, .dst0 = (ptrdiff_t)size, .src0 = stride}, buffer, src,
                       size);
        gas_copy_stream_part(dst, buffer, now * size);
        dst += now * size;
        src += (ptrdiff_t)now * stride;
        n -= now;
    }
}

bool gas_plane_stream(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    bool is_gathered = p->dst0 == (ptrdiff_t)size && size <= 1024;
    bool has_lines = size % 64 == 0 && (((uintptr_t)dst | (size_t)p->dst0 | (size_t)p->dst1) % 64) == 0;
    if (!core_can(CORE_STREAM) || (!is_gathered && !has_lines)) return false;
    for (size_t row = 0; row < p->n1; row++, dst += p->dst1, src += p->src1) {
        if (is_gathered && !has_lines) {
            stream_gathered(dst, src, p->src0, p->n0, size);
            continue;
        }
        char *to = dst;
        const char *from = src;
        for (size_t i = 0; i < p->n0; i++, to += p->dst0, from += p->src0) gas_copy_stream_part(to, from, size);
    }
    gas_copy_stream_end();
    return true;
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
#define FOR_VECTOR __attribute__((target("avx512f,avx512vl")))

/* Every second element: two vectors are loaded whole, except the end, beyond which there may be no memory to load. */
FOR_VECTOR static size_t gather_pairs8(char *dst, const char *src, size_t n) {
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    size_t i = 0;
    for (; i + 8 < n; i += 8, dst += 64, src += 128) {
        __m512i a = _mm512_loadu_si512(src), b = _mm512_loadu_si512(src + 64);
        _mm512_storeu_si512(dst, _mm512_permutex2var_epi64(a, even, b));
    }
    return i;
}
FOR_VECTOR static size_t gather_pairs4(char *dst, const char *src, size_t n) {
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    size_t i = 0;
    for (; i + 16 < n; i += 16, dst += 64, src += 128) {
        __m512i a = _mm512_loadu_si512(src), b = _mm512_loadu_si512(src + 64);
        _mm512_storeu_si512(dst, _mm512_permutex2var_epi32(a, even, b));
    }
    return i;
}

FOR_VECTOR static __m512i steps8(ptrdiff_t stride) {
    long long s = stride;
    return _mm512_set_epi64(7 * s, 6 * s, 5 * s, 4 * s, 3 * s, 2 * s, s, 0);
}

FOR_VECTOR static size_t gather8(char *dst, const char *src, ptrdiff_t stride, size_t n) {
    const __m512i at = steps8(stride);
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 64, src += 8 * stride)
        _mm512_storeu_si512(dst, _mm512_i64gather_epi64(at, src, 1));
    return i;
}
FOR_VECTOR static size_t gather4(char *dst, const char *src, ptrdiff_t stride, size_t n) {
    const __m512i at = steps8(stride);
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 32, src += 8 * stride)
        _mm256_storeu_si256((__m256i *)(void *)dst, _mm512_i64gather_epi32(at, src, 1));
    return i;
}
FOR_VECTOR static size_t scatter8(char *dst, const char *src, ptrdiff_t stride, size_t n) {
    const __m512i at = steps8(stride);
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 8 * stride, src += 64)
        _mm512_i64scatter_epi64(dst, at, _mm512_loadu_si512(src), 1);
    return i;
}
FOR_VECTOR static size_t scatter4(char *dst, const char *src, ptrdiff_t stride, size_t n) {
    const __m512i at = steps8(stride);
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 8 * stride, src += 32)
        _mm512_i64scatter_epi32(dst, at, _mm256_loadu_si256((const __m256i *)(const void *)src), 1);
    return i;
}

/* Writes every second element; the others are masked out and stay unchanged. */
FOR_VECTOR static size_t scatter_pairs8(char *dst, const char *src, size_t n) {
    const __m512i low = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0), high = _mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4);
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 128, src += 64) {
        __m512i a = _mm512_loadu_si512(src);
        _mm512_mask_storeu_epi64(dst, 0x55, _mm512_permutexvar_epi64(low, a));
        _mm512_mask_storeu_epi64(dst + 64, 0x55, _mm512_permutexvar_epi64(high, a));
    }
    return i;
}
FOR_VECTOR static size_t scatter_pairs4(char *dst, const char *src, size_t n) {
    const __m512i low = _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    size_t i = 0;
    for (; i + 16 <= n; i += 16, dst += 128, src += 64) {
        __m512i a = _mm512_loadu_si512(src);
        _mm512_mask_storeu_epi32(dst, 0x5555, _mm512_permutexvar_epi32(low, a));
        _mm512_mask_storeu_epi32(dst + 64, 0x5555, _mm512_permutexvar_epi32(high, a));
    }
    return i;
}

/* Fewer elements are hardly more than the remainder that a vector leaves. */
enum { VECTOR_FROM = 16 };

/* Do vectors pay? Between pairs and elements that are apart, vectors only cost. */
static bool suits_vectors(ptrdiff_t stride, size_t size) {
    size_t apart = stride < 0 ? -(size_t)stride : (size_t)stride;
    return stride == 2 * (ptrdiff_t)size || apart >= 4 * size;
}

/* Returns how many elements of a row are done. */
static size_t row_by_vectors(char *dst, ptrdiff_t dst_stride, const char *src, ptrdiff_t src_stride, size_t n,
                             size_t size) {
    if (dst_stride == (ptrdiff_t)size) {
        if (src_stride == 2 * dst_stride) return size == 8 ? gather_pairs8(dst, src, n) : gather_pairs4(dst, src, n);
        return size == 8 ? gather8(dst, src, src_stride, n) : gather4(dst, src, src_stride, n);
    }
    if (dst_stride == 2 * src_stride) return size == 8 ? scatter_pairs8(dst, src, n) : scatter_pairs4(dst, src, n);
    return size == 8 ? scatter8(dst, src, dst_stride, n) : scatter4(dst, src, dst_stride, n);
}

bool gas_plane_vector(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    ptrdiff_t packed = (ptrdiff_t)size;
    if ((size != 4 && size != 8) || (p->dst0 != packed && p->src0 != packed) || !core_can(CORE_VECTOR)) return false;
    if (p->n0 < VECTOR_FROM) return false;
    if (!suits_vectors(p->dst0 == packed ? p->src0 : p->dst0, size)) return false;
    struct gas_plane rest = {.n1 = 1, .dst0 = p->dst0, .src0 = p->src0};
    for (size_t row = 0; row < p->n1; row++, dst += p->dst1, src += p->src1) {
        size_t done = row_by_vectors(dst, p->dst0, src, p->src0, p->n0, size);
        rest.n0 = p->n0 - done;
        if (rest.n0) gas_plane_loop(&rest, dst + (ptrdiff_t)done * p->dst0, src + (ptrdiff_t)done * p->src0, size);
    }
    return true;
}

#else /* core_can refuses this */
bool gas_plane_vector(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    (void)p, (void)dst, (void)src, (void)size;
    return false;
}
#endif

/* ---- squares ----------------------------------------------------------------------------------------------------- */

/* A line of either side is used up before it must leave the cache, however badly the strides fit the caches: as many
 * rows as a line has elements, but not so few that the loops cost more than they save. */
void gas_plane_tiles(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    size_t edge = 64 / size;
    if (edge < 8) edge = 8;
    struct gas_plane tile = *p;
    for (size_t i1 = 0; i1 < p->n1; i1 += edge)
        for (size_t i0 = 0; i0 < p->n0; i0 += edge) {
            tile.n0 = p->n0 - i0 < edge ? p->n0 - i0 : edge;
            tile.n1 = p->n1 - i1 < edge ? p->n1 - i1 : edge;
            gas_plane_loop(&tile, dst + (ptrdiff_t)i0 * p->dst0 + (ptrdiff_t)i1 * p->dst1,
                           src + (ptrdiff_t)i0 * p->src0 + (ptrdiff_t)i1 * p->src1, size);
        }
}

/* Contiguous copies within reach that neither the code in place nor the C library alone makes; see lang/copy.h.
 *
 * The C library decides by the cache that the processor claims to have. In a virtual machine, or beside others on the
 * same die, a program cannot use all of that. The tuning table uses measured sizes.
 */
#include "gas/copy.h"

#include <string.h>

#include "core/core.h"
#include "core/tuning.h"

#ifdef __x86_64__
#include <immintrin.h>

static void copy_string(char *dst, const char *src, unsigned long n) {
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
}

/* A line of 64 bytes at a time, dst aligned to it: half a line written past the caches costs as much as several whole
 * ones. The loop for the processor's widest stores is chosen once. Sources far ahead are prefetched: the end of a page
 * stops the hardware's prefetcher. */
enum { LINE = 64, AHEAD = 1024 };

__attribute__((target("avx512f"))) static void lines_512(char *dst, const char *src, unsigned long lines) {
    for (; lines >= 4; lines -= 4, dst += 4 * LINE, src += 4 * LINE) {
        for (int k = 0; k < 4; k++) _mm_prefetch(src + AHEAD + k * LINE, _MM_HINT_NTA);
        __m512i a = _mm512_loadu_si512(src), b = _mm512_loadu_si512(src + LINE);
        __m512i c = _mm512_loadu_si512(src + 2 * LINE), d = _mm512_loadu_si512(src + 3 * LINE);
        _mm512_stream_si512((__m512i *)(void *)dst, a), _mm512_stream_si512((__m512i *)(void *)(dst + LINE), b);
        _mm512_stream_si512((__m512i *)(void *)(dst + 2 * LINE), c);
        _mm512_stream_si512((__m512i *)(void *)(dst + 3 * LINE), d);
    }
    for (; lines; lines--, dst += LINE, src += LINE)
        _mm512_stream_si512((__m512i *)(void *)dst, _mm512_loadu_si512(src));
}

__attribute__((target("avx"))) static void lines_256(char *dst, const char *src, unsigned long lines) {
    for (; lines; lines--, dst += LINE, src += LINE) {
        const __m256i *from = (const __m256i *)(const void *)src;
        __m256i *to = (__m256i *)(void *)dst;
        _mm_prefetch(src + AHEAD, _MM_HINT_NTA);
        __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1);
        _mm256_stream_si256(to, a), _mm256_stream_si256(to + 1, b);
    }
}

static void lines_128(char *dst, const char *src, unsigned long lines) {
    for (; lines; lines--, dst += LINE, src += LINE) {
        const __m128i *from = (const __m128i *)(const void *)src;
        __m128i *to = (__m128i *)(void *)dst;
        _mm_prefetch(src + AHEAD, _MM_HINT_NTA);
        __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
        __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
        _mm_stream_si128(to, a), _mm_stream_si128(to + 1, b), _mm_stream_si128(to + 2, c), _mm_stream_si128(to + 3, d);
    }
}

void gas_copy_stream_part(char *dst, const char *src, unsigned long n) {
    unsigned long head = -(uintptr_t)dst % LINE;
    if (head > n) head = n;
    memcpy(dst, src, head);
    dst += head, src += head, n -= head;
    unsigned long lines = n / LINE;
    if (__builtin_cpu_supports("avx512f"))
        lines_512(dst, src, lines);
    else if (__builtin_cpu_supports("avx"))
        lines_256(dst, src, lines);
    else
        lines_128(dst, src, lines);
    memcpy(dst + lines * LINE, src + lines * LINE, n % LINE);
}

/* Such stores are not ordered with others by themselves. */
void gas_copy_stream_end(void) { _mm_sfence(); }

#else /* core_can refuses this */

void gas_copy_stream_part(char *dst, const char *src, unsigned long n) { memcpy(dst, src, n); }
void gas_copy_stream_end(void) {}

#endif

void gas_copy_stream(char *dst, const char *src, unsigned long n) {
    gas_copy_stream_part(dst, src, n);
    gas_copy_stream_end();
}

void fathom_copy_long(void *dst, const void *src, unsigned long n) {
    if (n >= CORE_NO_SIZE) core_no_size(n);
    enum core_mechanism way = core_choose(&core_tuning.contiguous, n);
    switch (way) {
#ifdef __x86_64__
    case CORE_STRING: copy_string(dst, src, n); break;
    case CORE_STREAM: gas_copy_stream(dst, src, n); break;
#endif
    default: memcpy(dst, src, n); way = CORE_LIBRARY;
    }
    core_took(&core_tuning.contiguous, 0, 0, n, way);
}

/* Plain C between two processes that share memory: what the hardware gives to who writes it by hand. */
#include "plain.h"

#include <string.h>

#include "side.h"

static struct plain_lines *l;
static int me;
static uint32_t turn[2]; /* of the ping-pongs: where they stand */

void plain_start(struct plain_lines *lines, int process) {
    l = lines;
    me = process;
}

void plain_put8(char *dst, long n) {
    size_t size = side_opaque(8);
    for (long i = 0; i < n; i++) {
        uint64_t value = (uint64_t)i;
        memcpy(dst + side_word(i), &value, size);
        SIDE_KEEP();
    }
}

uint64_t plain_get8(const char *src, long n) {
    size_t size = side_opaque(8);
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value;
        memcpy(&value, src + side_word(i), size);
        SIDE_KEEP();
        sum += value;
    }
    return sum;
}

void plain_store8(char *dst, long n) {
    for (long i = 0; i < n; i++) {
        *(uint64_t *)(dst + side_word(i)) = (uint64_t)i;
        SIDE_KEEP();
    }
}

uint64_t plain_load8(const char *src, long n) {
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) {
        sum += *(const uint64_t *)(src + side_word(i));
        SIDE_KEEP();
    }
    return sum;
}

static void await(const uint32_t *at, uint32_t value) {
    while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != value) {}
}
static void set(uint32_t *at, uint32_t value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }

void plain_ping_one(long n) {
    uint32_t *line = l->line[0];
    for (long i = 0; i < n; i++, turn[0] += 2) {
        if (me) await(line, turn[0] + 1);
        set(line, turn[0] + 1 + (uint32_t)me);
        if (!me) await(line, turn[0] + 2);
    }
}

void plain_ping_two(long n) {
    uint32_t *mine = l->line[1 + me], *other = l->line[2 - me];
    for (long i = 0; i < n; i++) {
        turn[1]++;
        if (me) await(other, turn[1]);
        set(mine, turn[1]);
        if (!me) await(other, turn[1]);
    }
}

static void flags(uint32_t *mine, const uint32_t *other, uint32_t *phase, long n) {
    for (long i = 0; i < n; i++) {
        ++*phase;
        set(mine, *phase);
        while ((int32_t)(__atomic_load_n(other, __ATOMIC_ACQUIRE) - *phase) < 0) {}
    }
}
void plain_barrier(long n) {
    static uint32_t phase;
    flags(l->line[3 + me], l->line[4 - me], &phase, n);
}
void plain_barrier_one(long n) {
    static uint32_t phase;
    flags(&l->line[5][me], &l->line[5][!me], &phase, n);
}

uint64_t plain_add(uint64_t *word, long n) {
    uint64_t last = 0;
    for (long i = 0; i < n; i++) last = __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
    return last;
}

#define STRIDED(name, bytes)                                                                                           \
    void name(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t count) {                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            memcpy((char *)dst + (ptrdiff_t)i * dst_stride, (const char *)src + (ptrdiff_t)i * src_stride, bytes);     \
    }
#define INDEXED(name, bytes)                                                                                           \
    void name(void *const *dst, const void *const *src, size_t count) {                                                \
        for (size_t i = 0; i < count; i++) memcpy(dst[i], src[i], bytes);                                              \
    }
STRIDED(plain_strided8, 8)
STRIDED(plain_strided64, 64)
INDEXED(plain_indexed8, 8)
INDEXED(plain_indexed64, 64)

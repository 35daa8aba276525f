/* Patterns of the area transfers; see transfer.h. */
#define _GNU_SOURCE
#include "probe/transfer.h"

#include "lang/random.h"
#include <stdlib.h>
#include <string.h>

size_t words_of(const struct request *request, struct reply *reply) {
    long bytes = request_number(request, "bytes", 0);
    if (bytes >= WORD) return (size_t)bytes / WORD;
    reply_error(reply, "a block of %ld bytes has no word", bytes);
    return 0;
}

/* 0 for `w`, -1 for what is no pattern. */
static long pattern_of(const char *text) {
    char *end;
    if (strcmp(text, "w") == 0) return 0;
    long stride = strtol(text, &end, 10);
    return *end || end == text || stride < 1 || stride > 1 << 20 ? -1 : stride;
}

bool read_pattern(struct side *side, const struct request *request, struct reply *reply, const char *name,
                  size_t words) {
    const char *text = request_word(request, name, "1");
    long stride = pattern_of(text);
    if (stride < 0) {
        reply_error(reply, "`%s=%.40s` is not a pattern: 1, a stride in words, or w", name, text);
        return false;
    }
    *side = (struct side){.stride = (size_t)stride, .words = words, .bytes = words * WORD};
    if (stride > 1) side->bytes = ((words - 1) * (size_t)stride + 1) * WORD;
    return true;
}

bool make_list(struct side *side) {
    side->list = malloc(side->words * sizeof *side->list);
    if (!side->list) return false;
    size_t step = (side->stride ? side->stride : 1) * WORD;
    for (size_t i = 0; i < side->words; i++) side->list[i] = side->at + i * step;
    uint64_t state = 0;
    for (size_t i = side->words; !side->stride && i > 1; i--) {
        size_t j = fathom_random_below(&state, i);
        fathom_ptr other = side->list[i - 1];
        side->list[i - 1] = side->list[j];
        side->list[j] = other;
    }
    return true;
}

bool place(struct side *side) {
    side->at = gas_alloc(side->bytes + WORD);
    if (!side->at) return false;
    memset(fathom_local(side->at), 1, side->bytes);
    return true;
}

void give_back(struct side *side) {
    if (side->at) gas_free(side->at);
    free(side->list);
    *side = (struct side){0};
}

void transfer(const struct side *dst, size_t dst_first, const struct side *src, size_t src_first, size_t words) {
    if (!dst->stride || !src->stride) {
        gas_put_indexed(dst->list + dst_first, (const void *const *)(src->list + src_first), WORD, words);
        return;
    }
    fathom_ptr to = dst->at + dst_first * dst->stride * WORD;
    const void *from = fathom_local(src->at + src_first * src->stride * WORD);
    if (dst->stride == 1 && src->stride == 1) {
        gas_put(to, from, words * WORD);
        return;
    }
    ptrdiff_t dst_step = (ptrdiff_t)(dst->stride * WORD), src_step = (ptrdiff_t)(src->stride * WORD);
    gas_put_strided(to, &dst_step, from, &src_step, WORD, &words, 1);
}

bool place_of(struct side *side, int owner) {
    fathom_ptr mine = 0, told;
    if (gas_me() == owner && place(side)) mine = side->at;
    told = mine;
    gas_broadcast(gas_world(), &told, &mine, sizeof mine, owner, 0);
    side->at = told;
    return told != 0;
}

void read_words(const struct side *side) {
    if (side->list)
        for (size_t i = 0; i < side->words; i++) USED(*(const uint64_t *)fathom_local(side->list[i]));
    else
        for (size_t i = 0, step = side->stride * WORD; i < side->words; i++)
            USED(*(const uint64_t *)((const char *)fathom_local(side->at) + i * step));
}

/* Not memset, which changes its ways with the size. */
static void write_line_by_line(char *at, size_t bytes) {
    typedef uint64_t wide __attribute__((vector_size(16)));
    wide value = {1, 1};
    for (size_t i = 0; i + sizeof value <= bytes; i += sizeof value) {
        USED(at);
        memcpy(at + i, &value, sizeof value);
    }
    if (bytes % sizeof value) memcpy(at + bytes - WORD, &value, WORD);
}

void write_words(const struct side *side) {
    uint64_t value = 1;
    USED(value);
    if (side->list)
        for (size_t i = 0; i < side->words; i++) *(uint64_t *)fathom_local(side->list[i]) = value;
    else if (side->stride == 1)
        write_line_by_line(fathom_local(side->at), side->bytes);
    else
        for (size_t i = 0, step = side->stride * WORD; i < side->words; i++)
            *(uint64_t *)((char *)fathom_local(side->at) + i * step) = value;
}

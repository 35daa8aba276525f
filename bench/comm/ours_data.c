/* Puts and gets: 8 bytes at a time with a size that the compiler knows or not, and bulk. */
#include "ours.h"

static uint64_t sum, expected; /* of the last gets */
static size_t bulk;

void ours_words(const struct side_row *row) {
    (void)row;
    side_fill_words((uint64_t *)(ours_own + SIDE_AT_WORDS));
    sum = expected = 0;
}
int ours_words_check(void) { return gas_me() == 0 || side_check_words((uint64_t *)(ours_own + SIDE_AT_WORDS)); }
int ours_sum_check(void) { return sum == expected; }

void ours_put8(long n) {
    size_t size = side_opaque(8);
    fathom_ptr to = ours_base + SIDE_AT_WORDS;
    for (long i = 0; i < n; i++) {
        uint64_t value = (uint64_t)i;
        gas_put(to + side_word(i), &value, size);
        SIDE_KEEP();
    }
}
void c_put8(long n) { plain_put8(ours_far() + SIDE_AT_WORDS, n); }

void ours_put8_constant(long n) {
    fathom_ptr to = ours_base + SIDE_AT_WORDS;
    for (long i = 0; i < n; i++) {
        gas_put_value(to + side_word(i), (uint64_t)i, 8);
        SIDE_KEEP();
    }
}
void c_put8_constant(long n) { plain_store8(ours_far() + SIDE_AT_WORDS, n); }

void ours_get8(long n) {
    size_t size = side_opaque(8);
    fathom_ptr from = ours_base + SIDE_AT_WORDS;
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value;
        gas_get(&value, from + side_word(i), size);
        SIDE_KEEP();
        s += value;
    }
    sum += s;
    expected += side_sum_of_words(n);
}
void c_get8(long n) {
    sum += plain_get8(ours_far() + SIDE_AT_WORDS, n);
    expected += side_sum_of_words(n);
}

void ours_get8_constant(long n) {
    fathom_ptr from = ours_base + SIDE_AT_WORDS;
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        s += gas_get_value(from + side_word(i), 8);
        SIDE_KEEP();
    }
    sum += s;
    expected += side_sum_of_words(n);
}
void c_get8_constant(long n) {
    sum += plain_load8(ours_far() + SIDE_AT_WORDS, n);
    expected += side_sum_of_words(n);
}

/* ---- bulk ------------------------------------------------------------------------------------------------------ */

/* Both have the same data: what a transfer leaves is what it finds, and both directions are checked alike. */
void ours_bulk(const struct side_row *row) {
    static int filled;
    bulk = row->bytes;
    if (!filled && gas_me() == 0) side_fill_bulk(ours_private);
    if (!filled && gas_me() == 1) side_fill_bulk(ours_own + SIDE_AT_BULK);
    filled = 1;
}
int ours_bulk_check(void) { return side_check_bulk(gas_me() ? ours_own + SIDE_AT_BULK : ours_private, bulk); }

void ours_bulk_put(long n) {
    for (long i = 0; i < n; i++) gas_put(ours_base + SIDE_AT_BULK, ours_private, bulk);
}
void ours_bulk_get(long n) {
    for (long i = 0; i < n; i++) gas_get(ours_private, ours_base + SIDE_AT_BULK, bulk);
}
void c_bulk_put(long n) {
    char *to = ours_far() + SIDE_AT_BULK;
    for (long i = 0; i < n; i++) {
        memcpy(to, ours_private, bulk);
        SIDE_KEEP();
    }
}
void c_bulk_get(long n) {
    const char *from = ours_far() + SIDE_AT_BULK;
    for (long i = 0; i < n; i++) {
        memcpy(ours_private, from, bulk);
        SIDE_KEEP();
    }
}

/* SIDE_STREAM transfers, each to a place of its own, then all are complete. */
void ours_stream_put(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        gas_put_nbi(ours_base + SIDE_AT_BULK + k * bulk, ours_private + k * bulk, bulk);
        if (k == SIDE_STREAM - 1) gas_sync_puts();
    }
    gas_sync_puts();
}
void ours_stream_get(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        gas_get_nbi(ours_private + k * bulk, ours_base + SIDE_AT_BULK + k * bulk, bulk);
        if (k == SIDE_STREAM - 1) gas_sync_gets();
    }
    gas_sync_gets();
}

/* Strided and indexed transfers of pieces of 8 or 64 bytes: contiguous on this side, in every other place of the far
 * one, in order (strided) or shuffled (indexed). */
#include "ours.h"

static size_t piece, count;
static size_t place[SIDE_PIECES];
static void *local[SIDE_PIECES];
static fathom_ptr remote[SIDE_PIECES];
static void *far[SIDE_PIECES]; /* the same for plain C */

/* Who has the data before: this thread for a put, the other for a get. Who has them after is checked. */
static void set_up(const struct side_row *row, int put, int shuffled) {
    char *at = ours_own + SIDE_AT_PIECES;
    count = row->pieces;
    piece = row->bytes / count;
    side_shuffle(place, count);
    if (gas_me() == 0) {
        memset(ours_private, 0, row->bytes);
        if (put) side_fill_pieces(ours_private, NULL, count, piece);
    } else {
        memset(at, 0, 2 * row->bytes);
        if (!put) side_fill_pieces(at, shuffled ? place : NULL, count, 2 * piece);
    }
    for (size_t i = 0; i < count; i++) {
        size_t offset = SIDE_AT_PIECES + place[i] * 2 * piece;
        local[i] = ours_private + i * piece;
        remote[i] = ours_base + offset;
        far[i] = ours_far() ? ours_far() + offset : NULL;
    }
}
static int right(int put, int shuffled) {
    if (gas_me() == 0) return put || side_check_pieces(ours_private, NULL, count, piece);
    return !put || side_check_pieces(ours_own + SIDE_AT_PIECES, shuffled ? place : NULL, count, 2 * piece);
}

void ours_pieces(const struct side_row *row) { set_up(row, 1, 0); }
void ours_pieces_get(const struct side_row *row) { set_up(row, 0, 0); }
void ours_places(const struct side_row *row) { set_up(row, 1, 1); }
void ours_places_get(const struct side_row *row) { set_up(row, 0, 1); }
int ours_pieces_check(void) { return right(1, 0); }
int ours_pieces_get_check(void) { return right(0, 0); }
int ours_places_check(void) { return right(1, 1); }
int ours_places_get_check(void) { return right(0, 1); }

void ours_strided_put(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    for (long i = 0; i < n; i++)
        gas_put_strided(ours_base + SIDE_AT_PIECES, &far_stride, ours_private, &near_stride, piece, &count, 1);
}
void ours_strided_get(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    for (long i = 0; i < n; i++)
        gas_get_strided(ours_private, &near_stride, ours_base + SIDE_AT_PIECES, &far_stride, piece, &count, 1);
}
void ours_indexed_put(long n) {
    for (long i = 0; i < n; i++) gas_put_indexed(remote, (const void *const *)local, piece, count);
}
void ours_indexed_get(long n) {
    for (long i = 0; i < n; i++) gas_get_indexed(local, remote, piece, count);
}

void c_strided_put(long n) {
    ptrdiff_t stride = (ptrdiff_t)piece;
    char *to = ours_far() + SIDE_AT_PIECES;
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_strided8 : plain_strided64)(to, 2 * stride, ours_private, stride, count);
}
void c_strided_get(long n) {
    ptrdiff_t stride = (ptrdiff_t)piece;
    const char *from = ours_far() + SIDE_AT_PIECES;
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_strided8 : plain_strided64)(ours_private, stride, from, 2 * stride, count);
}
void c_indexed_put(long n) {
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_indexed8 : plain_indexed64)(far, (const void *const *)local, count);
}
void c_indexed_get(long n) {
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_indexed8 : plain_indexed64)(local, (const void *const *)far, count);
}

/* Strided and indexed transfers of SIDE_PIECES pieces of 8 or 64 bytes: contiguous on this side, in every other place
 * of the far one, in order (strided) or shuffled (indexed). */
#include "ours.h"

static size_t piece;
static size_t place[SIDE_PIECES];
static void *local[SIDE_PIECES];
static fathom_ptr remote[SIDE_PIECES];
static void *far[SIDE_PIECES]; /* the same for plain C */

/* `bytes` of all pieces together. Who has the data before: this thread for a put, the other for a get. Who has them after is checked. */
static void set_up(size_t all, int put, const size_t *places) {
    size_t bytes = piece = all / SIDE_PIECES;
    if (!place[0] && !place[1]) side_shuffle(place, SIDE_PIECES);
    char *at = ours_own + SIDE_AT_PIECES;
    if (gas_me() == 0) {
        memset(ours_private, 0, SIDE_PIECES * bytes);
        if (put) side_fill_pieces(ours_private, NULL, bytes, bytes);
    } else {
        memset(at, 0, SIDE_PIECES * 2 * bytes);
        if (!put) side_fill_pieces(at, places, 2 * bytes, bytes);
    }
    for (size_t i = 0; i < SIDE_PIECES; i++) {
        size_t offset = SIDE_AT_PIECES + place[i] * 2 * bytes;
        local[i] = ours_private + i * bytes;
        remote[i] = ours_base + offset;
        far[i] = ours_far() ? ours_far() + offset : NULL;
    }
}
static int right(int put, const size_t *places) {
    if (gas_me() == 0) return put || side_check_pieces(ours_private, NULL, piece, piece);
    return !put || side_check_pieces(ours_own + SIDE_AT_PIECES, places, 2 * piece, piece);
}

void ours_pieces(size_t bytes) { set_up(bytes, 1, NULL); }
void ours_pieces_get(size_t bytes) { set_up(bytes, 0, NULL); }
void ours_places(size_t bytes) { set_up(bytes, 1, place); }
void ours_places_get(size_t bytes) { set_up(bytes, 0, place); }
int ours_pieces_check(void) { return right(1, NULL); }
int ours_pieces_get_check(void) { return right(0, NULL); }
int ours_places_check(void) { return right(1, place); }
int ours_places_get_check(void) { return right(0, place); }

void ours_strided_put(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    size_t count = SIDE_PIECES;
    for (long i = 0; i < n; i++)
        gas_put_strided(ours_base + SIDE_AT_PIECES, &far_stride, ours_private, &near_stride, piece, &count, 1);
}
void ours_strided_get(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    size_t count = SIDE_PIECES;
    for (long i = 0; i < n; i++)
        gas_get_strided(ours_private, &near_stride, ours_base + SIDE_AT_PIECES, &far_stride, piece, &count, 1);
}
void ours_indexed_put(long n) {
    for (long i = 0; i < n; i++) gas_put_indexed(remote, (const void *const *)local, piece, SIDE_PIECES);
}
void ours_indexed_get(long n) {
    for (long i = 0; i < n; i++) gas_get_indexed(local, remote, piece, SIDE_PIECES);
}

void c_strided_put(long n) {
    ptrdiff_t stride = (ptrdiff_t)piece;
    char *to = ours_far() + SIDE_AT_PIECES;
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_strided8 : plain_strided64)(to, 2 * stride, ours_private, stride, SIDE_PIECES);
}
void c_strided_get(long n) {
    ptrdiff_t stride = (ptrdiff_t)piece;
    const char *from = ours_far() + SIDE_AT_PIECES;
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_strided8 : plain_strided64)(ours_private, stride, from, 2 * stride, SIDE_PIECES);
}
void c_indexed_put(long n) {
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_indexed8 : plain_indexed64)(far, (const void *const *)local, SIDE_PIECES);
}
void c_indexed_get(long n) {
    for (long i = 0; i < n; i++)
        (piece == 8 ? plain_indexed8 : plain_indexed64)(local, (const void *const *)far, SIDE_PIECES);
}

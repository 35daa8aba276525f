/* Strided puts and gets. To and from near memory they are one copy. Otherwise the elements travel packed in messages,
 * each with the description of the box that it fills (or, for a get, that the target must pack): the target does the
 * other half of the copy while the next message is on its way. Where the conduit moves data by itself, long runs of
 * contiguous bytes go that way instead.
 */
#include "gas/strided_copy.h"
#include "gas/transfer.h"

/* A message has room for 16 arguments: a get names the count and both strides of each dimension, beside four others. */
enum { MESSAGE_DIMS = 4, MESSAGE_ROWS = 32, MOST_BYTES = 32768 };
_Static_assert(4 + 3 * (int)MESSAGE_DIMS <= (int)GAS_MAX_ARGS, "a box is described in arguments");

/* A row, or some pieces of it, in a request: `at` is where it begins in the answer. */
struct row_part {
    uint64_t from;
    int64_t stride;
    uint64_t bytes, n, at;
};

/* Each holds one message at a time. While the program's message waits to be sent, handlers may run; they use the
 * other. */
static CONDUIT_LARGE char packed[MOST_BYTES], reply[MOST_BYTES];

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* (transfer or 0, destination, elem, (count, stride) of each dimension): copies the payload to `dst`. */
static struct gas_transfer *unpack(void *dst, const uint64_t *args, int nargs, const void *payload) {
    struct gas_box b = {.elem = args[2], .dims = (nargs - 3) / 2};
    for (int k = 0; k < b.dims; k++) {
        b.count[k] = args[3 + 2 * k];
        b.dst[k] = (ptrdiff_t)args[4 + 2 * k];
    }
    gas_box_packed(&b, b.src);
    gas_box_copy(&b, dst, payload);
    return (struct gas_transfer *)(uintptr_t)args[0];
}

static void on_put_box(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)bytes;
    if (unpack(fathom_local(args[1]), args, nargs, payload)) core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

static void on_got_box(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)bytes;
    unpack((void *)(uintptr_t)args[1], args, nargs, payload)->answers--;
}

/* (transfer, dst, elem, src, (count, dst stride, src stride) of each dimension) */
static void on_get_box(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    struct gas_box b = {.elem = args[2], .dims = (nargs - 4) / 3};
    uint64_t answer[3 + 2 * MESSAGE_DIMS] = {args[0], args[1], args[2]};
    for (int k = 0; k < b.dims; k++) {
        answer[3 + 2 * k] = b.count[k] = args[4 + 3 * k];
        answer[4 + 2 * k] = args[5 + 3 * k];
        b.src[k] = (ptrdiff_t)args[6 + 3 * k];
    }
    gas_box_packed(&b, b.dst);
    gas_box_copy(&b, reply, fathom_local(args[3]));
    core_reply(token, GAS_DATA_GOT_BOX, reply, gas_box_bytes(&b), answer, 3 + 2 * b.dims);
}

/* (transfer, dst), parts of rows: answers with all of them, as one piece of memory. */
static void on_get_rows(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    size_t end = 0;
    for (size_t done = 0; done < bytes; done += sizeof(struct row_part)) {
        struct row_part r;
        memcpy(&r, (const char *)payload + done, sizeof r);
        gas_row_copy(reply + r.at, (ptrdiff_t)r.bytes, fathom_local(r.from), (ptrdiff_t)r.stride, r.bytes, r.n);
        end = r.at + r.bytes * r.n;
    }
    core_reply(token, GAS_DATA_GOT, reply, end, args, 2);
}

void gas_strided_start(void) {
    core_service(GAS_DATA_PUT_BOX, on_put_box);
    core_service(GAS_DATA_GET_BOX, on_get_box);
    core_service(GAS_DATA_GET_ROWS, on_get_rows);
    core_handler(GAS_DATA_GOT_BOX, on_got_box);
}

/* ---- far --------------------------------------------------------------------------------------------------------- */

static void send_put(struct gas_transfer *t, const struct gas_box *b, fathom_ptr dst, const char *src) {
    struct gas_box copy;
    copy.elem = b->elem;
    copy.dims = b->dims;
    uint64_t args[3 + 2 * MESSAGE_DIMS] = {(uintptr_t)t, dst, b->elem};
    for (int k = 0; k < b->dims; k++) {
        args[3 + 2 * k] = copy.count[k] = b->count[k];
        args[4 + 2 * k] = (uint64_t)b->dst[k];
        copy.src[k] = b->src[k];
    }
    gas_box_packed(&copy, copy.dst);
    gas_box_copy(&copy, packed, src);
    if (t) t->answers++;
    core_request((int)fathom_thread_of(dst), GAS_DATA_PUT_BOX, packed, gas_box_bytes(b), args, 3 + 2 * b->dims);
}

static void send_get(struct gas_transfer *t, const struct gas_box *b, char *dst, fathom_ptr src) {
    uint64_t args[4 + 3 * MESSAGE_DIMS] = {(uintptr_t)t, (uintptr_t)dst, b->elem, src};
    for (int k = 0; k < b->dims; k++) {
        args[4 + 3 * k] = b->count[k];
        args[5 + 3 * k] = (uint64_t)b->dst[k];
        args[6 + 3 * k] = (uint64_t)b->src[k];
    }
    t->answers++;
    core_request((int)fathom_thread_of(src), GAS_DATA_GET_BOX, NULL, 0, args, 4 + 3 * b->dims);
}

/* Moves a box, one side of which is far, in parts: `inner` of its dimensions and up to `most` elements of the next make
 * one part; most 0: each element is a transfer of its own. Addresses are numbers here; is_put says which is the far
 * one. */
static void in_parts(struct gas_transfer *t, bool is_put, const struct gas_box *b, int inner, size_t most, uint64_t dst,
                     uint64_t src) {
    bool by_element = most == 0;
    if (by_element) most = 1;
    struct gas_box part;
    part.elem = b->elem;
    part.dims = inner;
    for (int k = 0; k < b->dims && k <= inner; k++) {
        part.count[k] = b->count[k];
        part.dst[k] = b->dst[k];
        part.src[k] = b->src[k];
    }
    size_t index[GAS_BOX_MAX_DIMS];
    for (int k = inner; k < b->dims; k++) index[k] = 0;
    for (bool last = false; !last;) {
        size_t step = 0;
        if (inner < b->dims) {
            step = b->count[inner] - index[inner];
            if (step > most) step = most;
            part.count[inner] = step;
            part.dims = inner + (step > 1);
        }
        /* Where the next part is, if any. */
        uint64_t next_dst = dst, next_src = src;
        int k = inner;
        for (; k < b->dims; k++, step = 1) {
            next_dst += (uint64_t)b->dst[k] * step;
            next_src += (uint64_t)b->src[k] * step;
            if ((index[k] += step) < b->count[k]) break;
            next_dst -= (uint64_t)b->dst[k] * b->count[k];
            next_src -= (uint64_t)b->src[k] * b->count[k];
            index[k] = 0;
        }
        last = k == b->dims;
        if (by_element && is_put)
            gas_transfer_put(t, dst, (const void *)src, b->elem);
        else if (by_element)
            gas_transfer_get(t, (void *)dst, src, b->elem);
        else if (is_put)
            send_put(last ? t : NULL, &part, dst, (const char *)src); /* the last one's answer is for all */
        else
            send_get(t, &part, (char *)dst, src);
        dst = next_dst;
        src = next_src;
    }
}

static void move_far(struct gas_transfer *t, bool is_put, const struct gas_box *b, uint64_t dst, uint64_t src) {
    size_t room = gas_transfer_piece();
    int thread = (int)fathom_thread_of(is_put ? dst : src);
    if (b->dims == 0 || gas_goes_each(is_put, thread, b->elem, room / 2)) {
        in_parts(t, is_put, b, 0, 0, dst, src);
        return;
    }
    gas_far_settle_thread(thread);
    int inner = 0;
    size_t bytes = b->elem;
    while (inner < b->dims && inner < MESSAGE_DIMS - 1 && bytes * b->count[inner] <= room) bytes *= b->count[inner++];
    in_parts(t, is_put, b, inner, room / bytes, dst, src);
}

static void ask_for_rows(struct gas_transfer *t, char *dst, const struct row_part *part, size_t count) {
    if (count == 0) return;
    t->answers++;
    uint64_t args[2] = {(uintptr_t)t, (uintptr_t)dst};
    core_request((int)fathom_thread_of(part->from), GAS_DATA_GET_ROWS, part, count * sizeof *part, args, 2);
}

void gas_transfer_get_rows(struct gas_transfer *t, char *dst, const struct gas_row *row, size_t count) {
    struct row_part part[MESSAGE_ROWS];
    size_t parts = 0, room = gas_transfer_piece(), asked = 0, at = 0; /* in `dst`: what has been asked for; the row */
    bool is_settled = false;
    for (size_t i = 0; i < count; at = gas_row_end(at, &row[i++])) {
        struct gas_row left = row[i];
        if (left.n == 0) continue;
        if (fathom_is_near(left.from)) {
            gas_row_copy(dst + at, (ptrdiff_t)left.bytes, fathom_local(left.from), left.stride, left.bytes, left.n);
            continue;
        }
        if (gas_goes_each(false, (int)fathom_thread_of(left.from), left.bytes, room / 2)) {
            /* An answer is one piece of memory, which must not reach over this row. */
            ask_for_rows(t, dst + asked, part, parts);
            parts = 0;
            for (size_t k = 0; k < left.n; k++)
                gas_transfer_get(t, dst + at + k * left.bytes, left.from + k * (uint64_t)left.stride, left.bytes);
            continue;
        }
        if (!is_settled) gas_far_settle_thread((int)fathom_thread_of(left.from));
        is_settled = true;
        for (size_t to = at; left.n > 0;) {
            if (parts == 0) asked = to;
            size_t n = to - asked < room ? (room - (to - asked)) / left.bytes : 0;
            if (n > left.n) n = left.n;
            if (n > 0) {
                part[parts++] = (struct row_part){left.from, left.stride, left.bytes, n, to - asked};
                to += n * left.bytes;
                left.from += n * (uint64_t)left.stride;
                left.n -= n;
            }
            if (left.n > 0 || parts == MESSAGE_ROWS) {
                ask_for_rows(t, dst + asked, part, parts);
                parts = 0;
            }
        }
    }
    ask_for_rows(t, dst + asked, part, parts);
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

/* Both sides near: done. */
static void copy_near(void *dst, const ptrdiff_t *dst_stride, const void *src, const ptrdiff_t *src_stride,
                      size_t elem_bytes, const size_t *count, int dims) {
    struct gas_box b;
    if (dims == 1 && elem_bytes)
        gas_row_copy(dst, *dst_stride, src, *src_stride, elem_bytes, *count);
    else if (gas_box_make(&b, elem_bytes, count, dst_stride, src_stride, dims))
        gas_box_copy(&b, dst, src);
}

void gas_put_strided(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src, const ptrdiff_t *src_stride,
                     size_t elem_bytes, const size_t *count, int dims) {
    if (fathom_is_near(dst)) {
        copy_near(fathom_local(dst), dst_stride, src, src_stride, elem_bytes, count, dims);
        return;
    }
    struct gas_box b;
    if (!gas_box_make(&b, elem_bytes, count, dst_stride, src_stride, dims)) return;
    CORE_GATE;
    struct gas_transfer t = {0};
    move_far(&t, true, &b, dst, (uintptr_t)src);
    gas_transfer_wait(&t);
}

void gas_get_strided(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src, const ptrdiff_t *src_stride,
                     size_t elem_bytes, const size_t *count, int dims) {
    if (fathom_is_near(src)) {
        copy_near(dst, dst_stride, fathom_local(src), src_stride, elem_bytes, count, dims);
        return;
    }
    struct gas_box b;
    if (!gas_box_make(&b, elem_bytes, count, dst_stride, src_stride, dims)) return;
    CORE_GATE;
    struct gas_transfer t = {0};
    move_far(&t, false, &b, (uintptr_t)dst, src);
    gas_transfer_wait(&t);
}

gas_handle gas_put_strided_nb(fathom_ptr dst, const ptrdiff_t *dst_stride, const void *src, const ptrdiff_t *src_stride,
                              size_t elem_bytes, const size_t *count, int dims) {
    struct gas_box b;
    if (fathom_is_near(dst)) {
        copy_near(fathom_local(dst), dst_stride, src, src_stride, elem_bytes, count, dims);
        return GAS_DONE;
    }
    if (!gas_box_make(&b, elem_bytes, count, dst_stride, src_stride, dims)) return GAS_DONE;
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_far(t, true, &b, dst, (uintptr_t)src);
    return gas_transfer_handle(t);
}

gas_handle gas_get_strided_nb(void *dst, const ptrdiff_t *dst_stride, fathom_ptr src, const ptrdiff_t *src_stride,
                              size_t elem_bytes, const size_t *count, int dims) {
    struct gas_box b;
    if (fathom_is_near(src)) {
        copy_near(dst, dst_stride, fathom_local(src), src_stride, elem_bytes, count, dims);
        return GAS_DONE;
    }
    if (!gas_box_make(&b, elem_bytes, count, dst_stride, src_stride, dims)) return GAS_DONE;
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_far(t, false, &b, (uintptr_t)dst, src);
    return gas_transfer_handle(t);
}

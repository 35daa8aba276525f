/* Kernels of the area communication: a block of bytes by each of the mechanisms that can move it. Every one is complete at its
 * destination before the next begins.
 *
 *     block_put | block_get   bytes=4096 way=whole|pieces|long|medium piece=4096 with=1
 *     scatter                 bytes=4096 element=8 stride=64 way=strided|elements|packed with=1
 *
 * `whole` is one put or get; `pieces` are under way together; `long` is a message that carries the block to its place, `medium`
 * messages whose handler copies it there: both are answered. A scatter puts contiguous elements to places `stride` bytes apart:
 * by one call, by a put each, or packed into messages whose handler takes them apart.
 */
#include "probe/communication.h"

#include <string.h>

/* Elements as large as this are copied whole. */
enum { MOST_ELEMENT = 4096 };

struct block {
    fathom_ptr far;
    char *own;
    size_t bytes, piece, element, stride, medium;
    int partner;
};

static int place_handler, fetch_handler, unpack_handler, taken_handler, filled_handler;
static uint64_t taken, filled; /* answers; bytes of gets that have come */
static uint64_t begun, wanted;

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static void on_taken(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    taken++;
}

/* args: the last of its block?; where to, if the message has not carried it there. */
static void on_place(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    if (nargs > 1) memcpy(fathom_local(args[1]), payload, bytes);
    if (args[0]) gas_reply_short(token, taken_handler, NULL, 0);
}

/* args: last?; place of the first element; bytes of an element; stride. */
static void on_unpack(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    char *to = fathom_local(args[1]);
    const char *from = payload;
    size_t element = args[2], stride = args[3];
    if (element == 8)
        for (; bytes >= 8; bytes -= 8, from += 8, to += stride) memcpy(to, from, 8);
    else
        for (; bytes >= element; bytes -= element, from += element, to += stride) memcpy(to, from, element);
    if (args[0]) gas_reply_short(token, taken_handler, NULL, 0);
}

/* args: where it is; how much of it; the receiver's place for it, in its segment or not; by a long message? */
static void on_fetch(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    const void *from = fathom_local(args[0]);
    if (args[3])
        gas_reply_long(token, filled_handler, args[2], from, args[1], args, 1);
    else
        gas_reply_medium(token, filled_handler, from, args[1], (uint64_t[]){args[0], args[2]}, 2);
}

static void on_filled(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token;
    if (nargs > 1) memcpy((void *)(uintptr_t)args[1], payload, bytes);
    filled += bytes;
}

void communication_register_blocks(void) {
    place_handler = gas_register(on_place);
    fetch_handler = gas_register(on_fetch);
    unpack_handler = gas_register(on_unpack);
    taken_handler = gas_register(on_taken);
    filled_handler = gas_register(on_filled);
}

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

static void put_whole(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        gas_put(b->far, b->own, b->bytes);
        USED(b->own);
    }
}

static void put_pieces(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < b->bytes; at += b->piece)
            gas_put_nbi(b->far + at, b->own + at, b->bytes - at < b->piece ? b->bytes - at : b->piece);
        gas_sync_puts();
    }
}

static void put_long(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        gas_request_long(b->partner, place_handler, b->far, b->own, b->bytes, &(uint64_t){1}, 1);
        together_wait(&taken, ++begun);
    }
}

static void put_medium(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < b->bytes; at += b->medium) {
            bool is_last = b->bytes - at <= b->medium;
            gas_request_medium(b->partner, place_handler, b->own + at, is_last ? b->bytes - at : b->medium,
                               (uint64_t[]){is_last, b->far + at}, 2);
        }
        together_wait(&taken, ++begun);
    }
}

static void get_whole(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        gas_get(b->own, b->far, b->bytes);
        USED(b->own);
    }
}

static void get_pieces(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < b->bytes; at += b->piece)
            gas_get_nbi(b->own + at, b->far + at, b->bytes - at < b->piece ? b->bytes - at : b->piece);
        gas_sync_gets();
    }
}

static void get_long(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        gas_request_short(b->partner, fetch_handler, (uint64_t[]){b->far, b->bytes, together_memory(gas_me()), 1}, 4);
        together_wait(&filled, wanted += b->bytes);
    }
}

static void get_medium(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < b->bytes; at += b->medium) {
            size_t bytes = b->bytes - at < b->medium ? b->bytes - at : b->medium;
            gas_request_short(b->partner, fetch_handler, (uint64_t[]){b->far + at, bytes, (uintptr_t)b->own + at, 0},
                              4);
        }
        together_wait(&filled, wanted += b->bytes);
    }
}

static void scatter_strided(void *argument, long n) {
    struct block *b = argument;
    size_t count = b->bytes / b->element;
    ptrdiff_t far_stride = (ptrdiff_t)b->stride, own_stride = (ptrdiff_t)b->element;
    for (long i = 0; i < n; i++) {
        gas_put_strided(b->far, &far_stride, b->own, &own_stride, b->element, &count, 1);
        USED(b->own);
    }
}

static void scatter_elements(void *argument, long n) {
    struct block *b = argument;
    for (long i = 0; i < n; i++) {
        fathom_ptr to = b->far;
        if (b->element == 8)
            for (size_t at = 0; at < b->bytes; at += 8, to += b->stride) gas_put_nbi(to, b->own + at, 8);
        else
            for (size_t at = 0; at < b->bytes; at += b->element, to += b->stride)
                gas_put_nbi(to, b->own + at, b->element);
        gas_sync_puts();
    }
}

/* The elements are contiguous on this side: packing them is what a medium message does anyway. */
static void scatter_packed(void *argument, long n) {
    struct block *b = argument;
    size_t whole = b->medium / b->element * b->element;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < b->bytes; at += whole) {
            bool is_last = b->bytes - at <= whole;
            fathom_ptr to = b->far + at / b->element * b->stride;
            gas_request_medium(b->partner, unpack_handler, b->own + at, is_last ? b->bytes - at : whole,
                               (uint64_t[]){is_last, to, b->element, b->stride}, 4);
        }
        together_wait(&taken, ++begun);
    }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

typedef void mechanism(void *argument, long n);

static void measure(const struct request *request, struct reply *reply, struct block *b, mechanism *body) {
    if (!communication_begin(request, reply, &b->partner)) return;
    b->far = together_memory(b->partner);
    b->own = together_private();
    b->medium = gas_max_medium();
    if (together_directs(NULL)) {
        sample(request, reply, body, NULL, b);
        together_end();
    }
}

static void block(const struct request *request, struct reply *reply, mechanism *const bodies[4]) {
    static const char *const ways[] = {"whole", "pieces", "long", "medium"};
    static struct block b;
    int way = argument_among(request, reply, "way", ways, 4);
    if (way < 0 || !argument_within(request, reply, "bytes", 4096, 1, (long)TOGETHER_BYTES, &b.bytes) ||
        !argument_within(request, reply, "piece", 4096, 1, (long)TOGETHER_BYTES, &b.piece))
        return;
    measure(request, reply, &b, bodies[way]);
}

void block_put_kernel(const struct request *request, struct reply *reply) {
    static mechanism *const bodies[] = {put_whole, put_pieces, put_long, put_medium};
    block(request, reply, bodies);
}

void block_get_kernel(const struct request *request, struct reply *reply) {
    static mechanism *const bodies[] = {get_whole, get_pieces, get_long, get_medium};
    block(request, reply, bodies);
}

void scatter_kernel(const struct request *request, struct reply *reply) {
    static const char *const ways[] = {"strided", "elements", "packed"};
    static mechanism *const bodies[] = {scatter_strided, scatter_elements, scatter_packed};
    static struct block b;
    int way = argument_among(request, reply, "way", ways, 3);
    if (way < 0 || !argument_within(request, reply, "element", 8, 1, MOST_ELEMENT, &b.element) ||
        !argument_within(request, reply, "bytes", 4096, (long)b.element, (long)TOGETHER_BYTES, &b.bytes))
        return;
    b.bytes -= b.bytes % b.element;
    long most = (long)(TOGETHER_BYTES / (b.bytes / b.element));
    if (!argument_within(request, reply, "stride", (long)b.element, (long)b.element, most, &b.stride)) return;
    if (b.element > gas_max_medium()) {
        reply_impossible(reply, REASON_SIZE, "messages here have at most %zu bytes", gas_max_medium());
        return;
    }
    measure(request, reply, &b, bodies[way]);
}

/* Indexed puts and gets, and lists of regions: many pieces, each with an address of its own on either side.
 *
 * Near pieces are copied at once. The others are gathered in a window, sorted by thread, and many of them travel in one
 * message, their addresses before their data; a get sends the addresses, and the local ones wait in a record for the
 * data to return.
 */
#define FATHOM_COPY_TELLS
#include <stdlib.h>

#include "core/tuning.h"
#include "gas/element.h"
#include "gas/lines.h"
#include "gas/sorted.h"
#include "gas/transfer.h"

enum { MOST_BYTES = 32768, WINDOW = 4096 };

/* ---- copies of elements of one size ------------------------------------------------------------------------------ */

GAS_ELEMENT_FOR_WIDE static void copy_list_wide(struct gas_element_list dst, struct gas_element_list src, size_t n,
                                                size_t size) {
    gas_elements(gas_element_listed(dst), gas_element_listed(src), n, 1, size, GAS_ELEMENT_WIDE, 0);
}

static void copy_list_loop(struct gas_element_list dst, struct gas_element_list src, size_t n, size_t size) {
    gas_elements(gas_element_listed(dst), gas_element_listed(src), n, 1, size, GAS_ELEMENT_NARROW, 0);
}
static void copy_list_library(struct gas_element_list dst, struct gas_element_list src, size_t n, size_t size) {
    gas_elements_library(gas_element_listed(dst), gas_element_listed(src), n, 1, size);
}
static void copy_list_prefetch(struct gas_element_list dst, struct gas_element_list src, size_t n, size_t size) {
    gas_elements(gas_element_listed(dst), gas_element_listed(src), n, 1, size, GAS_ELEMENT_NARROW, GAS_ELEMENT_AHEAD);
}
GAS_ELEMENT_FOR_WIDE static void copy_list_prefetch_wide(struct gas_element_list dst, struct gas_element_list src,
                                                         size_t n, size_t size) {
    gas_elements(gas_element_listed(dst), gas_element_listed(src), n, 1, size, GAS_ELEMENT_WIDE, GAS_ELEMENT_AHEAD);
}

/* Copies n elements from one side to the other. The size 0 does not occur. */
static void copy_list(bool is_put, struct gas_element_list dst, struct gas_element_list src, size_t n, size_t size) {
    if (n == 0) return;
    bool wide = gas_element_may_be_wide(size) && gas_element_has_wide();
    const struct core_ranges *by =
        (is_put ? core_tuning.put_indexed : core_tuning.get_indexed) + core_element_class(size);
    enum core_mechanism way = core_choose(by, n * size);
    if (way == CORE_LIBRARY) {
        copy_list_library(dst, src, n, size);
    } else if (way == CORE_PREFETCH && n > GAS_ELEMENT_AHEAD) {
        (wide ? copy_list_prefetch_wide : copy_list_prefetch)(dst, src, n, size);
    } else {
        way = wide && way != CORE_LOOP ? CORE_WIDE : CORE_LOOP;
        (way == CORE_WIDE ? copy_list_wide : copy_list_loop)(dst, src, n, size);
    }
    core_took(by, size, 0, n * size, way);
}
static void scatter(struct gas_element_list dst, const char *src, size_t n, size_t size) {
    struct gas_element_side from = gas_element_array(src, (ptrdiff_t)size, 0);
    gas_elements(gas_element_listed(dst), from, n, 1, size, GAS_ELEMENT_NARROW, 0);
}
static void gather(char *dst, struct gas_element_list src, size_t n, size_t size) {
    struct gas_element_side to = gas_element_array(dst, (ptrdiff_t)size, 0);
    gas_elements(to, gas_element_listed(src), n, 1, size, GAS_ELEMENT_NARROW, 0);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* The payload of a put, and of the request of a get: `count` addresses, then, if the lengths differ (elem is 0), as
 * many lengths of 4 bytes, then, 8-byte aligned, the data one after another. */
static size_t head_bytes(size_t count, size_t elem) { return count * 8 + (elem ? 0 : (count * 4 + 7) / 8 * 8); }

static uint32_t length_at(const char *lengths, size_t i) {
    uint32_t n;
    memcpy(&n, lengths + 4 * i, 4);
    return n;
}

/* Copies the data of count pieces, in order, to their addresses, or from them; `pack` returns the number of bytes. */
static void unpack(struct gas_element_list list, const char *lengths, size_t count, size_t elem, const char *data) {
    if (elem) {
        scatter(list, data, count, elem);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t n = length_at(lengths, i);
        fathom_copy_near(gas_element_entry(list, i), data, n);
        data += n;
    }
}

static size_t pack(char *data, struct gas_element_list list, const char *lengths, size_t count, size_t elem) {
    if (elem) {
        gather(data, list, count, elem);
        return count * elem;
    }
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = length_at(lengths, i);
        memcpy(data + sum, gas_element_entry(list, i), n);
        sum += n;
    }
    return sum;
}

/* Each holds one message at a time. While the program's message waits to be sent, handlers may run; they use the
 * other. */
static CONDUIT_LARGE _Alignas(8) char message[MOST_BYTES], reply[MOST_BYTES];

/* The places to which the data of a get go when they come. */
struct record {
    size_t count, elem;
    char *list[]; /* addresses; then the lengths */
};

/* (transfer or 0, count, elem) */
static void on_put_pieces(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)bytes;
    const char *p = payload;
    unpack(gas_element_words(p), p + args[1] * 8, args[1], args[2], p + head_bytes(args[1], args[2]));
    if (args[0]) core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

/* (transfer, count, elem, record) */
static void on_get_pieces(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)bytes;
    const char *p = payload;
    size_t n = pack(reply, gas_element_words(p), p + args[1] * 8, args[1], args[2]);
    core_reply(token, GAS_DATA_GOT_PIECES, reply, n, (uint64_t[]){args[0], args[3]}, 2);
}

static void on_got_pieces(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)bytes;
    struct record *r = (struct record *)(uintptr_t)args[1];
    unpack(gas_element_addresses(r->list), (const char *)(r->list + r->count), r->count, r->elem, payload);
    free(r);
    ((struct gas_transfer *)(uintptr_t)args[0])->answers--;
}

/* ---- the window -------------------------------------------------------------------------------------------------- */

/* Far pieces that wait to be sent: a chain for each thread, in the order in which they came. */
static CONDUIT_LARGE struct {
    struct gas_transfer *transfer;
    bool is_put;
    size_t elem; /* of all pieces; 0: they differ */
    int count, threads;
    struct chain {
        int first, last; /* number in `piece` + 1; 0: no chain */
    } * chains;          /* by thread */
    struct {
        fathom_ptr remote;
        char *local;
        uint32_t bytes;
        int next;
    } piece[WINDOW];
    int thread[WINDOW]; /* threads that have a chain */
} window;

void gas_pieces_start(void) {
    core_service(GAS_DATA_PUT_PIECES, on_put_pieces);
    core_service(GAS_DATA_GET_PIECES, on_get_pieces);
    core_handler(GAS_DATA_GOT_PIECES, on_got_pieces);
    window.chains = gas_far_table(sizeof *window.chains);
}

/* Sends the beginning of a chain, as much as fits; returns the rest. */
static int send_some(int thread, int chain) {
    size_t room = gas_transfer_piece(), elem = window.elem, count = 0, data = 0;
    int end = chain;
    for (; end; end = window.piece[end - 1].next) {
        size_t bytes = window.piece[end - 1].bytes;
        if (head_bytes(count + 1, elem) + data + bytes > room) break;
        count++;
        data += bytes;
    }
    size_t head = head_bytes(count, elem), k = 0;
    for (int i = chain; i != end; i = window.piece[i - 1].next, k++) {
        memcpy(message + 8 * k, &window.piece[i - 1].remote, 8);
        if (!elem) memcpy(message + 8 * count + 4 * k, &window.piece[i - 1].bytes, 4);
    }
    struct gas_transfer *t = window.transfer;
    if (window.is_put) {
        char *at = message + head;
        for (int i = chain; i != end; i = window.piece[i - 1].next) {
            memcpy(at, window.piece[i - 1].local, window.piece[i - 1].bytes);
            at += window.piece[i - 1].bytes;
        }
        if (end) t = NULL; /* the last one's answer is for all */
        if (t) t->answers++;
        core_request(thread, GAS_DATA_PUT_PIECES, message, head + data, (uint64_t[]){(uintptr_t)t, count, elem}, 3);
    } else {
        struct record *r = malloc(sizeof *r + head_bytes(count, elem));
        if (!r) core_fatal("no memory for the addresses of an indexed get");
        r->count = count;
        r->elem = elem;
        k = 0;
        for (int i = chain; i != end; i = window.piece[i - 1].next) r->list[k++] = window.piece[i - 1].local;
        if (!elem) memcpy(r->list + count, message + 8 * count, 4 * count);
        t->answers++;
        core_request(thread, GAS_DATA_GET_PIECES, message, head, (uint64_t[]){(uintptr_t)t, count, elem, (uintptr_t)r},
                     4);
    }
    return end;
}

static void send_window(void) {
    for (int i = 0; i < window.threads; i++) {
        int thread = window.thread[i];
        (window.is_put ? gas_far_settle_thread : gas_far_settle_reads)(thread);
        for (int chain = window.chains[thread].first; chain;) chain = send_some(thread, chain);
        window.chains[thread].first = 0;
    }
    window.count = window.threads = 0;
}

static void open_window(struct gas_transfer *t, bool is_put, size_t elem) {
    window.transfer = t;
    window.is_put = is_put;
    window.elem = elem;
}

/* A piece that is not near. */
static void add_piece(fathom_ptr remote, char *local, size_t n) {
    gas_far_check(remote);
    int thread = (int)fathom_thread_of(remote);
    if (gas_goes_each(window.is_put, thread, n, gas_transfer_piece() / 4)) {
        if (window.is_put)
            gas_transfer_put(window.transfer, remote, local, n);
        else
            gas_transfer_get(window.transfer, local, remote, n);
        return;
    }
    int i = ++window.count;
    struct chain *chain = &window.chains[thread];
    window.piece[i - 1].remote = remote;
    window.piece[i - 1].local = local;
    window.piece[i - 1].bytes = (uint32_t)n;
    window.piece[i - 1].next = 0;
    if (chain->first) {
        window.piece[chain->last - 1].next = i;
    } else {
        chain->first = i;
        window.thread[window.threads++] = thread;
    }
    chain->last = i;
    if (i == WINDOW) send_window();
}

void gas_pieces_add(struct gas_pieces *pieces, fathom_ptr from, char *to, size_t bytes) {
    if (pieces->count == pieces->room) {
        pieces->room = 2 * pieces->room + 64;
        pieces->list = gas_strip_sized(pieces->list, pieces->room * sizeof *pieces->list);
    }
    pieces->list[pieces->count++] = (struct gas_piece){from, to, bytes};
}

void gas_pieces_get(struct gas_transfer *t, const struct gas_piece *piece, size_t n) {
    open_window(t, false, 0);
    for (size_t i = 0; i < n; i++) add_piece(piece[i].from, piece[i].to, piece[i].bytes);
    send_window();
}

/* ---- indexed ----------------------------------------------------------------------------------------------------- */

/* Elements before `limit` from i on whose remote address is near, or is not. */
static size_t run_end(const fathom_ptr *remote, size_t i, size_t n, bool near) {
    while (i < n && (bool)fathom_is_near(remote[i]) == near) i++;
    return i;
}

/* True if all were near: then no transfer is under way. */
static bool all_near(const fathom_ptr *remote, size_t n) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    return run_end(remote, 0, n, true) == n;
#else
    (void)remote, (void)n;
    return true;
#endif
}

static void move_indexed(struct gas_transfer *t, bool is_put, const fathom_ptr *remote, const void *local, size_t elem,
                         size_t n) {
    if (!is_put) gas_lines_forget(); /* what is read behind it is not to be older */
    if (!is_put && n < UINT32_MAX && !gas_goes_each(false, -1, elem, gas_transfer_piece() / 4)) {
        gas_sorted_get(t, (struct gas_sorted_to){.list = local}, remote, elem, n);
        return;
    }
    struct gas_element_list list = gas_element_addresses(local);
    open_window(t, is_put, elem);
    for (size_t i = 0; i < n;) {
        size_t end = run_end(remote, i, n, true);
        struct gas_element_list there = gas_element_words(remote + i), here = gas_element_from(list, i);
        copy_list(is_put, is_put ? there : here, is_put ? here : there, end - i, elem);
        i = end;
        end = run_end(remote, i, n, false);
        for (; i < end; i++) add_piece(remote[i], gas_element_entry(list, i), elem);
    }
    send_window();
}

void gas_put_indexed(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n) {
    if (elem_bytes == 0) return;
    if (all_near(dst, n)) {
        copy_list(true, gas_element_words(dst), gas_element_addresses(src), n, elem_bytes);
        return;
    }
    CORE_GATE;
    struct gas_transfer t = {0};
    move_indexed(&t, true, dst, src, elem_bytes, n);
    gas_transfer_wait(&t);
}

void gas_get_indexed(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n) {
    if (elem_bytes == 0) return;
    if (all_near(src, n)) {
        copy_list(false, gas_element_addresses(dst), gas_element_words(src), n, elem_bytes);
        return;
    }
    CORE_GATE;
    struct gas_transfer t = {0};
    move_indexed(&t, false, src, dst, elem_bytes, n);
    gas_transfer_wait(&t);
}

gas_handle gas_put_indexed_nb(const fathom_ptr *dst, const void *const *src, size_t elem_bytes, size_t n) {
    if (elem_bytes == 0 || all_near(dst, n)) {
        gas_put_indexed(dst, src, elem_bytes, n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_indexed(t, true, dst, src, elem_bytes, n);
    return gas_transfer_handle(t);
}

gas_handle gas_get_indexed_nb(void *const *dst, const fathom_ptr *src, size_t elem_bytes, size_t n) {
    if (elem_bytes == 0 || all_near(src, n)) {
        gas_get_indexed(dst, src, elem_bytes, n);
        return GAS_DONE;
    }
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_indexed(t, false, src, dst, elem_bytes, n);
    return gas_transfer_handle(t);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* Cuts both lists where either has a boundary. */
static void move_list(struct gas_transfer *t, const char *function, bool is_put, const struct gas_remote_region *remote,
                      size_t nremote, const struct gas_region *local, size_t nlocal) {
    if (!is_put) gas_lines_forget();
    open_window(t, is_put, 0);
    size_t r = 0, l = 0, r_at = 0, l_at = 0;
    for (;;) {
        while (r < nremote && r_at == remote[r].bytes) r++, r_at = 0;
        while (l < nlocal && l_at == local[l].bytes) l++, l_at = 0;
        if (r == nremote || l == nlocal) break;
        size_t n = remote[r].bytes - r_at, left = local[l].bytes - l_at;
        if (n > left) n = left;
        fathom_ptr there = remote[r].at + r_at;
        char *here = (char *)local[l].at + l_at;
        if (!fathom_is_near(there))
            add_piece(there, here, n);
        else if (is_put)
            fathom_copy_near(fathom_local(there), here, n);
        else
            fathom_copy_near(here, fathom_local(there), n);
        r_at += n;
        l_at += n;
    }
    send_window();
    if (r != nremote || l != nlocal) core_fatal("%s: the lists differ in size", function);
}

void gas_put_list(const struct gas_remote_region *dst, size_t ndst, const struct gas_region *src, size_t nsrc) {
    CORE_GATE;
    struct gas_transfer t = {0};
    move_list(&t, "gas_put_list", true, dst, ndst, src, nsrc);
    gas_transfer_wait(&t);
}

void gas_get_list(const struct gas_region *dst, size_t ndst, const struct gas_remote_region *src, size_t nsrc) {
    CORE_GATE;
    struct gas_transfer t = {0};
    move_list(&t, "gas_get_list", false, src, nsrc, dst, ndst);
    gas_transfer_wait(&t);
}

gas_handle gas_put_list_nb(const struct gas_remote_region *dst, size_t ndst, const struct gas_region *src,
                           size_t nsrc) {
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_list(t, "gas_put_list_nb", true, dst, ndst, src, nsrc);
    return gas_transfer_handle(t);
}

gas_handle gas_get_list_nb(const struct gas_region *dst, size_t ndst, const struct gas_remote_region *src,
                           size_t nsrc) {
    CORE_GATE;
    struct gas_transfer *t = gas_transfer_new();
    move_list(t, "gas_get_list_nb", false, src, nsrc, dst, ndst);
    return gas_transfer_handle(t);
}

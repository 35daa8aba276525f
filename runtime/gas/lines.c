/* Lines of far memory; see lines.h.
 *
 * The table is direct-mapped: an address has one place in it. A line is valid if it has the address and was fetched in the
 * epoch of now, since the progress thread looked last.
 *
 * A line travels by message, as single words do on a conduit that does not copy them whole: the target reads it word by
 * word, so that no aligned object of up to 8 bytes is seen half written; and it is behind all puts that went by message.
 *
 * A relaxed read may return the same value until the next fence, but programs wait in loops of such reads. So a line is
 * fetched again when it has served so many reads, and much earlier if they are reads of the same object.
 */
#include "gas/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gas/foreseen.h"
#include "gas/check.h"
#include "gas/transfer.h"

enum { BYTES = 512, LINES = 256 };
/* Reads that a line serves; one of the same object as the read before counts as so many that SPIN are enough. */
enum { SERVES = 4096, SPIN = 64 };
/* Where most lines serve nothing but the read that they were fetched for, single objects are read for a while. */
enum { ENOUGH = 64, RESTS = 2000 };

struct line {
    fathom_ptr at;
    uint64_t epoch, age;
    unsigned last; /* the place in the line of the object that was read last */
    unsigned served;
    const void *by; /* with FATHOM_COMM_CHECK: the access that fetched it */
};

bool gas_lines_are_on;
uint64_t gas_lines_epoch = 1, gas_lines_filled;
unsigned long gas_lines_fetched;
static uint64_t looks; /* of the progress thread */
static struct line *lines;
static char *data;
static unsigned shift; /* log2 of the bytes of a line */
static bool may_rest;
static unsigned fetched, vain, rests;

static inline size_t width(void) { return (size_t)1 << shift; }
/* Arrays have elements at the same offset on all threads. */
static inline size_t place_of(fathom_ptr at) {
    return (size_t)((at >> shift) + (unsigned long)fathom_thread_of(at) * 37) % LINES;
}

/* ---- at the target ----------------------------------------------------------------------------------------------- */

static void on_get_line(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    uint64_t copy[GAS_LINES_WIDEST / 8];
    const char *src = fathom_local(args[2]);
    size_t n = args[3];
    for (size_t i = 0; i < n / 8; i++) gas_load_shared(&copy[i], src + 8 * i, 8);
    core_reply(token, GAS_DATA_GOT, copy, n, args, 2);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Is it better not to fetch a line? */
static bool is_resting(const struct line *l) {
    if (!may_rest) return false;
    if (rests) {
        rests--;
        return true;
    }
    if (l->at && !l->served) vain++;
    if (++fetched == ENOUGH) {
        if (vain > ENOUGH * 7 / 8) rests = RESTS;
        fetched = vain = 0;
    }
    return false;
}

static __attribute__((noinline)) bool fetch(struct line *l, fathom_ptr at, char *to) {
    if (core_in_handler() || fathom_offset_of(at) + width() > core_memory.segment_bytes || is_resting(l)) return false;
    l->at = 0;
    /* This thread's writes to any of its bytes come first: those would be read here when they are long at their place. */
    gas_far_settle(at, width());
    uint64_t epoch = gas_lines_epoch, age = __atomic_load_n(&looks, __ATOMIC_RELAXED);
    struct gas_transfer t = {.answers = 1};
    core_request((int)fathom_thread_of(at), GAS_DATA_GET_LINE, NULL, 0,
                 (uint64_t[]){(uintptr_t)&t, (uintptr_t)to, at, width()}, 4);
    gas_transfer_wait(&t);
    gas_lines_fetched++;
    *l = (struct line){.at = at, .epoch = epoch, .age = age, .last = ~0u};
    gas_lines_filled = epoch;
    core_is_holding = true;
    return true;
}

/* n bytes of one line. */
static inline bool read_part(char *dst, fathom_ptr src, size_t n) {
    fathom_ptr at = src & -(fathom_ptr)width();
    size_t place = place_of(at);
    unsigned skip = (unsigned)(src - at);
    struct line *l = &lines[place];
    char *from = data + (place << shift);
    bool is_here = l->at == at && l->epoch == gas_lines_epoch && l->age == __atomic_load_n(&looks, __ATOMIC_RELAXED);
    if (__builtin_expect(is_here, 1)) {
        l->served += l->last == skip ? SERVES / SPIN : 1;
        is_here = l->served < SERVES;
    }
    if (!is_here && !fetch(l, at, from)) return false;
    l->last = skip;
    if (n == 8)
        memcpy(dst, from + skip, 8);
    else if (n == 4)
        memcpy(dst, from + skip, 4);
    else
        memcpy(dst, from + skip, n);
    return true;
}

bool gas_lines_read(void *dst, fathom_ptr src, size_t n) {
    /* Lines are read by words: a pointer of two of them would be seen in halves. */
    if (n == 0 || n > GAS_LINES_MOST || n > width() || (n == 16 && src % 16 == 0)) return false;
    gas_far_check(src);
    size_t here = width() - (src & (width() - 1));
    if (__builtin_expect(n <= here, 1)) return read_part(dst, src, n);
    return read_part(dst, src, here) && read_part((char *)dst + here, src + here, n - here);
}

/* The place behind a call, in words for a message. */
static void placed(char *text, size_t room, const void *pc) {
    const char *where = core_where((char *)pc - 1, false);
    snprintf(text, room, "an access%s", *where ? where : " somewhere");
}

void gas_lines_check(const void *dst, fathom_ptr src, size_t n, const void *pc) {
    fathom_ptr at = src & -(fathom_ptr)width();
    struct line *l = &lines[place_of(at)];
    if (l->at != at) return;
    if (!l->by) l->by = pc; /* the first access behind the fetch */
    const void *by = l->by;
    if (gas_check_same(dst, src, n) || !gas_check_is_new((uintptr_t)by, (uintptr_t)pc)) return;
    char fetched[600], used[600];
    placed(fetched, sizeof fetched, by);
    placed(used, sizeof used, pc);
    gas_check_differs(src, n, fetched, used);
}

/* ---- this thread's writes ---------------------------------------------------------------------------------------- */

void gas_lines_change(fathom_ptr p, const void *src, size_t n) {
    gas_foreseen_change(p, n);
    gas_lines_void(p, src, n);
}

void gas_lines_void(fathom_ptr p, const void *src, size_t n) {
    if (!gas_lines_are_on) return;
    if (n > (size_t)LINES << shift) {
        gas_lines_forget();
        return;
    }
    const char *from = src;
    for (size_t part; n; n -= part, p += part, from = from ? from + part : NULL) {
        fathom_ptr at = p & -(fathom_ptr)width();
        part = width() - (p - at);
        if (part > n) part = n;
        size_t place = place_of(at);
        if (lines[place].at != at) continue;
        if (from && n <= GAS_LINES_MOST)
            memcpy(data + (place << shift) + (p - at), from, part);
        else
            lines[place].at = 0;
    }
}

void gas_lines_forget_beside(void) {
    if (may_rest) __atomic_store_n(&looks, looks + 1, __ATOMIC_RELAXED);
}

void gas_lines_start(size_t bytes) {
    may_rest = bytes == 0; /* who says how large they are to be wants them, and all rules to be seen */
    if (bytes == 0) bytes = BYTES;
    while (bytes > conduit_max_medium()) bytes /= 2;
    shift = (unsigned)__builtin_ctzl(bytes);
    lines = calloc(LINES, sizeof *lines);
    data = aligned_alloc(64, (size_t)LINES << shift);
    if (!lines || !data) core_fatal("no memory for lines of %zu bytes", bytes);
    core_service(GAS_DATA_GET_LINE, on_get_line);
    gas_lines_are_on = true;
}

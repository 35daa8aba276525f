/* See check.h. */
#include "gas/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gas/lines.h"
#include "lang/strip.h"

enum { PAIRS = 256 };

bool gas_check_is_on;
static bool stops;
static CONDUIT_LARGE struct { uintptr_t fetched, used; } pairs[PAIRS];
static int reported;

void gas_check_start(void) {
    struct core_comm wanted = core_comm_wanted();
    gas_check_is_on = wanted.check;
    stops = wanted.check_stops;
}

bool gas_check_same(const void *value, fathom_ptr p, size_t n) {
    if ((unsigned long)fathom_thread_of(p) >= (unsigned long)fathom_threads ||
        fathom_offset_of(p) + n > core_memory.segment_bytes)
        return true;
    if (fathom_is_near(p)) return memcmp(value, fathom_local(p), n) == 0;
    char small[64], *now = n <= sizeof small ? small : malloc(n);
    if (!now) core_fatal("no memory for %zu bytes to compare (FATHOM_COMM_CHECK)", n);
    /* Waiting for them makes lines void, which without the comparison would still be used. */
    uint64_t epoch = gas_lines_epoch;
    bool is_holding = core_is_holding;
    gas_get(now, p, n);
    gas_lines_epoch = epoch;
    core_is_holding |= is_holding;
    bool same = memcmp(value, now, n) == 0;
    if (now != small) free(now);
    return same;
}

bool gas_check_is_new(uintptr_t fetched, uintptr_t used) {
    for (int i = 0; i < reported; i++)
        if (pairs[i].fetched == fetched && pairs[i].used == used) return false;
    if (reported == PAIRS) return false;
    pairs[reported].fetched = fetched;
    pairs[reported++].used = used;
    return true;
}

void gas_check_differs(fathom_ptr p, size_t n, const char *fetched, const char *used) {
    char text[2048];
    snprintf(text, sizeof text,
             "FATHOM_COMM_CHECK: %s uses %zu bytes of thread %ld that %s fetched, and they have been written since, "
             "without a strict operation between: a race of the program; if it has none, a fault of Fathom%s",
             used, n, fathom_thread_of(p), fetched, reported == PAIRS ? "; further places are not reported" : "");
    if (!stops) {
        core_say("%s", text);
        return;
    }
    if (core_claim_report()) core_say("%s", text);
    core_die(1);
}

void gas_check_promise(const char *file, int line) {
    if (!gas_check_is_new((uintptr_t)file, (uintptr_t)line)) return;
    const char *form =
        "FATHOM_COMM_CHECK: the loop of %s:%d reads other elements than in its execution before, although "
        "`#pragma fathom constant` promises that what their places are computed from stays the same";
    if (!stops) {
        core_say(form, file, line);
        return;
    }
    if (core_claim_report()) core_say(form, file, line);
    core_die(1);
}

/* ---- loops in strips --------------------------------------------------------------------------------------------- */

const void *fathom_strip_use(const void *value, unsigned long skip, unsigned long bytes, const void *element,
                             fathom_ptr at, const char *file, int loop, int line) {
    if (!gas_check_is_on) return value;
    const char *from = (const char *)value + skip;
    fathom_ptr p = at + (fathom_ptr)(from - (const char *)element);
    if (gas_check_same(from, p, bytes) || !gas_check_is_new((uintptr_t)file + (uintptr_t)loop, (uintptr_t)line))
        return value;
    char fetched[600], used[600];
    snprintf(fetched, sizeof fetched, "the loop of line %d", loop);
    snprintf(used, sizeof used, "%s:%d", file, line);
    gas_check_differs(p, bytes, fetched, used);
    return value;
}

/* Near memory that a loop is about to update is asked for (lang/ahead.h). Without that, a loop that counts at random in a table beyond the
 * caches waits for one or two of its near elements at a time: a processor begins a load early only if its window of instructions reaches it,
 * and what the loop does for a far element fills that. */
#include <limits.h>

#include "gas.h"
#include "lang/ahead.h"

long fathom_ahead_first = LONG_MAX;

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* Where the places lie closer together than this, they are in a cache near the processor as a rule, and the next look is late. */
enum { SPAN_BYTES = 1 << 20, SELDOM = 4096 };

long fathom_ahead_ask(const struct fathom_ahead *s) {
    unsigned long low = ~0ul, high = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (s->at[i] < low) low = s->at[i];
        if (s->at[i] > high) high = s->at[i];
    }
    if (s->n == 0 || high - low < SPAN_BYTES) return SELDOM;
    const char *near = fathom_local(fathom_near_base);
    for (unsigned i = 0; i < s->n; i++) {
#ifdef __x86_64__
        __asm__ volatile("prefetchw %0" : : "m"(near[s->at[i]])); /* as in atomic.c */
#else
        __builtin_prefetch(near + s->at[i], 1);
#endif
    }
    return FATHOM_AHEAD;
}
#endif

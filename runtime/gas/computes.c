/* Does a function of another file do nothing but compute? lang/computes.h has what object files say.
 *
 * It does if its own file says so, and if the files of all functions that it calls do. A function that is being asked about may be assumed
 * to compute, since the others decide: so the walk visits each function once, and ends where functions call each other.
 */
#include "lang/computes.h"

enum { MOST_FUNCTIONS = 64 }; /* with more of them, the answer is no */

static int is_seen(const struct fathom_computes *const *seen, int count, const struct fathom_computes *said) {
    for (int i = 0; i < count; i++)
        if (seen[i] == said) return 1;
    return 0;
}

int fathom_only_computes(const struct fathom_computes *said, void (*function)(void), int may_read) {
    const struct fathom_computes *seen[MOST_FUNCTIONS];
    int count = 0;
    struct fathom_called asked = {said, function};
    const struct fathom_called *next = &asked;
    for (int at = -1, left = 1;;) {
        for (; left > 0; next++, left--) {
            const struct fathom_computes *s = next->said;
            if (!s || s->function != next->function || (s->reads && !may_read)) return 0;
            if (is_seen(seen, count, s)) continue;
            if (count == MOST_FUNCTIONS) return 0;
            seen[count++] = s;
        }
        if (++at == count) return 1;
        next = seen[at]->called;
        left = seen[at]->count;
    }
}

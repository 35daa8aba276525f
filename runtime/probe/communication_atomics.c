/* A kernel of the area communication: fetch-and-add of a 64-bit word.
 *
 *     fetch_add   with=1 others=0
 *
 * The word is on thread `with`. So many threads other than 0 add to it all the time: then it is contended, and a sample is what an
 * addition takes on thread 0.
 */
#include "probe/communication.h"

static fathom_ptr word;

static inline void add(void) {
    uint64_t one = 1, old;
    gas_atomic(&old, word, GAS_U64, GAS_ADD, &one, NULL);
    USED(old);
}

static void add_some(void) {
    for (int i = 0; i < 64; i++) add();
}

static void add_all(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) add();
}

void fetch_add_kernel(const struct request *request, struct reply *reply) {
    size_t others, with;
    if (!argument_within(request, reply, "others", 0, 0, 254, &others) ||
        !argument_within(request, reply, "with", 1, 0, 1000000, &with))
        return;
    /* Who owns the word must be there to answer, where its memory is not near. */
    int first = 1, count = (int)(others > with ? others : with);
    if (others == 0 && with > 0) first = (int)with, count = 1;
    if (!together_begin(request, reply, first, count, TOGETHER_ANYWHERE)) return;
    word = together_memory((int)with);
    if (!together_directs(add_some)) return;
    for (size_t i = 0; i < others; i++) together_start((int)i + 1, 0, 0);
    together_settle();
    sample(request, reply, add_all, NULL, NULL);
    for (size_t i = 0; i < others; i++) together_stop((int)i + 1);
    together_settle();
    together_end();
}

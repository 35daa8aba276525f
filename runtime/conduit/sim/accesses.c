/* Simulated accesses: a program made with --accesses says where it reads and writes its own memory (instrumented.c), and the
 * engine asks the machine's caches how long that takes. What it says is kept in a list, which becomes a record when it is
 * full, or before another record.
 */
#include "conduit/sim/sim.h"
#include "conduit/work.h"

/* An entry: the address, whether it is a write, and the work before it, in units of 16 ps. Address 0: work alone. */
#define WRITES (1ull << 48)
#define UNIT 16
#define MOST 0x7fffull
#define LIST 4096

static CONDUIT_LARGE uint64_t list[LIST];
static int length;

void sim_flush_accesses(void) {
    if (!length) return;
    int n = length;
    length = 0;
    struct sim_part part = {list, (size_t)n * sizeof *list};
    sim_record(SIM_ACCESSES, sim_me, part.bytes, 0, 0, &part, 1);
}

/* The program has no such objects on the simulated machine. */
extern const char __start_fathom_counted[], __stop_fathom_counted[];
static bool only_counts(const char *p) { return p >= __start_fathom_counted && p < __stop_fathom_counted; }

static void enter(uint64_t entry) {
    if (length == LIST) sim_flush_accesses();
    list[length++] = entry;
}

void sim_note_access(const void *p, size_t bytes, bool writes) {
    if (!sim_takes_accesses()) return;
    if (only_counts(p)) return;
    uint64_t work = sim_counted_in(UNIT);
    for (; work > MOST; work -= MOST) enter(MOST << 49);
    uint64_t at = (uint64_t)(uintptr_t)p & (WRITES - 1), end = at + bytes;
    for (uint64_t word = at & ~7ull; word < end; word += 8, work = 0) enter(word | (writes ? WRITES : 0) | work << 49);
}

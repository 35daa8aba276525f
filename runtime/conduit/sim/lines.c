/* Where a program in C stands: one without a unit of our front end, whose generated code names its places, or one on
 * fathom.h, whose calls the front end does not name.
 *
 * The calls on the stack are the place: their addresses of return, without the libraries'. Each list of them that comes up
 * gets a number, and `fathom simulate` finds the program's own line among them by the executable's debugging
 * information. The lists lie in memory that all threads share, so that one place has one number; only the thread whose
 * turn it is writes there. A walk takes a few microseconds.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>

#include "conduit/progress.h"
#include "conduit/sim/sim.h"

#define MOST_CALLS 20
#define MOST_STACKS 16384 /* a power of two */

struct stack {
    uint64_t hash;
    uint32_t count;  /* 0: free */
    uint32_t number; /* from 1 */
    int32_t by;      /* who has seen it first */
    uint32_t calls[MOST_CALLS];
};

static struct lists {
    uint32_t count;
    struct stack stacks[MOST_STACKS];
} * lists;

extern char __executable_start[], etext[];

uintptr_t sim_load_address;
bool sim_walks;

static int find_load_address(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    sim_load_address = info->dlpi_addr;
    return 1; /* the first is the program */
}

/* Before the threads are made. Without memory, nothing has a line. */
void sim_lines_start(void) {
    dl_iterate_phdr(find_load_address, NULL);
    void *p = mmap(NULL, sizeof *lists, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    lists = p == MAP_FAILED ? NULL : p;
}

struct walk {
    uint32_t calls[MOST_CALLS], count;
};

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *to) {
    struct walk *w = to;
    int exact = 0;
    uintptr_t pc = (uintptr_t)_Unwind_GetIPInfo(context, &exact);
    if (!exact) pc--; /* from the address of return into the call */
    bool is_ours = pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext && pc - sim_load_address <= UINT32_MAX;
    if (is_ours) w->calls[w->count++] = (uint32_t)(pc - sim_load_address);
    return w->count < MOST_CALLS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

uint32_t sim_line(void) {
    if (!lists || conduit_beside || !sim_has_turns) return 0;
    struct walk w = {.count = 0};
    _Unwind_Backtrace(add_call, &w);
    uint64_t hash = w.count;
    for (uint32_t i = 0; i < w.count; i++) hash = (hash ^ w.calls[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    for (size_t at = hash, tried = 0; w.count && tried < 64; at++, tried++) {
        struct stack *s = &lists->stacks[at % MOST_STACKS];
        if (!s->count) {
            s->hash = hash, s->count = w.count, s->number = ++lists->count, s->by = sim_me;
            memcpy(s->calls, w.calls, w.count * sizeof *w.calls);
        } else if (s->hash != hash || s->count != w.count || memcmp(s->calls, w.calls, w.count * sizeof *w.calls) != 0)
            continue;
        return s->number;
    }
    return 0;
}

/* A record for each list that this thread has seen first: its number and its calls, the innermost first. */
void sim_tell_lines(void) {
    if (!lists) return;
    for (size_t i = 0; i < MOST_STACKS; i++) {
        const struct stack *s = &lists->stacks[i];
        if (!s->count || s->by != sim_me) continue;
        char line[16 + 12 * MOST_CALLS];
        int n = snprintf(line, sizeof line, "#%u", sim_places() + s->number);
        for (uint32_t c = 0; c < s->count; c++) n += snprintf(line + n, sizeof line - (size_t)n, " %x", s->calls[c]);
        line[n++] = '\n';
        sim_record(SIM_PLACES, sim_me, (size_t)n, 0, 0, &(struct sim_part){line, (size_t)n}, 1);
    }
}

/* Where a thread spends the processor's time of this computer (`fathom simulate --check-work`): the calls on its stack, each
 * time that the system's clock ticks on it. FATHOM_SIM_SAMPLES names a descriptor of a file to which each thread adds
 * its lists at its end: a line for each, the number of samples and the calls, the innermost first; 0 stands for calls
 * outside of the executable.
 *
 * Signals change nothing of what is counted, so that the simulated times stay the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "conduit/sim/sim.h"

#define PERIOD_US 1000
#define MOST_CALLS 24
#define MOST_STACKS 4096 /* a power of two */

struct stack {
    uint64_t samples; /* 0: free */
    uint32_t count, calls[MOST_CALLS];
};

static struct stack *stacks;
static int file = -1;

extern char __executable_start[], etext[];

struct walk {
    uintptr_t from; /* ignore frames until this one: those of the signal's handler */
    uint32_t count, calls[MOST_CALLS];
};

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *to) {
    struct walk *w = to;
    int exact = 0;
    uintptr_t pc = (uintptr_t)_Unwind_GetIPInfo(context, &exact);
    if (pc == w->from) w->from = 0;
    if (w->from) return _URC_NO_REASON;
    if (!exact) pc--;
    uint32_t call =
        pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext ? (uint32_t)(pc - sim_load_address) : 0;
    if (call || !w->count || w->calls[w->count - 1]) w->calls[w->count++] = call;
    return w->count < MOST_CALLS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void sample(int signal, siginfo_t *info, void *at) {
    (void)signal, (void)info;
    int before = errno;
#ifdef __x86_64__
    struct walk w = {.from = (uintptr_t)((ucontext_t *)at)->uc_mcontext.gregs[REG_RIP]};
#else
    struct walk w = {.from = (uintptr_t)((ucontext_t *)at)->uc_mcontext.pc};
#endif
    _Unwind_Backtrace(add_call, &w);
    uint64_t hash = w.count;
    for (uint32_t i = 0; i < w.count; i++) hash = (hash ^ w.calls[i]) * 0x9e3779b97f4a7c15u;
    for (size_t at = hash >> 32, tried = 0; w.count && tried < MOST_STACKS; at++, tried++) {
        struct stack *s = &stacks[at % MOST_STACKS];
        if (!s->samples) {
            s->count = w.count;
            memcpy(s->calls, w.calls, w.count * sizeof *w.calls);
        } else if (s->count != w.count || memcmp(s->calls, w.calls, w.count * sizeof *w.calls) != 0)
            continue;
        s->samples++;
        break;
    }
    errno = before;
}

static void set_period(suseconds_t us) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_interval.tv_usec = us, .it_value.tv_usec = us}, NULL);
}

void sim_samples_start(void) {
    const char *text = getenv("FATHOM_SIM_SAMPLES");
    if (!text) return;
    file = atoi(text);
    void *p = mmap(NULL, MOST_STACKS * sizeof *stacks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return;
    stacks = p;
    struct sigaction action = {.sa_sigaction = sample, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    if (sigaction(SIGPROF, &action, NULL) == 0) set_period(PERIOD_US);
}

void sim_tell_samples(void) {
    if (!stacks) return;
    set_period(0);
    for (size_t i = 0; i < MOST_STACKS; i++) {
        const struct stack *s = &stacks[i];
        if (!s->samples) continue;
        char line[32 + 12 * MOST_CALLS];
        int n = snprintf(line, sizeof line, "%llu", (unsigned long long)s->samples);
        for (uint32_t c = 0; c < s->count; c++) n += snprintf(line + n, sizeof line - (size_t)n, " %x", s->calls[c]);
        line[n++] = '\n';
        for (int done = 0; done < n;) {
            ssize_t wrote = write(file, line + done, (size_t)(n - done));
            if (wrote < 0 && errno != EINTR) return;
            done += wrote > 0 ? (int)wrote : 0;
        }
    }
}

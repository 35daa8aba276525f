/* Signals that end a thread through its own fault. The handler reports the thread, the fault, its position in the
 * source, and what the address means to a UPC program; then it ends the job. A program's own handlers, and a
 * sanitizer's, take precedence.
 *
 * And SIGUSR1, which asks where the threads of a job are that does not come to its end: each says its position, and goes on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/core.h"
#include "lang/prelude.h"

#define STACK (256u << 10) /* the unwinder's and ours */
#define GUARD (64u << 10)  /* the largest page that a processor of ours has */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static const char *name_of(int signal) {
    switch (signal) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic error (division by zero or overflow)";
    case SIGILL: return "illegal instruction";
    default: return "aborted";
    }
}

/* Nothing is mapped below the segments: there, 16 MiB for each of 2^20 threads represent the memory that this process
 * cannot reach. (Address sanitizers use the lowest 2 GiB of that range.) The highest 16 MiB are left out: null, stepped
 * by an index, may lie there. */
enum { TRAP_BITS = 24, TRAP_THREADS = 1 << 20 };
#define TRAPS_END (FATHOM_BASE - (1ul << TRAP_BITS))

void *core_trap(fathom_ptr p) {
    unsigned long t = (unsigned long)fathom_thread_of(p);
    if (t >= TRAP_THREADS) return (void *)p; /* null, and what an index has made of it */
    return (void *)(TRAPS_END - ((t + 1) << TRAP_BITS) + (p & ((1ul << TRAP_BITS) - 1)));
}

/* The word of which `address` is the address, or from which core_trap has made it (without the upper bits of the
 * offset); for any other address null or less, as a word. */
static fathom_ptr word_at(unsigned long address) {
    if (conduit_near.count == core_memory.threads) return address;
    if (fathom_is_shared((void *)address)) return fathom_word((void *)address);
    unsigned long below = (TRAPS_END - 1 - address) >> TRAP_BITS;
    if (below < TRAP_THREADS) return fathom_make((long)below, address & ((1ul << TRAP_BITS) - 1));
    return address < FATHOM_BASE ? address : FATHOM_BASE - FATHOM_STEP / 2; /* as far from null as can be */
}

/* What is at `address`, in terms of shared objects; "" if the address is not one of ours. */
static void explain(char *text, size_t room, int signal, unsigned long address, unsigned long stack) {
    const struct core_memory *m = &core_memory;
    fathom_ptr word = word_at(address);
    long t = fathom_thread_of(word);
    unsigned long offset = fathom_offset_of(word), index = 16ul << 20;
    const char *pointer = fathom_split_data_bytes ? "global pointer" : "pointer-to-shared";
    *text = 0;
    if (address - fathom_split_data < fathom_split_data_bytes) {
        snprintf(text, room, " (a constant, such as a string literal, is not written to)");
    } else if (t < 0 && (offset < index || offset >= FATHOM_STEP - index)) {
        if (address < 65536) pointer = "pointer";
        snprintf(text, room, " (a null %s%s)", pointer, address < 65536 ? "" : ", with an index");
    } else if (t >= 0 && t < m->threads && offset >= m->segment_bytes) {
        snprintf(text, room, " (in shared memory of thread %ld, but %s beyond the end of its %s)", t,
                 core_size_text(offset - m->segment_bytes), core_size_text(m->segment_bytes));
    } else if (t >= 0 && t < m->threads && !core_is_near((int)t)) {
        snprintf(text, room, " (in shared memory of thread %ld, which no C pointer of this thread reaches)", t);
    } else if (t >= 0 && t < m->threads && signal == SIGBUS) {
        const char *limit_of;
        size_t limit = core_memory_limit(&limit_of), used = 0;
        for (int i = 0; i < m->threads; i++) used += m->static_bytes + core_heap_in_use(i);
        snprintf(text, room,
                 " (memory ran out: there was no page left for shared memory of thread %ld; the job's static shared "
                 "data and heaps take up to %s, %s is %s; use smaller arrays, or set FATHOM_HEAP lower)",
                 t, core_size_text(used), limit_of, core_size_text(limit));
    } else if (t >= m->threads && t < m->threads + 4096 && offset < m->segment_bytes) {
        const char *unit = fathom_split_data_bytes ? "processor" : "thread";
        snprintf(text, room, " (a %s to %s %ld, but there %s %d %s%s)", pointer, unit, t,
                 m->threads == 1 ? "is" : "are", m->threads, unit, m->threads == 1 ? "" : "s");
    } else if (address >= stack - (1 << 20) && address < stack + (64 << 10) && signal == SIGSEGV) {
        snprintf(text, room, " (the stack is full: recursion too deep, or local arrays too large; see ulimit -s)");
    }
}

/* Core files leave the segments out because of their size; the used part of each segment is put back in. */
static void dump_segments(void) {
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur == 0) return;
    for (int i = 0; i < conduit_near.count; i++) {
        int t = conduit_near.first + i;
        madvise(fathom_local(fathom_make(t, 0)), core_memory.static_bytes + core_heap_in_use(t), MADV_DODUMP);
    }
}

/* The source position. The unwinder may itself crash on a damaged stack: then only the signal's own address is looked
 * up. */
static sigjmp_buf escape;
static volatile sig_atomic_t searching;

static const char *where(void *pc) {
    searching = 1;
    bool walk = sigsetjmp(escape, 1) == 0;
    const char *place = searching <= 2 ? core_where(pc, walk) : "";
    searching = 0;
    return place;
}

static void on_crash(int signal, siginfo_t *info, void *context) {
    /* Two searches may fail. A third crash comes from the jump: the program has overwritten even the memory that the
     * jump needs. */
    if (searching && ++searching <= 3) siglongjmp(escape, 1);
    if (searching) {
        if (searching == 4) core_say("%s (the thread's own memory is damaged)", name_of(signal));
        conduit_end(128 + signal);
    } else if (conduit_is_thread()) {
        unsigned long pc = 0, stack = 0, address = (unsigned long)info->si_addr;
#if defined(__x86_64__)
        const ucontext_t *u = context;
        pc = (unsigned long)u->uc_mcontext.gregs[REG_RIP];
        stack = (unsigned long)u->uc_mcontext.gregs[REG_RSP];
        if (signal == SIGSEGV && pc == address) pc = *(unsigned long *)stack - 1; /* a call to nowhere: who called? */
#elif defined(__aarch64__)
        const ucontext_t *u = context;
        pc = (unsigned long)u->uc_mcontext.pc;
        stack = (unsigned long)u->uc_mcontext.sp;
        if (signal == SIGSEGV && pc == address) pc = (unsigned long)u->uc_mcontext.regs[30] - 1; /* likewise */
#endif
        core_output_rescue();
        if (core_claim_report()) {
            char place[64] = "", why[512] = "";
            bool fault = info->si_code > 0 && signal != SIGABRT;
            if (fault && (signal == SIGSEGV || signal == SIGBUS)) {
                if (address || info->si_code != SI_KERNEL) {
                    explain(why, sizeof why, signal, address, stack);
                    snprintf(place, sizeof place, " at address 0x%lx", address);
                } else { /* the processor does not say which non-canonical address it was */
                    snprintf(why, sizeof why, " (at an address that no process has)");
                }
            }
            if (!fault && signal != SIGABRT)
                snprintf(place, sizeof place, " (sent by process %ld)", (long)info->si_pid);
            core_say("%s%s%s%s", name_of(signal), place, where((void *)pc), why);
        }
        conduit_end(128 + signal);
        dump_segments();
    }
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
}

/* Launchers pass this signal on to all threads, mpirun among them. */
static void on_question(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context;
    if (searching) return; /* another POSIX thread of the process is answering */
    if (conduit_is_thread()) {
        int before = errno;
        const char *place = where(NULL);
        core_say("is%s", *place ? place : " at a place of which neither the function nor the line is known");
        errno = before;
        return;
    }
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
}

/* Unless the program, or who has started it, says otherwise. */
static void handle(int signal, void handler(int, siginfo_t *, void *), int flags) {
    struct sigaction now, ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | flags};
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigdelset(&ours.sa_mask, crashes[i]);
    if (sigaction(signal, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
        sigaction(signal, &ours, NULL);
}

void core_crash_start(void) {
    core_where_start();
    /* The stack grows down, towards a page that cannot be written: an overflow does not overwrite other memory. */
    char *stack = mmap(NULL, GUARD + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack + GUARD, STACK, PROT_READ | PROT_WRITE) != 0) return;
    stack_t old, own = {.ss_sp = stack + GUARD, .ss_size = STACK};
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE)) sigaltstack(&own, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) handle(crashes[i], on_crash, SA_NODEFER);
    handle(SIGUSR1, on_question, SA_RESTART);
}

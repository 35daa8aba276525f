/* Every object of a Split-C processor is in its segment, so that others reach it.
 *
 * Constants, data and bss: their pages are copied into the segment, at one offset on all processors, and the segment's pages are
 * then mapped a second time, over the old ones. Addresses of the program's variables stay as the linker has made them, and
 * local code costs what it costs in C.
 *
 * The stack: the program runs on one that lies in the segment.
 *
 * The heap: malloc and its like, as the objects of the program call them (ld's --wrap), take memory of the segment. What
 * libraries allocate for themselves stays where it is.
 *
 * Spread arrays of blocks: a stack beside them, at one offset on all processors. Where all meet the same declarations in
 * the same order, they agree on the place without a word.
 *
 * A child that the program forks would share all this with its parent. posix_spawn, system and popen are not concerned.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define __SPLIT_C__ 1
#include "gas/gas_internal.h"
#include "lang/split_c_start.h"

#define PAGE core_page()
#define STACK_MOST (64ul << 20)
#define STACK_LEAST (1ul << 20)
#define SPREAD_MOST                                                                                                    \
    (4ul << 30) /* of address space, for all processors of a computer; pages that nobody touches cost nothing */
#define SPREAD_LEAST (1ul << 20)

unsigned long fathom_split_epoch;
static bool is_on;
static fathom_ptr stack; /* of processor 0 */
static size_t stack_bytes;
/* Of the spread arrays of blocks: a stack of its own, because others' stacks may have other depths. */
static fathom_ptr spread_start, spread_next;
static size_t spread_bytes;

/* ---- static data ------------------------------------------------------------------------------------------------- */

/* Constants stand first, up to `writable`. Between them there may be a hole, because linkers leave room for pages of up to
 * 64 KiB; what others have mapped there stays. */
struct window {
    unsigned long start, hole, hole_stop, writable, stop;
};

/* The program's writable pages, with those before them that are read-only and hold no code: string literals and other
 * constants, and what the dynamic linker has made read-only. */
static int of_program(struct dl_phdr_info *info, size_t bytes, void *result) {
    struct window *w = result;
    const ElfW(Phdr) *before = NULL;
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W)) continue;
        w->start = w->writable = (info->dlpi_addr + p->p_vaddr) & ~(PAGE - 1);
        w->stop = (info->dlpi_addr + p->p_vaddr + p->p_memsz + PAGE - 1) & ~(PAGE - 1);
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        unsigned long start = info->dlpi_addr + p->p_vaddr, stop = (start + p->p_memsz) & ~(PAGE - 1);
        if (p->p_type == PT_GNU_RELRO && stop > w->start && stop <= w->stop) w->writable = stop;
        if (p->p_type == PT_LOAD && start < w->start && (!before || p->p_vaddr > before->p_vaddr)) before = p;
    }
    w->hole = w->hole_stop = w->start;
    if (before && before->p_flags == PF_R) {
        unsigned long start = info->dlpi_addr + before->p_vaddr;
        unsigned long stop = (start + before->p_memsz + PAGE - 1) & ~(PAGE - 1);
        if (stop > w->start || w->start - stop >= 2 * before->p_align) return 1;
        w->hole = stop;
        w->start = start & ~(PAGE - 1);
    }
    return 1; /* the first is the program */
}

static _Noreturn void cannot_move(const char *what) {
    core_fatal("cannot move %s into the memory that all processors reach: %s", what, strerror(errno));
}

/* Pages as they are: also what sanitizers have put between the objects, which memcpy must not read. */
__attribute__((no_sanitize("address", "undefined"))) static void copy_pages(char *to, unsigned long from,
                                                                            size_t bytes) {
    unsigned long *at = (unsigned long *)(void *)to;
    for (size_t i = 0; i < bytes / sizeof *at; i++) at[i] = ((const volatile unsigned long *)from)[i];
}

/* Maps the pages of shared memory at `old` a second time, at `now`. Not by libc's function: UCX replaces it by one that
 * forgets the new address. qemu's user emulation rejects the size 0, which asks for a second mapping; there the pages are
 * moved, and the old mapping, which stays, gets its protection anew, because qemu takes it for gone. */
static bool map_twice(unsigned long now, char *old, size_t bytes) {
    int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
    if (syscall(SYS_mremap, old, 0ul, bytes, flags, now) == (long)now) return true;
#ifdef MREMAP_DONTUNMAP
    return errno == ENOMEM && syscall(SYS_mremap, old, bytes, bytes, flags | MREMAP_DONTUNMAP, now) == (long)now &&
           mprotect(old, bytes, PROT_READ | PROT_WRITE) == 0;
#else
    return false;
#endif
}

/* The part from `from` to `stop` of what starts at `start`. */
static void move_part(char *to, unsigned long start, unsigned long from, unsigned long stop) {
    char *part = to + (from - start);
    if (from == stop) return;
    copy_pages(part, from, stop - from);
    if (!map_twice(from, part, stop - from)) cannot_move("the program's data");
}

/* No code of this process that writes its data runs now: the progress thread has not been started, and conduit mpi's
 * watchman sleeps until something goes wrong. */
static void move_data(const struct window *w, char *to) {
    size_t bytes = w->stop - w->start;
    /* A segment that no other process maps may be private memory, which has no second mapping. */
    if (conduit_near.count == 1 && !core_overrides.keeps_pages &&
        mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        cannot_move("the program's data");
    sigset_t all, before; /* a handler's writes must not be lost between the two */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    move_part(to, w->start, w->start, w->hole);
    move_part(to, w->start, w->hole_stop, w->stop);
    mprotect((void *)w->start, w->hole - w->start, PROT_READ);
    mprotect((void *)w->hole_stop, w->writable - w->hole_stop, PROT_READ);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static size_t stack_wanted(void) {
    struct rlimit limit;
    size_t bytes = STACK_MOST;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < bytes) bytes = limit.rlim_cur;
    if (bytes < STACK_LEAST) bytes = STACK_LEAST;
    return (bytes + PAGE - 1) & ~(PAGE - 1);
}

/* The runtime allocates, too; the segment is for the program. A child that the program forks gets libc's memory, which
 * is its own: asking for the process at each call would cost more than the rest of malloc. */
static __thread bool is_inside, is_child;
static void in_child(void) { is_child = true; }

void fathom_split_start(struct core_range symbols) {
    struct window w = {0, 0, 0, 0, 0};
    dl_iterate_phdr(of_program, &w);
    unsigned long shared = (unsigned long)symbols.start & ~(PAGE - 1);
    if (shared > w.start && shared < w.stop) w.stop = shared;
    static char inside; /* of the data that are to be moved */
    if ((unsigned long)&inside < w.start || (unsigned long)&inside >= w.stop)
        core_fatal(
            "the linker has put UPC's shared data before the program's own, which Split-C cannot move; link with "
            "GNU ld");
    stack_bytes = stack_wanted();
    fathom_ptr data = gas_all_alloc(w.stop - w.start + PAGE), counters = gas_all_alloc(128);
    stack = gas_all_alloc(stack_bytes + PAGE);
    spread_bytes = SPREAD_MOST / (size_t)conduit_threads_here();
    while (!(spread_start = gas_all_alloc(spread_bytes)) && spread_bytes > SPREAD_LEAST) spread_bytes /= 2;
    spread_next = spread_start;
    if (!data || !stack || !counters || !spread_start)
        core_fatal("no room for a Split-C program's data and stack (%s) in shared memory; set FATHOM_HEAP higher",
                   core_size_text(w.stop - w.start + stack_bytes));
    data = (data + PAGE - 1) & ~(PAGE - 1);
    stack = (stack + PAGE - 1) & ~(PAGE - 1);
    unsigned long here = (unsigned long)fathom_local(fathom_make(fathom_mythread, 0));
    memset((void *)(here + fathom_offset_of(counters)), 0, 128);
    if (pthread_atfork(NULL, NULL, in_child) != 0) core_fatal("out of memory");
    is_on = true; /* part of what moves */
    core_set_split(w.start, w.stop - w.start, fathom_offset_of(data), here, fathom_offset_of(counters));
    move_data(&w, (char *)(here + fathom_offset_of(data)));
}

/* ---- the stack --------------------------------------------------------------------------------------------------- */

static struct {
    int (*program)(int, char **);
    int argc, status;
    char **argv;
    ucontext_t outside, inside;
} run;

static void on_stack(void) { run.status = run.program(run.argc, run.argv); }

int fathom_split_main(int (*program)(int, char **), int argc, char **argv) {
    char *lowest = (char *)(fathom_split_here + fathom_offset_of(stack));
    /* A stack that grows too far must not run into the heap. */
    if (mprotect(lowest, PAGE, PROT_NONE) != 0) cannot_move("the stack");
    run.program = program, run.argc = argc, run.argv = argv;
    if (getcontext(&run.inside) != 0) cannot_move("the stack");
    run.inside.uc_stack.ss_sp = lowest + PAGE;
    run.inside.uc_stack.ss_size = stack_bytes - PAGE;
    run.inside.uc_link = &run.outside;
    makecontext(&run.inside, on_stack, 0);
    if (swapcontext(&run.outside, &run.inside) != 0) cannot_move("the stack");
    return run.status;
}

/* ---- spread arrays of blocks ------------------------------------------------------------------------------------- */

fathom_ptr fathom_split_enter(long blocks, unsigned long bytes) {
    size_t here = blocks > 0 ? ((size_t)blocks + (size_t)FATHOM_T - 1) / (size_t)FATHOM_T : 1, all;
    size_t left = spread_bytes - (spread_next - spread_start);
    if (blocks < 0) core_fatal("a spread array has %ld elements: a dimension is negative", blocks);
    if (__builtin_mul_overflow(here, bytes, &all) || all > left)
        core_fatal(
            "a spread array of %s on each processor does not fit into the %s left for those of functions; allocate "
            "it with all_spread_malloc",
            core_size_text(all), core_size_text(left));
    fathom_ptr array = spread_next;
    spread_next += (all + 63) & ~63ul;
    if (spread_next > spread_start + spread_bytes) spread_next = spread_start + spread_bytes;
    return array;
}
void fathom_split_leave(const fathom_ptr *array) { spread_next = *array; }

/* ---- the heap ---------------------------------------------------------------------------------------------------- */

/* Absent where nothing is wrapped; then nothing of this is called. */
#define REAL __attribute__((weak))
void *__real_malloc(size_t) REAL;
void *__real_calloc(size_t, size_t) REAL;
void *__real_realloc(void *, size_t) REAL;
void __real_free(void *) REAL;
void *__real_memalign(size_t, size_t) REAL;
void *__real_aligned_alloc(size_t, size_t) REAL;
int __real_posix_memalign(void **, size_t, size_t) REAL;
char *__real_strdup(const char *) REAL;
ssize_t __real_getdelim(char **, size_t *, int, FILE *) REAL;
ssize_t __real_getline(char **, size_t *, FILE *) REAL;

void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);
void *__wrap_memalign(size_t, size_t);
void *__wrap_aligned_alloc(size_t, size_t);
int __wrap_posix_memalign(void **, size_t, size_t);
char *__wrap_strdup(const char *);
char *__wrap_strndup(const char *, size_t);
void *__wrap_reallocarray(void *, size_t, size_t);
ssize_t __wrap_getdelim(char **, size_t *, int, FILE *);
ssize_t __wrap___getdelim(char **, size_t *, int, FILE *);
ssize_t __wrap_getline(char **, size_t *, FILE *);

/* Before each object that lies in the segment. */
struct header {
    size_t bytes;      /* of the object */
    size_t from_start; /* where gas's memory begins before it */
};

static bool ours(void) { return is_on && !is_inside && !is_child; }
static bool in_segment(const void *p) { return is_on && (unsigned long)p - fathom_split_here < FATHOM_STEP; }
static struct header *header_of(void *p) { return (struct header *)p - 1; }

static void *take(size_t alignment, size_t bytes) {
    if (alignment < 16) alignment = 16;
    size_t all, before = alignment > 64 ? alignment : 64;
    if (__builtin_add_overflow(bytes ? bytes : 1, before + alignment, &all)) return errno = ENOMEM, NULL;
    is_inside = true;
    fathom_ptr p = gas_alloc(all);
    is_inside = false;
    if (!p) return errno = ENOMEM, NULL;
    unsigned long start = fathom_split_here + fathom_offset_of(p);
    unsigned long at = (start + sizeof(struct header) + alignment - 1) & ~(alignment - 1);
    *header_of((void *)at) = (struct header){bytes, at - start};
    return (void *)at;
}

void *__wrap_malloc(size_t bytes) { return ours() ? take(16, bytes) : __real_malloc(bytes); }

void *__wrap_calloc(size_t n, size_t each) {
    size_t bytes;
    if (!ours()) return __real_calloc(n, each);
    if (__builtin_mul_overflow(n, each, &bytes)) return errno = ENOMEM, NULL;
    void *p = take(16, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void __wrap_free(void *p) {
    if (!in_segment(p)) {
        __real_free(p);
        return;
    }
    is_inside = true;
    gas_free(fathom_word((char *)p - header_of(p)->from_start));
    is_inside = false;
}

void *__wrap_realloc(void *p, size_t bytes) {
    if (p && !in_segment(p)) return __real_realloc(p, bytes);
    if (!p) return __wrap_malloc(bytes);
    void *now = take(16, bytes);
    if (!now) return NULL;
    size_t old = header_of(p)->bytes;
    memcpy(now, p, old < bytes ? old : bytes);
    __wrap_free(p);
    return now;
}

void *__wrap_memalign(size_t alignment, size_t bytes) {
    if (!ours()) return __real_memalign(alignment, bytes);
    if (alignment & (alignment - 1)) return errno = EINVAL, NULL;
    return take(alignment, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return ours() ? __wrap_memalign(alignment, bytes) : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **result, size_t alignment, size_t bytes) {
    if (!ours()) return __real_posix_memalign(result, alignment, bytes);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *p = take(alignment, bytes);
    if (!p) return ENOMEM;
    *result = p;
    return 0;
}

static char *copy_of(const char *text, size_t length) {
    char *copy = take(16, length + 1);
    if (copy) memcpy(copy, text, length), copy[length] = 0;
    return copy;
}
char *__wrap_strdup(const char *text) { return ours() ? copy_of(text, strlen(text)) : __real_strdup(text); }

char *__wrap_strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    if (ours()) return copy_of(text, length);
    char *copy = __real_malloc(length + 1);
    if (copy) memcpy(copy, text, length), copy[length] = 0;
    return copy;
}

void *__wrap_reallocarray(void *p, size_t n, size_t each) {
    size_t bytes;
    if (__builtin_mul_overflow(n, each, &bytes)) return errno = ENOMEM, NULL;
    return __wrap_realloc(p, bytes);
}

/* libc enlarges the buffer of the caller, by its own realloc: it must be libc's. The line stays there. */
static void give_to_libc(char **line, size_t *room) {
    if (!*line || !in_segment(*line)) return;
    __wrap_free(*line);
    *line = NULL;
    *room = 0;
}
ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *file) {
    if (line && room) give_to_libc(line, room);
    return __real_getdelim(line, room, end, file);
}
ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *file) {
    return __wrap_getdelim(line, room, end, file);
}
ssize_t __wrap_getline(char **line, size_t *room, FILE *file) {
    if (line && room) give_to_libc(line, room);
    return __real_getline(line, room, file);
}

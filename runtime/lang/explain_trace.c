/* The file of a trace (explain_trace.h): where it is, how long, and its list of events.
 *
 * FATHOM_EXPLAIN names the folder of the job's traces (PROGRAM.explain if it does not), or is "off". A thread makes a new
 * file in it, never writes to an old one: another job may still be writing there. A program whose trace cannot be opened
 * runs without one.
 */
#define _GNU_SOURCE
#include "lang/explain_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gas/gas_internal.h"
#include "gas_tuning.h"

#define NOTE_TICKS (1u << 24) /* some milliseconds */

struct trace_header *trace;
uint64_t trace_load_ticks;
CONDUIT_LARGE unsigned long fathom_explain_nowhere[1024]; /* at least as many as there may be threads */
struct fathom_site *fathom_explain_here;
struct fathom_site *trace_noted;

static struct fathom_site *const *all;
static long sites;
static uint64_t processor_ns_before; /* the trace was opened */

/* This computer's clock, also where the program is given another (conduit/sim). */
static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void note_time_now(void) {
    trace->processor_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - processor_ns_before;
    trace->last_ns = clock_ns(CLOCK_MONOTONIC);
    trace->last_ticks = trace_ticks();
}

void trace_note_time(uint64_t ticks) {
    if (ticks - trace->last_ticks >= NOTE_TICKS) note_time_now();
}

/* The list is full: the shorter half goes. */
static void thin_events(struct trace_event *list) {
    while (trace->events > TRACE_EVENTS / 2) {
        trace->events_from_ticks = trace->events_from_ticks ? trace->events_from_ticks * 2 : 1024;
        uint64_t kept = 0;
        for (uint64_t i = 0; i < trace->events; i++) {
            if (list[i].end - list[i].begin >= trace->events_from_ticks) {
                list[kept++] = list[i];
            } else {
                trace->events_lost++;
                trace->events_lost_ticks += list[i].end - list[i].begin;
            }
        }
        trace->events = kept;
    }
}

void trace_event(const struct fathom_site *s, uint64_t begin, uint64_t end, uint64_t other) {
    trace_note_time(end);
    if (end - begin < trace->events_from_ticks) { /* a barrier, too, once there are too many */
        trace->events_lost++;
        trace->events_lost_ticks += end - begin;
        return;
    }
    struct trace_event *list = trace_part(trace->events_at);
    if (trace->events == TRACE_EVENTS) thin_events(list);
    list[trace->events++] = (struct trace_event){begin, end, s->index, other};
}

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

/* Takes down what the runtime says that it has taken, where it took it, for the call under way. */
static void note(const struct gas_choice *choice) {
    if (!trace_noted || !trace) return;
    struct trace_choice *list =
        (struct trace_choice *)trace_part(trace->choices_at) + trace_noted->index * TRACE_CHOICES;
    for (int i = 0; i < TRACE_CHOICES; i++) {
        struct trace_choice *c = &list[i];
        if (!c->calls) {
            int built_in = 1;
            snprintf(c->decision, sizeof c->decision, "%s", choice->decision);
            snprintf(c->mechanism, sizeof c->mechanism, "%s", choice->mechanism);
            snprintf(c->ranges, sizeof c->ranges, "%s", gas_choice_ranges(choice, &built_in));
            c->first = choice->element, c->stride = choice->stride, c->built_in = (uint64_t)built_in;
            c->least = c->most = choice->bytes;
        } else if (c->first != choice->element || c->stride != choice->stride ||
                   strcmp(c->mechanism, choice->mechanism) != 0 ||
                   strncmp(c->decision, choice->decision, sizeof c->decision - 1) != 0) {
            continue;
        }
        if (choice->bytes < c->least) c->least = choice->bytes;
        if (choice->bytes > c->most) c->most = choice->bytes;
        c->calls++;
        return;
    }
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* Counts go nowhere from now on. */
static void off(void) {
    trace = NULL;
    gas_tell(NULL);
    for (long i = 0; i < sites; i++) {
        all[i]->hits = all[i]->moved = all[i]->calls = all[i]->served = fathom_explain_nowhere;
        all[i]->sparse = ~0ul;
        all[i]->turn = 0;
    }
}

static void at_exit(int status, void *nothing) {
    (void)status, (void)nothing;
    if (!trace) return;
    note_time_now();
    trace->state = TRACE_ENDED;
}

static void read_line(const char *path, char *text, size_t room) {
    FILE *f = fopen(path, "re");
    if (!f) return;
    if (fgets(text, (int)room, f)) text[strcspn(text, "\n")] = 0;
    fclose(f);
}

static void name_folder(char *folder, size_t room, const char *program) {
    const char *said = getenv("FATHOM_EXPLAIN");
    if (said && *said) {
        snprintf(folder, room, "%s", said);
    } else {
        const char *name = strrchr(program, '/');
        snprintf(folder, room, "%s.explain", name ? name + 1 : program);
    }
}

static uint64_t rounded(uint64_t n) { return (n + 63) & ~63ul; }

static void lay_out(struct trace_header *h) {
    uint64_t threads = h->threads, at = rounded(h->header_bytes);
    struct {
        uint64_t *at, bytes;
    } parts[] = {
        {&h->text_at, h->text_bytes},
        {&h->stats_at, h->sites * sizeof(struct trace_stat)},
        {&h->hits_at, h->sites * threads * sizeof(uint64_t)},
        {&h->moved_at, h->sites * threads * sizeof(uint64_t)},
        {&h->samples_at, h->sites * h->site_samples * sizeof(struct trace_sample)},
        {&h->locks_at, TRACE_LOCKS * sizeof(struct trace_lock)},
        {&h->objects_at, TRACE_OBJECTS * sizeof(struct trace_object)},
        {&h->events_at, TRACE_EVENTS * sizeof(struct trace_event)},
        {&h->choices_at, h->sites * TRACE_CHOICES * sizeof(struct trace_choice)},
        {&h->served_at, h->sites * TRACE_SERVED * sizeof(uint64_t)},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].at = at;
        at += rounded(parts[i].bytes);
    }
    h->bytes = at;
}

/* What went wrong, or null. */
static const char *open_file(const char *folder, const struct trace_header *h) {
    char path[PATH_MAX];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return strerror(errno);
    /* Those of an earlier job with more threads. */
    if (h->thread == 0)
        for (uint64_t t = h->threads; t < (uint64_t)conduit_max_threads(); t++) {
            snprintf(path, sizeof path, "%s/thread-%04lu", folder, t);
            if (unlink(path) != 0) break;
        }
    snprintf(path, sizeof path, "%s/thread-%04lu", folder, h->thread);
    unlink(path);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return strerror(errno);
    struct statvfs fs;
    const char *wrong = NULL;
    /* A page that the file system has no room for would end the program when it is touched. */
    if (fstatvfs(file, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < h->bytes * h->near_count + (16u << 20)) {
        wrong = "the file system is full";
    } else if (ftruncate(file, (off_t)h->bytes) != 0) {
        wrong = strerror(errno);
    } else {
        void *at = mmap(NULL, h->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at == MAP_FAILED)
            wrong = strerror(errno);
        else
            trace = at;
    }
    close(file);
    if (wrong) unlink(path);
    return wrong;
}

/* What a pair of looks at the clock, the timing of a load, and a fence take at best. */
static void calibrate(struct trace_header *h) {
    char here = 0;
    uint64_t look = ~0ul, load = ~0ul, fence = ~0ul;
    for (int i = 0; i < 1000; i++) {
        uint64_t begin = trace_ticks(), took = trace_ticks() - begin;
        if (took < look) look = took;
        took = trace_time_load(&here);
        if (took < load) load = took;
        begin = trace_ticks();
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        took = trace_ticks() - begin;
        if (took < fence) fence = took;
    }
    h->look_ticks = look;
    h->fence_ticks = fence > look ? fence - look : 0;
    trace_load_ticks = load;
}

void fathom_explain_start(struct fathom_site *const *list, long count) {
    all = list;
    sites = count;
    struct trace_header h = {
        .magic = {'F', 'A', 'T', 'H', 'O', 'M', 'X', '\n'},
        .version = TRACE_VERSION,
        .header_bytes = sizeof h,
        .thread = (uint64_t)gas_me(),
        .threads = (uint64_t)gas_count(),
        .sites = (uint64_t)count,
        .state = TRACE_RUNNING,
        .static_delta = fathom_static_delta,
        .started_unix_ns = clock_ns(CLOCK_REALTIME),
    };
    calibrate(&h);
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0) h.processors = (uint64_t)CPU_COUNT(&processors);
    int near_count;
    h.near_first = (uint64_t)gas_near(&near_count);
    h.near_count = (uint64_t)near_count;
    snprintf(h.conduit, sizeof h.conduit, "%s", gas_conduit());
    snprintf(h.table, sizeof h.table, "%s", gas_tuning_file());
    gethostname(h.host, sizeof h.host - 1);
    read_line("/proc/sys/kernel/random/boot_id", h.boot, sizeof h.boot);
    if (readlink("/proc/self/exe", h.program, sizeof h.program - 1) < 0) h.program[0] = 0;
    for (long i = 0; i < count; i++) h.text_bytes += strlen(list[i]->text) + 1;
    h.site_samples = TRACE_ALL_SAMPLES / (uint64_t)count & ~15ul;
    if (h.site_samples > TRACE_MOST_SAMPLES) h.site_samples = TRACE_MOST_SAMPLES;
    if (h.site_samples < TRACE_LEAST_SAMPLES) h.site_samples = TRACE_LEAST_SAMPLES;
    lay_out(&h);

    char folder[PATH_MAX - 32];
    name_folder(folder, sizeof folder, h.program);
    if (strcmp(folder, "off") == 0) return;
    const char *wrong = open_file(folder, &h);
    if (wrong) {
        if (gas_me() == 0)
            fprintf(stderr, "fathom: no trace in %s: %s; FATHOM_EXPLAIN=FOLDER names another place\n", folder, wrong);
        return;
    }
    processor_ns_before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    h.start_ns = h.last_ns = clock_ns(CLOCK_MONOTONIC);
    h.start_ticks = h.last_ticks = trace_ticks();
    *trace = h;
    char *text = trace_part(h.text_at);
    for (long i = 0; i < count; i++) {
        list[i]->index = (unsigned)i;
        text = stpcpy(text, list[i]->text);
        *text++ = '\n';
        list[i]->hits = (unsigned long *)trace_part(h.hits_at) + i * gas_count();
        list[i]->moved = (unsigned long *)trace_part(h.moved_at) + i * gas_count();
        list[i]->served = (unsigned long *)trace_part(h.served_at) + i * TRACE_SERVED;
        list[i]->sparse = FATHOM_EXPLAIN_DENSE;
        list[i]->left = 1;
        struct trace_stat *stat = trace_stat(list[i]);
        list[i]->calls = (unsigned long *)&stat->calls;
        stat->bytes = list[i]->bytes;
        if (list[i]->object) stat->object = fathom_offset_of(fathom_static(list[i]->object));
    }
    gas_tell(note);
    pthread_atfork(NULL, NULL, off); /* a child that the program makes is no thread */
    on_exit(at_exit, NULL);
}

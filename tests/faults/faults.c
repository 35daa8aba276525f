/* Faults, at random, in real jobs: faults WORK PROGRAM smp|mpi FIRST COUNT COMMAND...
 *
 * Each round starts a job, breaks it in one way, and asks: did it end, with the right status, with one message that
 * says why, and with nothing left of it? What a round does follows from its number, so that one can be repeated: the
 * numbers are FIRST and the COUNT - 1 that follow, and that of a round that fails is printed. COMMAND starts the
 * program, with %n for the number of threads. No verdict depends on speed: a job has three minutes to end, which recognises
 * one that hangs.
 *
 * The status is the number of rounds that failed, 100 at most.
 */
#define _GNU_SOURCE
#include "round.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;

static uint64_t any(void) { /* splitmix64 */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n) { return (int)(any() % (uint64_t)n); }
static int one_of(const int *list, size_t n) { return list[any() % n]; }
#define ONE_OF(...) one_of((const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* What must be seen of the end. */
struct expected {
    /* Status 0 and "good"; that status; by that signal; any but 0; one of these with a reason on stderr; somehow. */
    enum { NORMAL, EXITS, DIES, FAILS, ANY, SOMEHOW } end;
    int number;
    int least, most; /* messages of Fathom's */
};

static bool is_smp;

/* ---- plans ----------------------------------------------------------------------------------------------------- */

static const char *mode(void) {
    static const char *const names[] = {"compute", "lock", "signal", "transfer", "flood", "print", "sleep", "children"};
    return names[below(8)];
}

static const char *mode_with_end(void) {
    static const char *const names[] = {"compute", "lock", "signal", "transfer", "flood", "print"};
    return names[below(6)];
}

static void add_step(struct plan *p, enum who who, int signal, int ms) {
    p->step[p->steps++] = (struct step){who, signal, ms};
}

/* A process of the job is killed, at its start or later; others may be stopped before, for good or for a while. */
static struct expected break_one(struct plan *p) {
    static const int fatal[] = {SIGKILL, SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
    enum who who = (enum who)ONE_OF(THREAD, THREAD, TOP, BETWEEN);
    int signal = one_of(fatal, sizeof fatal / sizeof *fatal);
    if (who == TOP) signal = ONE_OF(SIGKILL, SIGTERM, SIGINT, SIGHUP);
    if (who == BETWEEN && !is_smp) signal = SIGKILL; /* MPICH's proxies decide themselves what other signals mean */
    p->mode = mode();
    /* Launchers end the ranks, and no other process. */
    if (!is_smp && !strcmp(p->mode, "children")) p->mode = "lock";
    if (!strcmp(p->mode, "children") && signal == SIGINT) signal = SIGTERM; /* system(3) ignores it while it waits */
    p->from_ready = below(4) > 0;
    p->out = (enum out)ONE_OF(OUT_READ, OUT_READ, OUT_SLOW, OUT_FULL);
    if (!is_smp && p->out == OUT_FULL) p->out = OUT_SLOW; /* Open MPI's launcher itself waits for a reader */
    /* Where the supervisor is killed, what threads have started is out of its reach (docs/decisions/0004). */
    if (who == TOP && signal == SIGKILL && !strcmp(p->mode, "children")) p->mode = "lock";
    int before = below(6);
    if (before < 3) p->from_ready = true; /* a stopped supervisor starts no thread that could be killed */
    int moment = p->from_ready ? below(60) : below(is_smp ? 30 : 800);
    bool resumes = false;
    switch (before) {
    case 0: /* one thread is stopped, and stays so */
        if (who != THREAD) break;
        add_step(p, THREAD, SIGSTOP, moment);
        who = OTHER, moment = below(30);
        break;
    case 1: /* whoever looks after the threads is stopped when it happens */
        if (who != THREAD) break;
        add_step(p, TOP, SIGSTOP, moment);
        moment = below(30), resumes = true;
        break;
    case 2: /* all threads are */
        if (signal != SIGKILL) break;
        add_step(p, EACH, SIGSTOP, moment);
        moment = below(30);
        break;
    }
    add_step(p, who, signal, moment);
    if (resumes) add_step(p, TOP, SIGCONT, 20 + below(400));
    bool asked = signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
    if (is_smp && who == TOP) return (struct expected){DIES, signal, 0, 0};
    if (is_smp && asked) return (struct expected){DIES, signal, 0, 0};
    if (is_smp) return (struct expected){EXITS, 128 + signal, 1, 1};
    /* What a launcher that is asked to end says of the job is its own affair: MPICH's says 0 now and then. */
    if (who == TOP && asked) return (struct expected){SOMEHOW, 0, 0, 1};
    return (struct expected){FAILS, 0, 0, 1};
}

/* Stopped for a while, all or one: the job goes on. */
static struct expected pause_some(struct plan *p) {
    enum who who = (enum who)ONE_OF(THREAD, EACH, TOP);
    p->mode = mode_with_end();
    p->turns = 100;
    p->from_ready = true;
    p->out = (enum out)ONE_OF(OUT_READ, OUT_SLOW);
    for (int i = 0; i < 2; i++) {
        add_step(p, who, SIGSTOP, below(30));
        add_step(p, who, SIGCONT, below(300));
    }
    return (struct expected){NORMAL, 0, 0, 0};
}

static struct expected interrupt(struct plan *p) {
    p->mode = mode_with_end();
    p->turns = 100;
    p->storm = true;
    p->out = (enum out)ONE_OF(OUT_READ, OUT_SLOW);
    return (struct expected){NORMAL, 0, 0, 0};
}

/* Nobody reads what a broken job says. */
static struct expected deafen(struct plan *p) {
    p->mode = mode();
    p->is_err_full = true;
    p->from_ready = true;
    p->out = (enum out)ONE_OF(OUT_READ, OUT_FULL);
    int signal = ONE_OF(SIGKILL, SIGSEGV, SIGABRT);
    add_step(p, THREAD, signal, below(60));
    return (struct expected){EXITS, 128 + signal, 0, 1};
}

static struct expected lose_output(struct plan *p) {
    p->mode = "print";
    if (below(2)) {
        p->out = OUT_CLOSED;
        if (is_smp) return (struct expected){DIES, SIGPIPE, 0, 0};
        return (struct expected){ANY, 0, 0, 1}; /* it is the launcher that writes */
    }
    p->out = OUT_NO_DISK;
    if (is_smp) return (struct expected){EXITS, 3, 0, 0};
    return (struct expected){ANY, 0, 0, 1};
}

static struct expected limit_files(struct plan *p) {
    p->mode = "print";
    p->out = OUT_FILE;
    p->resource = RLIMIT_FSIZE;
    p->limit = (rlim_t)1 << (12 + below(12));
    return (struct expected){FAILS, 0, 1, 1};
}

/* Memory, or descriptors, that do not suffice, or just do. */
static struct expected starve(struct plan *p) {
    p->mode = mode_with_end();
    p->turns = 20;
    p->resource = below(3) ? RLIMIT_AS : RLIMIT_NOFILE;
    p->limit = p->resource == RLIMIT_AS ? (rlim_t)1 << (22 + below(14)) : (rlim_t)(4 + below(40));
    if (p->resource == RLIMIT_AS) p->limit += p->limit / 64 * (rlim_t)below(64);
    return (struct expected){ANY, 0, 0, 1};
}

static struct expected make(struct plan *p) {
    *p = (struct plan){.threads = is_smp ? 2 + below(5) : 2 + below(3), .index = below(60), .resource = -1};
    if (!is_smp) { /* the launcher stands between the job and its surroundings */
        int what = below(10);
        if (what == 0) return pause_some(p);
        if (what == 1) return interrupt(p);
        return break_one(p);
    }
    switch (below(16)) {
    case 0: return pause_some(p);
    case 1: return interrupt(p);
    case 2: return deafen(p);
    case 3: return lose_output(p);
    case 4: return limit_files(p);
    case 5: return starve(p);
    default: return break_one(p);
    }
}

/* ---- verdicts -------------------------------------------------------------------------------------------------- */

/* A line that follows at once and names no thread is the message's advice. */
static int messages(const char *err) {
    int n = 0;
    bool before = false;
    for (const char *line = err; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        bool ours = !strncmp(line, "fathom:", 7);
        n += ours && (!before || !strncmp(line, "fathom: thread", 14));
        before = ours;
    }
    return n;
}

/* NULL: as expected. */
static const char *judge(const struct plan *p, const struct expected *e, const struct outcome *o) {
    static char why[200];
    int code = WIFEXITED(o->status) ? WEXITSTATUS(o->status) : -1;
    int signal = WIFSIGNALED(o->status) ? WTERMSIG(o->status) : 0, said = messages(o->err);
    bool normal = code == 0 && o->is_good;
    /* A launcher that hangs when all ranks have gone is not ours: Open MPI's does so if a rank dies at a bad moment. */
    bool launcher_only = !is_smp && !o->programs && !o->files;
    if (o->left[0] && launcher_only) {
        printf("note: the launcher did not end by itself\n");
        return NULL;
    }
    if (o->hung) return "it does not end";
    if (o->left[0]) return "something is left";
    bool right = false;
    switch (e->end) {
    case NORMAL: right = normal; break;
    case EXITS: right = code == e->number; break;
    case DIES: right = signal == e->number; break;
    case FAILS: right = code != 0; break;
    case ANY: right = normal || (code != 0 && o->err[0]); break;
    case SOMEHOW: right = true; break;
    }
    if (!right)
        snprintf(why, sizeof why, "it ended with %s %d", signal ? "signal" : "status", signal ? signal : code);
    else if (said < (normal ? 0 : e->least) || said > e->most)
        snprintf(why, sizeof why, "%d messages", said);
    else if (e->end != ANY && o->sent < p->steps && !(e->end == FAILS && p->steps > 1) && e->end != NORMAL)
        snprintf(why, sizeof why, "it ended by itself after %d of %d steps", o->sent, p->steps);
    else
        return NULL;
    return why;
}

static void print_plan(const struct plan *p) {
    static const char *const outs[] = {"read", "slow", "full", "closed", "/dev/full", "a file"};
    static const char *const whos[] = {"a thread", "another", "each", "the first process", "one between"};
    printf("    %d threads, mode %s, %d turns%s, stdout %s%s", p->threads, p->mode, p->turns,
           p->storm ? ", interrupted" : "", outs[p->out], p->is_err_full ? ", stderr full" : "");
    if (p->resource >= 0) printf(", limit %d: %lu", p->resource, (unsigned long)p->limit);
    for (int i = 0; i < p->steps; i++)
        printf(", %s%d ms: signal %d to %s", i == 0 && p->from_ready ? "once ready " : "", p->step[i].ms,
               p->step[i].signal, whos[p->step[i].who]);
    printf("\n");
}

static void print_text(const char *name, const char *text) {
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        printf("    %s: %.*s\n", name, (int)(n < 300 ? n : 300), at);
        at += n + (at[n] == '\n');
    }
}

int main(int argc, char **argv) {
    if (argc < 7) return fprintf(stderr, "faults WORK PROGRAM smp|mpi FIRST COUNT COMMAND...\n"), 2;
    is_smp = !strcmp(argv[3], "smp");
    struct place place = {.work = argv[1], .program = argv[2], .is_mpi = !is_smp, .threads_at = -1};
    place.command = argv + 6, place.words = argc - 6;
    for (int i = 0; i < place.words; i++)
        if (!strcmp(place.command[i], "%n")) place.threads_at = i;
    uint64_t first = strtoull(argv[4], NULL, 0);
    int count = atoi(argv[5]), bad = 0;
    char path[4200];
    snprintf(path, sizeof path, "%s/tmp", place.work);
    mkdir(path, 0700);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN);
    /* Where it is allowed, /dev/shm is ours alone, and what is left there is the job's. */
    place.is_private = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                       mount("faults", "/dev/shm", "tmpfs", 0, "mode=1777") == 0;
    for (int i = 0; i < count; i++) {
        struct plan plan;
        static struct outcome outcome;
        state = first + (uint64_t)i;
        any();
        struct expected expected = make(&plan);
        round_play(&place, &plan, &outcome);
        const char *why = judge(&plan, &expected, &outcome);
        if (!why && !getenv("FAULTS_VERBOSE")) continue;
        bad += why != NULL;
        printf("%s round %lu: %s\n", why ? "FAIL" : "good", (unsigned long)(first + (uint64_t)i), why ? why : "");
        print_plan(&plan);
        print_text("left", outcome.left);
        print_text("err", outcome.err);
        fflush(stdout);
    }
    printf("%d of %d rounds good\n", count - bad, count);
    return bad < 100 ? bad : 100;
}

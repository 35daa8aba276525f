/* The suite's main: starts the job, agrees on a seed, and runs the cases whose names are asked for (all without ENDS if
 * none are), in the order of files and lines, with a barrier after each.
 *
 *     suite [--times X] [--limit SECONDS] [PART-OF-NAME | =NAME]...
 *     suite --list          prints the cases
 *     suite --list-ends     prints, for each ENDS: name, least threads, status, message
 */
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

double suite_times = 1;
uint64_t suite_seed;
struct suite_random together, mine;

static struct suite_case *cases;
static const char *running = "the start";
static unsigned limit = 600;

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Keeps the list sorted: the same order in every process, whatever the linker's. */
void suite_enter(struct suite_case *c) {
    struct suite_case **at = &cases;
    for (; *at; at = &(*at)->next) {
        int order = strcmp(base((*at)->file), base(c->file));
        if (order > 0 || (order == 0 && (*at)->line > c->line)) break;
    }
    c->next = *at;
    *at = c;
}

void suite_fail(const char *file, int line, const char *what, const char *format, ...) {
    char why[400];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    gas_fatal("%s:%d: case %s: %s: %s (FATHOM_SEED=%" PRIu64 ")", base(file), line, running, what, why, suite_seed);
}

static void hangs(int signal) {
    char text[200];
    int n = snprintf(text, sizeof text, "suite: thread %d: case %s does not end (FATHOM_SEED=%" PRIu64 ")\n", me(),
                     running, suite_seed);
    if (write(2, text, (size_t)n) < 0) _exit(98);
    (void)signal;
    _exit(98);
}

/* ---- the seed ---------------------------------------------------------------------------------------------------- */

static bool seed_known;
static void take_seed(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    suite_seed = args[0];
    seed_known = true;
}

static void agree_on_seed(void) {
    int handler = gas_register(take_seed);
    gas_barrier();
    if (me() == 0) {
        const char *given = getenv("FATHOM_SEED");
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t seed =
            given ? strtoull(given, NULL, 0) : (uint64_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000) % 1000000007;
        for (int t = 0; t < count(); t++) gas_request_short(t, handler, &seed, 1);
    }
    WAIT_UNTIL(seed_known);
}

static void seed_case(const char *name) {
    uint64_t hash = suite_seed;
    for (const char *c = name; *c; c++) hash = hash * 31 + (unsigned char)*c;
    together.state = hash;
    mine.state = hash + 0x5851f42d4c957f2d * ((uint64_t)me() + 1);
}

/* ---- which cases ------------------------------------------------------------------------------------------------- */

static bool wanted(const struct suite_case *c, char **names) {
    if (!*names) return !c->ends;
    for (; *names; names++) {
        if (**names == '=' ? strcmp(*names + 1, c->name) == 0 : !c->ends && strstr(c->name, *names)) return true;
    }
    return false;
}

static char **options(char **argv) {
    for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv++) {
        if (strcmp(*argv, "--list") == 0) {
            for (struct suite_case *c = cases; c; c = c->next)
                if (!c->ends) puts(c->name);
            exit(0);
        } else if (strcmp(*argv, "--list-ends") == 0) {
            for (struct suite_case *c = cases; c; c = c->next)
                if (c->ends) printf("%s\t%d\t%d\t%s\n", c->name, c->threads, c->status, c->ends);
            exit(0);
        } else if (strcmp(*argv, "--times") == 0 && argv[1]) {
            suite_times = atof(*++argv);
        } else if (strcmp(*argv, "--limit") == 0 && argv[1]) {
            limit = (unsigned)atoi(*++argv);
        } else {
            fprintf(stderr, "suite: unknown option %s\n", *argv);
            exit(2);
        }
    }
    return argv;
}

int main(int argc, char **argv) {
    char **names = options(argv);
    gas_start(&argc, &argv);
    signal(SIGALRM, hangs);
    alarm(limit);
    agree_on_seed();
    int ran = 0;
    bool verbose = getenv("SUITE_VERBOSE");
    for (struct suite_case *c = cases; c; c = c->next) {
        if (!wanted(c, names)) continue;
        ran++;
        running = c->name;
        seed_case(c->name);
        alarm(limit);
        struct timespec begun, ended;
        clock_gettime(CLOCK_MONOTONIC, &begun);
        c->run();
        gas_barrier();
        clock_gettime(CLOCK_MONOTONIC, &ended);
        if (verbose && me() == 0)
            fprintf(stderr, "%8.3f s  %s\n",
                    (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec), c->name);
    }
    running = "the end";
    if (me() == 0)
        printf("%d cases good on %s, %d threads, FATHOM_SEED=%" PRIu64 "\n", ran, gas_conduit(), count(), suite_seed);
    return ran ? 0 : 2;
}

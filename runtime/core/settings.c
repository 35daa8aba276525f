/* The environment variables that a job reads: FATHOM_THREADS, FATHOM_HEAP, FATHOM_PROGRESS, FATHOM_COMM, FATHOM_COMM_CHECK.
 * An invalid value ends the program with the value and an example, before anything is started. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

bool core_parse_size(const char *text, size_t *bytes) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (errno) return false;
    static const char letters[] = "kmgt";
    int shift = 0;
    if (*end) {
        const char *letter = strchr(letters, *end | 0x20);
        if (!letter) return false;
        shift = 10 * (int)(letter - letters + 1);
        end++;
        if (strcasecmp(end, "b") == 0 || strcasecmp(end, "ib") == 0) end = "";
    }
    if (*end || n > (SIZE_MAX >> shift)) return false;
    *bytes = (size_t)n << shift;
    return true;
}

int core_threads_wanted(void) {
    const char *text = getenv("FATHOM_THREADS");
    if (!text || !*text) return 0;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || *end || n < 1 || n > conduit_max_threads()) {
        fprintf(stderr, "fathom: FATHOM_THREADS=%s: expected a number of threads from 1 to %d\n", text,
                conduit_max_threads());
        exit(1);
    }
    return (int)n;
}

size_t core_heap_wanted(void) {
    const char *text = getenv("FATHOM_HEAP");
    if (!text || !*text) return 0;
    size_t bytes;
    if (!core_parse_size(text, &bytes) || bytes == 0) {
        fprintf(stderr, "fathom: FATHOM_HEAP=%s: expected the size of each thread's shared heap, such as 512m or 4g\n",
                text);
        exit(1);
    }
    return bytes;
}

enum core_progress core_progress_wanted(void) {
    const char *text = getenv("FATHOM_PROGRESS");
    if (!text || !*text) return CORE_PROGRESS_UNSAID;
    if (strcmp(text, "thread") == 0) return CORE_PROGRESS_THREAD;
    if (strcmp(text, "poll") == 0) return CORE_PROGRESS_POLL;
    fprintf(stderr,
            "fathom: FATHOM_PROGRESS=%s: expected thread (others are served while a thread computes) or poll "
            "(only inside its calls)\n",
            text);
    exit(1);
}

static bool is_word(const char *text, size_t length, const char *name) {
    return length == strlen(name) && strncmp(text, name, length) == 0;
}

/* Is the word of `length` at `text` this name, alone or with `=SIZE`? */
static bool is_mechanism(const char *text, size_t length, const char *name, bool *wanted, size_t *size) {
    size_t n = strlen(name);
    char number[32];
    if (length < n || strncmp(text, name, n) != 0) return false;
    *wanted = true;
    *size = 0;
    if (length == n) return true;
    if (text[n] != '=' || length - n > sizeof number) return false;
    memcpy(number, text + n + 1, length - n - 1);
    number[length - n - 1] = 0;
    return core_parse_size(number, size) && *size > 0;
}

static void check_wanted(struct core_comm *w) {
    const char *text = getenv("FATHOM_COMM_CHECK");
    if (!text || !*text || strcmp(text, "0") == 0) return;
    w->check = true;
    w->check_stops = strcmp(text, "stop") == 0;
    if (w->check_stops || strcmp(text, "1") == 0) return;
    fprintf(stderr,
            "fathom: FATHOM_COMM_CHECK=%s: expected 0, 1 (what was fetched of far threads is compared where it is "
            "used, and "
            "differences are reported) or stop (the first one ends the job)\n",
            text);
    exit(1);
}

static void limit_sites(struct core_comm *w) {
    const char *text = getenv("FATHOM_COMM_SITES");
    w->sites = -1;
    if (!text || !*text) return;
    char *end;
    errno = 0;
    w->sites = strtol(text, &end, 10);
    if (*end == 0 && errno == 0 && w->sites >= 0) return;
    fprintf(stderr,
            "fathom: FATHOM_COMM_SITES=%s: expected a number: so many of the program's loops, in the order in which a "
            "thread comes "
            "to them, fetch far data ahead\n",
            text);
    exit(1);
}

static void want_all(struct core_comm *w) {
    w->outbox = w->bundles = w->updates = w->lines = w->strips = w->gathers = w->foresee = w->together = true;
}

struct core_comm core_comm_wanted(void) {
    struct core_comm w = {0};
    check_wanted(&w);
    limit_sites(&w);
    const char *text = getenv("FATHOM_COMM");
    w.is_default = !text || !*text;
    if (w.is_default || strcmp(text, "on") == 0) {
        want_all(&w);
        return w;
    }
    if (strcmp(text, "off") == 0) return w;
    w.is_list = true;
    bool good = true;
    size_t length = 0;
    const char *at = text;
    for (;; at++) {
        length = strcspn(at, ",");
        size_t line;
        if (is_mechanism(at, length, "outbox", &w.outbox, &w.outbox_bytes)) {
            good = w.outbox_bytes == 0 || w.outbox_bytes >= CORE_LEAST_OUTBOX;
        } else if (is_mechanism(at, length, "lines", &w.lines, &w.line_bytes)) {
            line = w.line_bytes;
            good = line == 0 || (line >= CORE_NARROWEST_LINE && line <= CORE_WIDEST_LINE && (line & (line - 1)) == 0);
        } else if (is_word(at, length, "on")) {
            want_all(&w);
        } else if (is_word(at, length, "bundles")) {
            w.outbox = w.bundles = true;
        } else if (is_word(at, length, "updates")) {
            w.outbox = w.updates = true;
        } else if (is_word(at, length, "together")) {
            w.together = true;
        } else if (is_mechanism(at, length, "gathers", &w.gathers, &w.gather_elements)) {
            w.strips = true;
        } else if (is_mechanism(at, length, "foresee", &w.foresee, &w.foreseen_runs)) {
            w.strips = true;
        } else if (is_mechanism(at, length, "kept", &w.gathers, &w.kept_bytes)) {
            w.strips = true;
            good = w.kept_bytes > 0;
        } else {
            good = is_mechanism(at, length, "strips", &w.strips, &w.strip_elements) ||
                   (is_word(at, length, "force") && (w.force = true));
        }
        if (!good) break;
        at += length;
        if (!*at) return w;
    }
    fprintf(
        stderr,
        "fathom: FATHOM_COMM=%s: expected on, off, or a list of on (all that follow but force), outbox (relaxed writes "
        "to far threads are gathered), "
        "outbox=BYTES (at least %d for each thread), bundles (what is gathered for several threads that share memory "
        "goes to one "
        "of them; includes outbox), updates (of far data, by their owners; includes outbox), lines "
        "(what is read from them is kept until the next strict "
        "operation), lines=BYTES (a power of two, %d to %d), strips (loops fetch far data ahead), strips=N (N elements "
        "at once), gathers (loops fetch t[index[i]] ahead; includes strips), gathers=N (N iterations at once), "
        "kept=BYTES (of lists of places of loops whose indices are constant; includes "
        "gathers), foresee (loops inside loops fetch ahead what they will read when they run again; includes strips), "
        "foresee=N "
        "(N runs at once), together (calls of upc_memget that follow each other are under way at once), and force "
        "(near data, too; for tests)",
        text, CORE_LEAST_OUTBOX, CORE_NARROWEST_LINE, CORE_WIDEST_LINE);
    if (length < strlen(text)) fprintf(stderr, "; \"%.*s\" is none of these", (int)length, at);
    fprintf(stderr, "\n");
    exit(1);
}

/* The environment variables that a job reads: FATHOM_THREADS, FATHOM_HEAP, FATHOM_PROGRESS, FATHOM_COMM. An invalid value ends the
 * program with the value and an example, before anything is started. */
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
    if (errno || *end || n < 1 || n > conduit_max_threads) {
        fprintf(stderr, "fathom: FATHOM_THREADS=%s: expected a number of threads from 1 to %d\n", text,
                conduit_max_threads);
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

/* The words of FATHOM_COMM. */
struct comm {
    bool outbox, strips, force;
    size_t outbox_bytes, strip_elements;
};

/* Is the word `name`, or `name=SIZE` with a size of at least `least`? */
static bool comm_word(const char *word, size_t length, const char *name, size_t least, size_t *size) {
    size_t n = strlen(name);
    char text[32];
    if (length < n || strncmp(word, name, n) != 0) return false;
    if (length == n) return true;
    if (!size || word[n] != '=' || length - n - 1 >= sizeof text) return false;
    memcpy(text, word + n + 1, length - n - 1);
    text[length - n - 1] = 0;
    return core_parse_size(text, size) && *size >= least;
}

static struct comm comm_wanted(void) {
    struct comm c = {0};
    const char *text = getenv("FATHOM_COMM");
    if (!text || !*text || strcmp(text, "off") == 0) return c;
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        if (comm_word(word, length, "outbox", CORE_LEAST_COMM, &c.outbox_bytes))
            c.outbox = true;
        else if (comm_word(word, length, "strips", 1, &c.strip_elements))
            c.strips = true;
        else if (comm_word(word, length, "force", 0, NULL))
            c.force = true;
        else
            break;
        word += length;
        if (!*word) return c;
    }
    fprintf(stderr,
            "fathom: FATHOM_COMM=%s: expected off, or a list of outbox (relaxed writes to far threads are gathered) or "
            "outbox=BYTES, with at least %d bytes for each thread; strips (loops fetch far data ahead) or strips=N, "
            "with N elements at once; force (near data, too; for tests)\n",
            text, CORE_LEAST_COMM);
    exit(1);
}

bool core_comm_wanted(size_t *bytes) {
    struct comm c = comm_wanted();
    *bytes = c.outbox_bytes;
    return c.outbox;
}

bool core_strips_wanted(size_t *elements, bool *is_forced) {
    struct comm c = comm_wanted();
    *elements = c.strip_elements;
    *is_forced = c.force;
    return c.strips;
}

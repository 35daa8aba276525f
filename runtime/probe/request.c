/* The text of the protocol: a request's words, and the line that answers it.
 *
 * A line is `kernel name=value name=value`. What is wrong with one is said in the answer and harms nothing else.
 */
#include "probe/request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool request_parse(struct request *request, struct reply *reply, const char *line) {
    request->kernel = "";
    request->arguments = 0;
    request->reply = reply;
    size_t length = strlen(line);
    if (length >= sizeof request->text) {
        reply_error(reply, "a request has at most %d bytes, not %zu", REQUEST_BYTES - 1, length);
        return false;
    }
    memcpy(request->text, line, length + 1);
    char *rest = request->text, *word = strsep(&rest, " ");
    if (!*word || strchr(word, '=')) {
        reply_error(reply, "a request begins with the name of a kernel: `name argument=value ...`");
        return false;
    }
    request->kernel = word;
    while ((word = strsep(&rest, " "))) {
        if (!*word) continue;
        char *value = word, *name = strsep(&value, "=");
        if (!*name || !value || !*value) {
            reply_error(reply, "`%.40s` is not a valid argument: write `name=value`, without blanks", name);
            return false;
        }
        if (request->arguments == REQUEST_ARGUMENTS) {
            reply_error(reply, "a request has at most %d arguments", REQUEST_ARGUMENTS);
            return false;
        }
        request->argument[request->arguments].name = name;
        request->argument[request->arguments++].value = value;
    }
    return true;
}

const char *request_word(const struct request *request, const char *name, const char *otherwise) {
    for (int i = 0; i < request->arguments; i++)
        if (strcmp(request->argument[i].name, name) == 0) return request->argument[i].value;
    return otherwise;
}

long request_number(const struct request *request, const char *name, long otherwise) {
    const char *text = request_word(request, name, NULL);
    if (!text) return otherwise;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end) {
        reply_error(request->reply, "`%s` must be a number, not `%.40s`", name, text);
        return otherwise;
    }
    return value;
}

int request_samples(const struct request *request) {
    long samples = request_number(request, "samples", 7);
    return samples < 1 ? 1 : samples > 100000 ? 100000 : (int)samples;
}

double request_limit_s(const struct request *request) {
    long ms = request_number(request, "limit_ms", 1000);
    return ms < 1 ? 1e-3 : ms > 600000 ? 600 : (double)ms / 1e3;
}

/* ---- replies ----------------------------------------------------------------------------------------------------- */

/* Room for `more` elements behind `used` of them. */
static bool grow(void **memory, size_t *room, size_t used, size_t more, size_t element) {
    if (used + more <= *room) return true;
    size_t wanted = (used + more) * 2;
    void *larger = realloc(*memory, wanted * element);
    if (!larger) return false;
    *memory = larger;
    *room = wanted;
    return true;
}

void reply_sample(struct reply *reply, double ns_per_operation) {
    void *memory = reply->sample;
    if (!reply->answers || !grow(&memory, &reply->room, reply->samples, 1, sizeof *reply->sample)) return;
    reply->sample = memory;
    double before = reply->cycle_ns, after = cycle_ns();
    reply->sample[reply->samples].ns = ns_per_operation;
    reply->sample[reply->samples++].cycle_ns = (before + after) / 2;
    reply->cycle_ns = after;
}

void reply_subtract(struct reply *reply, double ns_per_operation) {
    for (size_t i = 0; i < reply->samples; i++)
        if (reply->sample[i].ns < ns_per_operation) ns_per_operation = reply->sample[i].ns;
    for (size_t i = 0; i < reply->samples; i++) reply->sample[i].ns -= ns_per_operation;
}

void reply_fact(struct reply *reply, const char *name, double value) {
    char text[128];
    int n = snprintf(text, sizeof text, " %s=%.9g", name, value);
    void *memory = reply->facts;
    if (!reply->answers || n >= (int)sizeof text ||
        !grow(&memory, &reply->facts_room, reply->facts_bytes, (size_t)n, 1))
        return;
    reply->facts = memory;
    memcpy(reply->facts + reply->facts_bytes, text, (size_t)n);
    reply->facts_bytes += (size_t)n;
}

/* As in crates/profile/src/reason.rs, which a test compares. */
static const char *const reason_codes[REASONS] = {
    [REASON_PROCESSORS] = "processors",
    [REASON_THREADS] = "threads",
    [REASON_APART] = "apart",
    [REASON_NEAR] = "near",
    [REASON_MEMORY] = "memory",
    [REASON_OPERATION] = "operation",
    [REASON_SIZE] = "size",
    [REASON_SYSTEM] = "system",
    [REASON_COMPILER] = "compiler",
    [REASON_UNSEEN] = "unseen",
    [REASON_TIME] = "time",
};

/* The first reason stays: what follows is often its consequence. An error outweighs what is merely impossible. */
static void refuse(struct reply *reply, int kind, const char *format, va_list arguments) {
    if (!reply->answers || (int)reply->kind >= kind) return;
    reply->kind = kind;
    vsnprintf(reply->text, sizeof reply->text, format, arguments);
    for (char *c = reply->text; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
}

void reply_impossible(struct reply *reply, enum reason reason, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (reply->kind < REPLY_IMPOSSIBLE) reply->reason = reason;
    refuse(reply, REPLY_IMPOSSIBLE, format, arguments);
    va_end(arguments);
}

void reply_error(struct reply *reply, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    refuse(reply, REPLY_ERROR, format, arguments);
    va_end(arguments);
}

void reply_clear(struct reply *reply) {
    reply->samples = reply->facts_bytes = 0;
    reply->kind = REPLY_SAMPLES;
    reply->text[0] = 0;
}

bool reply_write(struct reply *reply, const struct request *request) {
    if (reply->kind == REPLY_SAMPLES && reply->samples == 0)
        reply_error(reply, "the kernel `%s` gave no sample", request->kernel);
    switch (reply->kind) {
    case REPLY_IMPOSSIBLE: printf("impossible %s %s\n", reason_codes[reply->reason], reply->text); break;
    case REPLY_ERROR: printf("error %s\n", reply->text); break;
    case REPLY_SAMPLES:
        printf("samples");
        for (size_t i = 0; i < reply->samples; i++)
            printf(" %.9g@%.6g", reply->sample[i].ns, reply->sample[i].cycle_ns);
        printf(" ;%.*s\n", (int)reply->facts_bytes, reply->facts ? reply->facts : "");
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}

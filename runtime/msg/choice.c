/* What msg_send chooses for data that lie in the region: as they lie, or a copy. Both arrive as the same kind of message; a
 * copy leaves the region free at once, and costs the copying. Which is faster depends on the computer, so the tuning table
 * may say it, in the line `msg-send: copy < 128, tag-on` (docs/tuning.md; `fathom probe --only queues` measures it and `fathom
 * tune` writes it). Without a table data go as they lie. All else has one way each: a word goes as Express, data elsewhere
 * are copied.
 *
 * The table is the file of the runtime (runtime/core/tuning_file.c), with the same rules: FATHOM_TUNING names it, and must be
 * readable then; else it is fathom/tuning in XDG_CONFIG_HOME or ~/.config, if it exists. Lines for another conduit than smp, lines
 * of a table of another version, and lines that are not valid count as not there; `fathom tune --print` shows valid ones.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg/internal.h"

enum { MOST_LINE = 2000, TABLE_VERSION = 2 };
static const char decision[] = "msg-send", heading[] = "# fathom tuning table ";

static const char *skip(const char *p) { return p + strspn(p, " \t"); }
static bool is_end(const char *p) { return !*p || strchr("#\r\n", *p); }

/* What stands behind the colon; false: it is not valid, and *c is as it was. */
static bool parse(const char *p, struct msg_choice *c) {
    struct msg_choice read = {.below = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    uint64_t before = 0;
    for (int i = 0; i < MSG_RANGES; i++) {
        p = skip(p);
        size_t n = strcspn(p, " \t,<#\r\n");
        bool copies = n == 4 && memcmp(p, "copy", n) == 0;
        if (!copies && !(n == 6 && memcmp(p, "tag-on", n) == 0)) return false;
        for (int k = i; k < MSG_RANGES; k++) read.copies[k] = copies;
        p = skip(p + n);
        if (is_end(p)) {
            *c = read;
            return true;
        }
        if (*p++ != '<' || i == MSG_RANGES - 1) return false;
        p = skip(p);
        char *end;
        errno = 0;
        uint64_t below = strtoull(p, &end, 10);
        if (end == p || *p == '-' || errno || below < before) return false;
        p = skip(end);
        if (*p++ != ',') return false;
        read.below[i] = before = below;
    }
    return false;
}

static bool is_word(const char **p, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*p, word, n) != 0 || !strchr(" \t:#\r\n", (*p)[n])) return false;
    *p = skip(*p + n);
    return true;
}

static void read_lines(FILE *f, struct msg_choice *c, bool *found) {
    char line[MOST_LINE];
    bool ours = true;
    while (fgets(line, sizeof line, f)) {
        const char *p = skip(line);
        if (strncmp(line, heading, sizeof heading - 1) == 0 && atoi(line + sizeof heading - 1) != TABLE_VERSION) return;
        if (is_word(&p, "conduit"))
            ours = is_word(&p, "smp");
        else if (ours && is_word(&p, decision) && *p == ':')
            *found |= parse(p + 1, c);
    }
}

bool msg_choice_read(struct msg_choice *c) {
    *c = (struct msg_choice){.below = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const char *named = getenv("FATHOM_TUNING"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *path = NULL;
    int n = named                      ? asprintf(&path, "%s", named)
            : config && *config == '/' ? asprintf(&path, "%s/fathom/tuning", config)
            : home && *home == '/'     ? asprintf(&path, "%s/.config/fathom/tuning", home)
                                       : -1;
    if (n < 0 || !*path) {
        if (n >= 0) free(path);
        return true;
    }
    FILE *f = fopen(path, "re");
    bool found = false, readable = f && (getc(f) != EOF || !ferror(f)); /* else a folder */
    int error = errno;
    if (readable) {
        rewind(f);
        read_lines(f, c, &found);
    }
    if (f) fclose(f);
    if (!readable && named)
        msg_fail("FATHOM_TUNING=%s: cannot read it: %s; `fathom tune` writes a tuning table", path, strerror(error));
    if (found)
        c->from = path;
    else
        free(path);
    return readable || !named;
}

int msg_explain_send(const msg_transmit *t, unsigned destination, const void *data, uint32_t bytes, bool ticket,
                     char *text, size_t room) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    const struct msg_row *r = msg_row_of(t, destination);
    const struct msg_choice *c = &t->endpoint->choice;
    if (!r) return snprintf(text, room, "nothing: destination %u is not connected", destination);
    if (r->basic) return snprintf(text, room, "Basic: the destination is a queue of records");
    if (bytes <= sizeof(uint64_t))
        return snprintf(text, room, "Express: %u bytes fit into the word of one atomic operation", bytes);
    const char *why = !t->region                          ? "the transmit queue has no region"
                      : !r->has_region                    ? "the region was made after the destination was connected"
                      : !msg_is_in_region(t, data, bytes) ? "the data are not at a multiple of 64 in the region"
                      : !ticket                           ? "without a ticket the data may change at once"
                                                          : NULL;
    bool fits = bytes <= MSG_MOST_COPY;
    if (why && !fits) return snprintf(text, room, "nothing: %s, and a copy has at most %d bytes", why, MSG_MOST_COPY);
    if (why) return snprintf(text, room, "a copy: %s", why);
    if (bytes > MSG_MOST_TAG_ON) return snprintf(text, room, "nothing: more than %d bytes", MSG_MOST_TAG_ON);
    bool copies = fits && msg_choice_copies(c, bytes);
    const char *by = c->from ? c->from : "no tuning table says otherwise";
    return snprintf(text, room, "%s: %u bytes lie in the region (%s%s)", copies ? "a copy" : "Tag-On", bytes,
                    c->from ? "by the tuning table " : "", by);
}

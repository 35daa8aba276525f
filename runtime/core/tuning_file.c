/* The file with the tuning table: FATHOM_TUNING names it; otherwise it is `fathom/tuning` in XDG_CONFIG_HOME or
 * ~/.config, if it exists. An empty FATHOM_TUNING means no file.
 *
 * A table only makes a program faster, so an invalid line is reported and skipped, and the job goes on. Only if
 * FATHOM_TUNING names a file that cannot be read does the job end, because the user expects an effect that would not
 * occur.
 */
#include "core/tuning_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "core/tuning.h"
#include "gas_tuning.h"

enum { MOST_LINE = 2000, MOST_LINES = 20000, MOST_REPORTED = 5 };

static CONDUIT_LARGE char file[4096];
static CONDUIT_LARGE char reports[MOST_REPORTED][300]; /* kept until there are threads: one of them reports */
static int strange;                                    /* lines; more than are reported, perhaps */
static bool unknown_reported;

const char *gas_tuning_file(void) { return file; }

static void report(int line, const char *what, const char *hint) {
    if (strange < MOST_REPORTED)
        snprintf(reports[strange], sizeof reports[0], "fathom: %.120s:%d: %s%s\n", file, line, what, hint);
    strange++;
}

/* Does the line begin with `conduit NAME`? Then the lines after it are for that conduit only. */
static bool is_conduit(const char *line, bool *ours) {
    static const char word[] = "conduit";
    const char *p = line + strspn(line, " \t");
    if (strncmp(p, word, sizeof word - 1) != 0 || !strchr(" \t", p[sizeof word - 1])) return false;
    p += sizeof word - 1;
    p += strspn(p, " \t");
    size_t n = strcspn(p, " \t#\r\n");
    *ours = strlen(conduit_name()) == n && memcmp(conduit_name(), p, n) == 0;
    return true;
}

/* Is the line the heading of a table of another version, whose numbers have another meaning? A table without a heading
 * is of this version. */
static bool is_other_version(const char *line) {
    static const char heading[] = "# fathom tuning table ";
    return strncmp(line, heading, sizeof heading - 1) == 0 &&
           strtol(line + sizeof heading - 1, NULL, 10) != CORE_TABLE_VERSION;
}

static void read_lines(FILE *f) {
    char line[MOST_LINE];
    bool ours = true;
    for (int number = 1; number <= MOST_LINES && fgets(line, sizeof line, f); number++) {
        if (!strchr(line, '\n') && !feof(f)) {
            report(number, "a line of more than 2000 characters", "; the rest of the file is ignored");
            return;
        }
        if (is_other_version(line)) {
            report(number, "a table of another version", ", and not used; `fathom tune` writes a new one");
            return;
        }
        bool unknown;
        if (is_conduit(line, &ours) || !ours) continue;
        const char *wrong = core_tuning_apply(line, &unknown);
        if (!wrong || (unknown && unknown_reported)) continue;
        unknown_reported |= unknown;
        report(number, wrong,
               unknown ? "; a table of another version? `fathom tune` writes a new one" : "; the line is ignored");
    }
}

void core_tuning_read(void) {
    const char *named = getenv("FATHOM_TUNING"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    size_t room = sizeof file;
    int n = 0;
    if (named)
        n = snprintf(file, room, "%s", named);
    else if (config && *config == '/')
        n = snprintf(file, room, "%s/fathom/tuning", config);
    else if (home && *home == '/')
        n = snprintf(file, room, "%s/.config/fathom/tuning", home);
    if (n <= 0 || (size_t)n >= room) {
        *file = 0;
        return;
    }
    FILE *f = fopen(file, "re");
    int error = errno;
    if (f && getc(f) == EOF && ferror(f)) { /* a folder */
        error = errno;
        fclose(f);
        f = NULL;
    }
    if (!f) {
        if (named) {
            fprintf(stderr, "fathom: FATHOM_TUNING=%s: cannot read it: %s; `fathom tune` writes a tuning table\n",
                    named, strerror(error));
            exit(1);
        }
        *file = 0;
        return;
    }
    rewind(f);
    read_lines(f);
    fclose(f);
}

void core_tuning_report(void) {
    int shown = strange < MOST_REPORTED ? strange : MOST_REPORTED;
    for (int i = 0; i < shown; i++) fputs(reports[i], stderr);
    if (strange > shown) fprintf(stderr, "fathom: %s: %d more lines are not valid\n", file, strange - shown);
}

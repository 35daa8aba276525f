/* The tuning table in memory, and its lines as text; see tuning.h. Files are tuning_file.c's business. */
#include "core/tuning.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "core/core.h"
#include "core/tuning_file.h"
#include "gas_tuning.h"

struct core_tuning core_tuning;
static struct core_tuning at_start;

/* ---- words ----------------------------------------------------------------------------------------------------- */

static const char *const mechanisms[CORE_MECHANISMS] = {
    [CORE_IN_PLACE] = "in-place", [CORE_LIBRARY] = "library",   [CORE_STRING] = "string", [CORE_STREAM] = "stream",
    [CORE_LOOP] = "loop",         [CORE_WIDE] = "wide",         [CORE_PREFETCH] = "prefetch",
    [CORE_VECTOR] = "vector",     [CORE_TILES] = "tiles",       [CORE_PACK] = "pack",     [CORE_EACH] = "each",
};

#define M(name) (1u << CORE_##name)
enum { ELEMENTS = 1, STRIDES = 2 };
static const struct decision {
    const char *name;
    struct core_ranges *ranges; /* the first of one, of a class of elements each, or of one and a stride each */
    unsigned keys, mechanisms;
} decisions[] = {
    {"contiguous", &core_tuning.contiguous, 0, M(IN_PLACE) | M(LIBRARY) | M(STRING) | M(STREAM)},
    {"gather", &core_tuning.gather[0][0], ELEMENTS | STRIDES,
     M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH) | M(VECTOR) | M(STREAM)},
    {"scatter", &core_tuning.scatter[0][0], ELEMENTS | STRIDES,
     M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH) | M(VECTOR) | M(STREAM)},
    {"strided", &core_tuning.strided[0][0], ELEMENTS | STRIDES, M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH)},
    {"indexed", &core_tuning.indexed[0], ELEMENTS, M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH)},
    {"transpose", &core_tuning.transpose[0][0], ELEMENTS | STRIDES, M(LOOP) | M(TILES)},
    {"put-pieces", &core_tuning.put_pieces, 0, M(PACK) | M(EACH)},
    {"get-pieces", &core_tuning.get_pieces, 0, M(PACK) | M(EACH)},
};
enum { DECISIONS = sizeof decisions / sizeof *decisions };

/* What serves without a table, and where a table says nothing. */
static const char *const defaults[] = {
    "contiguous: in-place < 17, library",
    "gather: loop",
    "gather element=32..255: wide",
    "scatter: loop",
    "scatter element=32..255: wide",
    "strided: loop",
    "strided element=32..255: wide",
    "indexed: loop",
    "indexed element=32..255: wide",
    "transpose: loop",
    /* About where an operation of its own costs no more than copying its data twice. */
    "put-pieces: pack < 2048, each",
    "get-pieces: pack < 2048, each",
    /* A pause takes 40 to 140 cycles: some ten switches of context. */
    "spins: 2000",
};

bool core_can(enum core_mechanism m) {
#ifdef __x86_64__
    if (m == CORE_WIDE) return __builtin_cpu_supports("avx");
    if (m == CORE_VECTOR) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    return true;
#else
    return m != CORE_WIDE && m != CORE_VECTOR && m != CORE_STRING && m != CORE_STREAM;
#endif
}

/* ---- a line ---------------------------------------------------------------------------------------------------- */

static char complaint[200];
__attribute__((format(printf, 1, 2))) static const char *complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(complaint, sizeof complaint, format, args);
    va_end(args);
    return complaint;
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t') p++;
    return p;
}
static size_t word_length(const char *p) { return strcspn(p, " \t,:=<#\r\n"); }
static bool is_end(const char *p) { return *p == 0 || *p == '#' || *p == '\r' || *p == '\n'; }

static bool number(const char **p, uint64_t *n) {
    if (**p < '0' || **p > '9') return false;
    char *end;
    errno = 0;
    *n = strtoull(*p, &end, 10);
    *p = end;
    return errno == 0;
}

static const struct decision *find(const char *name, size_t n) {
    for (int d = 0; d < DECISIONS; d++)
        if (strlen(decisions[d].name) == n && memcmp(decisions[d].name, name, n) == 0) return &decisions[d];
    return NULL;
}

/* " element=4..8": the classes that are meant. */
struct span {
    unsigned first, last;
};
static bool span(const char **p, const char *name, unsigned classes, struct span *s) {
    size_t n = strlen(name);
    if (strncmp(*p, name, n) != 0 || (*p)[n] != '=') return false;
    *p += n + 1;
    uint64_t from, to;
    if (!number(p, &from)) return false;
    to = from;
    if (strncmp(*p, "..", 2) == 0) {
        *p += 2;
        if (is_end(*p) || **p == ' ' || **p == ':')
            to = UINT64_MAX;
        else if (!number(p, &to))
            return false;
    }
    *s = (struct span){core_class(from, classes), core_class(to, classes)};
    return from > 0 && from <= to;
}

/* "loop < 4096, prefetch" */
static const char *ranges(const char *p, const struct decision *d, struct core_ranges *r) {
    uint64_t before = 0;
    for (int i = 0; i < CORE_RANGES; i++) {
        p = skip_blanks(p);
        size_t n = word_length(p);
        int m = 0;
        while (m < CORE_MECHANISMS && (strlen(mechanisms[m]) != n || memcmp(mechanisms[m], p, n) != 0)) m++;
        if (n == 0) return complain("a mechanism of `%s` is missing", d->name);
        if (m == CORE_MECHANISMS || !(d->mechanisms >> m & 1))
            return complain("`%.*s` is no mechanism of `%s`", (int)n, p, d->name);
        for (int k = i; k < CORE_RANGES; k++) r->take[k] = (uint8_t)m;
        p = skip_blanks(p + n);
        if (is_end(p)) {
            for (int k = i; k < CORE_RANGES - 1; k++) r->below[k] = UINT64_MAX;
            return NULL;
        }
        uint64_t below;
        if (*p != '<') return complain("after `%s`: expected `< BYTES` or the end", mechanisms[m]);
        p = skip_blanks(p + 1);
        if (!number(&p, &below)) return complain("after `%s <`: expected a number of bytes", mechanisms[m]);
        if (below < before) return complain("the sizes of `%s` must rise", d->name);
        p = skip_blanks(p);
        if (*p != ',') return complain("after %llu: expected a comma and another mechanism", (unsigned long long)below);
        p++;
        if (i == CORE_RANGES - 1) break;
        r->below[i] = before = below;
    }
    return complain("`%s` has more than %d mechanisms in a line", d->name, (int)CORE_RANGES);
}

/* What inlined copies look at. In place serves from 0 on, or not at all; the library is what is inlined after it. */
static void tell_inlined(void) {
    const struct core_ranges *r = &core_tuning.contiguous;
    uint64_t in_place = r->take[0] == CORE_IN_PLACE ? r->below[0] : 0, from = in_place;
    for (int i = 0; i < CORE_RANGES; i++) {
        if (r->take[i] != CORE_IN_PLACE && r->take[i] != CORE_LIBRARY) break;
        from = i < CORE_RANGES - 1 ? r->below[i] : UINT64_MAX;
    }
    core_set_copies(in_place < 33 ? in_place : 33, from);
}

const char *core_tuning_apply(const char *line, bool *unknown) {
    *unknown = false;
    const char *p = skip_blanks(line);
    if (is_end(p)) return NULL;
    size_t n = word_length(p);
    if (n == 5 && memcmp(p, "spins", n) == 0) {
        uint64_t turns;
        p = skip_blanks(p + n);
        if (*p++ != ':' || (p = skip_blanks(p), !number(&p, &turns)) || !is_end(skip_blanks(p)) || turns > 100000000)
            return complain("expected `spins: TURNS`");
        core_tuning.spins = turns;
        return NULL;
    }
    const struct decision *d = find(p, n);
    if (!d) {
        *unknown = true;
        return complain("there is no decision `%.*s`", (int)n, p);
    }
    p = skip_blanks(p + n);
    struct span element = {0, d->keys & ELEMENTS ? CORE_ELEMENTS - 1 : 0};
    struct span stride = {0, d->keys & STRIDES ? CORE_STRIDES - 1 : 0};
    for (; *p != ':'; p = skip_blanks(p)) {
        bool good = (d->keys & ELEMENTS && span(&p, "element", CORE_ELEMENTS, &element)) ||
                    (d->keys & STRIDES && span(&p, "stride", CORE_STRIDES, &stride));
        if (!good) return complain("`%s`: expected a colon%s", d->name, d->keys ? ", or element=N..M or stride=N..M" : "");
    }
    struct core_ranges r;
    const char *wrong = ranges(p + 1, d, &r);
    if (wrong) return wrong;
    unsigned columns = d->keys & STRIDES ? CORE_STRIDES : 1;
    for (unsigned e = element.first; e <= element.last; e++)
        for (unsigned s = stride.first; s <= stride.last; s++) d->ranges[e * columns + s] = r;
    if (d->ranges == &core_tuning.contiguous) tell_inlined();
    return NULL;
}

/* ---- start, and gas_tuning.h ----------------------------------------------------------------------------------- */

void core_tuning_start(void) {
    bool unknown;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const char *wrong = core_tuning_apply(defaults[i], &unknown);
        if (wrong) core_fatal("the built-in tuning `%s`: %s", defaults[i], wrong);
    }
    core_tuning_read();
    at_start = core_tuning;
}

const char *gas_tune(const char *line) {
    bool unknown;
    return core_tuning_apply(line, &unknown);
}

void gas_tune_reset(void) {
    core_tuning = at_start;
    tell_inlined();
}

const char *gas_tuned(const char *decision, size_t element, size_t stride, size_t bytes) {
    const struct decision *d = find(decision, strlen(decision));
    if (!d) return NULL;
    unsigned e = d->keys & ELEMENTS ? core_class(element, CORE_ELEMENTS) : 0;
    unsigned s = d->keys & STRIDES ? core_class(stride, CORE_STRIDES) : 0;
    return mechanisms[core_choose(&d->ranges[e * (d->keys & STRIDES ? CORE_STRIDES : 1) + s], bytes)];
}

int gas_tune_can(const char *mechanism) {
    for (int m = 0; m < CORE_MECHANISMS; m++)
        if (strcmp(mechanisms[m], mechanism) == 0) return core_can((enum core_mechanism)m);
    return 0;
}

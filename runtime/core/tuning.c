/* The tuning table in memory, and its lines as text; see tuning.h. tuning_file.c reads the files. */
#define FATHOM_COPY_TELLS
#include "core/tuning.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"
#include "core/constants.h"
#include "core/core.h"
#include "core/tuning_file.h"
#include "gas_tuning.h"

CONDUIT_LARGE struct core_tuning core_tuning;
core_told *core_tell;
static CONDUIT_LARGE struct core_tuning at_start, built_in;

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *const mechanisms[CORE_MECHANISMS] = {
    [CORE_IN_PLACE] = "in-place", [CORE_LIBRARY] = "library", [CORE_STRING] = "string",
    [CORE_STREAM] = "stream",     [CORE_LOOP] = "loop",       [CORE_WIDE] = "wide",
    [CORE_PREFETCH] = "prefetch", [CORE_VECTOR] = "vector",   [CORE_TILES] = "tiles",
    [CORE_PACK] = "pack",         [CORE_EACH] = "each",       [CORE_AUTO] = "auto",
    [CORE_DIRECT] = "direct",     [CORE_MESSAGE] = "message", [CORE_READ] = "read",
    [CORE_WRITE] = "write",       [CORE_PIECES] = "pieces",   [CORE_HELP] = "help",
    [CORE_WHOLE] = "whole",       [CORE_SLICES] = "slices",   [CORE_FLAT] = "flat",
    [CORE_TREE] = "tree",         [CORE_SPREAD] = "spread",   [CORE_DOUBLING] = "doubling",
    [CORE_RING] = "ring",         [CORE_PAIRS] = "pairs",     [CORE_TAG_ON] = "tag-on",
    [CORE_COPY] = "copy",
};

#define M(name) (1u << CORE_##name)
/* The keys of a decision besides the size; and is the size the amount that a cache must hold, on both sides apart or on
 * one? */
enum { ELEMENTS = 1, STRIDES = 2, COMPUTERS = 4, TEAMS = 8, FILLS = 16, FILLS_BOTH = 32 };
static const struct decision {
    const char *name;
    struct core_ranges *ranges; /* the first of one for each class, or for each pair of an element's and a stride's */
    unsigned keys, mechanisms;
} decisions[] = {
    {"contiguous", &core_tuning.contiguous, 0, M(IN_PLACE) | M(LIBRARY) | M(STRING) | M(STREAM)},
    {"gather", &core_tuning.gather[0][0], ELEMENTS | STRIDES | FILLS,
     M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH) | M(VECTOR) | M(STREAM)},
    {"scatter", &core_tuning.scatter[0][0], ELEMENTS | STRIDES | FILLS,
     M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH) | M(VECTOR) | M(STREAM)},
    {"strided", &core_tuning.strided[0][0], ELEMENTS | STRIDES | FILLS | FILLS_BOTH,
     M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH)},
    {"put-indexed", &core_tuning.put_indexed[0], ELEMENTS, M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH)},
    {"get-indexed", &core_tuning.get_indexed[0], ELEMENTS, M(LOOP) | M(WIDE) | M(LIBRARY) | M(PREFETCH)},
    {"transpose", &core_tuning.transpose[0][0], ELEMENTS | STRIDES, M(LOOP) | M(TILES)},
    {"put-pieces", &core_tuning.put_pieces, 0, M(AUTO) | M(PACK) | M(EACH)},
    {"get-pieces", &core_tuning.get_pieces, 0, M(AUTO) | M(PACK) | M(EACH)},
    {"msg-send", &core_tuning.msg_send, 0, M(TAG_ON) | M(COPY)},
#define FAR(name, which)                                                                                               \
    { name, core_tuning.far[CORE_##which], COMPUTERS, M(AUTO) | M(DIRECT) | M(MESSAGE) }
    FAR("put", PUT),
    FAR("get", GET),
    FAR("put-together", PUT_TOGETHER),
    FAR("get-together", GET_TOGETHER),
    {"stream", core_tuning.agreed.stream, COMPUTERS, M(AUTO) | M(DIRECT) | M(MESSAGE)},
    {"atomic", &core_tuning.agreed.atomic, 0, M(AUTO) | M(DIRECT) | M(MESSAGE)},
#define TOGETHER(name, which, ways)                                                                                    \
    { name, core_tuning.agreed.collective[CORE_##which], TEAMS, ways }
    TOGETHER("broadcast", BROADCAST, M(READ) | M(HELP) | M(TREE)),
    TOGETHER("near-gather", NEAR_GATHER, M(READ) | M(WRITE)),
    TOGETHER("near-gather-all", NEAR_GATHER_ALL, M(READ) | M(WRITE) | M(PIECES)),
    TOGETHER("near-exchange", NEAR_EXCHANGE, M(READ) | M(WRITE) | M(PIECES)),
    TOGETHER("reduce", REDUCE, M(WHOLE) | M(SLICES) | M(TREE)),
    TOGETHER("all-reduce", ALL_REDUCE, M(WHOLE) | M(SLICES) | M(TREE)),
    TOGETHER("scan", SCAN, M(WHOLE) | M(DOUBLING)),
    TOGETHER("far-broadcast", FAR_BROADCAST, M(TREE) | M(SPREAD)),
    TOGETHER("far-scatter", FAR_SCATTER, M(FLAT) | M(TREE)),
    TOGETHER("far-gather", FAR_GATHER, M(FLAT) | M(TREE)),
    TOGETHER("far-gather-all", FAR_GATHER_ALL, M(DOUBLING) | M(RING)),
    TOGETHER("far-exchange", FAR_EXCHANGE, M(PAIRS) | M(DOUBLING)),
    TOGETHER("far-reduce", FAR_REDUCE, M(TREE) | M(SLICES)),
    TOGETHER("far-all-reduce", FAR_ALL_REDUCE, M(TREE) | M(SLICES)),
};
enum { DECISIONS = sizeof decisions / sizeof *decisions };

/* The defaults without a table, and for decisions that a table leaves out. */
static const char *const defaults[] = {
    "contiguous: in-place < 17, library",
    "gather: loop",
    "gather element=32..255: wide",
    "scatter: loop",
    "scatter element=32..255: wide",
    "strided: loop",
    "strided element=32..255: wide",
    "put-indexed: loop",
    "put-indexed element=32..255: wide",
    "get-indexed: loop",
    "get-indexed element=32..255: wide",
    "transpose: loop",
    /* About the size at which an operation of its own costs no more than copying its data twice, where it is no message. */
    "put-pieces: pack < 2048, auto",
    "get-pieces: pack < 2048, auto",
    "msg-send: tag-on",
    "put: auto",
    "get: auto",
    "put-together: auto",
    "get-together: auto",
    /* A put must be requested and announced. */
    "stream: message < 8192, auto",
    "atomic: auto",
    /* Below this size, saying where to write takes longer than the time it saves. With many threads not all should read
     * from one. */
    "broadcast: read < 8192, help",
    "broadcast threads=32..: tree",
    /* Where many threads have much data for one, they can bring it at the same time. */
    "near-gather: read",
    "near-gather threads=4..: read < 16384, write",
    "near-gather-all: read",
    "near-exchange: read",
    /* Slices take one round more. Each of p members then reads 2 (p - 1) / p times the data instead of p - 1 times. A
     * tree loads log p lines, or log p times the data, where there are many members. */
    "reduce: whole",
    "reduce threads=4..: whole < 32768, slices",
    "reduce threads=32..: tree < 8192, slices",
    "all-reduce: whole",
    "all-reduce threads=4..: whole < 32768, slices",
    "all-reduce threads=32..: tree < 8192, slices",
    "scan: whole",
    "scan threads=32..: doubling",
    /* Small data of many threads goes in log2 p rounds, because the start of a message takes the time: about 1 us in
     * shared memory, 10 us over a network. Large data crosses each thread's link as seldom as possible: twice, where
     * all get a share first, then all shares, instead of log2 p times (van de Geijn 1994; Thakur et al. 2005). */
    "far-broadcast: tree",
    "far-broadcast threads=8..: tree < 262144, spread",
    "far-scatter: flat",
    "far-scatter threads=8..: tree < 65536, flat",
    "far-gather: flat",
    "far-gather threads=8..: tree < 65536, flat",
    "far-gather-all: doubling < 32769, ring",
    "far-gather-all threads=16..: doubling < 262144, ring",
    "far-gather-all threads=64..: doubling < 1048576, ring",
    "far-exchange: pairs",
    "far-exchange threads=8..: doubling < 2048, pairs",
    "far-exchange threads=32..: doubling < 16384, pairs",
    "far-exchange threads=128..: doubling < 65536, pairs",
    "far-reduce: tree",
    "far-reduce threads=8..: tree < 131072, slices",
    /* Twice the rounds, and 2 (p - 1) / p instead of log2 p times the data (Rabenseifner 2004). */
    "far-all-reduce: tree",
    "far-all-reduce threads=4..: tree < 65536, slices",
    /* A pause takes 40 to 140 cycles: together about ten context switches. */
    "spins: 2000",
};

bool core_can(enum core_mechanism m) {
    if (m == CORE_EACH || m == CORE_DIRECT) return core_overrides.put_begin && core_overrides.get_begin;
#ifdef __x86_64__
    if (m == CORE_WIDE) return __builtin_cpu_supports("avx");
    if (m == CORE_VECTOR) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    return true;
#else
    return m != CORE_WIDE && m != CORE_VECTOR && m != CORE_STRING && m != CORE_STREAM;
#endif
}

/* ---- a line ------------------------------------------------------------------------------------------------------ */

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
static bool span(const char **p, const char *name, unsigned (*class)(size_t), struct span *s) {
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
    *s = (struct span){class(from), class(to)};
    return from > 0 && from <= to;
}

/* " computer=this", or other. */
static bool computer(const char **p, struct span *s) {
    static const char *const words[CORE_COMPUTERS] = {"computer=this", "computer=other"};
    for (unsigned i = 0; i < CORE_COMPUTERS; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(*p, words[i], n) != 0 || !strchr(" \t:", (*p)[n]) || !(*p)[n]) continue;
        *p += n;
        *s = (struct span){i, i};
        return true;
    }
    return false;
}

/* The number of classes of the first key. */
static unsigned rows(const struct decision *d) {
    return d->keys & ELEMENTS ? CORE_ELEMENTS : d->keys & COMPUTERS ? CORE_COMPUTERS : d->keys & TEAMS ? CORE_TEAMS : 1;
}
static const char *keys_of(const struct decision *d) {
    return d->keys & STRIDES     ? ", or element=N..M or stride=N..M or aligned=N..M"
           : d->keys & ELEMENTS  ? ", or element=N..M"
           : d->keys & COMPUTERS ? ", or computer=this or computer=other"
           : d->keys & TEAMS     ? ", or threads=N..M"
                                 : "";
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
            return complain("`%.*s` is not a mechanism of `%s`", (int)n, p, d->name);
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
        if (below < before) return complain("the sizes of `%s` must increase", d->name);
        p = skip_blanks(p);
        if (*p != ',') return complain("after %llu: expected a comma and another mechanism", (unsigned long long)below);
        p++;
        if (i == CORE_RANGES - 1) break;
        r->below[i] = before = below;
    }
    return complain("`%s` has more than %d mechanisms in a line", d->name, (int)CORE_RANGES);
}

/* The values that inlined copies read. Up to 16 bytes are always moved in place (lang/copy.h says why); the library's
 * copy is inlined after that test. */
static void tell_inlined(void) {
    const struct core_ranges *r = &core_tuning.contiguous;
    uint64_t in_place = r->take[0] == CORE_IN_PLACE ? r->below[0] : 0, from = in_place;
    if (in_place <= FATHOM_ALWAYS_IN_PLACE) in_place = FATHOM_ALWAYS_IN_PLACE + 1;
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
    struct span row = {0, rows(d) - 1};
    struct span stride = {0, d->keys & STRIDES ? CORE_STRIDES - 1 : 0};
    for (; *p != ':'; p = skip_blanks(p)) {
        bool good = (d->keys & ELEMENTS && span(&p, "element", core_element_class, &row)) ||
                    (d->keys & STRIDES && span(&p, "stride", core_spread_class, &stride)) ||
                    (d->keys & STRIDES && span(&p, "aligned", core_crowded_class, &stride)) ||
                    (d->keys & TEAMS && span(&p, "threads", core_team_class, &row)) ||
                    (d->keys & COMPUTERS && computer(&p, &row));
        if (!good) return complain("`%s`: expected a colon%s", d->name, keys_of(d));
    }
    struct core_ranges r;
    const char *wrong = ranges(p + 1, d, &r);
    if (wrong) return wrong;
    unsigned columns = d->keys & STRIDES ? CORE_STRIDES : 1;
    for (unsigned e = row.first; e <= row.last; e++)
        for (unsigned s = stride.first; s <= stride.last; s++) d->ranges[e * columns + s] = r;
    if (d->ranges == &core_tuning.contiguous) tell_inlined();
    return NULL;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

static void apply_defaults(void) {
    bool unknown;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const char *wrong = core_tuning_apply(defaults[i], &unknown);
        if (wrong) core_fatal("the built-in tuning `%s`: %s", defaults[i], wrong);
    }
}

void core_tuning_start(void) {
    apply_defaults();
    built_in = core_tuning;
    core_tuning_read();
    at_start = core_tuning;
}

static uint64_t mix(uint64_t word, const struct core_ranges *r, size_t n) {
    for (; n; n--, r++)
        for (int i = 0; i < CORE_RANGES; i++) {
            uint64_t below = i < CORE_RANGES - 1 ? r->below[i] : 0;
            word = (word ^ below) * 0x9e3779b97f4a7c15ul;
            word = (word ^ word >> 29 ^ r->take[i]) * 0xbf58476d1ce4e5b9ul;
        }
    return word;
}

uint32_t core_tuning_word(void) {
    const struct core_agreed *a = &core_tuning.agreed;
    uint64_t word = mix(mix(1, a->stream, CORE_COMPUTERS), &a->atomic, 1);
    word = mix(word, a->collective[0], (size_t)CORE_COLLECTIVES * CORE_TEAMS);
    return (uint32_t)(word >> 32);
}

/* Writes only what differs: the tables are large, and a thread shares them with the process that forked it until it writes
 * to them. */
static void take_built_in(void *now, void *then, const void *usual, size_t bytes) {
    if (memcmp(now, usual, bytes)) memcpy(now, usual, bytes);
    if (memcmp(then, usual, bytes)) memcpy(then, usual, bytes);
}

void core_tuning_settle(bool alike) {
    struct core_tuning *now = &core_tuning, *then = &at_start;
    if (!alike) take_built_in(&now->agreed, &then->agreed, &built_in.agreed, sizeof now->agreed);
    if (conduit_threads_here() > conduit_cores()) take_built_in(now->far, then->far, built_in.far, sizeof now->far);
    tell_inlined();
}

/* ---- gas_tuning.h ------------------------------------------------------------------------------------------------ */

const char *gas_tune(const char *line) {
    bool unknown;
    const char *wrong = core_tuning_apply(line, &unknown);
    core_wait_tuned();
    return wrong;
}

void gas_tune_reset(void) {
    core_tuning = at_start;
    tell_inlined();
    core_wait_tuned();
}

/* The ranges of a shape; null if there is no such decision. */
static const struct core_ranges *ranges_of(const struct decision *d, size_t first, size_t stride) {
    unsigned e = d->keys & COMPUTERS  ? first != 0
                 : d->keys & ELEMENTS ? core_element_class(first)
                 : d->keys & TEAMS    ? core_team_class(first)
                                      : 0;
    unsigned s = d->keys & STRIDES ? core_stride_class(first, stride) : 0;
    return &d->ranges[e * (d->keys & STRIDES ? CORE_STRIDES : 1) + s];
}
/* The size that an element of a shape counts as in the ranges of a decision, in bytes; and in those of payload. */
static size_t counted(const struct decision *d, size_t element, size_t stride) {
    return d->keys & FILLS && element && stride ? core_filled(1, element, stride, d->keys & FILLS_BOTH) : 1;
}
static size_t paid(const struct decision *d, size_t element, size_t stride) {
    return d->keys & FILLS && element && stride ? element : 1;
}

const char *gas_tuned(const char *decision, size_t first, size_t stride, size_t bytes) {
    const struct decision *d = find(decision, strlen(decision));
    if (!d) return NULL;
    if (d->ranges == &core_tuning.contiguous && bytes <= FATHOM_ALWAYS_IN_PLACE) return mechanisms[CORE_IN_PLACE];
    size_t size = bytes / paid(d, first, stride) * counted(d, first, stride);
    return mechanisms[core_choose(ranges_of(d, first, stride), size)];
}

static const char *ranges_text(const struct decision *d, const struct core_ranges *r, size_t first, size_t stride,
                               int *is_built_in) {
    static char text[120];
    size_t place = (size_t)((const char *)r - (const char *)&core_tuning);
    const struct core_ranges *usual = (const struct core_ranges *)((const char *)&built_in + place);
    *is_built_in =
        memcmp(r->below, usual->below, sizeof r->below) == 0 && memcmp(r->take, usual->take, sizeof r->take) == 0;
    size_t at = 0, each = counted(d, first, stride), pays = paid(d, first, stride);
    for (int i = 0; i < CORE_RANGES; i++) {
        bool is_last = i == CORE_RANGES - 1 || r->below[i] == UINT64_MAX;
        uint64_t below = is_last ? 0 : (r->below[i] + each - 1) / each * pays;
        at += (size_t)snprintf(text + at, sizeof text - at, is_last ? "%s" : "%s < %llu, ", mechanisms[r->take[i]],
                               (unsigned long long)below);
        if (is_last) break;
    }
    return text;
}

/* ---- what has been taken ----------------------------------------------------------------------------------------- */

static gas_told *told;

int fathom_copy_asked;
void fathom_copy_took(int is_in_place, unsigned long n) {
    if (n) core_took(&core_tuning.contiguous, 0, 0, n, is_in_place ? CORE_IN_PLACE : CORE_LIBRARY);
}

/* The decision to which a list of ranges belongs. */
static const struct decision *decision_of(const struct core_ranges *r) {
    for (int i = 0; i < DECISIONS; i++) {
        const struct decision *d = &decisions[i];
        size_t n = (size_t)rows(d) * (d->keys & STRIDES ? CORE_STRIDES : 1);
        if (r >= d->ranges && r < d->ranges + n) return d;
    }
    return NULL;
}

static void tell(const struct core_ranges *by, size_t first, size_t stride, size_t bytes, enum core_mechanism took) {
    if (core_in_handler() || conduit_is_beside()) return; /* what is done for others is none of this thread's calls */
    const struct decision *d = decision_of(by);
    struct gas_choice choice = {d->name, mechanisms[took], first, stride, bytes, by};
    told(&choice);
}

void gas_tell(gas_told *now) {
    told = now;
    core_tell = now ? tell : NULL;
    fathom_copy_asked = now != NULL;
}

const char *gas_choice_ranges(const struct gas_choice *choice, int *is_built_in) {
    const struct core_ranges *by = choice->ranges;
    return ranges_text(decision_of(by), by, choice->element, choice->stride, is_built_in);
}

unsigned gas_tuned_spins(void) { return core_spins(); }

int gas_tune_can(const char *mechanism) {
    for (int m = 0; m < CORE_MECHANISMS; m++)
        if (strcmp(mechanisms[m], mechanism) == 0) return core_can((enum core_mechanism)m);
    return 0;
}

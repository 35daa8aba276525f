/* The tuning table: the choice of the mechanism that moves data, by the shape and size of the data. `fathom tune`
 * writes it from measurements of the machine; without one the built-in defaults are used. docs/tuning.md describes the
 * file.
 *
 * A decision is a list of mechanisms, each up to a size; if it depends on elements and strides, it has a list for each
 * class of them. A look-up is a few loads and compares.
 */
#ifndef CORE_TUNING_H
#define CORE_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum core_mechanism {
    /* Copies within reach. */
    CORE_IN_PLACE, /* a few moves, inlined (lang/copy.h) */
    CORE_LIBRARY,  /* memcpy; of elements, one call for each */
    CORE_STRING,   /* the processor's string instruction */
    CORE_STREAM,   /* stores that bypass the caches */
    CORE_LOOP,     /* a loop for each size of element */
    CORE_WIDE,     /* the same in vectors of 32 bytes */
    CORE_PREFETCH, /* a loop that prefetches its data */
    CORE_VECTOR,   /* many elements by one instruction */
    CORE_TILES,    /* small squares of a transposition, one after the other */
    /* Far. */
    CORE_PACK,    /* many pieces in a message */
    CORE_EACH,    /* a transfer for each piece */
    CORE_AUTO,    /* as the conduit finds out by itself when the job starts */
    CORE_DIRECT,  /* the conduit's own operation */
    CORE_MESSAGE, /* the other side's handler */
    /* Collectives of near threads. */
    CORE_READ,   /* each reads the data that it needs */
    CORE_WRITE,  /* each writes its data to the members that need it */
    CORE_PIECES, /* each posts its data piece by piece */
    CORE_HELP,   /* as CORE_READ, but a thread that would only wait for the readers writes a share to them */
    CORE_WHOLE,  /* a member that needs a result calculates all of it */
    CORE_SLICES, /* each calculates a share for all; also between far threads */
    CORE_TREE,   /* each passes data on to some, or combines the data of some; also between far threads */
    /* Between far threads. */
    CORE_FLAT,     /* one talks to each of the others */
    CORE_SPREAD,   /* each gets a share, and then all do as for a gather-all */
    CORE_DOUBLING, /* log2 rounds, each of which doubles the data that a thread has; also of a near scan */
    CORE_RING,     /* each passes on the data that it received last */
    CORE_PAIRS,    /* each with each, one after the other */
    CORE_TAG_ON,   /* of msg_send: the data as they lie */
    CORE_COPY,     /* and a copy of them */
    CORE_MECHANISMS
};

enum core_decision {
    /* Whether the data is contiguous on the side that is read and on the side that is written. */
    CORE_CONTIGUOUS,
    CORE_GATHER,  /* strided to contiguous */
    CORE_SCATTER, /* contiguous to strided */
    CORE_STRIDED, /* strided to strided */
    CORE_INDEXED,
    CORE_TRANSPOSE, /* rows to columns */
    /* Pieces that are far, by the size of one. */
    CORE_PUT_PIECES,
    CORE_GET_PIECES,
    CORE_DECISIONS
};

/* Mechanism i serves below below[i] bytes, if none before it does; the last serves the rest. */
enum { CORE_RANGES = 4 };
struct core_ranges {
    uint64_t below[CORE_RANGES - 1];
    uint8_t take[CORE_RANGES];
};

/* The version in the heading of a table: it changes when earlier lines would have another meaning. */
enum { CORE_TABLE_VERSION = 2 };

/* Elements of 1, 2, 4, ... bytes are classes of their own, for which there are loops and vectors. The sizes between two
 * of them are one class: 3, 5 to 7, 9 to 15, ...; 256 and more are the last. Strides are classed by powers of two: 1
 * ... 16384 bytes and more; but strides that reach few sets of a cache are classed by the power of two that divides
 * them: 512 ... 4096 bytes and more. */
enum { CORE_ELEMENTS = 17, CORE_OCTAVES = 15, CORE_ALIGNED = 4, CORE_STRIDES = CORE_OCTAVES + CORE_ALIGNED };

/* Transfers to and from threads that are not near: waited for at once, or begun together with others. */
enum core_far { CORE_PUT, CORE_GET, CORE_PUT_TOGETHER, CORE_GET_TOGETHER, CORE_FARS };
/* To a thread of this computer, or of another. */
enum { CORE_COMPUTERS = 2 };

/* By the data that one thread ends up with or, for a scatter, begins with. */
enum core_collective {
    CORE_BROADCAST,
    CORE_NEAR_GATHER,
    CORE_NEAR_GATHER_ALL,
    CORE_NEAR_EXCHANGE,
    CORE_REDUCE,
    CORE_ALL_REDUCE,
    CORE_SCAN,
    CORE_FAR_BROADCAST,
    CORE_FAR_SCATTER,
    CORE_FAR_GATHER,
    CORE_FAR_GATHER_ALL,
    CORE_FAR_EXCHANGE,
    CORE_FAR_REDUCE,
    CORE_FAR_ALL_REDUCE,
    CORE_COLLECTIVES
};
/* Classes by powers of two: teams of 1, 2, 4, ... 512 and more. */
enum { CORE_TEAMS = 10 };

struct core_tuning {
    struct core_ranges contiguous, put_pieces, get_pieces;
    struct core_ranges
        msg_send; /* for runtime/msg/choice.c, which reads the line itself; here only so that it is known */
    struct core_ranges far[CORE_FARS][CORE_COMPUTERS];
    /* The decisions that several threads must share in order to communicate: see core_tuning_word. */
    struct core_agreed {
        struct core_ranges stream[CORE_COMPUTERS]; /* long data of collectives */
        struct core_ranges atomic;                 /* of domains */
        struct core_ranges collective[CORE_COLLECTIVES][CORE_TEAMS];
    } agreed;
    struct core_ranges put_indexed[CORE_ELEMENTS], get_indexed[CORE_ELEMENTS];
    struct core_ranges gather[CORE_ELEMENTS][CORE_STRIDES], scatter[CORE_ELEMENTS][CORE_STRIDES];
    struct core_ranges strided[CORE_ELEMENTS][CORE_STRIDES], transpose[CORE_ELEMENTS][CORE_STRIDES];
    uint64_t spins; /* turns of waiting before the first yield, where threads have a processor each */
};
extern struct core_tuning core_tuning;

static inline enum core_mechanism core_choose(const struct core_ranges *r, size_t n) {
    return (enum core_mechanism)r->take[(n >= r->below[0]) + (n >= r->below[1]) + (n >= r->below[2])];
}
/* The function that --explain asks for (lang/explain.c): called where a chosen mechanism is performed, with the
 * mechanism, the ranges, the shape (element or threads or computer, and stride; 0 if the decision does not depend on
 * it) and the number of bytes of payload. Null: not requested. */
typedef void core_told(const struct core_ranges *by, size_t first, size_t stride, size_t bytes,
                       enum core_mechanism took);
extern core_told *core_tell;
static inline void core_took(const struct core_ranges *by, size_t first, size_t stride, size_t bytes,
                             enum core_mechanism took) {
    if (__builtin_expect(core_tell != NULL, 0)) core_tell(by, first, stride, bytes, took);
}

static inline unsigned core_log2(size_t n) { return 63u - (unsigned)__builtin_clzl(n | 1); }
static inline unsigned core_class(unsigned class, unsigned classes) { return class < classes ? class : classes - 1; }
static inline unsigned core_element_class(size_t n) {
    return core_class(2 * core_log2(n) + ((n & (n - 1)) != 0), CORE_ELEMENTS);
}
static inline unsigned core_spread_class(size_t n) { return core_class(core_log2(n), CORE_OCTAVES); }
static inline unsigned core_crowded_class(size_t n) {
    unsigned k = core_log2(n);
    return CORE_OCTAVES + core_class(k > 9 ? k - 9 : 0, CORE_ALIGNED);
}
static inline unsigned core_team_class(size_t n) { return core_class(core_log2(n), CORE_TEAMS); }

enum { CORE_LINE = 64, CORE_PAGE = 4096 };
/* The largest power of two that divides a stride, up to a page: beyond a page the physical address determines the
 * set. */
static inline size_t core_aligned(size_t stride) {
    size_t aligned = stride & -stride;
    return aligned < CORE_PAGE ? aligned : CORE_PAGE;
}
/* The bytes of a cache that one element at this stride takes; elements that share a line divide it among them. */
static inline size_t core_lines(size_t element, size_t stride) {
    size_t aligned = stride & -stride, within = aligned < CORE_LINE ? aligned : CORE_LINE;
    size_t lines = CORE_LINE + (element > within ? element - within : 0);
    return lines < stride ? lines : stride;
}
/* The same, with the sets of the cache that this stride never reaches: they are lost capacity. */
static inline size_t core_filled_by(size_t element, size_t stride) {
    size_t lines = core_lines(element, stride), aligned = core_aligned(stride);
    return lines > aligned ? lines : aligned;
}
/* The bytes of a cache that a gather or a scatter takes, including its contiguous side; and a move that is strided on
 * both sides. */
static inline size_t core_filled(size_t count, size_t element, size_t stride, bool is_both) {
    size_t apart = core_filled_by(element, stride);
    return count * (apart + (is_both ? apart : element));
}

/* A stride is crowded if it reaches an eighth of the sets or less. */
static inline unsigned core_stride_class(size_t element, size_t stride) {
    size_t aligned = core_aligned(stride);
    bool is_crowded = aligned >= 8 * core_lines(element, stride);
    return is_crowded ? core_crowded_class(aligned) : core_spread_class(stride);
}

static inline const struct core_ranges *core_class_of(const struct core_ranges table[CORE_ELEMENTS][CORE_STRIDES],
                                                      size_t element, size_t stride) {
    return &table[core_element_class(element)][core_stride_class(element, stride)];
}

static inline enum core_mechanism core_collective_way(enum core_collective which, int team, size_t n) {
    return core_choose(&core_tuning.agreed.collective[which][core_team_class((size_t)team)], n);
}

/* May the processor, or the conduit, perform it? */
bool core_can(enum core_mechanism mechanism);

/* A number that is the same on two threads if the shared decisions are. */
uint32_t core_tuning_word(void);
/* Called when all threads have compared their words. If they differ, the built-in defaults are used for shared
 * decisions; and if threads share processors, for decisions that were measured with a processor for each thread. */
void core_tuning_settle(bool alike);

#endif

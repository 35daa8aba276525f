/* The tuning table: which of several mechanisms moves data, decided by what is moved. `fathom tune` writes it from
 * measurements of the machine; without one the built-in defaults serve. docs/tuning.md describes the file.
 *
 * A decision is a list of mechanisms, each up to a size; where elements and strides count it is one such list for each
 * class of them. Looking one up is a few loads and compares.
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
    CORE_STREAM,   /* stores that pass the caches by */
    CORE_LOOP,     /* a loop for each size of element */
    CORE_WIDE,     /* the same in vectors of 32 bytes */
    CORE_PREFETCH, /* a loop that asks for what it will need */
    CORE_VECTOR,   /* many elements by one instruction */
    CORE_TILES,    /* small squares of a transposition, one after the other */
    /* Far. */
    CORE_PACK,    /* many pieces in a message */
    CORE_EACH,    /* a transfer for each piece */
    CORE_MECHANISMS
};

enum core_decision {
    /* What is contiguous, or not, on the side that is read and on the one that is written. */
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

/* Classes by powers of two: elements of 1, 2, 4, ... 256 bytes and more, strides of 1 ... 16384 bytes and more. */
enum { CORE_ELEMENTS = 9, CORE_STRIDES = 15 };

struct core_tuning {
    struct core_ranges contiguous, put_pieces, get_pieces;
    struct core_ranges indexed[CORE_ELEMENTS];
    struct core_ranges gather[CORE_ELEMENTS][CORE_STRIDES], scatter[CORE_ELEMENTS][CORE_STRIDES];
    struct core_ranges strided[CORE_ELEMENTS][CORE_STRIDES], transpose[CORE_ELEMENTS][CORE_STRIDES];
    uint64_t spins; /* turns of waiting before the first yield, where threads have a processor each */
};
extern struct core_tuning core_tuning;

static inline enum core_mechanism core_choose(const struct core_ranges *r, size_t n) {
    return (enum core_mechanism)r->take[(n >= r->below[0]) + (n >= r->below[1]) + (n >= r->below[2])];
}
static inline unsigned core_class(size_t n, unsigned classes) {
    unsigned k = 63u - (unsigned)__builtin_clzl(n | 1);
    return k < classes ? k : classes - 1;
}
static inline const struct core_ranges *core_class_of(const struct core_ranges table[CORE_ELEMENTS][CORE_STRIDES],
                                                      size_t element, size_t stride) {
    return &table[core_class(element, CORE_ELEMENTS)][core_class(stride, CORE_STRIDES)];
}

/* May the processor perform it? */
bool core_can(enum core_mechanism mechanism);

#endif

/* What messages of gathered writes consist of: records, which the sender makes (outbox.c), and which are carried out from first to last
 * where they arrive (records.c).
 *
 *     header: offset in the segment, shape, count      (one word)
 *     data, filled up to whole words
 *
 * A record has `count` elements of 1, 2, 4, 8 or 16 bytes, one after the other in memory: a put that continues the last record
 * makes it longer. So a loop over a shared array costs little more than its data, whatever its block size, since what
 * one thread has of an array lies in one piece. The target stores each element whole. Or it has one object of `count` bytes,
 * or an atomic operation, or updates of elements that follow each other, with an operand for each. Or the same operation by the
 * same operand, on `count` objects anywhere: after both, their places, of 4 bytes each. That is what counting at random
 * makes, so this record is open for more without its header being touched.
 *
 * GAS_DATA_RECORDS brings records of one thread, the receiver; GAS_DATA_SECTIONS those of several, which are near the receiver:
 *
 *     thread, number of words of its records           (one word: RECORD_SECTION)
 *     records
 */
#ifndef GAS_RECORDS_H
#define GAS_RECORDS_H

#include "gas/sorted.h"
#include "gas/sync.h"
#include "gas/update.h"

/* `count` elements of 2^shape bytes each, or one thing. */
enum shape { ELEMENTS_1, ELEMENTS_2, ELEMENTS_4, ELEMENTS_8, ELEMENTS_16, OBJECT, ATOMIC, UPDATES, SAME };
enum { OFFSET_BITS = FATHOM_SEG_BITS, SHAPE_BITS = 4, COUNT_SHIFT = OFFSET_BITS + SHAPE_BITS };
/* The count of updates has their kind in its low bits. */
enum { MOST_UPDATES = (1 << (64 - COUNT_SHIFT - GAS_UPDATE_BITS)) - 1 };

/* What a record SAME does: an update's kind, or an atomic operation's type and number. Its places count objects from GAS_PLACE_BIAS objects
 * before the first one, whose offset is in the header. */
enum { ATOMICS = 1 << 12, NOTHING = 1 << 13 };
enum { SAME_HEAD = 3 }; /* words: the header, what it does, the operand */

static inline enum shape shape_in(uint64_t header) {
    return (enum shape)(header >> OFFSET_BITS & ((1u << SHAPE_BITS) - 1));
}

/* Of an atomic operation. */
static inline size_t operand_bytes(enum gas_atomic_op op) { return op == GAS_CSWAP ? 16 : 8; }

static inline uint64_t section_of(int thread, unsigned words) { return (uint64_t)(unsigned)thread << 32 | words; }

/* Enters the handlers. */
void gas_records_start(void);

#endif

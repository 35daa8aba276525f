/* Our side of the table: C against gas.h, on two threads. One file for each subject, a table of all rows in ours.c. */
#ifndef OURS_H
#define OURS_H

#include <gas.h>

#include "plain.h"
#include "side.h"

extern fathom_ptr ours_base; /* SIDE_HEAP bytes on the other thread */
extern char *ours_own;       /* and this thread's */
extern char *ours_private;   /* as many, not shared */
/* The other thread's memory as plain C sees it; null if it is far, and plain C cannot. */
static inline char *ours_far(void) { return gas_is_local(!gas_me()) ? (char *)fathom_local(ours_base) : NULL; }

/* ours_data.c */
void ours_words(const struct side_row *row);
int ours_words_check(void), ours_sum_check(void);
void ours_put8(long n), ours_put8_constant(long n), ours_get8(long n), ours_get8_constant(long n);
void c_put8(long n), c_put8_constant(long n), c_get8(long n), c_get8_constant(long n);
void ours_bulk(const struct side_row *row);
int ours_bulk_check(void);
void ours_bulk_put(long n), ours_bulk_get(long n), ours_stream_put(long n), ours_stream_get(long n);
void c_bulk_put(long n), c_bulk_get(long n);

/* ours_pieces.c: strided and indexed */
void ours_pieces(const struct side_row *row), ours_pieces_get(const struct side_row *row);
void ours_places(const struct side_row *row), ours_places_get(const struct side_row *row);
int ours_pieces_check(void), ours_pieces_get_check(void), ours_places_check(void), ours_places_get_check(void);
void ours_strided_put(long n), ours_strided_get(long n), ours_indexed_put(long n), ours_indexed_get(long n);
void c_strided_put(long n), c_strided_get(long n), c_indexed_put(long n), c_indexed_get(long n);

/* ours_messages.c */
void ours_messages_start(void);
void ours_round_trip(long n), ours_round_trip_medium(long n), ours_flood_short(long n), ours_flood_medium(long n);

/* ours_together.c: atomics and collectives */
void ours_together_start(void);
void ours_barrier(long n), ours_add(long n), ours_add_domain(long n), c_add(long n);
void ours_all_reduce(long n), ours_broadcast8(long n), ours_broadcast64k(long n);

#endif

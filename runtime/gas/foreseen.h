/* What loops will read next: a loop that is inside another one runs again and again, and what it reads moves on by the same distance
 * each time. What its next runs read of far threads is fetched before they begin, many runs together (docs/decisions/0020).
 *
 * What is fetched ahead is used only in the epoch in which it was fetched (lines.h): between are no strict operation, no waiting for
 * another thread and no write of this one to what was fetched. So it is a value that a relaxed read of the loop may return. */
#ifndef GAS_FORESEEN_H
#define GAS_FORESEEN_H
#include "gas/gas_internal.h"
#include "lang/strip.h"

enum { GAS_ROOM_ALIGNED = 64 }; /* what has landed has the alignment, up to this, that it has in the segment */
extern bool gas_foreseen_is_on;
/* With runs of at most so many; 0: as many as there is room for. Where some threads are far. */
void gas_foreseen_start(size_t most);

/* A loop's run begins, and its first strip has n iterations. Has what they read of far threads been fetched? Then room[i] is where it is
 * for slot i, in the order of gas_strip_arrange, or the elements are there, one after the other, near ones in their place. */
enum gas_foreseen { GAS_FORESEEN_NOT, GAS_FORESEEN_ROOMS, GAS_FORESEEN_ELEMENTS };
enum gas_foreseen gas_foreseen_take(const struct fathom_strip *s, long n, char *room[FATHOM_STRIP_SLOTS]);
/* The places that a loop reads in a strip. */
struct gas_gathered {
    const fathom_ptr *places;
    size_t n;
    const struct gas_run *runs; /* the same, if `count` is not 0 */
    size_t count;
};
/* The same for the elements that gather g of a loop reads: they are copied to `to`, near ones too. The places must stay until
 * gas_foreseen_begin. */
bool gas_foreseen_gather(const struct fathom_strip *s, int g, char *to, const struct gas_gathered *have);
/* Begins to fetch for the next runs of the loop that asked last, if it is known what they will read. */
void gas_foreseen_begin(void);

/* Bytes of far threads are about to change by this thread. */
void gas_foreseen_change(fathom_ptr p, size_t n);

/* ---- foreseen_rows.c --------------------------------------------------------------------------------------------- */

/* What `boxed` runs read, n iterations of each, from that one on which has these slots; in each run they move on by so many elements and by so many
 * bytes. Makes *room the bytes of the room for it; or false: the rows are not fit for it. Then they stay what gas_foreseen_rows_arrange tells `piece`
 * of. */
bool gas_foreseen_rows(const struct fathom_slot *slot, const long *by_first, const long *by_base, int many, long n,
                       long boxed, size_t *room);
/* As gas_strip_arrange, and makes room[r][i] for slot i of run r: where its first element is. `to` is aligned to a line. `near` is told of what is near
 * and not in place; if it is null and there is some, the answer is false: it is to be copied there when it is used. */
bool gas_foreseen_rows_arrange(char *to, char *room[][FATHOM_STRIP_SLOTS],
                               void (*piece)(fathom_ptr from, char *to, size_t bytes),
                               void (*near)(fathom_ptr from, char *to, size_t bytes));

/* ---- nest.c ------------------------------------------------------------------------------------------------------- */

/* As gas_foreseen_start. */
void gas_nest_start(size_t most);

/* ---- strip.c ----------------------------------------------------------------------------------------------------- */

/* So many iterations more may the loop's last strip have. */
long gas_strip_rest(const struct fathom_strip *s);
/* Is this part of a thread's segment read where it is? */
bool gas_strip_is_in_place(long thread, long low, long high);
/* The bytes of the room for what elements `begin` to `end` - 1 of a slot are on far threads. */
size_t gas_strip_extent(const struct fathom_slot *t, long begin, long end);
/* Tells `piece` of each piece that lies there: where it comes from, where it goes in the room. */
void gas_strip_arrange(const struct fathom_slot *t, long begin, long end, char *room,
                       void (*piece)(fathom_ptr from, char *to, size_t bytes));
#endif

/* A movement of data between this thread's own memory and another thread's segment, as a program would ask for it: what the
 * kernels of the mechanisms time, and the bench of the choice. One pattern of the copy-transfer model on each side.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "gas.h"
#include "probe/reason.h"

struct movement {
    /* As the tuning table calls it: contiguous, gather, scatter, strided, put-indexed, get-indexed, transpose, put-pieces,
	 * get-pieces. */
    const char *decision;
    bool is_put;    /* where either would be right: contiguous, strided, transpose */
    size_t element; /* bytes */
    size_t stride;  /* bytes from one element to the next on the side, or sides, that are not contiguous */
    size_t bytes;   /* of payload; rounded down to whole elements */
    size_t place;   /* with another number it is on other pages; at most 8 */

    /* Set by movement_begin. */
    enum reason reason; /* why it cannot begin */
    size_t count, span; /* elements; bytes of memory that they span where strided */
    char *local;
    fathom_ptr remote, shared;
    void **places; /* of each element here, and there */
    fathom_ptr *far_places;
    size_t side; /* of the square that is transposed */
};

/* Takes memory for it, the other side on the next thread, and keeps it for the next movement. Null, or why it cannot be done
 * here. */
const char *movement_begin(struct movement *m);
/* Performs it n times; takes a struct movement. */
void movement_perform(void *movement, long n);

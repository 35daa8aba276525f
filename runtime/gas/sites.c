/* FATHOM_COMM_SITES=N: the first N loops of a thread that would fetch ahead do so, in the order in which it comes to them, and the others run as they
 * are written. By halves, that finds the loop with which a program computes something else than with FATHOM_COMM=off. */
#include <stdlib.h>

#include "gas/gather.h"
#include "gas/transfer.h"

static bool is_limited;
static size_t most, count, room;
static const void **admitted;

void gas_sites_start(long limit) {
    is_limited = limit >= 0;
    most = is_limited ? (size_t)limit : 0;
}

bool gas_site_is_admitted(const void *loop) {
    if (!is_limited) return true;
    for (size_t i = 0; i < count; i++)
        if (admitted[i] == loop) return true;
    if (count == most) return false;
    if (count == room) admitted = gas_strip_sized(admitted, (room = 2 * room + 16) * sizeof *admitted);
    admitted[count++] = loop;
    if (count == most) {
        const char *where = core_where((char *)loop - 1, false);
        core_say("FATHOM_COMM_SITES=%zu: the last loop that fetches ahead is one%s", most,
                 *where ? where : " somewhere");
    }
    return true;
}

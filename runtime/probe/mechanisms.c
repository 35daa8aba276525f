/* Kernels of the area mechanisms: a movement of data, by the mechanism that the request says, through the calls that a program
 * makes. An operation is one movement.
 */
#include <stdio.h>
#include <string.h>

#include "gas_tuning.h"
#include "probe/movement.h"
#include "probe/probe.h"

/* mechanism decision=gather take=prefetch element=8 stride=64 bytes=65536 place=1 direction=get */
static void mechanism(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    const char *decision = request_word(request, "decision", "contiguous"), *take = request_word(request, "take", "");
    struct movement m = {
        .decision = decision,
        .is_put = strcmp(request_word(request, "direction", "put"), "put") == 0,
        .element = (size_t)request_number(request, "element", 1),
        .stride = (size_t)request_number(request, "stride", 1),
        .bytes = (size_t)request_number(request, "bytes", 4096),
        .place = (size_t)request_number(request, "place", 0),
    };
    char line[100];
    snprintf(line, sizeof line, "%s: %s", decision, take);
    if (!gas_tune_can(take)) {
        reply_impossible(reply, REASON_OPERATION, "this processor does not have the mechanism `%s`", take);
        return;
    }
    const char *wrong = gas_tune(line);
    if (wrong) {
        reply_error(reply, "%s", wrong);
        return;
    }
    const char *why = movement_begin(&m);
    if (why) {
        reply_impossible(reply, m.reason, "%s", why);
    } else {
        sample(request, reply, movement_perform, NULL, &m);
        reply_fact(reply, "bytes", (double)m.bytes);
    }
    gas_tune_reset();
}

const struct kernel kernels_mechanisms[] = {{"mechanism", mechanism}, {NULL, NULL}};

/* What core defines for conduits, for programs that try a conduit without it: one POSIX thread calls, and nobody votes. */
#ifndef CONDUIT_ALONE_H
#define CONDUIT_ALONE_H

#include "conduit/conduit.h"

struct conduit_near conduit_near;
struct conduit_hooks conduit_hooks;
const struct conduit *conduit_used = &conduit_built;
void conduit_ballot_merge(struct conduit_ballot *into, const struct conduit_ballot *from) { (void)into, (void)from; }
bool conduit_has_pthreads, conduit_may_open;
void conduit_open(void) {}
void conduit_close(void) {}

#endif

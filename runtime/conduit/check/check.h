/* A conduit that wraps the one in use and checks that both sides keep what conduit.h says: FATHOM_CONDUIT_CHECK=1. */
#ifndef CONDUIT_CHECK_H
#define CONDUIT_CHECK_H

/* Before the conduit's start: wraps it if FATHOM_CONDUIT_CHECK says so. */
void check_start(void);

/* The calling thread terminates, perhaps by exit in a handler, to which it does not come back. */
void check_forget_handlers(void);

#endif

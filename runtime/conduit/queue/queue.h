/* Messages between near threads, through queues in the memory that they share, and the bells that wake who rests. A part of
 * conduits whose threads share memory: bell.c defines what conduit.h says of waiting (but for conduit_cores); queue.c is
 * the whole of the messages where all threads are near, else one of two ways. */
#ifndef CONDUIT_QUEUE_H
#define CONDUIT_QUEUE_H

#include "conduit/conduit.h"

enum { QUEUE_MAX_MEDIUM = 65536 };

/* Both: for the near threads from `first`, by each of them or before they are forked. False: conduit_shared gives no
 * memory. */
bool queue_start(int first, int count);
/* Where nobody is far, no nap is too long. */
bool bells_start(int first, int count, int longest_nap_us);

/* As conduit_send and conduit_poll, for near threads. Who waits for room calls conduit_poll. */
void queue_send(const struct conduit_message *m);
int queue_poll(bool replies_only);
/* Has something arrived that queue_poll would deliver? */
bool queue_has_messages(void);

/* Rings the bells of all `count` near threads. */
void bells_ring_all(int count);

#endif

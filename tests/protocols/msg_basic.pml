/* Basic messages (runtime/msg/basic.c): a ring with a producer's and a consumer's index, several messages for each update of an
 * index. SENDERS threads of one process send BATCHES batches of BATCH messages each through the same row, TAKERS threads take
 * them. Without a lock on each side that more than one thread uses, messages are lost or come twice (StarT-Voyager's Basic
 * queues are no different: claim V21).
 *
 * RUN: a batch is a run: one header, which says how many records follow. Takers take one record at a time, and release it; what is left of the
 * run stands beside the consumer's index. FORGETS_RUN: without that, the next taker takes a record for a header.
 *
 * LOCKED: the lock. Without: none. RELAXED_PRODUCER, EARLY_CONSUMER (it is written before the records have been read): what
 * orders are there for.
 */
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DBATCHES=3 -DBATCH=1 -DSLOTS=2
// holds: -DSC -DSENDERS=2 -DTAKERS=2 -DBATCHES=1 -DBATCH=2 -DSLOTS=2 -DLOCKED
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DBATCHES=3 -DBATCH=1 -DSLOTS=2
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DBATCHES=1 -DBATCH=2 -DSLOTS=2 -DLOCKED
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DBATCHES=2 -DBATCH=2 -DSLOTS=2
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DBATCHES=1 -DBATCH=1 -DSLOTS=2 -DLOCKED
// holds: -DSC -DSENDERS=2 -DTAKERS=2 -DBATCHES=1 -DBATCH=2 -DSLOTS=3 -DLOCKED -DRUN
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DBATCHES=3 -DBATCH=2 -DSLOTS=4 -DRUN
// holds: -DTSO -DSENDERS=1 -DTAKERS=2 -DBATCHES=2 -DBATCH=2 -DSLOTS=3 -DLOCKED -DRUN
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DBATCHES=2 -DBATCH=2 -DSLOTS=3 -DRUN
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DBATCHES=1 -DBATCH=2 -DSLOTS=3 -DRUN -DFORGETS_RUN
// fails: -DWEAK -DSENDERS=1 -DTAKERS=1 -DBATCHES=1 -DBATCH=1 -DSLOTS=2 -DRUN -DRELAXED_PRODUCER
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DBATCHES=1 -DBATCH=1 -DSLOTS=2
// fails: -DSC -DSENDERS=1 -DTAKERS=2 -DBATCHES=2 -DBATCH=1 -DSLOTS=2
// fails: -DWEAK -DSENDERS=1 -DTAKERS=1 -DBATCHES=1 -DBATCH=2 -DSLOTS=2 -DRELAXED_PRODUCER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DBATCHES=3 -DBATCH=2 -DSLOTS=2 -DEARLY_CONSUMER

#define THREADS (SENDERS + TAKERS)
#ifndef HISTORY
#define HISTORY 8
#endif
#define PRODUCER 0
#define CONSUMER 1
#define LOCK(side) (2 + (side))
#define RECORD(place) (4 + (place) % SLOTS)
#define LEFT (4 + SLOTS) /* of the run at CONSUMER */
#define LOCATIONS (5 + SLOTS)
#include "memory.pml"

#ifdef LOCKED
/* Where there is one thread on a side, it takes none. */
#define IS_SHARED(side) ((side) == 0 -> SENDERS > 1 : TAKERS > 1)
#define TAKE_LOCK(side) do :: !IS_SHARED(side) -> break :: IS_SHARED(side) -> CAS(r, LOCK(side), 0, 1, ACQ); if :: r == 0 -> break :: else -> (NEWS(LOCK(side), r)) fi od
#define GIVE_LOCK(side) if :: IS_SHARED(side) -> STORE(LOCK(side), 0, REL) :: else fi
#else
#define TAKE_LOCK(side) skip
#define GIVE_LOCK(side) skip
#endif
#ifdef RELAXED_PRODUCER
#define PUBLISH RLX
#else
#define PUBLISH REL
#endif
/* A header: more than any message. */
#define HEADER 32
#ifdef RUN
#define IN_ALL (BATCH + 1)
#else
#define IN_ALL BATCH
#endif
#define ALL (SENDERS * BATCHES * BATCH)
/* A sender's messages are numbered from 1; 0 is a record that was never written. */
#define MESSAGE (8 * me + batch * BATCH + i + 1)

byte taken;
bool met[32];

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, place, seen, batch, i;
    do
    :: batch == BATCHES -> break
    :: batch < BATCHES ->
       TAKE_LOCK(0);
       LOAD(place, PRODUCER, RLX);
       AWAIT(seen, CONSUMER, place + IN_ALL <= seen + SLOTS || taken == ALL, ACQ);
       i = 0;
#ifdef RUN
       STORE(RECORD(place), HEADER + BATCH, RLX);
#endif
       do
       :: i == BATCH -> break
       :: i < BATCH -> STORE(RECORD(place + IN_ALL - BATCH + i), MESSAGE, RLX); i++
       od;
       STORE(PRODUCER, place + IN_ALL, PUBLISH);
       GIVE_LOCK(0);
       batch++
    od
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte r, place, end, i, message;
#ifdef RUN
    byte left;
#endif
    do
    :: taken == ALL -> break
    :: taken < ALL ->
       TAKE_LOCK(1);
       LOAD(place, CONSUMER, RLX);
       LOAD(end, PRODUCER, ACQ);
       if
       :: end == place ->
          GIVE_LOCK(1);
          (NEWS(PRODUCER, end) || taken == ALL)
       :: end != place ->
#ifdef EARLY_CONSUMER
          STORE(CONSUMER, end, REL);
#endif
          i = place;
#ifdef RUN
#ifndef FORGETS_RUN
          LOAD(left, LEFT, RLX);
#endif
          if
          :: left > 0 -> skip
          :: else ->
             LOAD(message, RECORD(i), RLX);
             assert(message == HEADER + BATCH);
             d_step { left = message - HEADER; message = 0; i++ }
          fi;
          end = i + 1; /* one record of it */
          STORE(LEFT, left - 1, RLX);
          left = 0;
#endif
          do
          :: i == end -> break
          :: i != end ->
             LOAD(message, RECORD(i), RLX);
             d_step {
                 assert(message != 0 && !met[message]);
                 met[message] = true;
                 taken++;
                 message = 0
             }
             i++
          od;
          STORE(CONSUMER, end, REL);
          GIVE_LOCK(1)
       fi
    od
}

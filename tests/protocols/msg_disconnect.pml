/* A row that is given back while threads send by it (runtime/msg/retire.c, broker_channel.c): msg_disconnect, and msg_broker_hang_up
 * with -DBROKER.
 *
 * SENDERS threads of one process send a message with data each, by a call (inside.h), and ask by another call whether the data have been
 * released (TICKETS). A thread of theirs gives the row back: it counts it, takes it out of the array, waits for a grace period,
 * and tells the receiver that all is there that was ever sent. Without a broker that is a mark in `out`; with one it is a packet, which
 * the broker passes on. The row is freed when its data have been released.
 *
 * TAKERS threads of the receiver take messages, count their data, read them, answer (BROKER), and release. Another thread of
 * the receiver takes the lane away when it has been told, all has been taken and released, and threads that took something have left their calls.
 * BROKER: then the broker gives the source, and the row of answers with it, to the next client.
 *
 * Nobody uses what has been freed; no message comes into a lane that has been taken away, so none is lost; no ticket is right while the data
 * are read; no lane is taken away while its data are read; no answer goes to the next client; and nobody waits for ever.
 *
 * COPIED: the data lie in the lane's own cells, so that the sender does not wait for their release.
 *
 * What one step is there for:
 *   TELLS_AT_ONCE     the receiver is told before the grace period (with BROKER: what the library once did)
 *   NO_WAIT           the row is freed without a grace period
 *   NO_MEMBARRIER     whoever waits for a grace period does not make the callers execute a fence
 *   COUNTS_LATER      the row is counted when it is in the array no more
 *   FORGETS           the row is freed while data are read
 *   ONE_LOOK          the lane is taken away without a grace period and a second look
 *   SOURCE_AT_ONCE    the broker gives the source again when the client has gone
 *   RELEASES_FIRST    the server releases a message before it answers it, as programs must not
 *   WORDS             messages have no data, so that nothing says that the server still has one: as docs/queues.md says
 */
// holds: -DSC -DSENDERS=2 -DTAKERS=1
// holds: -DSC -DSENDERS=1 -DTAKERS=2
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DCOPIED
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DTICKETS
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DTICKETS
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DTICKETS
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DBROKER
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DBROKER
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DBROKER
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DBROKER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DTELLS_AT_ONCE
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DTELLS_AT_ONCE -DBROKER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DNO_WAIT
// fails: -DTSO -DSENDERS=1 -DTAKERS=1 -DNO_MEMBARRIER
// fails: -DWEAK -DSENDERS=1 -DTAKERS=1 -DNO_MEMBARRIER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DTICKETS -DCOUNTS_LATER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DTICKETS -DFORGETS
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DCOPIED -DONE_LOOK
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DONE_LOOK -DBROKER
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DBROKER -DSOURCE_AT_ONCE
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DBROKER -DRELEASES_FIRST
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DBROKER -DWORDS

#define THREADS (SENDERS + TAKERS + 2)
#define PUTS SENDERS /* messages, at most */
#ifndef HISTORY
#define HISTORY 8
#endif
#define ROW 0      /* of the array: 1, the row is not there any more */
#define SENT 1     /* slots that are filled; a message is one atomic operation */
#define TOLD 2     /* all is there that was ever sent */
#define HEAD 3     /* messages that have been taken */
#define LENT 4
#define RETURNED 5
#define LANE 6     /* of the receiver's array: 1, it has been taken away */
#define RELEASED 7 /* in `in`: data that have been released, of each place */
#define WORD(t) (RELEASED + PUTS + (t))
#ifdef TICKETS
#define GIVEN (WORD(SENDERS + 1 + TAKERS)) /* given_back */
#define LISTED (GIVEN + 1)             /* the list of what has ended has the row */
#define LOCK (GIVEN + 2)
#define LOCATIONS (GIVEN + 3)
#else
#define LOCATIONS (WORD(SENDERS + 1 + TAKERS))
#endif
#include "memory.pml"

bool row_freed, lane_taken_away, lane_freed;
bool is_read[PUTS]; /* data that have been sent, and not released */
byte owner = 1;     /* BROKER: the client that the row of answers leads to; 0: none */

#ifdef WORDS
#define HAS_DATA false
#else
#define HAS_DATA true
#endif

/* The store is relaxed, and belongs to the release sequence of the release by which the thread left its last call (C17, 5.1.2.4 p10;
 * ARMv8 orders two stores of a thread to one place, too): a thread that acquires it sees what was done in that call. WEAK has no release
 * sequences, so the store is a release there. Between the two nothing is stored. */
#define ENTER(word)                               \
    LOAD(word, WORD(me), RLX);                    \
    if                                            \
    :: word == 0 -> STORE(WORD(me), word + 1, RLX) \
    :: else -> STORE(WORD(me), word + 1, REL)     \
    fi
#define LEAVE(word) STORE(WORD(me), word + 2, REL); word = 0

#ifdef NO_MEMBARRIER
#define FENCES skip
#else
#define FENCES FENCE(SEQ); MEMBARRIER()
#endif

/* The threads from `from` to before `to` leave the calls in which they are. */
#define GRACE(from, to)                                                         \
    FENCES;                                                                     \
    t = from;                                                                   \
    do                                                                          \
    :: t == (to) -> break                                                       \
    :: t < (to) -> LOAD(r, WORD(t), ACQ); seen[t] = r; t++                      \
    od;                                                                         \
    t = from;                                                                   \
    do                                                                          \
    :: t == (to) -> break                                                       \
    :: t < (to) && seen[t] % 2 == 0 -> t++                                      \
    :: t < (to) && seen[t] % 2 == 1 ->                                          \
       AWAIT(r, WORD(t), r != seen[t], ACQ);                                    \
       seen[t] = 0;                                                             \
       t++                                                                      \
    od;                                                                         \
    r = 0;                                                                      \
    t = 0

#define TAKE_LOCK(r)                            \
    do                                          \
    :: CAS(r, LOCK, 0, 1, ACQ_REL);             \
       if                                       \
       :: r == 0 -> break                       \
       :: else -> (NEWS(LOCK, r))               \
       fi                                       \
    od

/* ---- the client ------------------------------------------------------------------------------------------------- */

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte word, r, place;
    bool sent;
    ENTER(word);
    LOAD(r, ROW, ACQ);
    if
    :: r == 0 ->
       assert(!row_freed);
       atomic {
           ADD(place, SENT, 1, ACQ_REL);
           assert(!lane_taken_away);
           is_read[place] = HAS_DATA;
           sent = true
       }
    :: else
    fi;
    LEAVE(word);
#ifdef TICKETS
    /* msg_is_released */
    if
    :: sent ->
       ENTER(word);
       LOAD(r, ROW, ACQ);
       if
       :: r == 0 ->
          assert(!row_freed);
          LOAD(r, RELEASED + place, ACQ)
       :: else ->
          LOAD(r, GIVEN, ACQ);
          if
          :: r == 0 -> r = 1
          :: else ->
             TAKE_LOCK(r);
             LOAD(r, LISTED, RLX);
             if
             :: r == 1 -> assert(!row_freed); LOAD(r, RELEASED + place, ACQ)
             :: else -> r = 1
             fi;
             STORE(LOCK, 0, REL)
          fi
       fi;
       assert(r == 0 || !is_read[place]);
       LEAVE(word)
    :: else
    fi;
#endif
    r = 0;
    place = 0
}

active proctype leaver() {
    MEMORY_THREAD;
    byte t, r, other;
    byte seen[SENDERS + 1 + TAKERS];
#ifdef TICKETS
    TAKE_LOCK(r);
    STORE(LISTED, 1, RLX);
#ifndef COUNTS_LATER
    ADD(r, GIVEN, 1, REL);
#endif
#endif
    STORE(ROW, 1, REL);
#ifdef TICKETS
#ifdef COUNTS_LATER
    ADD(r, GIVEN, 1, REL);
#endif
    STORE(LOCK, 0, REL);
#endif
#ifdef TELLS_AT_ONCE
    STORE(TOLD, 1, REL);
#endif
#ifndef NO_WAIT
    GRACE(0, SENDERS);
#endif
#if defined BROKER && !defined TELLS_AT_ONCE
    STORE(TOLD, 1, REL); /* the packet does not wait for the data */
#endif
#if !defined FORGETS && !defined WORDS && !defined COPIED
    /* lane_lends_any: what is there now is all that there will be. */
    LOAD(other, SENT, ACQ);
    t = 0;
    do
    :: t == other -> break
    :: t < other -> AWAIT(r, RELEASED + t, r == 1, ACQ); t++
    od;
#endif
#ifdef TICKETS
    TAKE_LOCK(r);
    STORE(LISTED, 0, RLX);
#endif
#if !defined BROKER && !defined TELLS_AT_ONCE
    STORE(TOLD, 1, REL);
#endif
#ifdef TICKETS
    ADD(r, GIVEN, 255, REL); /* one less */
    STORE(LOCK, 0, REL);
#endif
    row_freed = true
}

/* ---- the server ------------------------------------------------------------------------------------------------- */

inline answer() {
#ifdef BROKER
    assert(owner != 2);
#endif
    skip
}

inline release() {
    ENTER(word);
    LOAD(r, LANE, ACQ);
    assert(r == 0 && !lane_freed);
    is_read[place] = false;
    STORE(RELEASED + place, 1, REL);
    ADD(r, RETURNED, 1, REL);
    LEAVE(word)
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte word, r, there, place;
    bool has;
    do
    :: has = false;
       /* Outside, so that each call finds something: no step needs those that do not. */
       do
       :: LOAD(place, HEAD, ACQ);
          LOAD(there, SENT, ACQ);
          LOAD(r, LANE, ACQ);
          if
          :: place < there || r == 1 -> break
          :: else ->
end:         (NEWS(SENT, there) || NEWS(HEAD, place) || NEWS(LANE, r))
          fi
       od;
       if
       :: r == 1 -> break
       :: else
       fi;
       ENTER(word);
       LOAD(r, LANE, ACQ);
       if
       :: r == 1 -> LEAVE(word); break
       :: else
       fi;
       assert(!lane_freed);
       LOAD(place, HEAD, ACQ);
       LOAD(there, SENT, ACQ);
       if
       :: place < there ->
          CAS(r, HEAD, place, place + 1, ACQ_REL);
          if
          :: r == place ->
             has = true;
#ifndef WORDS
             ADD(r, LENT, 1, REL)
#endif
          :: else
          fi
       :: else
       fi;
       LEAVE(word);
       if
       :: has ->
#ifdef RELEASES_FIRST
          release();
          answer()
#else
          answer();
#ifndef WORDS
          assert(!lane_freed);
          release()
#endif
#endif
       :: else
       fi
    od
}

/* Is there nothing left of the lane? As far as can be seen at this moment. */
#define LOOK(over)                                \
    LOAD(returned, RETURNED, ACQ);                \
    LOAD(lent, LENT, ACQ);                        \
    LOAD(head, HEAD, ACQ);                        \
    LOAD(sent, SENT, ACQ);                        \
    over = returned == lent && ENOUGH
#ifdef BROKER
#define ENOUGH (head == sent || head >= last)
#else
#define ENOUGH (head == sent)
#endif

active proctype tidier() {
    MEMORY_THREAD;
    byte t, r, other, returned, lent, head, sent, last;
    byte seen[SENDERS + 1 + TAKERS];
    bool over;
    AWAIT(r, TOLD, r == 1, ACQ);
#ifdef BROKER
    owner = 0;
    LOAD(last, SENT, ACQ);
#ifdef SOURCE_AT_ONCE
    owner = 2;
#endif
#endif
    do
    :: LOOK(over);
       if
       :: !over -> (NEWS(HEAD, head) || NEWS(RETURNED, returned) || NEWS(LENT, lent) || NEWS(SENT, sent))
       :: else ->
#ifdef ONE_LOOK
          break
#else
          GRACE(SENDERS + 1, SENDERS + 1 + TAKERS);
          LOOK(over);
          if
          :: over -> break
          :: else
          fi
#endif
       fi
    od;
    lane_taken_away = true;
    for (t : 0 .. PUTS - 1) { assert(!is_read[t]) }
    t = 0;
    STORE(LANE, 1, REL);
#ifdef BROKER
    owner = 2;
#endif
    GRACE(SENDERS + 1, SENDERS + 1 + TAKERS);
    do
    :: LOAD(returned, RETURNED, ACQ);
       LOAD(lent, LENT, ACQ);
       if
       :: returned == lent -> break
       :: else -> (NEWS(RETURNED, returned) || NEWS(LENT, lent))
       fi
    od;
    lane_freed = true
}

/* OnePoll and sleeping (runtime/msg/bell.h, poll.c): a receiver that sleeps goes on when a message has come, and finds it by
 * the bits alone. No sleep ends by its time, and no guard looks at lanes themselves.
 *
 * Each of SENDERS senders has a lane of one queue and sends MESSAGES messages; a lane is here the number of messages that were
 * published, and `HEAD` how many were taken. RECEIVERS threads wait for the queue. A bit is a location; the receiver clears bits as
 * soon as it finds nothing behind them.
 *
 * What one step is there for:
 *   NO_FENCE          the sender does not fence between publishing and looking at bits
 *   NO_SECOND_FENCE   nor after setting one
 *   NO_CLEARER_FENCE  the receiver does not fence between clearing a bit and looking again
 *   NO_LOOK           it does not look again
 *   NO_TELL           it sets the bit again, and does not wake others
 *   EPOCH_SECOND      a sleeper says that it sleeps, then reads the futex's word: a late wake-up takes back the first, and changes
 *                     the second before it is read, so that it sleeps unknown to anybody
 *   LATE_EPOCH        it reads the word after its look
 *   NO_SLEEPER_FENCE  it does not fence between saying that it sleeps and its look
 *
 * Not checked to the end, for their states are too many: two receivers with more than one message, and two senders on WEAK.
 */
// holds: -DSC -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=3
// holds: -DSC -DSENDERS=2 -DRECEIVERS=1 -DMESSAGES=2
// holds: -DSC -DSENDERS=1 -DRECEIVERS=2 -DMESSAGES=1
// holds: -DTSO -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=3
// holds: -DTSO -DSENDERS=2 -DRECEIVERS=1 -DMESSAGES=1
// holds: -DTSO -DSENDERS=1 -DRECEIVERS=2 -DMESSAGES=1
// holds: -DWEAK -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2
// fails: -DTSO -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2 -DNO_FENCE
// fails: -DWEAK -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2 -DNO_FENCE
// fails: -DWEAK -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2 -DNO_CLEARER_FENCE
// fails: -DSC -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2 -DNO_LOOK
// fails: -DSC -DSENDERS=1 -DRECEIVERS=2 -DMESSAGES=2 -DNO_TELL
// fails: -DSC -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=2 -DEPOCH_SECOND
// fails: -DSC -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=1 -DLATE_EPOCH
// fails: -DWEAK -DSENDERS=1 -DRECEIVERS=1 -DMESSAGES=1 -DNO_SLEEPER_FENCE -DNO_SECOND_FENCE

#define THREADS (SENDERS + RECEIVERS)
#ifndef HISTORY
#define HISTORY 8
#endif
#define READY 0
#define ASLEEP 1
#define EPOCH 2
#define SENT(s) (3 + (s))
#define FROM(s) (3 + SENDERS + (s))
#define HEAD(s) (3 + 2 * SENDERS + (s))
#define LOCATIONS (3 + 3 * SENDERS)
#include "memory.pml"

#define ALL (SENDERS * MESSAGES)
bool asleep[THREADS];
byte taken;

#ifdef NO_FENCE
#define SENDER_FENCE skip
#else
#define SENDER_FENCE FENCE(SEQ)
#endif
/* A read-modify-write is as much as a fence on x86, and not on others. */
#ifdef NO_SECOND_FENCE
#define SET_FENCE skip
#else
#define SET_FENCE FENCE(SEQ)
#endif
#ifdef NO_CLEARER_FENCE
#define CLEAR_FENCE skip
#define CLEARS RLX
#else
#define CLEAR_FENCE FENCE(SEQ)
#define CLEARS ACQ_REL
#endif
#ifdef NO_SLEEPER_FENCE
#define SLEEPS RLX
#define SLEEPER_FENCE skip
#else
#define SLEEPS SEQ
#define SLEEPER_FENCE FENCE(SEQ)
#endif

inline wake() {
    LOAD(r, ASLEEP, RLX);
    if
    :: r ->
       EXCHANGE(r, ASLEEP, 0, SEQ);
       if
       :: r ->
          ADD(r, EPOCH, 1, REL);
          skip;
          d_step { r = 0; do :: r < THREADS -> asleep[r] = false; r++ :: else -> break od; r = 0 }
       :: else
       fi
    :: else
    fi
}

inline tell(s) {
    LOAD(r, FROM(s), ACQ);
    if :: !r -> EXCHANGE(r, FROM(s), 1, ACQ_REL); SET_FENCE :: else fi;
    LOAD(r, READY, ACQ);
    if :: !r -> EXCHANGE(r, READY, 1, ACQ_REL); SET_FENCE :: else fi;
    wake()
}

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, number = 1;
    do
    :: number > MESSAGES -> break
    :: number <= MESSAGES ->
       STORE(SENT(me), number, REL);
       SENDER_FENCE;
       tell(me);
       number++;
       r = 0
    od
}

/* Is there a message in the lane? */
inline has(s) {
    LOAD(h, HEAD(s), ACQ);
    LOAD(r, SENT(s), ACQ);
    r = (r > h)
}

inline clear_bits() {
    s = 0;
    do
    :: s == SENDERS -> break
    :: s < SENDERS ->
       LOAD(r, FROM(s), ACQ);
       if
       :: r ->
          EXCHANGE(r, FROM(s), 0, CLEARS);
          CLEAR_FENCE;
          r = 0;
#ifndef NO_LOOK
          has(s);
#endif
          if
          :: r ->
#ifdef NO_TELL
             EXCHANGE(r, FROM(s), 1, ACQ_REL);
#else
             tell(s);
#endif
             goto cleared
          :: else
          fi
       :: else
       fi;
       s++
    od;
    skip; /* nothing may jump into a step of several */
    EXCHANGE(r, READY, 0, CLEARS);
    CLEAR_FENCE;
    s = 0;
    do
    :: s == SENDERS -> break
    :: s < SENDERS ->
       LOAD(r, FROM(s), ACQ);
       if
       :: r ->
#ifdef NO_TELL
          EXCHANGE(r, READY, 1, ACQ_REL);
#else
          tell(s);
#endif
          goto cleared
       :: else
       fi;
       s++
    od;
cleared:
    s = 0
}

/* found: a message was taken. */
inline one_poll() {
    found = false;
    LOAD(r, READY, ACQ);
    if
    :: r ->
       s = 0;
       do
       :: s == SENDERS -> break
       :: s < SENDERS ->
          LOAD(r, FROM(s), ACQ);
          if
          :: r ->
             has(s);
             if
             :: r ->
                CAS(r, HEAD(s), h, h + 1, ACQ_REL);
                if :: r == h -> found = true; taken++; break :: else fi
             :: else
             fi
          :: else
          fi;
          s++
       od;
       if :: !found -> clear_bits() :: else fi;
       s = 0
    :: else
    fi
}

active [RECEIVERS] proctype receiver() {
    MEMORY_THREAD;
    byte r, h, s, e;
    bool found;
    do
    :: taken == ALL -> break
    :: taken < ALL ->
       LOAD(e, EPOCH, ACQ);
       skip;
       EXCHANGE(r, ASLEEP, 1, SLEEPS);
#ifdef EPOCH_SECOND
       LOAD(e, EPOCH, ACQ);
#endif
       SLEEPER_FENCE;
       one_poll();
#ifdef LATE_EPOCH
       LOAD(e, EPOCH, ACQ);
#endif
       if
       :: !found ->
          skip;
          atomic {
              ADD(r, EPOCH, 0, SEQ);
              if :: r == e -> asleep[me] = true :: else fi
          }
          (!asleep[me] || taken == ALL)
       :: else
       fi;
       d_step { r = 0; h = 0; e = 0; found = false } /* so that states are fewer */
    od
}

/* The two kinds of sleep of the thread-safe mode (runtime/core/gate.c): POSIX threads of one process wait, one of them on the
 * process's bell, the others on the word `news`, and nobody misses what it waits for.
 *
 * WAITERS threads wait, each for something of its own, and a thread of another process makes each of these true and rings the
 * bell. A message is taken by whichever of them polls. With WORDS the last one waits for a word, which the other process
 * changes in shared memory. With SILENT nobody rings (a message of an MPI), and the first of them polls without sleeping,
 * until its own message has come, the last. A sleep has no time limit here: a wake-up that is lost is an end in which somebody still
 * sleeps. The gate is a lock; a thread in a blocking call holds it while it looks, with LOOSE (a program's own loop) it does
 * not. What is used inside the gate only is ordered by it, and so is no location of memory.pml.
 *
 * NO_LOOK: who has armed the bell does not look again. NO_NEWS_OF_REST: who returns from the bell does not tell the others.
 * NO_NEWS: nor does who takes a message. NO_NUDGE: whoever has news does not ring for the one on the bell. NUDGE_ONESELF: it
 * does even if it is itself about to rest, and so never does. NO_COMPARE: a sleep on news does not compare first.
 * FORGETS: who was woken counts itself out a second time. NO_FENCE: the bell is armed without one. LATE_LIST: a thread is on
 * the list of its word only after it has looked.
 */
// holds: -DSC -DWAITERS=2
// holds: -DSC -DWAITERS=2 -DLOOSE
// holds: -DSC -DWAITERS=3
// holds: -DSC -DWAITERS=2 -DWORDS
// holds: -DSC -DWAITERS=2 -DWORDS -DLOOSE
// holds: -DSC -DWAITERS=2 -DSILENT
// holds: -DSC -DWAITERS=3 -DSILENT
// holds: -DTSO -DWAITERS=2
// holds: -DTSO -DWAITERS=2 -DWORDS
// fails: -DSC -DWAITERS=2 -DNO_LOOK
// fails: -DSC -DWAITERS=2 -DLOOSE -DNO_LOOK
// fails: -DSC -DWAITERS=2 -DNO_NEWS_OF_REST -DWORDS
// fails: -DSC -DWAITERS=3 -DSILENT -DNO_NEWS
// fails: -DSC -DWAITERS=2 -DSILENT -DNO_NUDGE
// fails: -DSC -DWAITERS=2 -DNUDGE_ONESELF
// fails: -DSC -DWAITERS=2 -DNO_COMPARE
// fails: -DSC -DWAITERS=3 -DFORGETS
// fails: -DTSO -DWAITERS=2 -DNO_FENCE
// fails: -DSC -DWAITERS=2 -DWORDS -DLATE_LIST

#define THREADS (WAITERS + 1)
#define ARMED 0
#define LIST 1
#define SENT(p) (2 + (p)) /* a message to p, or its word */
#define LOCATIONS (2 + WAITERS)
#include "memory.pml"

#ifdef TSO
#define DRAINED (buffered[me] == 0)
#else
#define DRAINED true
#endif
/* With SILENT the first one's message comes last. */
#ifdef SILENT
#define FIRST 1
#else
#define FIRST 0
#endif
#ifdef WORDS
#define HAS_WORD(p) ((p) == WAITERS - 1)
#else
#define HAS_WORD(p) false
#endif

/* Inside the gate. */
bool gate, is_resting, has_news;
byte sleepers, news, epoch_of_all = 1;
bool come[WAITERS];

bool on_bell, on_news[WAITERS]; /* the kernel's: who sleeps */

inline ring(r) {
    LOAD(r, ARMED, RLX);
    if
    :: r ->
       EXCHANGE(r, ARMED, 0, SEQ);
       if :: r -> on_bell = false :: else fi
    :: else
    fi;
    r = 0
}

inline lock() { atomic { !gate && DRAINED; gate = true } }

/* As conduit_nudge and futex_wake_all; `resting`: the caller is about to rest. */
inline unlock(resting) {
    wakes = false;
    if
    :: has_news ->
       has_news = false;
#ifndef NO_NUDGE
#ifdef NUDGE_ONESELF
       if
       :: is_resting -> assert(!resting); ring(r)
#else
       if
       :: is_resting && !resting -> ring(r)
#endif
       :: else
       fi;
#endif
       if :: sleepers > 0 -> wakes = true; sleepers = 0; news++ :: else fi
    :: else
    fi;
    atomic { DRAINED; gate = false };
    if
    :: wakes -> d_step { for (i : 0 .. WAITERS - 1) { on_news[i] = false }; wakes = false; i = 0 }
    :: else
    fi
}

inline poll() {
    found = false;
    for (i : 0 .. WAITERS - 1) {
        if
        :: !come[i] && !HAS_WORD(i) ->
           LOAD(r, SENT(i), ACQ);
           if
           :: r ->
              come[i] = true;
              found = true;
#ifndef NO_NEWS
              has_news = true;
#endif
           :: else
           fi
        :: else
        fi
    };
    r = 0;
    i = 0
}

inline arm() {
    STORE(ARMED, 1, RLX);
#ifndef NO_FENCE
    FENCE(SEQ);
#endif
    epoch_of_all++;
    assert(epoch_of_all < 255)
}

inline enlist() {
    if
    :: HAS_WORD(me) -> ADD(r, LIST, 1, SEQ); r = 0
    :: else
    fi
}

/* core_gate_sleep. */
inline gate_sleep() {
#ifndef LATE_LIST
    enlist();
#endif
    LOAD(r, ARMED, RLX);
    if
    :: !is_resting && !r -> arm()
    :: else
    fi;
    r = 0;
    if
    :: HAS_WORD(me) ->
       poll();
       LOAD(r, SENT(me), ACQ);
       looked = !found && !r;
       found = false;
       r = 0
    :: else ->
       looked = (epoch == epoch_of_all);
       epoch = epoch_of_all
    fi;
#ifdef NO_LOOK
    looked = true;
#endif
#ifdef LATE_LIST
    enlist();
#endif
    if
    :: looked && is_resting ->
       old = news;
       sleepers++;
       unlock(false);
#ifdef NO_COMPARE
       on_news[me] = true;
#else
       atomic { if :: news == old -> on_news[me] = true :: else fi };
#endif
       !on_news[me];
       lock();
#ifdef FORGETS
       if :: sleepers > 0 -> sleepers-- :: else fi;
#else
       if :: news == old -> sleepers-- :: else fi;
#endif
       old = 0
    :: looked && !is_resting ->
       is_resting = true;
       unlock(true);
       atomic { ADD(r, ARMED, 0, SEQ); if :: r -> on_bell = true :: else fi; r = 0 };
       !on_bell;
       lock();
       STORE(ARMED, 0, RLX);
       is_resting = false;
       epoch_of_all++;
#ifndef NO_NEWS_OF_REST
       has_news = true
#endif
    :: else
    fi;
    if
    :: HAS_WORD(me) -> ADD(r, LIST, 255, SEQ); r = 0
    :: else
    fi;
    looked = false
}

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, i, epoch, old;
    bool found, looked, wakes, mine;
    if
    :: me == WAITERS -> /* another process */
       for (old : FIRST .. FIRST + WAITERS - 1) {
           STORE(SENT(old % WAITERS), 1, REL);
           FENCE(SEQ);
#ifndef SILENT
           if
           :: HAS_WORD(old % WAITERS) -> LOAD(r, LIST, ACQ)
           :: else -> r = 1
           fi;
           if :: r -> ring(r) :: else fi;
#endif
           r = 0
       };
       old = 0
    :: else ->
       lock();
       do
       :: if
          :: HAS_WORD(me) -> LOAD(r, SENT(me), ACQ); mine = r; r = 0
          :: else -> mine = come[me]
          fi;
          if
          :: mine -> break
          :: else
          fi;
          poll();
          if
          :: found -> /* core_gate_let_in; and the wait begins anew */
             found = false;
             epoch = 0;
             unlock(false);
             lock()
#ifdef SILENT
          :: !found && me == 0 -> unlock(false); lock()
          :: !found && me > 0 -> gate_sleep()
#else
          :: else -> gate_sleep()
#endif
          fi;
#ifdef LOOSE
          unlock(false);
          lock()
#endif
       od;
       unlock(false);
       epoch = 0
    fi
}

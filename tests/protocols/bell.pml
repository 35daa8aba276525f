/* Sleeping and being woken (runtime/conduit/queue/bell.c): a sleeper goes on as soon as what it waits for has happened.
 *
 * The last thread is the one that wakes; the others sleep, each until it has had MESSAGES messages of its own, or, with
 * WORD, until a word that all of them wait for has had its last value. No sleep ends by its time, so that a lost wake-up is a
 * thread that waits for ever. A futex is an atomic step of the kernel: it compares and sleeps, or wakes.
 *
 * WITH_MEMBARRIER: the sleeper makes all threads execute a fence. BOTH_FENCE: each side executes its own. SWITCH: the first, until
 * some sleeper finds it slow, from then on the second; AT_ONCE: without the membarrier in between. None: what was there first. ON_WORD: it was also so that threads slept on a word's own futex, where a message for one of them had to
 * wake it; the kernel wakes whoever came first.
 */
// holds: -DSC -DSLEEPERS=1 -DMESSAGES=3
// holds: -DTSO -DSLEEPERS=1 -DMESSAGES=3 -DWITH_MEMBARRIER
// holds: -DTSO -DSLEEPERS=1 -DMESSAGES=3 -DBOTH_FENCE
// holds: -DTSO -DSLEEPERS=2 -DMESSAGES=1 -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DBOTH_FENCE
// holds: -DTSO -DSLEEPERS=2 -DMESSAGES=1 -DWORD -DWITH_MEMBARRIER
// holds: -DTSO -DSLEEPERS=2 -DMESSAGES=2 -DWORD -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=2 -DMESSAGES=1 -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DWORD -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DWORD -DBOTH_FENCE
// holds: -DTSO -DSLEEPERS=1 -DMESSAGES=3 -DREST -DWITH_MEMBARRIER
// holds: -DTSO -DSLEEPERS=2 -DMESSAGES=2 -DREST -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=3 -DREST -DWITH_MEMBARRIER
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=3 -DREST -DBOTH_FENCE
// holds: -DTSO -DSLEEPERS=1 -DMESSAGES=3 -DSWITCH
// holds: -DTSO -DSLEEPERS=2 -DMESSAGES=1 -DSWITCH
// holds: -DTSO -DSLEEPERS=1 -DMESSAGES=3 -DREST -DSWITCH
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DSWITCH
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DREST -DSWITCH
// holds: -DWEAK -DSLEEPERS=2 -DMESSAGES=1 -DSWITCH
// holds: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DWORD -DSWITCH
// fails: -DTSO -DSLEEPERS=2 -DMESSAGES=1 -DSWITCH -DAT_ONCE
// fails: -DTSO -DSLEEPERS=1 -DMESSAGES=2 -DSWITCH -DAT_ONCE
// fails: -DWEAK -DSLEEPERS=1 -DMESSAGES=2 -DSWITCH -DAT_ONCE
// fails: -DTSO -DSLEEPERS=1 -DMESSAGES=1 -DREST
// fails: -DTSO -DSLEEPERS=1 -DMESSAGES=1
// fails: -DWEAK -DSLEEPERS=1 -DMESSAGES=1
// fails: -DTSO -DSLEEPERS=1 -DMESSAGES=1 -DWORD
// fails: -DSC -DSLEEPERS=1 -DMESSAGES=1 -DON_WORD
// fails: -DSC -DSLEEPERS=2 -DMESSAGES=1 -DON_WORD -DCHANGES
// holds: -DSC -DSLEEPERS=1 -DMESSAGES=2 -DON_WORD -DCHANGES
// fails: -DSC -DSLEEPERS=1 -DMESSAGES=1 -DNO_LOOK

#define THREADS (SLEEPERS + 1)
#ifndef HISTORY
#define HISTORY 10
#endif
#define ARMED(t) (t)
#define SENT(t) (SLEEPERS + (t))
#define LISTED(t) (2 * SLEEPERS + (t))
#define CHANGED (3 * SLEEPERS)
#define WAY (3 * SLEEPERS + 1) /* 0: membarrier; 1: who wakes executes a fence, too; 2: who sleeps executes its own */
#define LOCATIONS (3 * SLEEPERS + 2)
#include "memory.pml"

/* ---- the kernel ------------------------------------------------------------------------------------------------- */
bool asleep[SLEEPERS];
#ifdef ON_WORD
byte queue[SLEEPERS], queued; /* who sleeps on the word, in the order of coming */
#endif

#ifdef WITH_MEMBARRIER
#define SLEEPER_FENCE MEMBARRIER()
#define WAKER_FENCE skip
#endif
#ifdef BOTH_FENCE
#define SLEEPER_FENCE FENCE(SEQ)
#define WAKER_FENCE FENCE(SEQ)
#endif
#ifdef SWITCH
inline sleeper_fence() {
    LOAD(r, WAY, ACQ);
    if
    :: r == 2 -> FENCE(SEQ)
    :: else ->
       MEMBARRIER();
       if
       :: true
       :: r == 0 -> /* it was slow */
          CAS(r, WAY, 0, 1, SEQ);
          if
          :: r == 0 ->
#ifndef AT_ONCE
             MEMBARRIER();
#endif
             STORE(WAY, 2, REL)
          :: else
          fi
       fi
    fi
}
#define SLEEPER_FENCE sleeper_fence()
#define WAKER_FENCE LOAD(r, WAY, RLX); if :: r -> FENCE(SEQ) :: else fi
#endif
#ifndef SLEEPER_FENCE
#define SLEEPER_FENCE skip
#define WAKER_FENCE skip
#endif

/* ---- the protocol ----------------------------------------------------------------------------------------------- */
inline sleep_on_bell() {
    atomic {
        ADD(r, ARMED(me), 0, SEQ);
        if :: r == 1 -> asleep[me] = true :: else fi
    }
    !asleep[me]
}

#ifdef ON_WORD
/* As if a word that another thread changes stays as it is: only a message ends the sleep. With CHANGES a ring is noticed by
 * the kernel's comparison, which mends the second mistake and leaves the first. */
inline sleep_on_word() {
    atomic {
        r = 1;
#ifdef CHANGES
        ADD(r, ARMED(me), 0, SEQ);
#endif
        if
        :: r == 1 -> asleep[me] = true; queue[queued] = me; queued++
        :: else
        fi
    }
    !asleep[me]
}
#endif

#ifdef WORD
#define AWAITED CHANGED
#else
#define AWAITED SENT(me)
#endif

#ifdef REST
/* conduit_rest: the loop itself looks in between, and may leave it with the bell armed; the next wait finds it so. */
active [SLEEPERS] proctype sleeper() {
    MEMORY_THREAD;
    byte r, other, wanted = 1;
    do
    :: wanted > MESSAGES -> break
    :: wanted <= MESSAGES ->
       LOAD(r, AWAITED, ACQ);
       if
       :: r >= wanted -> wanted = r + 1
       :: else ->
          LOAD(r, ARMED(me), RLX);
          if
          :: r == 0 -> STORE(ARMED(me), 1, RLX); SLEEPER_FENCE
          :: else -> sleep_on_bell(); STORE(ARMED(me), 0, RLX)
          fi
       fi
    od;
    r = 0
}
#else
active [SLEEPERS] proctype sleeper() {
    MEMORY_THREAD;
    byte r, other;
    do
    :: true ->
       LOAD(r, AWAITED, ACQ);
       if :: r == MESSAGES -> break :: else fi;
#ifdef WORD
       EXCHANGE(r, LISTED(me), 1, REL);
#endif
       STORE(ARMED(me), 1, RLX);
       SLEEPER_FENCE;
       r = 0;
#ifndef NO_LOOK
       LOAD(r, AWAITED, ACQ);
#endif
       if
       :: r != MESSAGES ->
#ifdef ON_WORD
          sleep_on_word()
#else
          sleep_on_bell()
#endif
       :: else
       fi;
       STORE(ARMED(me), 0, RLX);
#ifdef WORD
       EXCHANGE(r, LISTED(me), 0, RLX);
#endif
    od;
    r = 0
}
#endif

inline ring(t) {
    LOAD(r, ARMED(t), RLX);
    if
    :: r ->
       EXCHANGE(r, ARMED(t), 0, SEQ);
       if
       :: r ->
          d_step {
#ifdef ON_WORD
              if
              :: queued > 0 ->
                 asleep[queue[0]] = false;
                 queued--;
                 i = 0;
                 do :: i < queued -> queue[i] = queue[i + 1]; i++ :: else -> break od;
                 queue[i] = 0;
                 i = 0
              :: else
              fi
#else
              asleep[t] = false
#endif
          }
       :: else
       fi
    :: else
    fi
}

active proctype waker() {
    MEMORY_THREAD;
    byte r, i, number, to;
    for (number : 1 .. MESSAGES) {
#ifdef WORD
        STORE(CHANGED, number, REL);
        WAKER_FENCE;
        for (to : 0 .. SLEEPERS - 1) {
            LOAD(r, LISTED(to), ACQ);
            if :: r -> ring(to) :: else fi
        }
#else
        for (to : 0 .. SLEEPERS - 1) {
            STORE(SENT(to), number, REL);
            WAKER_FENCE;
            ring(to)
        }
#endif
    }
}

/* What the files of conduit mpi share: the job as MPI's ranks, and as nodes. Messages, words and the barrier are those of
 * conduit/cluster, over MPI's point-to-point messages (wire.c). */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>
#include <sys/types.h>

#include "conduit/cluster/cluster.h"

/* In memory that the near threads share; where nothing is shared, each has its own. */
struct near_block {
    uint32_t end; /* NEAR_END | status once the job is to end now */
    uint32_t reported, done, left;
    long long leave_at; /* milliseconds of the monotonic clock; 0: not known yet */
    uint32_t is_done[]; /* by near thread */
};
#define NEAR_END 0x10000u

struct ranks {
    MPI_Comm all;    /* rank = thread */
    MPI_Comm near;   /* rank = thread - first */
    MPI_Comm node;   /* of this computer: more than near where FATHOM_NODE_MAX says so */
    int here, cores; /* threads on this computer, near or not, and the processors that they may use */
    size_t segment;  /* bytes of each */
    struct near_block *block;
};
extern struct ranks ranks;

/* start.c */
/* Ranks of this computer for each of its processors, at least 1. */
long ranks_crowd(void);
unsigned long ranks_sleep_long(void); /* before MPI_Init and MPI_Finalize */

/* memory.c */
int ranks_segments(int threads, size_t bytes, bool huge, const char **what);
void *ranks_shared(size_t bytes);
/* A file without a name of `bytes` that all near threads have open: the descriptor, or -1 on every thread if any cannot
 * (errno in *why, the call in *what). Collective. */
int ranks_share(size_t bytes, unsigned flags, int *why, const char **what);

/* wire.c */
void ranks_wire_start(void);
void ranks_wire_stop(void);

/* rounds.c */
void ranks_rounds_start(void);
void ranks_rounds_stop(void);

/* rma.c */
extern struct conduit_overrides ranks_overrides; /* fewer where there is no window */
void ranks_window_start(void);
void ranks_window_stop(void);
MPI_Win ranks_window(void);
void ranks_flush(int thread);

void ranks_window_get(void *dst, uint64_t src, size_t n);

/* kernel.c */
enum { RANKS_KERNEL_BYTES = 4096 }; /* longer gets gain nothing */
void ranks_kernel_start(void);      /* collective */
/* May this process read that thread's? The other functions are only for those. */
bool ranks_kernel_reaches(int thread);
bool ranks_kernel_get(void *dst, uint64_t src, size_t n);                 /* false: the kernel does not do it */
struct conduit_op *ranks_kernel_begin(void *dst, uint64_t src, size_t n); /* as get_begin */
void ranks_kernel_carry_out(void);

/* choice.c */
bool ranks_gets_by_kernel(bool alone, int thread, size_t n);
bool ranks_is_better(bool is_put, bool alone, int thread, size_t n);
bool ranks_are_messages(int thread);
bool ranks_is_here(int thread);
bool ranks_atomic_is_better(void);
void ranks_find_roads(void); /* collective */
void ranks_choose(void);

/* atomic.c */
bool ranks_atomic_is_possible(int type, unsigned long ops);
void ranks_atomic(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2);

/* connections.c */
void ranks_connections_prepare(void); /* before MPI_Init */
void ranks_connections_start(void);   /* collective */
/* Is a computer of the job out of reach? Looks after MPI's connections meanwhile. */
bool ranks_connections_lost(void);

/* watch.c */
#define RANKS_END_SIGNAL (SIGRTMAX - 3) /* a signal that programs hardly use; its value is that of near_block's `end` */
enum { RANKS_LAUNCHER_MS = 1500 };      /* what the launcher, and who ends the job, have to end it before we do */
void ranks_watch_prepare(void);         /* before MPI_Init */
void ranks_watch_start(void);           /* collective */
void ranks_watch_stop(int status);      /* the job ends normally; the process is to end with `status` in any case */
bool ranks_watch_is_stopped(void);
void ranks_watch_interrupt(int end); /* for the watchman: RANKS_END_SIGNAL to the thread that is the program's */
/* May be called in a handler of signals, and before there are any. */
void ranks_tell_neighbours(int signal, int value);

/* relay.c */
enum { RANKS_RELAY_CHILDREN = 8, RANKS_RELAY_EDGES = RANKS_RELAY_CHILDREN + 1 };
enum ranks_relay_news {
    RELAY_NOTHING,
    RELAY_END,       /* a thread of another computer ends the job, with the status that is given */
    RELAY_LOST,      /* the first thread of another computer, whose number is given, has gone without a word */
    RELAY_LOST_TOLD, /* the same, and another computer reports it */
    RELAY_CUT        /* a computer is out of reach */
};
struct pollfd;
void ranks_relay_start(void); /* collective */
/* Tells the other computers, if this process is the first of its computer. May be called in a handler of signals. */
void ranks_relay_end(int status);
void ranks_relay_bye(void); /* the job has ended normally */
/* Does another computer report it if this thread, of this computer, is lost? */
bool ranks_relay_reports(int thread);
/* For the watchman: what is to be polled, at most RANKS_RELAY_EDGES; then what has come. */
int ranks_relay_poll(struct pollfd *fds);
enum ranks_relay_news ranks_relay_look(int *value);

/* end.c */
void ranks_done(void);
bool ranks_is_done(int thread);
int ranks_done_count(void);
void ranks_finish(int status);
bool ranks_claim_report(void);
bool ranks_end(int status);
bool ranks_is_ending(void);
bool ranks_is_thread(void);
void ranks_end_prepare(void); /* before MPI_Init */
void ranks_end_start(void);
bool ranks_is_of_srun(void);          /* is the launcher srun itself, not an mpirun within one of Slurm's jobs? */
bool ranks_end_is_told(void);         /* does this process know that the job ends, and has it told its neighbours? */
void ranks_end_elsewhere(int status); /* for the watchman: another computer has told that the job ends */
/* Says so, unless another one is saying why the job ends, and ends it. */
_Noreturn void ranks_give_up(const char *text, size_t bytes);
_Noreturn void ranks_mpi_error(const char *object, int code);

#endif

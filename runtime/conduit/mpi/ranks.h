/* What the files of conduit mpi share: the job as MPI's ranks, and as nodes. */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>
#include <sys/types.h>

#include "conduit/conduit.h"

/* In memory that the near threads share; where nothing is shared, each has its own. */
struct near_block {
    uint32_t end; /* NEAR_END | status once the job is to end now */
    uint32_t reported, done;
    long long leave_at; /* milliseconds of the monotonic clock; 0: not known yet */
    struct {
        pid_t pid;
        uint32_t done;
    } thread[CONDUIT_MAX_THREADS];
};
#define NEAR_END 0x10000u

struct ranks {
    MPI_Comm all;  /* rank = thread */
    MPI_Comm near; /* rank = thread - first */
    MPI_Comm node; /* of this computer: more than near where FATHOM_NODE_MAX says so */
    int me, threads;
    int first, count;           /* the near threads */
    int groups, group;          /* sets of near threads; which one is this thread's */
    int leader[CONDUIT_MAX_THREADS]; /* of each set: its first thread */
    int here, cores;            /* threads on this computer, near or not, and the processors that they may use */
    size_t segment;             /* bytes of each */
    struct near_block *block;
};
extern struct ranks ranks;

/* start.c */
/* A report that needs no running job, from one thread for all; then all exit. */
_Noreturn void ranks_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* memory.c */
/* A file without a name of `bytes` that all near threads have open: the descriptor, or -1 on every thread if any cannot
 * (errno in *why, the call in *what). Collective. */
int ranks_share(size_t bytes, unsigned flags, int *why, const char **what);

/* messages.c */
void ranks_messages_start(void);
void ranks_messages_stop(void);

/* As conduit_send; `own`: for ranks_word_deliver at the other side. */
void ranks_send(const struct conduit_message *m, bool own);

/* words.c */
enum { RANKS_WORD_BYTES = 16 };
struct ranks_word {
    void *dst; /* of a get */
    size_t bytes;
    bool answered;
};
bool ranks_is_word(uint64_t at, size_t n);
void ranks_word_put(struct ranks_word *w, uint64_t dst, const void *src, size_t n);
void ranks_word_get(struct ranks_word *w, void *dst, uint64_t src, size_t n);
void ranks_nap(int thread, int us); /* in its next poll */
void ranks_word_deliver(const struct conduit_message *m);

/* barrier.c */
void ranks_barrier_prepare(void);
void ranks_barrier_start(void);
void ranks_barrier_stop(void);
/* Has a barrier begun that is not complete? Then poll serves it, so that whoever does something else between the two
 * halves of a barrier holds up nobody. */
extern bool ranks_barrier_pending;
void ranks_barrier_step(void);
void ranks_barrier_notify(const struct conduit_ballot *mine);
bool ranks_barrier_try(struct conduit_ballot *all);

/* rma.c */
void ranks_window_start(void);
void ranks_window_stop(void);
MPI_Win ranks_window(void);
void ranks_flush(int thread);

/* choice.c */
bool ranks_is_better(bool is_put, bool alone, int thread, size_t n);
bool ranks_is_here(int thread);
bool ranks_atomic_is_better(void);
void ranks_choose(void);

/* atomic.c */
bool ranks_atomic_is_possible(int type, unsigned long ops);
void ranks_atomic(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2);

/* end.c */
void ranks_end_prepare(void); /* before MPI_Init */
void ranks_end_start(void);
_Noreturn void ranks_mpi_error(const char *object, int code);

#endif

/* Threads as processes of one computer: for conduits that fork them. */
#ifndef CONDUIT_LAUNCH_H
#define CONDUIT_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks `threads` processes and returns each thread's number in it. The calling process becomes their supervisor and
 * never returns; with one thread it is the thread. Complains and exits where that fails. */
int launch_threads(int threads);
/* Processors that this process may use: as many as FATHOM_CORES says, if it is set. */
int launch_cores(void);
/* Has the process of `thread` ended? */
bool launch_is_gone(int thread);

/* A conduit's functions for the end of a job, by the same names, but for `finish`. */
void launch_done(void);
bool launch_is_done(int thread);
int launch_done_count(void);
int launch_lost(void);
bool launch_claim_report(void);
bool launch_end(int status);
bool launch_is_ending(void);
bool launch_is_thread(void);

/* ---- a job on several computers ---------------------------------------------------------------------------------- */

/* Each computer has a supervisor, for its own threads. What they tell each other is supplied by the conduit. */
struct pollfd;
struct launch_elsewhere {
    int first, threads; /* this computer's first thread; threads of the job */
    bool decides;       /* which thread may say why the job ends: the others ask */
    int most_fds;
    int (*poll)(struct pollfd *fds); /* what is to be polled: their number */
    void (*look)(void);              /* something may have come, or a thread here has news; at least once a second */
    bool (*ask)(void);               /* waits for the answer */
    bool (*all_ended)(void);         /* have all threads of the others ended normally? */
    /* News of this computer, for the others. */
    void (*lost)(int thread);
    void (*signal)(int signal);
    void (*ends)(int status, int signal); /* now; by a signal, if it is not 0 */
    /* No thread is left here: the job's status, where this computer's is `status`; the process exits next. */
    int (*leave)(int status, bool is_failing);
    void (*forked)(void);                       /* in a thread */
    void (*reaped)(pid_t pid, int wait_status); /* a child that is no thread */
};
extern const struct launch_elsewhere *launch_elsewhere; /* null: this is the only computer */

/* In a thread: the supervisor is to look. */
void launch_tell_supervisor(void);
/* In the supervisor: news from elsewhere. The first does not return. */
void launch_heard_end(int status, int signal);
void launch_heard_lost(int thread);
void launch_heard_done(int thread);
void launch_heard_signal(int signal);
bool launch_has_question(void); /* once: a thread asks whether it may say why the job ends */
void launch_answer(bool may);

#endif

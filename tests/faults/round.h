/* One job, broken according to a plan, and what was seen of its end. */
#ifndef FAULTS_ROUND_H
#define FAULTS_ROUND_H

#include <stdbool.h>
#include <sys/resource.h>

enum out { OUT_READ, OUT_SLOW, OUT_FULL, OUT_CLOSED, OUT_NO_DISK, OUT_FILE, OUTS };
enum who { THREAD, OTHER, EACH, TOP, BETWEEN, WHOS };

/* A signal to a process of the job: to a thread, chosen by `index`; to a thread other than the last one; to all threads;
 * to the process that was started (smp: the supervisor, mpi: the launcher); to one that stands between the launcher and
 * the threads, if there is one, else to a thread. */
struct step {
    enum who who;
    int signal;
    int ms; /* after the step before; the first: after the start, or after all threads are there */
};

enum { MOST_STEPS = 4, MOST_TEXT = 16384 };

struct plan {
    const char *mode;
    int threads, turns, index;
    bool storm, is_err_full, from_ready;
    enum out out;
    int resource; /* of setrlimit; -1: none */
    rlim_t limit;
    int steps;
    struct step step[MOST_STEPS];
};

struct outcome {
    bool hung;           /* it did not end, and was killed */
    int status;          /* as wait says */
    int sent;            /* steps that reached a process */
    bool is_good;        /* "good" was printed */
    int programs, files; /* left: processes of the program, and files */
    char err[MOST_TEXT];
    char left[MOST_TEXT]; /* processes and files that were there after it; and while it hung */
};

/* Where jobs are started: `command` with the program in it, to which mode and turns are added. */
struct place {
    const char *work, *program; /* a folder of our own; a path without links */
    bool is_mpi, is_private;    /* /dev/shm is */
    char **command;
    int words, threads_at; /* command[threads_at] is the number of threads, which is -1 where FATHOM_THREADS says it */
};

void round_play(const struct place *place, const struct plan *plan, struct outcome *outcome);

#endif

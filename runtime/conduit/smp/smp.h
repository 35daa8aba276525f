/* What the files of conduit smp share. */
#ifndef SMP_H
#define SMP_H

#include "conduit/conduit.h"

/* threads.c and memory.c: the conduit's functions, by the same names. */
int smp_start(int wanted, int *argc, char ***argv);
int smp_threads_here(void);
size_t smp_least(size_t mine);
int smp_segments(int threads, size_t bytes, bool huge, const char **what);
void *smp_shared(size_t bytes);
int smp_spawn(int threads);
bool smp_send(const struct conduit_message *m);
enum conduit_sent smp_try_send(const struct conduit_message *m);
int smp_poll(bool replies_only);
bool smp_needs_progress(const char **obstacle);
int smp_progress(void);
void smp_rest_beside(long us);

/* In each thread, first: where threads do not share their segments, its own. False, and errno: there is no memory. */
bool smp_segment_renew(void);
extern size_t smp_segment_bytes; /* of each thread */
/* Before the threads are made. */
void smp_barrier_prepare(int threads);
void smp_barrier_notify(const struct conduit_ballot *mine);
bool smp_barrier_try(struct conduit_ballot *all);

/* The tree. Before the threads are made; false: no memory. */
bool tree_prepare(int threads);
/* Begins barrier number `phase` (1, 2, ...). True for the last thread: all are released, and those that sleep are to be
 * woken. */
bool tree_notify(const struct conduit_ballot *mine, uint64_t phase);
bool tree_try(struct conduit_ballot *all, uint64_t phase);

#endif

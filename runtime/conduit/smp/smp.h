/* What the files of conduit smp share. */
#ifndef SMP_H
#define SMP_H

#include <stdint.h>

#include "conduit/conduit.h"

/* Before the threads are made. */
void smp_messages_prepare(int threads);
void smp_barrier_prepare(int threads);

void smp_wait_prepare(int threads);

/* Has something arrived that conduit_poll would deliver? */
bool smp_has_messages(void);
/* Wakes all threads that rest. */
void smp_ring_all(int threads);
/* Wakes a thread whose bell is armed. */
void smp_ring(int thread);

/* One turn of a loop that waits for another thread; `round` counts them. */
void smp_relax(unsigned round);

void smp_barrier_notify(const struct conduit_ballot *mine);
bool smp_barrier_try(struct conduit_ballot *all);

#endif

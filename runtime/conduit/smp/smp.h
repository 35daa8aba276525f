/* What the files of conduit smp share. */
#ifndef SMP_H
#define SMP_H

#include "conduit/conduit.h"

/* Before the threads are made. */
void smp_barrier_prepare(int threads);
void smp_barrier_notify(const struct conduit_ballot *mine);
bool smp_barrier_try(struct conduit_ballot *all);

#endif

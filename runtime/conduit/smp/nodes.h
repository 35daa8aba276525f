/* Which NUMA node each thread of conduit smp is bound to, and its segment's memory: nodes.c says why and when. */
#ifndef SMP_NODES_H
#define SMP_NODES_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { NODES_MOST = 64 };

/* The nodes that have processors, in the order of their numbers. */
struct nodes {
    int count;
    int number[NODES_MOST];
    cpu_set_t processors[NODES_MOST];
};

/* "0-3,8,10-11", as /sys has it; false: it is anything else. */
bool nodes_parse(const char *text, cpu_set_t *set);
/* Those below `folder`, which is /sys/devices/system/node but in a test; only their processors in `allowed`. Those
 * without any are left out. */
void nodes_read(struct nodes *nodes, const char *folder, const cpu_set_t *allowed);
/* The node, by its place in the list, of a thread of so many. */
int nodes_of_thread(const struct nodes *nodes, int thread, int threads);

/* Decides, before the threads are made; complains and exits if FATHOM_BIND is not understood. */
void nodes_plan(int threads);
/* In each thread, before it touches memory; null: it has no segment of the shared ones. */
void nodes_bind(int thread, int threads, void *segment, size_t bytes);

#endif

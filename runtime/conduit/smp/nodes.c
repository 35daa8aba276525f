/* Where the threads of conduit smp run: on a computer with several NUMA nodes each thread is bound to a node, and its
 * segment's memory is taken from there, whoever touches it first.
 *
 * To a node, and not to a processor of its own. What a thread must not lose is the memory beside it: a page stays
 * where it was first touched, and if the kernel moves the thread to another socket all its accesses are slow from then
 * on. Which of the node's processors it runs on matters little, and the kernel does that better than we could: it
 * fills cores before their hyperthreads, and avoids processors that others use. A thread that is bound to one
 * processor shares that with whatever else runs there, while others are idle; so do the POSIX threads and processes
 * that it starts, which inherit the binding; and two jobs that both begin with processor 0 share processors on a
 * computer that has enough for both. Bound to nodes, every job has a share of its threads on every node, and all of
 * them go where there is room.
 *
 * Threads are dealt out in order, and as many to a node as it has processors in proportion: neighbours in number are
 * neighbours on the computer, and no node has more threads than processors.
 *
 * Nobody is bound where there is one node, or more threads than processors that the job may use (host.c), or fewer
 * threads than nodes (the kernel then knows better which node has room), or where somebody else has decided: if the
 * job may not run on all processors of the computer, taskset, a batch system or a container has seen to that.
 * FATHOM_BIND=no: never; report: each thread says where it is. A system call that fails (in a sandbox) leaves things
 * as they were.
 */
#define _GNU_SOURCE
#include "conduit/smp/nodes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "core/core.h"

/* linux/mempolicy.h, which not every system has. */
enum { PREFERRED = 1, NODE_OF_ADDRESS = 1 | 2 };

static struct nodes found;
static bool binds, reports;

bool nodes_parse(const char *text, cpu_set_t *set) {
    CPU_ZERO(set);
    while (*text && *text != '\n') {
        char *end;
        long first = strtol(text, &end, 10), last = first;
        if (end == text) return false;
        if (*end == '-') last = strtol(text = end + 1, &end, 10);
        if (end == text || first < 0 || last < first) return false;
        for (long p = first; p <= last && p < CPU_SETSIZE; p++) CPU_SET((int)p, set);
        text = *end == ',' ? end + 1 : end;
        if (*end && *end != ',' && *end != '\n') return false;
    }
    return true;
}

static bool processors_of(cpu_set_t *set, const char *folder, int number) {
    char path[512], text[4096];
    snprintf(path, sizeof path, "%s/node%d/cpulist", folder, number);
    FILE *f = fopen(path, "re");
    if (!f) return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    return nodes_parse(text, set);
}

static void insert(struct nodes *nodes, int number, const cpu_set_t *set) {
    int i = nodes->count++;
    for (; i > 0 && nodes->number[i - 1] > number; i--) {
        nodes->number[i] = nodes->number[i - 1];
        nodes->processors[i] = nodes->processors[i - 1];
    }
    nodes->number[i] = number;
    nodes->processors[i] = *set;
}

void nodes_read(struct nodes *nodes, const char *folder, const cpu_set_t *allowed) {
    nodes->count = 0;
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir)) && nodes->count < NODES_MOST;) {
        int number, length = 0;
        cpu_set_t set;
        if (sscanf(e->d_name, "node%d%n", &number, &length) != 1 || e->d_name[length]) continue;
        if (!processors_of(&set, folder, number)) continue;
        CPU_AND(&set, &set, allowed);
        if (CPU_COUNT(&set)) insert(nodes, number, &set);
    }
    closedir(dir);
}

int nodes_of_thread(const struct nodes *nodes, int thread, int threads) {
    long all = 0;
    for (int i = 0; i < nodes->count; i++) all += CPU_COUNT(&nodes->processors[i]);
    long place = thread * all / threads; /* among the processors, node by node */
    int i = 0;
    for (; i < nodes->count - 1 && place >= CPU_COUNT(&nodes->processors[i]); i++)
        place -= CPU_COUNT(&nodes->processors[i]);
    return i;
}

/* ---- the job's --------------------------------------------------------------------------------------------------- */

static bool is_wanted(void) {
    const char *text = getenv("FATHOM_BIND");
    if (!text || !*text || strcmp(text, "auto") == 0) return true;
    if (strcmp(text, "no") == 0) return false;
    reports = strcmp(text, "report") == 0;
    if (reports) return true;
    fprintf(stderr,
            "fathom: FATHOM_BIND=%s: expected auto (threads are bound to NUMA nodes where each has a processor), "
            "report (the same, and each thread reports its node) or no\n",
            text);
    exit(1);
}

void nodes_plan(int threads) {
    cpu_set_t allowed;
    if (!is_wanted() || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    nodes_read(&found, "/sys/devices/system/node", &allowed);
    binds = found.count > 1 && threads >= found.count && threads <= core_processors() &&
            CPU_COUNT(&allowed) == sysconf(_SC_NPROCESSORS_ONLN);
}

/* Which node the page is on, which becomes one by that. */
static int node_of(void *at) {
    int node = -1;
    __atomic_fetch_add((char *)at, 0, __ATOMIC_RELAXED);
    return syscall(SYS_get_mempolicy, &node, NULL, 0ul, at, (unsigned long)NODE_OF_ADDRESS) == 0 ? node : -1;
}

static void report(int thread, bool is_bound, void *segment) {
    unsigned processor = 0, node = 0;
    syscall(SYS_getcpu, &processor, &node, NULL);
    char text[160], memory[48] = "";
    int at = segment ? node_of(segment) : -1;
    if (at >= 0) snprintf(memory, sizeof memory, ", its memory on node %d", at);
    int n = snprintf(text, sizeof text, "fathom: thread %d: %s NUMA node %u%s\n", thread,
                     is_bound ? "bound to" : "not bound, now on", node, memory);
    if (write(STDERR_FILENO, text, (size_t)n) < 0) return; /* nobody reads it */
}

void nodes_bind(int thread, int threads, void *segment, size_t bytes) {
    bool is_bound = false;
    if (binds) {
        int i = nodes_of_thread(&found, thread, threads), number = found.number[i];
        is_bound = sched_setaffinity(0, sizeof found.processors[i], &found.processors[i]) == 0;
        unsigned long mask[16] = {0}, bits = 8 * sizeof mask[0];
        if (segment && number < 16 * (int)bits) {
            mask[(unsigned)number / bits] = 1ul << (unsigned)number % bits;
            syscall(SYS_mbind, segment, bytes, (unsigned long)PREFERRED, mask, 16 * bits + 1, 0ul);
        }
    }
    if (reports) report(thread, is_bound, segment);
}

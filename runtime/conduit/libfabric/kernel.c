/* Data of threads of this computer that share no memory with this one, by the kernel: process_vm_readv and process_vm_writev copy
 * between two processes without the other's help, in place of libfabric's operations or messages.
 *
 * Whether the kernel lets threads do so (ptrace's rules) shows an attempt at the start. It must be so for all of them: what
 * way a put takes, both sides know. What a program reads or writes as one object of 16 bytes goes by message nevertheless.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"
#include "conduit/segments.h"
#include "lang/prelude.h"

#define LONGEST ((size_t)1 << 30)

struct place {
    pid_t pid;
    uint64_t segment, probe; /* addresses there */
};
static struct place *places; /* by thread; null: the kernel is not used */
static volatile int probe;

bool kernel_reaches(int thread) {
    const struct host *h = &hosts.of[hosts.mine];
    return places && (unsigned)(thread - h->first) < (unsigned)h->threads;
}

static bool copy(bool is_put, pid_t pid, uint64_t there, void *mine, size_t bytes) {
    struct iovec local = {mine, bytes}, remote = {(void *)(uintptr_t)there, bytes};
    ssize_t n =
        is_put ? process_vm_writev(pid, &local, 1, &remote, 1, 0) : process_vm_readv(pid, &local, 1, &remote, 1, 0);
    return n == (ssize_t)bytes;
}

bool kernel_copy(bool is_put, uint64_t at, void *mine, size_t bytes) {
    int thread = (int)fathom_thread_of(at);
    const struct place *p = &places[thread];
    if (launch_is_gone(thread)) return false; /* its number may be another process's by now */
    uint64_t there = p->segment + fathom_offset_of(at);
    int before = errno;
    bool good = true;
    for (size_t part; good && bytes; bytes -= part, there += part, mine = (char *)mine + part) {
        part = bytes < LONGEST ? bytes : LONGEST;
        good = copy(is_put, p->pid, there, mine, part);
    }
    errno = before;
    return good;
}

/* Reads a number of each, and writes it back. */
static bool attempt(const struct place *all) {
    const struct host *h = &hosts.of[hosts.mine];
    for (int t = h->first; t < h->first + h->threads; t++) {
        int number = -1;
        if (cluster_is_near(t)) continue;
        if (!copy(false, all[t].pid, all[t].probe, &number, sizeof number) || number != t) return false;
        if (!copy(true, all[t].pid, all[t].probe, &number, sizeof number)) return false;
    }
    return true;
}

void kernel_start(void) {
    struct place mine = {getpid(), (uintptr_t)segments_at(cluster.me - cluster.first), (uintptr_t)&probe}, *all;
    all = malloc((size_t)cluster.threads * sizeof *all);
    if (!all) cluster_refuse("no memory for a table of %d threads\n", cluster.threads);
    probe = cluster.me;
    boot_gather(&mine, sizeof mine, all, NULL);
    if (boot_agree(attempt(all)))
        places = all;
    else
        free(all);
}

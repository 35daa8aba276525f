/* Where the threads of a job run, and which NUMA node their memory is on. For a computer of several nodes: run.sh
 * makes one.
 *
 *     places [bound]
 *
 * Memory of each thread's segment is written, and the kernel asked which node the pages are on (move_pages that moves
 * nothing). They must be on the node where the thread runs. `bound`: the runtime must have bound each thread to the
 * processors of one node, and the threads must be spread over the nodes: the numbers on two nodes differ by one at
 * most. Then another thread writes the memory, which is to make no difference. Without `bound` each thread chooses a
 * processor here and writes its own, so that the check of the memory means something.
 */
#define _GNU_SOURCE
#include <fathom.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 256, MAX_NODES = 64 };

struct place {
    unsigned processor, node;
    int processors; /* that the thread may run on */
    int is_bound;   /* to that node */
    int pages_here; /* of PAGES: on that node */
};

static void fail(int line, const char *what) {
    fprintf(stderr, "places.c:%d: thread %d: not true: %s\n", line, fathom_me(), what);
    exit(1);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

/* Thread t of n on the t-th of the processors, which are dealt out evenly. */
static void choose_processor(void) {
    cpu_set_t allowed, one;
    CHECK(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    int wanted = (int)((long)fathom_me() * CPU_COUNT(&allowed) / fathom_count());
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed) || wanted-- > 0) continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
        return;
    }
}

/* May the thread run on processors of `node` only? */
static int is_bound_to(unsigned node) {
    cpu_set_t allowed;
    CHECK(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char path[64];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%u", cpu, node);
        if (CPU_ISSET(cpu, &allowed) && access(path, F_OK) != 0) return 0;
    }
    return 1;
}

/* How many of the pages from `start` are on `node`. */
static int pages_on(unsigned node, char *start) {
    void *pages[PAGES];
    int nodes[PAGES], here = 0;
    for (int i = 0; i < PAGES; i++) {
        pages[i] = start + (size_t)i * PAGE;
        CHECK(*(volatile char *)pages[i] == 1); /* the kernel answers for pages that this process has mapped */
    }
    CHECK(syscall(SYS_move_pages, 0, (long)PAGES, pages, NULL, nodes, 0) == 0);
    for (int i = 0; i < PAGES; i++) {
        CHECK(nodes[i] >= 0);
        here += nodes[i] == (int)node;
    }
    return here;
}

int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    int bound = argc > 1 && strcmp(argv[1], "bound") == 0;
    if (!bound) choose_processor();
    fathom_ptr memory = fathom_alloc_all((size_t)PAGES * PAGE), places = fathom_alloc_all(sizeof(struct place));
    char *mine = fathom_address(fathom_on(fathom_me(), memory));
    int next = bound ? (fathom_me() + 1) % fathom_count() : fathom_me();
    memset(fathom_address(fathom_on(next, memory)), 1, (size_t)PAGES * PAGE);
    fathom_barrier_all();

    struct place place;
    cpu_set_t allowed;
    CHECK(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    place.processors = CPU_COUNT(&allowed);
    CHECK(getcpu(&place.processor, &place.node) == 0);
    place.is_bound = is_bound_to(place.node);
    place.pages_here = pages_on(place.node, mine);
    fathom_put(fathom_on(fathom_me(), places), &place, sizeof place);
    fathom_barrier_all();

    if (fathom_me() == 0) {
        int on_node[MAX_NODES] = {0}, nodes = 1;
        for (int t = 0; t < fathom_count(); t++) {
            fathom_get(&place, fathom_on(t, places), sizeof place);
            printf("thread %d: processor %u of %d allowed, node %u; memory: %d of %d pages there\n", t, place.processor,
                   place.processors, place.node, place.pages_here, PAGES);
            CHECK(place.node < MAX_NODES);
            on_node[place.node]++;
            if ((int)place.node >= nodes) nodes = (int)place.node + 1;
            CHECK(place.pages_here == PAGES);
            CHECK(place.is_bound || !bound);
        }
        for (int node = 0; bound && fathom_count() > 1 && node < nodes; node++)
            CHECK(abs(on_node[node] - on_node[0]) <= 1);
    }
    fathom_finalize();
    return 0;
}

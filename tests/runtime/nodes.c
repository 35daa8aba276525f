/* NUMA nodes as /sys describes them, and which thread is bound to which (runtime/conduit/smp/nodes.c), on computers
 * that are folders here.
 *
 *     nodes FOLDER       which it makes
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "conduit_alone.h"
#include "conduit/smp/nodes.h"
#include "core/core.h"

static void deliver(const struct conduit_message *m) { (void)m; }
void (*conduit_deliver)(const struct conduit_message *m) = deliver;

static void fail(int line, const char *what) {
    fprintf(stderr, "nodes.c:%d: not true: %s\n", line, what);
    exit(1);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

static void lists_of_processors(void) {
    cpu_set_t set;
    CHECK(nodes_parse("0-3,8,10-11\n", &set) && CPU_COUNT(&set) == 7);
    CHECK(CPU_ISSET(3, &set) && !CPU_ISSET(4, &set));
    CHECK(CPU_ISSET(8, &set) && !CPU_ISSET(9, &set) && CPU_ISSET(11, &set));
    CHECK(nodes_parse("5", &set) && CPU_COUNT(&set) == 1 && CPU_ISSET(5, &set));
    CHECK(nodes_parse("\n", &set) && CPU_COUNT(&set) == 0);
    CHECK(nodes_parse("1000-2000\n", &set) && CPU_COUNT(&set) == CPU_SETSIZE - 1000);
    CHECK(!nodes_parse("a", &set) && !nodes_parse("1-", &set));
    CHECK(!nodes_parse("3-1", &set) && !nodes_parse("1;2", &set));
}

static const char *folder;

static void make(const char *node, const char *processors) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, node);
    CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "%s/%s/cpulist", folder, node);
    FILE *f = fopen(path, "w");
    CHECK(f && fprintf(f, "%s\n", processors) > 0 && fclose(f) == 0);
}

static cpu_set_t up_to(int n) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < n; i++) CPU_SET(i, &set);
    return set;
}

/* Threads of so many on each node: in order, never more than it has processors. */
static void deal(const struct nodes *nodes, int threads, int *on) {
    int last = 0;
    for (int i = 0; i < nodes->count; i++) on[i] = 0;
    for (int t = 0; t < threads; t++) {
        int node = nodes_of_thread(nodes, t, threads);
        CHECK(node >= last && node < nodes->count);
        on[last = node]++;
    }
    for (int i = 0; i < nodes->count; i++) CHECK(on[i] <= CPU_COUNT(&nodes->processors[i]));
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    folder = argv[1];
    CHECK(mkdir(folder, 0700) == 0);
    lists_of_processors();

    /* Two sockets with hyperthreads, a node of memory only, and what else is in that folder. */
    make("node1", "4-7,12-15");
    make("node0", "0-3,8-11");
    make("node2", "");
    make("node0x", "0-15");
    make("power", "0-15");
    struct nodes nodes;
    cpu_set_t all = up_to(16), few = up_to(4);
    nodes_read(&nodes, folder, &all);
    CHECK(nodes.count == 2 && nodes.number[0] == 0 && nodes.number[1] == 1);
    CHECK(CPU_COUNT(&nodes.processors[0]) == 8 && CPU_ISSET(12, &nodes.processors[1]));
    int on[NODES_MOST];
    for (int n = 2; n <= 16; n++) {
        deal(&nodes, n, on);
        CHECK(on[0] - on[1] >= 0 && on[0] - on[1] <= 1);
    }
    nodes_read(&nodes, folder, &few); /* node 1 has none that are allowed */
    CHECK(nodes.count == 1 && CPU_COUNT(&nodes.processors[0]) == 4);

    /* Nodes of different sizes, with a gap in the numbers. */
    make("node8", "16-17");
    all = up_to(18);
    nodes_read(&nodes, folder, &all);
    CHECK(nodes.count == 3 && nodes.number[2] == 8);
    for (int n = 3; n <= 18; n++) deal(&nodes, n, on);
    CHECK(on[0] == 8 && on[1] == 8 && on[2] == 2);

    nodes_read(&nodes, "/nonexistent", &all);
    CHECK(nodes.count == 0);
    puts("good");
    return 0;
}

/* Where things are: which processor a thread runs on, and which pages its memory is made of.
 *
 * A thread that wanders measures the wandering, and two on one core measure each other: each is bound to a processor of its own
 * where there are enough, whole cores first. Memory of a kernel comes on pages of one kind, asked for by name, because what a
 * miss of the translation costs depends on it.
 */
#define _GNU_SOURCE
#include "probe/request.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- processors -------------------------------------------------------------------------------------------------- */

static cpu_set_t all; /* what the prober was started with */
static int own = -1;

/* Is this processor the first of its core? */
static bool leads_its_core(int processor) {
    char path[96];
    int first = processor;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", processor);
    FILE *file = fopen(path, "r");
    if (!file) return true;
    if (fscanf(file, "%d", &first) != 1) first = processor;
    fclose(file);
    return first == processor || !CPU_ISSET(first, &all);
}

int place_bind(void) {
    int order[CPU_SETSIZE], count = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        CPU_ZERO(&all);
        return -1;
    }
    for (int others = 0; others < 2; others++)
        for (int i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &all) && leads_its_core(i) == !others) order[count++] = i;
    if (count == 0) return -1;
    own = order[gas_me() % count];
    use_own_processor();
    return own;
}

void use_own_processor(void) {
    if (own < 0) return;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(own, &only);
    if (sched_setaffinity(0, sizeof only, &only) != 0) own = -1;
}

void use_all_processors(void) {
    if (own >= 0) sched_setaffinity(0, sizeof all, &all);
}

bool have_own_processors(int threads) {
    int near, first = gas_near(&near), *owns = malloc((size_t)gas_count() * sizeof *owns);
    uint64_t memory = owns != NULL, all_have = 0;
    gas_all_reduce(gas_world(), &all_have, &memory, 1, GAS_U64, GAS_MIN, 0);
    bool distinct = all_have;
    if (all_have) gas_gather_all(gas_world(), owns, &own, sizeof own, 0);
    for (int i = first; distinct && i < first + near && i < first + threads; i++) {
        distinct = owns[i] >= 0;
        for (int other = first; distinct && other < i; other++) distinct = owns[i] != owns[other];
    }
    free(owns);
    return distinct;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* The size of a transparent huge page, which is what huge pages are where nobody set others aside. */
static size_t huge_page_bytes(void) {
    static size_t bytes;
    if (bytes) return bytes;
    bytes = 2 << 20;
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "r");
    if (file) {
        if (fscanf(file, "%zu", &bytes) != 1 || bytes == 0 || (bytes & (bytes - 1))) bytes = 2 << 20;
        fclose(file);
    }
    return bytes;
}

/* Whole huge pages, of both kinds of memory: a length that drop_memory knows again. */
static size_t rounded(size_t bytes) {
    size_t page = huge_page_bytes();
    return (bytes + page - 1) / page * page;
}

/* How much of the mapping at `memory` lies on transparent huge pages. */
static size_t huge_bytes(const void *memory) {
    FILE *file = fopen("/proc/self/smaps", "r");
    if (!file) return 0;
    char line[512];
    size_t kilobytes = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file)) {
        uintptr_t from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= (uintptr_t)memory && (uintptr_t)memory < to;
        else if (inside && sscanf(line, "AnonHugePages: %zu kB", &kilobytes) == 1)
            break;
    }
    fclose(file);
    return kilobytes * 1024;
}

/* Bytes that can be had without anything being killed for it; SIZE_MAX if nobody says. */
static size_t available(void) {
    size_t kilobytes = SIZE_MAX / 1024, least, most, used;
    char line[256];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %zu kB", &kilobytes) != 1) {}
    if (file) fclose(file);
    least = kilobytes * 1024;
    FILE *limit = fopen("/sys/fs/cgroup/memory.max", "r"), *now = fopen("/sys/fs/cgroup/memory.current", "r");
    if (limit && now && fscanf(limit, "%zu", &most) == 1 && fscanf(now, "%zu", &used) == 1 && most - used < least)
        least = most > used ? most - used : 0;
    if (limit) fclose(limit);
    if (now) fclose(now);
    return least;
}

static void touch(char *memory, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < bytes; at += page) ((volatile char *)memory)[at] = 1;
}

/* Aligned to a huge page. */
static char *map(size_t bytes) {
    size_t page = huge_page_bytes(), whole = rounded(bytes);
    char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    size_t before = (page - (uintptr_t)memory % page) % page;
    if (before) munmap(memory, before);
    if (page > before) munmap(memory + before + whole, page - before);
    return memory + before;
}

bool touched_by_visits(const struct request *request) {
    return strcmp(request_word(request, "touch", "ahead"), "visits") == 0;
}

void *take_memory(const struct request *request, struct reply *reply, size_t bytes) {
    const char *pages = request_word(request, "pages", "normal");
    bool huge = strcmp(pages, "huge") == 0;
    if (!huge && strcmp(pages, "normal") != 0) {
        reply_error(reply, "`pages` must be `normal` or `huge`, not `%.40s`", pages);
        return NULL;
    }
    if (bytes == 0 || bytes > SIZE_MAX / 4) {
        reply_error(reply, "%zu bytes is not a valid size of a piece of memory", bytes);
        return NULL;
    }
    if (bytes > available() / 10 * 8) { /* the system would not refuse, but kill */
        reply_impossible(reply, REASON_MEMORY, "%zu bytes are more than four fifths of the memory that is left", bytes);
        return NULL;
    }
    if (huge) {
        char *memory =
            mmap(NULL, rounded(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
        if (memory != MAP_FAILED) {
            touch(memory, bytes);
            return memory;
        }
    }
    char *memory = map(bytes);
    if (!memory) {
        reply_impossible(reply, REASON_MEMORY, "no memory for %zu bytes: %s", bytes, strerror(errno));
        return NULL;
    }
    int advised = madvise(memory, rounded(bytes), huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    if (touched_by_visits(request)) return memory;
    touch(memory, bytes);
    /* All but the last, which the rest of a page may be missing for. */
    if (huge && (advised != 0 || huge_bytes(memory) < bytes / 2)) {
        munmap(memory, rounded(bytes));
        reply_impossible(reply, REASON_SYSTEM,
                         "there are no huge pages here (/sys/kernel/mm/transparent_hugepage/enabled)");
        return NULL;
    }
    return memory;
}

void drop_memory(void *memory, size_t bytes) {
    if (memory) munmap(memory, rounded(bytes));
}

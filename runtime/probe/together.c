/* Threads that measure together; see together.h.
 *
 * Thread 0 decides whether a meeting takes place and on which processors, and tells the others by message: they need not come to
 * the same conclusion. It knows the processors that each may use, and how those are made of cores, sockets and nodes, from the
 * first meeting on.
 */
#define _GNU_SOURCE
#include "probe/together.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PLACES = 256, MOST_NODES = 256 };
#define SPINS 20000 /* polls without an answer, after which the other may need this core after all */

struct thread_info {
    uint64_t computer;
    int count;
    struct together_place places[MOST_PLACES]; /* whole cores first */
};

static struct thread_info *info; /* of every thread */
static fathom_ptr memory;
static char *private_memory;
static int meeting_first, meeting_others;

uint64_t together_words[2];
bool together_works;
double (*together_task)(const uint64_t words[4]);

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int place_handler, over_handler, start_handler, stop_handler, heard_handler, ask_handler, answer_handler,
    ready_handler;
static int place_told; /* processor + 1; -1: no meeting; 0: not yet */
static bool is_over;
static uint64_t told, heard, answers, arrivals;
static uint64_t ready, expected; /* thread 0: who has come to meetings, who was to */
static double answer;

static void on_place(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    place_told = (int)args[0];
}

static void on_ready(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    ready++;
}

static void on_over(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    is_over = true;
}

static void on_start(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    memcpy(together_words, args, sizeof together_words);
    together_works = true;
    arrivals++;
    gas_reply_short(token, heard_handler, NULL, 0);
}

static void on_stop(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    together_works = false;
    arrivals++;
    gas_reply_short(token, heard_handler, NULL, 0);
}

static void on_heard(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    heard++;
}

static void on_ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    double result = together_task(args);
    uint64_t word;
    memcpy(&word, &result, sizeof word);
    arrivals++;
    gas_reply_short(token, answer_handler, &word, 1);
}

static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    memcpy(&answer, &args[0], sizeof answer);
    answers++;
}

/* Polls before a wait as the runtime's own. On a simulated machine, where a poll is work and no wait, and slow: none. */
static uint64_t spins(void) { return time_is_simulated() ? 0 : SPINS; }

void together_wait(const uint64_t *counter, uint64_t value) {
    unsigned round = 0;
    const uint64_t most = spins();
    for (uint64_t polls = 0; *(const volatile uint64_t *)counter < value; polls++)
        if (polls < most)
            gas_poll();
        else
            gas_wait_hint(&round);
}

void together_start(int thread, uint64_t first_word, uint64_t second_word) {
    gas_request_short(thread, start_handler, (uint64_t[]){first_word, second_word}, 2);
    told++;
}

void together_stop(int thread) {
    gas_request_short(thread, stop_handler, NULL, 0);
    told++;
}

void together_settle(void) { together_wait(&heard, told); }

double together_ask(int thread, const uint64_t words[4]) {
    if (thread == gas_me()) return together_task(words);
    uint64_t wanted = answers + 1;
    gas_request_short(thread, ask_handler, words, 4);
    together_wait(&answers, wanted);
    return answer;
}

/* ---- processors -------------------------------------------------------------------------------------------------- */

static int read_number(int processor, const char *what, int otherwise) {
    char path[96];
    int value;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", processor, what);
    FILE *file = fopen(path, "r");
    if (!file) return otherwise;
    if (fscanf(file, "%d", &value) != 1) value = otherwise;
    fclose(file);
    return value;
}

static int node_of(int processor) {
    char path[96];
    for (int node = 0; node < MOST_NODES; node++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%d", processor, node);
        if (access(path, F_OK) == 0) return node;
    }
    return 0;
}

/* Threads that are not near may still be on one computer: it is known by when it was started. */
static uint64_t this_computer(void) {
    char text[128] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file || !fgets(text, sizeof text, file)) gethostname(text, sizeof text - 1);
    if (file) fclose(file);
    uint64_t hash = 14695981039346656037ull; /* FNV-1a */
    for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211ull;
    return hash;
}

/* The core is named by its first processor. */
static struct together_place place_of(int processor) {
    return (struct together_place){processor, read_number(processor, "thread_siblings_list", processor),
                                   read_number(processor, "physical_package_id", 0), node_of(processor)};
}

static bool has_core(const struct thread_info *all, int count, int core) {
    for (int i = 0; i < count; i++)
        if (all->places[i].core == core) return true;
    return false;
}

/* The processors that this thread may use: one of each core, then the others. */
static void find_places(struct thread_info *mine) {
    cpu_set_t set;
    /* Simulated threads take turns on this computer, and are on nodes of their own in the machine. */
    mine->computer = time_is_simulated() ? (uint64_t)gas_me() : this_computer();
    use_all_processors();
    if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
    use_own_processor();
    struct together_place later[MOST_PLACES];
    int others = 0;
    for (int i = 0; i < CPU_SETSIZE && mine->count + others < MOST_PLACES; i++) {
        if (!CPU_ISSET(i, &set)) continue;
        struct together_place place = place_of(i);
        if (has_core(mine, mine->count, place.core))
            later[others++] = place;
        else
            mine->places[mine->count++] = place;
    }
    memcpy(mine->places + mine->count, later, (size_t)others * sizeof *later);
    mine->count += others;
}

int together_processors(struct together_place *places, int most) {
    int count = info[gas_me()].count < most ? info[gas_me()].count : most;
    memcpy(places, info[gas_me()].places, (size_t)count * sizeof *places);
    return count;
}

static bool is_beside(struct together_place a, struct together_place b) {
    return a.package == b.package && a.node == b.node;
}

/* A processor for a thread on a core that no thread before it has; -1 if there is none. */
static int choose(const struct together_place *taken, const int *threads, int before, int thread, int wanted,
                  enum together_where where) {
    const struct thread_info *mine = &info[thread];
    for (int i = 0; i < mine->count; i++) {
        struct together_place place = mine->places[i];
        bool is_good = wanted < 0 || place.processor == wanted;
        if (before > 0 && where != TOGETHER_ANYWHERE) is_good &= is_beside(place, taken[0]) == (where == TOGETHER_NEAR);
        for (int other = 0; other < before; other++)
            is_good &= info[threads[other]].computer != mine->computer || taken[other].core != place.core;
        if (is_good) return i;
    }
    return -1;
}

/* ---- meetings ---------------------------------------------------------------------------------------------------- */

static void bind(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    use_all_processors();
    sched_setaffinity(0, sizeof only, &only);
}

/* Once; all threads come here with the same request. */
static void prepare(void) {
    if (info) return;
    place_handler = gas_register(on_place);
    over_handler = gas_register(on_over);
    start_handler = gas_register(on_start);
    stop_handler = gas_register(on_stop);
    heard_handler = gas_register(on_heard);
    ask_handler = gas_register(on_ask);
    answer_handler = gas_register(on_answer);
    ready_handler = gas_register(on_ready);
    communication_register();
    memory = gas_all_alloc(TOGETHER_BYTES);
    private_memory = aligned_alloc(4096, TOGETHER_BYTES);
    struct thread_info *mine = calloc(1, sizeof *mine);
    info = calloc((size_t)gas_count(), sizeof *info);
    if (!memory || !private_memory || !mine || !info)
        gas_fatal("the prober has no memory for %zu bytes a thread", TOGETHER_BYTES);
    memset(private_memory, 0, TOGETHER_BYTES);
    find_places(mine);
    gas_gather_all(gas_world(), info, mine, sizeof *mine, 0);
    free(mine);
}

fathom_ptr together_memory(int thread) { return fathom_make(thread, fathom_offset_of(memory)); }
char *together_private(void) { return private_memory; }

/* Thread 0: where everybody goes; false if that is impossible. */
static bool arrange(const struct request *request, struct reply *reply, enum together_where where, int *processors) {
    struct together_place taken[MOST_PLACES];
    int threads[MOST_PLACES];
    if (meeting_others >= MOST_PLACES) {
        reply_impossible(reply, REASON_THREADS, "at most %d threads meet", MOST_PLACES);
        return false;
    }
    for (int i = 0; i <= meeting_others; i++) {
        threads[i] = i == 0 ? 0 : meeting_first + i - 1;
        const char *name = i == 0 ? "processor" : "other_processor";
        int wanted = i < 2 ? (int)request_number(request, name, -1) : -1;
        int at = choose(taken, threads, i, threads[i], wanted, where);
        if (at < 0) {
            reply_impossible(reply, REASON_PROCESSORS, "there is no %score for thread %d of %d that measure together",
                             where == TOGETHER_FAR    ? "distant "
                             : wanted >= 0            ? "such "
                             : where == TOGETHER_NEAR ? "near "
                                                      : "",
                             i, meeting_others + 1);
            return false;
        }
        taken[i] = info[threads[i]].places[at];
        processors[i] = taken[i].processor;
    }
    return true;
}

bool together_begin(const struct request *request, struct reply *reply, int first, int others,
                    enum together_where where) {
    prepare();
    if (first < 1 || others < 0 || first + others > gas_count()) {
        if (gas_count() == 1)
            reply_impossible(reply, REASON_THREADS, "there is one thread only");
        else
            reply_impossible(reply, REASON_THREADS, "there are %d threads, and this needs %d", gas_count(),
                             first + others);
        return false;
    }
    meeting_first = first;
    meeting_others = others;
    if (gas_me() == 0) {
        int processors[MOST_PLACES];
        bool takes_place = arrange(request, reply, where, processors);
        for (int i = 0; i < others; i++)
            gas_request_short(first + i, place_handler,
                              &(uint64_t){takes_place ? (uint64_t)processors[i + 1] + 1 : -1ul}, 1);
        if (takes_place) {
            bind(processors[0]);
            expected += (uint64_t)others;
            together_wait(&ready, expected);
        }
        return takes_place;
    }
    if (gas_me() < first || gas_me() >= first + others) return false;
    unsigned round = 0;
    while (place_told == 0) gas_wait_hint(&round);
    int told = place_told;
    place_told = 0;
    if (told > 0) {
        bind(told - 1);
        gas_request_short(0, ready_handler, NULL, 0);
    }
    return told > 0;
}

bool together_directs(void (*work)(void)) {
    if (gas_me() == 0) return true;
    unsigned round = 0;
    const uint64_t most = spins();
    for (uint64_t polls = 0, seen = arrivals; !is_over; polls++) {
        if (together_works && work) {
            work();
            gas_poll();
            polls = 0;
        } else if (polls < most) {
            gas_poll();
        } else {
            gas_wait_hint(&round);
        }
        if (seen != arrivals) {
            seen = arrivals;
            polls = round = 0;
        }
    }
    is_over = together_works = false;
    return false;
}

void together_end(void) {
    for (int i = 0; i < meeting_others; i++) gas_request_short(meeting_first + i, over_handler, NULL, 0);
}

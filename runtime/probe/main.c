/* The prober: one program over gas.h that performs kernels on request; probe.h says what is asked and answered.
 *
 * Thread 0 reads a request and passes the line on, every thread performs the kernel, and says so to thread 0 when it has done
 * its part. Thread 0 answers when all have. Who has nothing to do sleeps meanwhile, on a word of its own segment that the next
 * line changes, so that a kernel of one thread is alone on the computer. The end of the requests is the end of the prober, and
 * so is a kernel that runs far beyond its limit: nobody may be there any more to end it.
 */
#define _GNU_SOURCE
#include "probe/request.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRACE_S 30 /* beyond a kernel's limit, for memory that must be prepared and computers that are busy */

static const struct kernel *const tables[] = {
    kernels_sample,     kernels_memory,        kernels_bandwidth, kernels_transfer,
    kernels_whole,      kernels_communication, kernels_sharing,   kernels_synchronisation,
    kernels_scheduling, kernels_mechanisms,    kernels_ways,      kernels_queues};

/* Words in the segment of each thread. */
struct words {
    uint32_t lines;    /* told to this thread so far */
    uint32_t finished; /* thread 0: reports of the others so far */
};
static fathom_ptr words_at;
static char told[REQUEST_BYTES]; /* the line; empty: the end */
static int on_line_handler, on_finished_handler;

static fathom_ptr word_of(int thread, size_t offset) {
    return fathom_make(thread, fathom_offset_of(words_at)) + offset;
}

static uint32_t *own_word(size_t offset) { return fathom_local(word_of(gas_me(), offset)); }

/* ---- passing on, and gathering ----------------------------------------------------------------------------------- */

static void on_line(gas_token token, const uint64_t *arguments, int count, void *payload, size_t bytes) {
    (void)token, (void)arguments, (void)count;
    memcpy(told, payload, bytes);
    told[bytes] = 0;
    __atomic_add_fetch(own_word(offsetof(struct words, lines)), 1, __ATOMIC_RELEASE);
}

static void on_finished(gas_token token, const uint64_t *arguments, int count, void *payload, size_t bytes) {
    (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
    __atomic_add_fetch(own_word(offsetof(struct words, finished)), 1, __ATOMIC_RELEASE);
}

static void tell(const char *line) {
    memmove(told, line, strlen(line) + 1);
    for (int thread = 1; thread < gas_count(); thread++)
        gas_request_medium(thread, on_line_handler, told, strlen(told), NULL, 0);
}

/* Waits until the word is no longer `old`. */
static void wait_word(size_t offset, uint32_t old) { gas_flag_wait(word_of(gas_me(), offset), old); }

static void wait_for_line(uint32_t lines_before) { wait_word(offsetof(struct words, lines), lines_before); }

static void wait_for_all(uint32_t wanted) {
    for (uint32_t now; (now = __atomic_load_n(own_word(offsetof(struct words, finished)), __ATOMIC_ACQUIRE)) != wanted;)
        wait_word(offsetof(struct words, finished), now);
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static const struct kernel *kernel_named(const char *name) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct kernel *k = tables[i]; k->name; k++)
            if (strcmp(k->name, name) == 0) return k;
    return NULL;
}

static void too_late(int signal) {
    (void)signal;
    static const char text[] = "fathom: the prober's kernel ran far beyond its limit and was ended\n";
    ssize_t ignored = write(2, text, sizeof text - 1);
    (void)ignored;
    _exit(3);
}

/* What the line asks for, on this thread. */
static void perform(const char *line, struct request *request, struct reply *reply) {
    reply_clear(reply);
    if (!request_parse(request, reply, line)) return;
    const struct kernel *kernel = kernel_named(request->kernel);
    if (!kernel) {
        reply_error(reply, "no kernel is called `%.80s`", request->kernel);
        return;
    }
    use_own_processor();
    /* How long this computer takes to simulate it says nothing. */
    if (!time_is_simulated()) alarm((unsigned)request_limit_s(request) + GRACE_S);
    if (gas_me() == 0) reply->cycle_ns = cycle_ns();
    kernel->run(request, reply);
    alarm(0);
}

/* ---- the threads ------------------------------------------------------------------------------------------------- */

static void serve(void) {
    static struct request request;
    static struct reply reply;
    for (uint32_t lines = 0;; lines++) {
        wait_for_line(lines);
        if (!*told) return;
        perform(told, &request, &reply);
        gas_request_short(0, on_finished_handler, NULL, 0);
    }
}

/* Reads a line without its end; false at the end. One that is too long for a request is an error of request_parse. */
static bool read_line(char **line, size_t *room) {
    ssize_t n = getline(line, room, stdin);
    if (n <= 0) return false;
    (*line)[strcspn(*line, "\r\n")] = 0;
    return true;
}

static void command(void) {
    static struct request request;
    static struct reply reply = {.answers = true};
    char *line = NULL;
    size_t room = 0;
    uint32_t others = (uint32_t)gas_count() - 1, reports = others; /* of their places */
    for (bool is_heard = true; is_heard && read_line(&line, &room);) {
        if (strlen(line) >= REQUEST_BYTES || !*line) {
            reply_clear(&reply);
            request_parse(&request, &reply, line);
        } else {
            tell(line);
            perform(told, &request, &reply);
            wait_for_all(reports += others);
        }
        is_heard = reply_write(&reply, &request);
    }
    tell("");
    free(line);
    free(reply.sample);
    free(reply.facts);
}

/* Has each thread a processor to itself? The others' places come as messages that count as reports. */
static int *places;

static void on_place(gas_token token, const uint64_t *arguments, int count, void *payload, size_t bytes) {
    places[gas_token_source(token)] = (int)arguments[0];
    on_finished(token, arguments, count, payload, bytes);
}

static void say_ready(void) {
    int threads = gas_count(), bound = 1, near, first = gas_near(&near);
    wait_for_all((uint32_t)threads - 1);
    for (int t = 0; t < threads; t++) {
        bound &= places[t] >= 0;
        for (int other = 0; other < t; other++) bound &= places[t] != places[other] || t >= first + near;
    }
    printf("ready conduit=%s threads=%d bound=%d\n", gas_conduit(), threads, bound);
    fflush(stdout);
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    signal(SIGPIPE, SIG_IGN); /* nobody listens any more: reply_write sees it, and the prober ends */
    signal(SIGALRM, too_late);
    on_line_handler = gas_register(on_line);
    on_finished_handler = gas_register(on_finished);
    int on_place_handler = gas_register(on_place);
    places = calloc((size_t)gas_count(), sizeof *places);
    words_at = gas_all_alloc(sizeof(struct words));
    if (!places || !words_at) gas_fatal("the prober has no memory");
    memset(fathom_local(word_of(gas_me(), 0)), 0, sizeof(struct words));
    gas_barrier();
    int place = place_bind();
    if (gas_me() == 0) {
        places[0] = place;
        say_ready();
        command();
    } else {
        gas_request_short(0, on_place_handler, &(uint64_t){(uint64_t)place}, 1);
        serve();
    }
    free(places);
    return 0;
}

/* What FATHOM_CONDUIT_CHECK=1 finds (conduit/check):
 *
 *     contract          messages of all sizes to all threads, each with a reply, while all send at once; then barriers. run.sh
 *                       runs it with conduits of which one rule is broken.
 *     contract WAY      thread 0 calls the conduit as nobody may
 */
#include <errno.h>

#include "conduit/conduit.h"
#include "program.h"

enum { MOST_ARGS = GAS_MAX_ARGS };

static int request, answer, question, misuse;
static long answers, requests;

static uint64_t value_of(int from, long n, int i) { return (uint64_t)from << 48 | (uint64_t)n << 8 | (uint64_t)i; }

/* The first argument says which message it is, the payload's bytes too. */
static void on_request(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    for (size_t i = 0; i < bytes; i += bytes - 1 ? bytes - 1 : 1) CHECK(((char *)payload)[i] == (char)(args[0] >> 8));
    requests++;
    gas_reply_medium(token, answer, payload, bytes, args, nargs);
}
static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    answers++;
}

/* Many questions with long answers, while one thread takes none: the others wait in handlers for room. */
static void on_question(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    static char *text;
    if (!text) text = calloc(1, gas_max_medium());
    gas_reply_medium(token, answer, text, gas_max_medium(), args, nargs);
}

static void burst(long n) {
    enum { QUESTIONS = 30 };
    answers = 0;
    for (int i = 0; i < QUESTIONS; i++)
        for (int k = 1; k < fathom_threads; k++) {
            uint64_t arg = value_of(fathom_mythread, n, i);
            gas_request_short((fathom_mythread + k) % fathom_threads, question, &arg, 1);
        }
    if (n % fathom_threads == fathom_mythread) usleep(2000);
    for (unsigned round = 0; answers < QUESTIONS * (fathom_threads - 1);) gas_wait_hint(&round);
}

static void exchange(long rounds) {
    char *from = malloc(gas_max_medium() + 8);
    long sent = 0;
    CHECK(from);
    for (long n = 0; n < rounds; n++) {
        for (int k = 1; k < fathom_threads; k++, sent++) {
            uint64_t args[MOST_ARGS];
            int to = (fathom_mythread + k) % fathom_threads, nargs = 1 + (int)((n + k) % MOST_ARGS);
            size_t most = gas_max_medium(), bytes = n % 3 == 0 ? 0 : n % 50 == 1 ? most : (size_t)(n * 97) % 6000;
            for (int i = 0; i < nargs; i++) args[i] = value_of(fathom_mythread, n, i);
            memset(from + n % 8, (int)n, bytes);
            if (n % 7 == 3)
                while (!gas_try_request_medium(to, request, from + n % 8, bytes, args, nargs)) continue;
            else
                gas_request_medium(to, request, from + n % 8, bytes, args, nargs);
        }
        if (n % 40 == 39) fathom_barrier(0, 0);
    }
    for (unsigned round = 0; answers < sent;) gas_wait_hint(&round);
    free(from);
}

/* ---- misuse ------------------------------------------------------------------------------------------------------ */

static const char *way;
static bool is_way(const char *text) { return strcmp(way, text) == 0; }

static void on_misuse(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    struct conduit_message m = {.thread = gas_token_source(token)};
    if (is_way("request in a handler")) conduit_send(&m);
    if (is_way("poll in a handler")) conduit_poll(false);
    if (is_way("rest in a handler")) conduit_rest(1);
}

static void call_wrongly(void) {
    uint64_t args[CONDUIT_MAX_ARGS + 1] = {0};
    struct conduit_message m = {.thread = 1, .args = args};
    if (is_way("own thread")) m.thread = 0;
    if (is_way("no thread")) m.thread = fathom_threads;
    if (is_way("handler")) m.handler = 1 << CONDUIT_HANDLER_BITS;
    if (is_way("arguments")) m.nargs = CONDUIT_MAX_ARGS + 1;
    if (is_way("payload")) m.payload = args, m.bytes = conduit_max_medium() + 1;
    if (is_way("reply outside a handler")) m.reply = true;
    if (is_way("ring")) conduit_ring(fathom_threads);
    if (is_way("start")) conduit_start(0, NULL, NULL);
    if (is_way("progress")) conduit_progress();
    if (is_way("try to reply")) {
        m.reply = true;
        conduit_try_send(&m);
    }
    if (strstr(way, "in a handler")) m.handler = (uint16_t)misuse, m.thread = 1;
    conduit_send(&m);
}

int main(int argc, char **argv) {
    request = gas_register(on_request);
    answer = gas_register(on_answer);
    question = gas_register(on_question);
    misuse = gas_register(on_misuse);
    way = argc > 1 && atoi(argv[1]) == 0 ? argv[1] : "";
    fathom_barrier(0, 0);
    if (is_way("after finish")) {
        conduit_done();
        while (conduit_done_count() < fathom_threads) conduit_poll(false);
        conduit_finish(0);
        conduit_poll(false);
    }
    if (*way) {
        if (fathom_mythread == 0) call_wrongly();
        for (unsigned round = 0; true;) gas_wait_hint(&round);
    }
    long rounds = argc > 1 ? atol(argv[1]) : 400;
    exchange(rounds);
    for (long n = 0; n < rounds / 20; n++) burst(n);
    fathom_barrier(0, 0);
    CHECK(requests == rounds * (fathom_threads - 1));
    if (fathom_mythread == 0) puts("good");
    return 0;
}

/* What the jobs of the fault injection do: program MODE TURNS [storm]. TURNS 0: for ever. There is a mode for each place
 * in which a fault can find a thread: computing, asleep in a lock or on a flag, in the middle of a transfer, with queues
 * that are full, printing, waiting for a process of its own. A job with an end checks its results, and its last line is
 * "good". With `storm` a timer interrupts every thread 500 times a second, and its handler does not restart system calls.
 */
#define _GNU_SOURCE
#include <fathom.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORDS = 4096, LINE = 300 };

static int me, threads, on_message, on_answer;
static uint64_t received, answered;
static fathom_ptr words, counter, lock, inbox, arrived;
static volatile sig_atomic_t ticks;

static void tick(int signal) {
    (void)signal;
    ticks++;
}

static void answer(fathom_token t, const uint64_t *args, int n, void *payload, size_t bytes) {
    (void)t, (void)args, (void)n, (void)payload, (void)bytes;
    answered++;
}

static void message(fathom_token t, const uint64_t *args, int n, void *payload, size_t bytes) {
    (void)args, (void)n, (void)payload, (void)bytes;
    received++;
    fathom_reply_short(t, on_answer, NULL, 0);
}

/* ---- one turn of each mode ------------------------------------------------------------------------------------- */

static void compute(uint64_t turn) {
    volatile double x = 1;
    for (int i = 0; i < 20000; i++) x = x * 1.0000001 + (double)turn;
    fathom_barrier_all();
}

static void lock_and_sleep(uint64_t turn) {
    (void)turn;
    fathom_lock(lock);
    uint64_t n = fathom_get_value(counter, 8);
    usleep(300);
    fathom_put_value(counter, n + 1, 8);
    fathom_unlock(lock);
}

/* A ring of signals, in which one thread after the other is awake. */
static void pass_on(uint64_t turn) {
    fathom_ptr mine = fathom_on(me, arrived), next = fathom_on((me + 1) % threads, arrived);
    if (me > 0) fathom_wait_signal(mine, turn + 1);
    usleep(100);
    fathom_put_signal(fathom_on((me + 1) % threads, inbox), &turn, sizeof turn, next, 1);
    if (me == 0) fathom_wait_signal(mine, turn + 1);
}

static void transfer(uint64_t turn) {
    static uint64_t block[WORDS];
    int to = (me + 1) % threads;
    for (int i = 0; i < WORDS; i++) block[i] = turn ^ (uint64_t)i;
    fathom_put(fathom_on(to, words), block, sizeof block);
    fathom_barrier_all();
    fathom_get(block, fathom_on((me + 2) % threads, words), sizeof block);
    for (int i = 0; i < WORDS; i++)
        if (block[i] != (turn ^ (uint64_t)i)) fathom_fatal("word %d of turn %lu is wrong", i, (unsigned long)turn);
    fathom_barrier_all();
}

static void flood(uint64_t turn) {
    static char payload[2048];
    uint64_t arg = turn;
    for (int i = 0; i < 20; i++)
        for (int t = 0; t < threads; t++) fathom_request_medium(t, on_message, payload, i * 100u, &arg, 1);
}

static void print(uint64_t turn) {
    char line[LINE + 1];
    memset(line, 'a' + me, LINE);
    line[LINE] = 0;
    if (printf("%.*s\n", (int)(turn % LINE), line) < 0 || fflush(stdout) != 0) {
        fprintf(stderr, "program: cannot print: %s\n", strerror(errno));
        exit(3);
    }
}

/* All but one are asleep for good, or wait for that one, which computes. */
static void sleep_all(uint64_t turn) {
    (void)turn;
    if (me == 0)
        usleep(500);
    else if (me == 1)
        fathom_barrier_all();
    else
        pause();
}

static void wait_for_child(uint64_t turn) {
    (void)turn;
    if (system("sleep 4321") != 0) _exit(4);
}

static const struct mode {
    const char *name;
    void (*turn)(uint64_t turn);
} modes[] = {{"compute", compute}, {"lock", lock_and_sleep}, {"signal", pass_on},  {"transfer", transfer},
             {"flood", flood},     {"print", print},         {"sleep", sleep_all}, {"children", wait_for_child}};

/* ---- the job --------------------------------------------------------------------------------------------------- */

static void start_storm(void) {
    struct sigaction a = {.sa_handler = tick}; /* without SA_RESTART */
    sigaction(SIGALRM, &a, NULL);
    struct itimerval every = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &every, NULL);
}

static void check(const char *mode, uint64_t turns) {
    unsigned round = 0;
    uint64_t all = turns * 20 * (uint64_t)threads;
    if (!strcmp(mode, "flood"))
        while (received < all || answered < all) fathom_pause(&round);
    fathom_barrier_all();
    if (me == 0 && !strcmp(mode, "lock") && fathom_get_value(counter, 8) != turns * (uint64_t)threads)
        fathom_fatal("the lock has let in two at once");
    fathom_barrier_all();
}

int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    me = fathom_me();
    threads = fathom_count();
    on_message = fathom_register(message);
    on_answer = fathom_register(answer);
    words = fathom_alloc_all(WORDS * 8);
    inbox = fathom_alloc_all(8);
    arrived = fathom_alloc_all(8);
    fathom_fill(fathom_on(me, arrived), 0, 8);
    counter = fathom_on(0, fathom_alloc_all(8));
    if (me == 0) fathom_put_value(counter, 0, 8);
    static const char usage[] = "program MODE TURNS [storm]";
    const struct mode *mode = NULL;
    for (size_t i = 0; argc > 2 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(argv[1], modes[i].name)) mode = &modes[i];
    if (!mode) fathom_fatal("%s", usage);
    uint64_t turns = strtoul(argv[2], NULL, 10);
    if (argc > 3) start_storm();
    lock = fathom_on(0, fathom_alloc_all(64));
    if (me == 0) fathom_fill(lock, 0, 64);
    fathom_barrier_all();
    const char *ready = getenv("FAULTS_READY");
    if (me == 0 && ready) close(open(ready, O_CREAT | O_WRONLY, 0600));
    for (uint64_t i = 0; !turns || i < turns; i++) mode->turn(i);
    check(argv[1], turns);
    if (me == 0) printf("good\n");
    fathom_finalize();
    return 0;
}

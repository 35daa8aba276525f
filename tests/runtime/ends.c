/* Ways to start and to end: ends MODE [ARGUMENTS]. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "program.h"

/* Before the job starts: a page at the address IN_THE_WAY, as a library may happen to lie there. */
__attribute__((constructor)) static void be_in_the_way(void) {
    const char *at = getenv("IN_THE_WAY");
    if (!at) return;
    void *want = (void *)strtoul(at, NULL, 0);
    CHECK(mmap(want, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == want);
}

/* Calls before there is a job. */
__attribute__((constructor)) static void call_early(void) {
    const char *what = getenv("CALLS_EARLY");
    if (!what) return;
    if (!strcmp(what, "alloc")) gas_alloc(8);
    if (!strcmp(what, "barrier")) gas_barrier();
    if (!strcmp(what, "reduce")) gas_all_reduce(gas_world(), &(int){0}, &(int){1}, 1, GAS_I32, GAS_ADD, 0);
    if (!strcmp(what, "lock")) gas_free(gas_alloc_zeroed(64));
    if (!strcmp(what, "poll")) gas_poll();
    if (!strcmp(what, "pause"))
        for (unsigned round = 0; round < 100000;) gas_wait_hint(&round);
}

static void handler(int s) {
    (void)s;
    static const char text[] = "handled\n";
    if (write(1, text, sizeof text - 1) > 0) _exit(5);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "hello", *a = argc > 2 ? argv[2] : "0", *b = argc > 3 ? argv[3] : "0";
    for (int t = 0; t < fathom_threads; t++) CHECK((long)gas_get_value(board_place(t, 1), sizeof(long)) == 1000 + t);
    fathom_barrier(0, 0); /* who pauses below answers nobody */
    if (!strcmp(mode, "hello")) {
        printf("hello from %d of %d\n", fathom_mythread, fathom_threads);
    } else if (!strcmp(mode, "stdin")) {
        int c = getchar();
        if (c != EOF) printf("thread %d read %c\n", fathom_mythread, c);
    } else if (!strcmp(mode, "return")) { /* thread A returns B, later than the others */
        if (me_is(a)) {
            usleep(50000);
            return atoi(b);
        }
    } else if (!strcmp(mode, "order")) { /* every thread returns its number plus A: the first non-zero counts */
        return fathom_mythread ? fathom_mythread + atoi(a) : 0;
    } else if (!strcmp(mode, "exit")) { /* thread A exits with B, the others would run for ever */
        printf("said %d", fathom_mythread);
        if (!me_is(a))
            for (;;) pause();
        usleep(20000);
        exit(atoi(b));
    } else if (!strcmp(mode, "exit0")) { /* exit(0) waits for the others */
        if (me_is(a)) exit(0);
        usleep(100000);
        printf("still here %d\n", fathom_mythread);
    } else if (!strcmp(mode, "_exit")) {
        if (me_is(a)) _exit(atoi(b));
        if (atoi(b))
            for (;;) pause();
    } else if (!strcmp(mode, "global")) {
        printf("said %d", fathom_mythread);
        FILE *f = fopen(argv[4], "a");
        fprintf(f, "file %d\n", fathom_mythread);
        fathom_barrier(0, 0);
        if (!me_is(a))
            for (;;) fathom_barrier(0, 0);
        upc_global_exit(atoi(b));
    } else if (!strcmp(mode, "raise")) {
        if (me_is(a)) raise(atoi(b));
        for (;;) pause();
    } else if (!strcmp(mode, "sleep")) { /* prints the processes, then waits for what comes */
        printf("pid %d\n", (int)getpid());
        fathom_barrier(0, 0);
        if (fathom_mythread == 0) printf("supervisor %d\n", (int)getppid());
        if (!strcmp(a, "barrier") && fathom_mythread == 0) fathom_barrier(0, 0);
        for (;;) pause();
    } else if (!strcmp(mode, "handle")) {
        signal(SIGTERM, handler);
        printf("ready\n");
        for (;;) pause();
    } else if (!strcmp(mode, "fork")) { /* a child of the program's own is no thread */
        pid_t child = fork();
        if (child == 0) exit(3);
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
        CHECK(system("exit 4") >> 8 == 4);
        fathom_barrier(0, 0);
    } else if (!strcmp(mode, "children")) { /* each thread has one that it waits for and a daemon; then one ends by A */
        const char *daemon = "setsid sh -c 'trap \"\" HUP; echo child $$; sleep 4321; true' </dev/null &";
        CHECK(system(daemon) == 0);
        if (fathom_mythread == 1) return system("sh -c 'echo child $$; sleep 4321; true'");
        while (fathom_mythread == 0 && access("go", F_OK) != 0) usleep(10000);
        if (fathom_mythread == 0 && !strcmp(a, "abort")) abort();
        if (fathom_mythread == 0 && !strcmp(a, "exit")) exit(3);
        if (fathom_mythread == 0) raise(SIGKILL);
        for (;;) pause();
    } else if (!strcmp(mode, "daemon")) { /* one that a normal end leaves alone */
        if (fathom_mythread == 0) CHECK(system("sh -c 'echo child $$; : >there; exec sleep 4321' &") == 0);
        while (fathom_mythread == 0 && access("there", F_OK) != 0) usleep(10000);
        fathom_barrier(0, 0);
    } else if (!strcmp(mode, "guard")) { /* below the stack of signal handlers, nobody can write */
        stack_t stack;
        CHECK(sigaltstack(NULL, &stack) == 0);
        int ends[2];
        CHECK(pipe(ends) == 0 && write(ends[1], stack.ss_sp, 1) == 1);
        CHECK(read(ends[0], (char *)stack.ss_sp - 1, 1) == -1);
    } else if (!strcmp(mode, "tty")) {
        printf("%d %d\n", fileno(stdout), isatty(fileno(stdout)));
    }
    return 0;
}

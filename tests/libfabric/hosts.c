/* What hosts.sh runs on two computers.
 *
 *     near [N]           each thread says where it is; N threads are to be near each
 *     arguments …        and variables, and the working directory
 *     lines              each thread prints 1000 lines of 1000 characters
 *     early              as lines, but before gas_start: the first process of each computer
 *     input              each thread reads a line
 *     exit STATUS | exit_first STATUS | fatal | fatal_all | crash
 *                        the last thread, the first, or all, end the job; the others are at a barrier
 *     return STATUS      of the last thread, from main
 *     _exit STATUS       the last thread leaves without a word
 *     lost               likewise, with status 0, when all have done their work
 *     reused             likewise, and its process's number becomes another one's, which a put to the thread must leave alone;
 *                        for FATHOM_NODE_MAX=1, as root
 *     wait | compute     until somebody ends it, at barriers, or thread 0 in a loop without a call
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gas.h"

enum { LINES = 1000, LENGTH = 1000 };

static int me, threads;

static void say_where(int argc, char **argv) {
    char host[64] = "";
    int near;
    gas_near(&near);
    gethostname(host, sizeof host - 1);
    if (argc > 2 && near != atoi(argv[2])) gas_fatal("%d threads are near", near);
    printf("thread %d of %d, %d near, on %s\n", me, threads, near, host);
}

static void say_arguments(int argc, char **argv) {
    char folder[4096];
    for (int t = 0; t < threads; t++, gas_barrier()) {
        if (t != me) continue;
        for (int i = 2; i < argc; i++) printf("[%s]", argv[i]);
        printf(" %s %s\n", getenv("VARIABLE"), getcwd(folder, sizeof folder));
        if (getenv("FATHOM_JOIN")) gas_fatal("the secret is in the environment");
    }
}

static void print_lines(void) {
    char line[LENGTH + 1];
    memset(line, 'a' + me % 26, LENGTH);
    line[LENGTH] = 0;
    for (int i = 0; i < LINES; i++) puts(line);
}

static void read_line(void) {
    char line[256];
    if (fgets(line, sizeof line, stdin))
        printf("thread %d reads: %s", me, line);
    else
        printf("thread %d reads nothing\n", me);
}

static void end(const char *what, int status) {
    bool is_last = me == threads - 1;
    printf("saved by %d;", me); /* without a newline: it is saved when the job ends */
    gas_barrier();
    if (strcmp(what, "fatal_all") == 0 || (is_last && strcmp(what, "fatal") == 0)) gas_fatal("no more of this");
    if (is_last && strcmp(what, "exit") == 0) gas_exit(status);
    if (me == 0 && strcmp(what, "exit_first") == 0) gas_exit(status);
    if (is_last && strcmp(what, "_exit") == 0) _exit(status);
    if (is_last && strcmp(what, "crash") == 0) *(volatile int *)NULL = 1;
    for (;;) gas_barrier();
}

/* A process of that number, a copy of this one; it stays until this one ends. */
static bool take_number(pid_t number) {
    for (int i = 0; i < 1000; i++) {
        FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");
        if (!f || fprintf(f, "%d", number - 1) < 0 || fclose(f) != 0) return false;
        pid_t parent = getpid(), pid = fork();
        if (pid == 0) {
            while (getppid() == parent) usleep(1000);
            _exit(0);
        }
        if (pid == number) return true;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        usleep(1000);
    }
    return false;
}

/* Segments are at the same address in all processes: a put to a copy of thread 0 shows in thread 0's own segment. */
static void reuse_number(void) {
    enum { BYTES = 4096 };
    fathom_ptr all = gas_all_alloc(BYTES), there = all + ((unsigned long)(threads - 1) << FATHOM_SEG_BITS);
    char *mine = fathom_local(all + ((unsigned long)me << FATHOM_SEG_BITS)), text[BYTES];
    pid_t own = getpid();
    memset(mine, 0, BYTES);
    memset(text, 1, BYTES);
    if (me == threads - 1) memcpy(mine, &own, sizeof own);
    gas_barrier();
    pid_t number = (pid_t)gas_get_value(there, sizeof number);
    gas_barrier();
    if (me == threads - 1) _exit(0);
    while (kill(number, 0) == 0 || errno != ESRCH) usleep(1000);
    if (!take_number(number)) {
        printf("skipped\n");
        fflush(stdout);
        gas_exit(0);
    }
    gas_put(there, text, BYTES); /* an error: the thread is no more */
    printf(mine[0] ? "another process was written to\n" : "nobody was written to\n");
    fflush(stdout);
    gas_exit(9);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "early") == 0) print_lines();
    gas_start(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    int status = argc > 2 ? atoi(argv[2]) : 0;
    me = gas_me();
    threads = gas_count();
    if (strcmp(what, "near") == 0)
        say_where(argc, argv);
    else if (strcmp(what, "arguments") == 0)
        say_arguments(argc, argv);
    else if (strcmp(what, "lines") == 0)
        print_lines();
    else if (strcmp(what, "early") == 0)
        return 0;
    else if (strcmp(what, "reused") == 0)
        reuse_number();
    else if (strcmp(what, "input") == 0)
        read_line();
    else if (strcmp(what, "return") == 0)
        return me == threads - 1 ? status : 0;
    else if (strcmp(what, "lost") == 0) {
        gas_barrier();
        if (me == threads - 1) _exit(0);
    } else if (strcmp(what, "wait") == 0 || strcmp(what, "compute") == 0) {
        printf("ready\n");
        gas_barrier();
        if (strcmp(what, "compute") == 0 && me == 0)
            for (volatile int i = 0;; i++) {}
        for (;;) gas_barrier();
    } else {
        end(what, status);
    }
    return 0;
}

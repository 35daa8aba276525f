/* Waiting as programs see it: waiting WAY.
 *
 *     pthread     the others terminate; thread 0 waits in a loop of its own for a POSIX thread of its own
 *     output      stdout is a full pipe that nobody reads for a while; a thread that waits to print uses no processor
 *                 although a message waits for it
 *     child       a child that the program has forked is killed while it prints into a full pipe, and not reaped; then
 *                 a thread prints
 *     stopped     thread 1 has terminated, and is stopped for a while; meanwhile thread 0 asks it for its data
 *     signals     puts with a signal, semaphores, flags: each wakes who waits. To be run with FATHOM_BELL=patient, so that
 *                 a wait that nobody ends is a hang
 *     full        thread 1 computes, and thread 0 sends it more than there is room for: it sleeps
 *     gone        thread 1 has left by _exit, and thread 0 sends it more than there is room for: an error
 *     handler     a handler of thread 1 begins a put to thread 0: an error where that takes a message
 *     mute        a sandbox forbids pwritev2, by EPERM, and thread 1 aborts: its last words come all the same
 *     polls       a loop of polls without messages gives the processor away now and then
 *     nobody      none of them makes a system call where nobody waits: futexes are forbidden meanwhile
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "core/core.h"
#include "program.h"

static volatile int ready;
static long yields;

int sched_yield(void) {
    yields++;
    return (int)syscall(SYS_sched_yield);
}

/* Longer than the runtime needs to find that there is nobody left. */
static void *helper(void *nothing) {
    (void)nothing;
    while (core_done_count() < fathom_threads - 1) usleep(10000);
    usleep(3000000);
    ready = 1;
    return NULL;
}

static void wait_for_own_helper(void) {
    if (fathom_mythread != 0) return;
    pthread_t p;
    CHECK(pthread_create(&p, NULL, helper, NULL) == 0);
    for (unsigned round = 0; !ready;) gas_wait_hint(&round);
    pthread_join(p, NULL);
    printf("ready\n");
}

static void ignore(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}

static double processor_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void print_into_a_full_pipe(void) {
    int handler = gas_register(ignore);
    static char line[50000];
    memset(line, '0', sizeof line - 2);
    line[sizeof line - 2] = '\n';
    gas_barrier();
    if (fathom_mythread == 0) {
        for (int i = 0; i < 6; i++) fputs(line, stdout); /* sits in write(2), with the lock */
    } else if (fathom_mythread == 2) {
        gas_request_short(1, handler, NULL, 0);
    } else {
        usleep(500000);
        double before = processor_seconds();
        printf("111111111111\n");
        before = processor_seconds() - before;
        if (before > 0.1) fprintf(stderr, "%.1f s of processor time while it waited\n", before);
    }
}

/* Full for so long that who writes into it is asleep there. */
static void wait_until_full(int fd) {
    for (int times = 0; times < 20; usleep(20000))
        times = poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 0) ? 0 : times + 1;
}

static void kill_a_child_that_prints(void) {
    static char line[50000];
    memset(line, '0', sizeof line - 2);
    line[sizeof line - 2] = '\n';
    if (fathom_mythread != 0) return;
    pid_t child = fork();
    while (child == 0) fputs(line, stdout);
    wait_until_full(1);
    kill(child, SIGKILL);
    siginfo_t info;
    CHECK(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
    fclose(fopen("killed", "w"));
    printf("\nprinted\n");
    CHECK(waitpid(child, NULL, 0) == child);
}

/* Longer than the runtime needs to find that there is nobody left. */
static void ask_one_who_is_stopped(void) {
    *board_word(fathom_mythread, 0) = getpid();
    gas_barrier();
    if (fathom_mythread != 0) return;
    pid_t other = (pid_t)gas_get_value(board_place(1, 0), 8);
    while (core_done_count() < fathom_threads - 1) usleep(10000);
    CHECK(kill(other, SIGSTOP) == 0);
    if (fork() == 0) {
        usleep(3000000);
        kill(other, SIGCONT);
        _exit(0);
    }
    CHECK((pid_t)gas_get_value(board_place(1, 0), 8) == other);
    printf("answered\n");
}

static void put_back(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_put_nbi(board_place(gas_token_source(token), 0), &(long){1}, sizeof(long));
}

static void put_from_a_handler(void) {
    int handler = gas_register(put_back);
    gas_barrier();
    if (fathom_mythread == 0) gas_request_short(1, handler, NULL, 0);
    gas_barrier();
}

static void send_many(int handler, long count) {
    for (long i = 0; i < count; i++) gas_request_short(1, handler, NULL, 0);
}

static void send_to_one_who_computes(void) {
    int handler = gas_register(ignore);
    gas_barrier();
    double start = seconds(), before = processor_seconds();
    if (fathom_mythread == 1)
        while (seconds() < start + 1) {}
    if (fathom_mythread == 0) {
        send_many(handler, 1000);
        double waited = seconds() - start, used = processor_seconds() - before;
        CHECK(waited < 0.5 || used < 0.5 * waited);
        printf("good\n");
    }
    gas_barrier();
}

static void send_to_one_who_has_left(void) {
    int handler = gas_register(ignore);
    gas_barrier();
    if (fathom_mythread == 1) _exit(0);
    while (!conduit_is_done(1)) usleep(1000);
    send_many(handler, 1000000);
    printf("sent\n");
}

static void sleep_a_little(int i) { usleep(i % 4 ? (useconds_t)(i * 37 % 500) : 3000); }

/* Threads 0 and 1 by turns; all others wait for thread 0, as near threads may. */
static void signal_each_other(void) {
    enum { ROUNDS = 200 };
    fathom_ptr all = gas_all_alloc(256);
    uint64_t *mine = fathom_local(all + ((fathom_ptr)fathom_mythread << FATHOM_SEG_BITS));
    memset(mine, 0, 256);
    fathom_ptr counter[2] = {all, all + FATHOM_STEP};
    gas_barrier();
    for (int i = 1; i <= ROUNDS; i++) {
        uint64_t word = (uint64_t)i;
        if (fathom_mythread == 1) {
            gas_wait_counter(counter[1], word);
            CHECK(mine[1] == word);
            sleep_a_little(i);
            gas_put_signal(counter[0] + 8, &word, 8, counter[0], 1);
        } else {
            if (fathom_mythread == 0) {
                sleep_a_little(i + 2);
                gas_put_signal(counter[1] + 8, &word, 8, counter[1], 1);
            }
            gas_wait_counter(counter[0], word);
        }
    }
    gas_barrier();
    fathom_ptr flag = all + 64;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (fathom_mythread == 0) {
            sleep_a_little((int)i);
            __atomic_store_n((uint32_t *)fathom_local(flag), i + 1, __ATOMIC_SEQ_CST);
            gas_flag_wake(flag);
        } else {
            gas_flag_wait(flag, i);
        }
        gas_barrier();
    }
    if (fathom_mythread == 0) printf("good\n");
}

static void forbid(unsigned call, unsigned how) {
    struct sock_filter rule[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, how),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rule / sizeof *rule, rule};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void abort_in_a_sandbox(void) {
    forbid(SYS_pwritev2, SECCOMP_RET_ERRNO | EPERM);
    if (fathom_mythread == 1) abort();
    gas_barrier();
}

static void signal_nobody(void) {
    fathom_ptr p = gas_alloc(64);
    memset(fathom_local(p), 0, 64);
    gas_barrier();
    forbid(SYS_futex, SECCOMP_RET_KILL_PROCESS);
    for (int i = 0; i < 1000; i++) {
        gas_flag_wake(p);
        gas_put_signal(p + 8, &(uint64_t){1}, 8, p, 1);
    }
    CHECK(*(uint64_t *)fathom_local(p) == 1000);
    if (write(1, "quiet\n", 6) != 6) _exit(1);
    _exit(0);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    if (!strcmp(argv[1], "pthread")) wait_for_own_helper();
    if (!strcmp(argv[1], "child")) kill_a_child_that_prints();
    if (!strcmp(argv[1], "stopped")) ask_one_who_is_stopped();
    if (!strcmp(argv[1], "signals")) signal_each_other();
    if (!strcmp(argv[1], "full")) send_to_one_who_computes();
    if (!strcmp(argv[1], "gone")) send_to_one_who_has_left();
    if (!strcmp(argv[1], "handler")) put_from_a_handler();
    if (!strcmp(argv[1], "mute")) abort_in_a_sandbox();
    if (!strcmp(argv[1], "nobody")) signal_nobody();
    if (!strcmp(argv[1], "polls")) {
        long before = yields;
        for (int i = 0; i < 100000; i++) gas_poll();
        CHECK(yields - before >= 100);
    }
    if (!strcmp(argv[1], "output")) print_into_a_full_pipe();
    return 0;
}

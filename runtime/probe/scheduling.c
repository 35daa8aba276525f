/* Kernels of the area scheduling: starting processes, POSIX threads and whole jobs; switching between processes, waking one that
 * sleeps; sharing a loop among threads, by upc_forall and by OpenMP.
 *
 * The time to start n is from before the first start to after the last has ended: starting a program that does nothing (SPP-1000
 * study, section 2). Whatever is started here ends in bounded time, also when its parent does not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/rounds.h"

enum { MOST_STARTED = 4096 };

static const char *failed; /* what, with its errno, of a body */
static int failed_errno;

static bool fails(const char *what) {
    if (!failed) failed_errno = errno;
    failed = failed ? failed : what;
    return false;
}

/* Samples a body that may fail, on thread 0, with the processors that processes have. */
static void sample_starts(const struct request *request, struct reply *reply, void (*body)(void *, long),
                          void *argument) {
    failed = NULL;
    use_all_processors();
    body(argument, 1); /* reads the program, grows the tables */
    if (!failed) sample(request, reply, body, NULL, argument);
    if (failed) reply_impossible(reply, REASON_SYSTEM, "%s: %s", failed, strerror(failed_errno));
}

static bool wait_for_child(pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return fails("waitpid");
    if (status == 0) return true;
    errno = ENOEXEC;
    return fails("a process that was started failed");
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

struct start {
    enum { FORK, EXEC, VFORK, SPAWN } how;
    long count;
    const char *program;
    char **environment;
    posix_spawn_file_actions_t *actions;
};

static char *const arguments[] = {"true", NULL};
static char *no_environment[] = {NULL};

static __attribute__((noinline)) pid_t vfork_and_exec(const struct start *s) {
    pid_t pid = vfork();
    if (pid == 0) {
        execve(s->program, arguments, s->environment);
        _exit(127);
    }
    return pid;
}

static pid_t start_process(const struct start *s) {
    pid_t pid = -1;
    switch (s->how) {
    case FORK:
    case EXEC:
        pid = fork();
        if (pid == 0) {
            if (s->how == EXEC) execve(s->program, arguments, s->environment);
            _exit(s->how == EXEC ? 127 : 0);
        }
        break;
    case VFORK: pid = vfork_and_exec(s); break;
    case SPAWN:
        errno = posix_spawn(&pid, s->program, s->actions, NULL, arguments, s->environment);
        if (errno) pid = -1;
    }
    return pid;
}

static void start_processes(void *argument, long n) {
    const struct start *s = argument;
    static pid_t pids[MOST_STARTED];
    for (long i = 0; i < n && !failed; i++) {
        long started = 0;
        for (; started < s->count; started++)
            if ((pids[started] = start_process(s)) < 0) {
                fails("a process cannot be started");
                break;
            }
        for (long p = 0; p < started; p++) wait_for_child(pids[p]);
    }
}

static long count_of(const struct request *request, struct reply *reply) {
    long count = request_number(request, "count", 1);
    if (count >= 1 && count <= MOST_STARTED) return count;
    reply_error(reply, "`count` is 1 to %d, not %ld", MOST_STARTED, count);
    return 0;
}

/* `process how=fork|exec|vfork|spawn count=`: processes that end at once; all but fork's become /bin/true. */
static void process_kernel(const struct request *request, struct reply *reply) {
    static const char *const names[] = {"fork", "exec", "vfork", "spawn"};
    const char *name = request_word(request, "how", "fork");
    struct start s = {.count = count_of(request, reply), .program = "/bin/true", .environment = no_environment};
    if (gas_me() != 0 || s.count == 0) return;
    int how = 0;
    while (how < 4 && strcmp(names[how], name) != 0) how++;
    if (how == 4) {
        reply_error(reply, "processes are started by fork, exec, vfork or spawn, not by `%.40s`", name);
        return;
    }
    s.how = how;
    if (access(s.program, X_OK) != 0) s.program = "/usr/bin/true";
    sample_starts(request, reply, start_processes, &s);
}

/* `job count=`: this program with so many threads and no requests: the start and end of a job of ours. */
static void job_kernel(const struct request *request, struct reply *reply) {
    struct start s = {.how = SPAWN, .count = 1};
    long threads = count_of(request, reply);
    if (gas_me() != 0 || threads == 0) return;
    if (strcmp(gas_conduit(), "mpi") == 0) {
        reply_impossible(reply, REASON_SYSTEM,
                         "an MPI's launcher starts the jobs of the conduit mpi, and must not be run inside of a "
                         "job: time `mpirun -n N true` beside");
        return;
    }
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    s.program = path;
    char wanted[40];
    snprintf(wanted, sizeof wanted, "FATHOM_THREADS=%ld", threads);
    size_t entries = 0;
    while (environ[entries]) entries++;
    s.environment = calloc(entries + 2, sizeof *s.environment);
    if (!s.environment) gas_fatal("the prober has no memory");
    size_t kept = 0;
    for (size_t i = 0; i < entries; i++)
        if (strncmp(environ[i], "FATHOM_THREADS=", 15) != 0) s.environment[kept++] = environ[i];
    s.environment[kept] = wanted;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    s.actions = &actions;
    sample_starts(request, reply, start_processes, &s);
    posix_spawn_file_actions_destroy(&actions);
    free(s.environment);
}

/* ---- POSIX threads ----------------------------------------------------------------------------------------------- */

static void *nothing_to_do(void *argument) { return argument; }

static void start_threads(void *argument, long n) {
    long count = *(long *)argument;
    static pthread_t threads[MOST_STARTED];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    for (long i = 0; i < n && !failed; i++) {
        long started = 0;
        for (; started < count; started++)
            if ((errno = pthread_create(&threads[started], &attributes, nothing_to_do, NULL)) != 0) {
                fails("a thread cannot be started");
                break;
            }
        for (long t = 0; t < started; t++) pthread_join(threads[t], NULL);
    }
    pthread_attr_destroy(&attributes);
}

/* `thread count=`: pthread_create of all, then pthread_join of all. */
static void thread_kernel(const struct request *request, struct reply *reply) {
    long count = count_of(request, reply);
    if (gas_me() == 0 && count > 0) sample_starts(request, reply, start_threads, &count);
}

/* ---- another process --------------------------------------------------------------------------------------------- */

/* A child that ends when this process does. It may use its processor, or all the others. */
static pid_t start_partner(bool shares_processor) {
    pid_t parent = getpid(), pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    if (!shares_processor) {
        int own = sched_getcpu();
        use_all_processors();
        cpu_set_t set;
        sched_getaffinity(0, sizeof set, &set);
        CPU_CLR(own, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    return 0;
}

static void end_partner(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

struct pipes {
    int to[2], from[2];
};

static void send_token(int fd) {
    char token = 0;
    if (write(fd, &token, 1) != 1) fails("a pipe");
}

static bool take_token(int fd) {
    char token;
    ssize_t n;
    while ((n = read(fd, &token, 1)) < 0 && errno == EINTR) {}
    return n == 1 || fails("a pipe");
}

/* n/2 times there and back, which takes n switches. */
static void switches(void *argument, long n) {
    const struct pipes *p = argument;
    for (long i = 0; i < n; i += 2) {
        send_token(p->to[1]);
        take_token(p->from[0]);
    }
}

/* As many tokens through a pipe, without another process. */
static void tokens(void *argument, long n) {
    const struct pipes *p = argument;
    for (long i = 0; i < n; i++) {
        send_token(p->from[1]);
        take_token(p->from[0]);
    }
}

/* `switch`: from one process to another on the same processor, by pipes whose own cost is subtracted. */
static void switch_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    struct pipes p;
    failed = NULL;
    if (pipe2(p.to, O_CLOEXEC) != 0) {
        reply_impossible(reply, REASON_SYSTEM, "pipe: %s", strerror(errno));
        return;
    }
    if (pipe2(p.from, O_CLOEXEC) != 0) {
        reply_impossible(reply, REASON_SYSTEM, "pipe: %s", strerror(errno));
        close(p.to[0]), close(p.to[1]);
        return;
    }
    use_own_processor();
    pid_t partner = start_partner(true);
    if (partner == 0) {
        close(p.to[1]);
        while (take_token(p.to[0])) send_token(p.from[1]);
        _exit(0);
    }
    if (partner < 0) {
        reply_impossible(reply, REASON_SYSTEM, "fork: %s", strerror(errno));
    } else {
        sample(request, reply, switches, tokens, &p);
        end_partner(partner);
    }
    close(p.to[0]), close(p.to[1]), close(p.from[0]), close(p.from[1]);
    if (failed) reply_impossible(reply, REASON_SYSTEM, "%s: %s", failed, strerror(failed_errno));
}

static void yields(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) sched_yield();
}

/* `yield others=0|1`: sched_yield, alone on the processor or with another process that yields. */
static void yield_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    use_own_processor();
    pid_t partner = 0;
    if (request_number(request, "others", 0)) {
        partner = start_partner(true);
        if (partner == 0)
            for (;;) sched_yield();
        if (partner < 0) {
            reply_impossible(reply, REASON_SYSTEM, "fork: %s", strerror(errno));
            return;
        }
    }
    sample(request, reply, yields, NULL, NULL);
    if (partner > 0) end_partner(partner);
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

struct nap {
    _Alignas(64) uint32_t word;               /* the sleeper waits while it is that of its nap */
    _Alignas(64) uint32_t about_to_sleep, up; /* naps */
    double up_ns;
};

static void sleeper(struct nap *nap) {
    struct timespec second = {1, 0};
    for (uint32_t i = 0;; i++) {
        __atomic_store_n(&nap->about_to_sleep, i + 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&nap->word, __ATOMIC_ACQUIRE) == i)
            syscall(SYS_futex, &nap->word, FUTEX_WAIT, i, &second, NULL, 0);
        nap->up_ns = now_ns();
        __atomic_store_n(&nap->up, i + 1, __ATOMIC_RELEASE);
    }
}

/* Until the sleeper is there, or the time is over. */
static bool await(const uint32_t *word, uint32_t value, double end_ns, bool shares_processor) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {
        if (now_ns() > end_ns) return false;
        if (shares_processor)
            sched_yield();
        else
            pause_briefly();
    }
    return true;
}

/* `wake idle_us= same=0|1`: from before the futex is written until the sleeper, who has slept so long, reads the clock; on another
 * processor, or the same. Fact `call_ns`: what the call costs who wakes.
 */
static void wake_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    bool same = request_number(request, "same", 0) != 0;
    if (!same && processors_here() < 2) {
        reply_impossible(reply, REASON_PROCESSORS, "there is one processor only");
        return;
    }
    double idle_ns = (double)request_number(request, "idle_us", 50) * 1e3;
    double limit_ns = request_limit_s(request) * 1e9, start = now_ns();
    struct nap *nap = mmap(NULL, sizeof *nap, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (nap == MAP_FAILED) {
        reply_impossible(reply, REASON_SYSTEM, "mmap: %s", strerror(errno));
        return;
    }
    use_own_processor();
    pid_t partner = start_partner(same);
    if (partner == 0) sleeper(nap);
    double call_ns = 0;
    int samples = request_samples(request), taken = 0;
    uint32_t naps = 0;
    for (; partner > 0 && taken < samples && (naps == 0 || now_ns() - start < limit_ns); naps++) {
        if (!await(&nap->about_to_sleep, naps + 1, start + limit_ns + 1e9, same)) break;
        double asleep = now_ns();
        while (now_ns() - asleep < idle_ns)
            if (same) sched_yield();
        double from = now_ns();
        __atomic_store_n(&nap->word, naps + 1, __ATOMIC_SEQ_CST);
        long woken = syscall(SYS_futex, &nap->word, FUTEX_WAKE, 1, NULL, NULL, 0);
        double called = now_ns();
        if (!await(&nap->up, naps + 1, start + limit_ns + 1e9, same)) break;
        if (woken != 1) /* it was not asleep yet, or its second was over */
            continue;
        reply_sample(reply, nap->up_ns - from);
        call_ns += called - from;
        taken++;
    }
    if (partner > 0) end_partner(partner);
    if (taken == 0)
        reply_impossible(reply, partner < 0 ? REASON_SYSTEM : REASON_UNSEEN,
                         partner < 0 ? "no process can be started" : "the sleeper was never asleep");
    else
        reply_fact(reply, "call_ns", call_ns / taken);
    munmap(nap, sizeof *nap);
}

/* ---- parallel loops ---------------------------------------------------------------------------------------------- */

struct loop {
    long iterations, block, additions;
    bool has_barrier;
};

static __attribute__((noinline)) void body_of_loop(long additions) {
    work(additions);
    __asm__ volatile("");
}

/* What the compiler makes of `upc_forall (i = 0; i < iterations; i++; &a[i])`, with upc_barrier behind it. */
static void forall_loops(void *argument, long n) {
    const struct loop loop = *(const struct loop *)argument;
    for (long k = 0; k < n; k++) {
        if (loop.block == 1) {
            for (long i = fathom_cyclic_first(0, 0); i < loop.iterations; i += fathom_threads)
                body_of_loop(loop.additions);
        } else {
            struct fathom_ranges r;
            fathom_ranges_init(&r, 0, loop.iterations, 0, loop.block, 0, 0, 1);
            while (fathom_ranges_next(&r))
                for (long i = r.from; i < r.to; i++) body_of_loop(loop.additions);
        }
        if (loop.has_barrier) gas_barrier();
    }
}

static void serial_loops(void *argument, long n) {
    const struct loop loop = *(const struct loop *)argument;
    for (long k = 0; k < n; k++)
        for (long i = 0; i < loop.iterations; i++) body_of_loop(loop.additions);
}

static bool read_loop(const struct request *request, struct reply *reply, struct loop *loop, long threads) {
    loop->iterations = request_number(request, "iterations", threads);
    loop->block = request_number(request, "block", 1);
    loop->additions = work_of_ns((double)request_number(request, "work_ns", 0));
    loop->has_barrier = request_number(request, "barrier", 1) != 0;
    if (loop->iterations >= 1 && loop->block >= 1) return true;
    reply_error(reply, "a loop has at least one iteration, and blocks of at least one");
    return false;
}

/* `forall iterations= block= work_ns= barrier=0|1`: a loop whose body takes work_ns, by all threads; without `iterations` one for
 * each thread, without work_ns a call of a function that does nothing.
 */
static void forall_kernel(const struct request *request, struct reply *reply) {
    struct loop loop;
    if (!read_loop(request, reply, &loop, gas_count())) return;
    place_crowd();
    sample_rounds(request, reply, gas_world(), forall_loops, NULL, &loop);
}

/* `serial iterations= work_ns=`: the same loop on one thread. */
static void serial_kernel(const struct request *request, struct reply *reply) {
    struct loop loop;
    if (read_loop(request, reply, &loop, 1) && gas_me() == 0) sample(request, reply, serial_loops, NULL, &loop);
}

#ifdef _OPENMP
#include <omp.h>

struct openmp {
    struct loop loop;
    enum { STATIC, DYNAMIC, GUIDED } schedule;
    int threads;
};

static void openmp_loops(void *argument, long n) {
    const struct openmp o = *(const struct openmp *)argument;
    long additions = o.loop.additions;
    for (long k = 0; k < n; k++) switch (o.schedule) {
        case STATIC:
#pragma omp parallel for schedule(static) num_threads(o.threads)
            for (long i = 0; i < o.loop.iterations; i++) body_of_loop(additions);
            break;
        case DYNAMIC:
#pragma omp parallel for schedule(dynamic) num_threads(o.threads)
            for (long i = 0; i < o.loop.iterations; i++) body_of_loop(additions);
            break;
        case GUIDED:
#pragma omp parallel for schedule(guided) num_threads(o.threads)
            for (long i = 0; i < o.loop.iterations; i++) body_of_loop(additions);
        }
}

/* Two threads that wait for each other by spinning may long stay on one processor where another is idle. So each gets its own, if
 * there are enough.
 */
static void place_member(int member, int members, const cpu_set_t *all) {
    cpu_set_t only = *all;
    if (members <= CPU_COUNT(all)) {
        CPU_ZERO(&only);
        for (int i = 0, left = member; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, all) && left-- == 0) CPU_SET(i, &only);
    }
    sched_setaffinity(0, sizeof only, &only);
}

/* `openmp schedule=static|dynamic|guided count= iterations= work_ns=`: the loop by so many threads of OpenMP. */
static void openmp_kernel(const struct request *request, struct reply *reply) {
    static const char *const names[] = {"static", "dynamic", "guided"};
    struct openmp o;
    const char *name = request_word(request, "schedule", "static");
    int schedule = 0;
    while (schedule < 3 && strcmp(names[schedule], name) != 0) schedule++;
    o.schedule = schedule;
    o.threads = (int)count_of(request, reply);
    if (gas_me() != 0 || o.threads == 0 || !read_loop(request, reply, &o.loop, o.threads)) return;
    if (schedule == 3) {
        reply_error(reply, "a schedule is static, dynamic or guided, not `%.40s`", name);
        return;
    }
    omp_set_dynamic(0);
    use_all_processors(); /* its threads inherit this one's */
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
#pragma omp parallel num_threads(o.threads)
        place_member(omp_get_thread_num(), o.threads, &all);
    }
    sample(request, reply, openmp_loops, NULL, &o);
}
#else
static void openmp_kernel(const struct request *request, struct reply *reply) {
    (void)request;
    reply_impossible(reply, REASON_COMPILER, "the C compiler that made the prober has no OpenMP");
}
#endif

const struct kernel kernels_scheduling[] = {
    {"process", process_kernel}, {"job", job_kernel},   {"thread", thread_kernel}, {"switch", switch_kernel},
    {"yield", yield_kernel},     {"wake", wake_kernel}, {"forall", forall_kernel}, {"serial", serial_kernel},
    {"openmp", openmp_kernel},   {NULL, NULL}};

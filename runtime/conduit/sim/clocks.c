/* Clocks and sleeps of a simulated thread. The program's calls come here, because the linker finds these functions before
 * those of libc. The job begins at the first second of 2000, and no time passes but on the simulated machine. Processes
 * that are not simulated threads, such as the supervisor, have the computer's clocks. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "conduit/launch/launch.h"
#include "conduit/progress.h"
#include "conduit/sim/sim.h"

#define START 946684800ull /* seconds from 1970 to 2000 */
#define SECOND 1000000000ull

/* The program's own POSIX thread of a simulated thread. Others have the computer's clocks. */
static bool is_simulated(void) { return sim_has_turns && launch_is_thread() && syscall(SYS_gettid) == getpid(); }

/* Handlers of messages and of signals are told when the thread last went on. */
uint64_t sim_now_ns(void) {
    if (!sim_may_stop()) return sim_self->now / 1000;
    sim_stop(SIM_CLOCK);
    return sim_self->answer / 1000;
}

static void sleep_ns(uint64_t ns) {
    if (!sim_may_stop()) return;
    sim_self->args[0] = ns < SIM_LONGEST / 1000 ? ns * 1000 : SIM_LONGEST;
    sim_stop(SIM_SLEEP);
}

/* Nanoseconds, at most those of centuries. */
static uint64_t of(const struct timespec *t) {
    uint64_t seconds = (uint64_t)t->tv_sec < 1ull << 33 ? (uint64_t)t->tv_sec : 1ull << 33;
    return seconds * SECOND + (uint64_t)t->tv_nsec;
}

static uint64_t since_1970(clockid_t clock) {
    return sim_now_ns() +
           (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ? START * SECOND : 0);
}

int clock_gettime(clockid_t clock, struct timespec *t) {
    if (!is_simulated() || clock < 0 || clock > CLOCK_TAI) return (int)syscall(SYS_clock_gettime, clock, t);
    uint64_t ns = since_1970(clock);
    *t = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int timespec_get(struct timespec *t, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}

time_t time(time_t *t) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec;
    return now.tv_sec;
}

clock_t clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (clock_t)(of(&now) / (SECOND / CLOCKS_PER_SEC));
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left) {
    if (!is_simulated()) {
        int before = errno, failed = syscall(SYS_clock_nanosleep, clock, flags, t, left) != 0, why = errno;
        errno = before;
        return failed ? why : 0;
    }
    if (t->tv_nsec < 0 || t->tv_nsec >= (long)SECOND || t->tv_sec < 0) return EINVAL;
    uint64_t now = flags & TIMER_ABSTIME ? since_1970(clock) : 0;
    if (of(t) > now) sleep_ns(of(t) - now);
    return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left) {
    int why = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    if (why) errno = why;
    return why ? -1 : 0;
}

int usleep(useconds_t us) { return nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL); }

unsigned sleep(unsigned seconds) {
    struct timespec left = {0, 0};
    return nanosleep(&(struct timespec){seconds, 0}, &left) == 0 ? 0 : (unsigned)left.tv_sec;
}

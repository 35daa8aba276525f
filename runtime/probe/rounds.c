/* Rounds: see rounds.h. */
#define _GNU_SOURCE
#include "probe/rounds.h"

#include <sched.h>

#define SAMPLE_US 500
#define SAMPLE_CROWDED_US 4000     /* some slices of time, so that every sample has seen threads take turns */
#define MOST_OPERATIONS (1L << 24) /* in a round: ends where the clock says nothing */

/* What the first thread has in mind. */
struct plan {
    double end_ns, calibrated_by_ns, wanted_ns, overhead_ns;
    long n;
    int wanted, taken;
    bool is_calibrating;
};

/* How many operations the next round has; 0: it is over. */
static long next_round(struct plan *plan, double ns) {
    double now = now_ns();
    if (plan->is_calibrating) {
        bool is_long = ns >= plan->wanted_ns / 2 || plan->n >= MOST_OPERATIONS || now >= plan->calibrated_by_ns;
        if (!is_long) {
            double factor = ns > plan->wanted_ns / 50 ? plan->wanted_ns / ns * 1.02 : 4;
            long more = (long)((double)plan->n * (factor < 16 ? factor : 16)) + 1;
            plan->n = more < MOST_OPERATIONS ? more : MOST_OPERATIONS;
            return plan->n;
        }
        /* The first rounds are slow: a page is touched, a thread wakes up. */
        while (plan->n > 1 && ns / 2 > plan->wanted_ns && now < plan->calibrated_by_ns) {
            plan->n /= 2;
            ns /= 2;
        }
        plan->is_calibrating = false;
        return plan->n;
    }
    plan->taken++;
    return plan->taken < plan->wanted && now < plan->end_ns ? plan->n : 0;
}

static double timed(void (*body)(void *, long), void *argument, long n) {
    double start = now_ns();
    body(argument, n);
    return now_ns() - start;
}

void sample_rounds(const struct request *request, struct reply *reply, gas_team team,
                   void (*body)(void *argument, long n), void (*nothing)(void *argument, long n), void *argument) {
    bool leads = gas_team_rank(team) == 0;
    double limit_ns = request_limit_s(request) * 1e9, start = now_ns();
    struct plan plan = {.end_ns = start + limit_ns,
                        .calibrated_by_ns = start + limit_ns / 2,
                        .n = 1,
                        .wanted = request_samples(request),
                        .is_calibrating = true};
    plan.wanted_ns = (double)request_number(request, "sample_us", is_crowded() ? SAMPLE_CROWDED_US : SAMPLE_US) * 1e3;
    if (plan.wanted_ns > limit_ns / (plan.wanted + 1)) plan.wanted_ns = limit_ns / (plan.wanted + 1);
    bool was_calibrating = true;
    for (uint64_t n = 1;;) {
        gas_broadcast(team, &n, &n, sizeof n, 0, 0);
        if (n == 0) break;
        gas_team_barrier(team);
        double ns = timed(body, argument, (long)n);
        if (!leads) continue;
        was_calibrating = plan.is_calibrating;
        n = (uint64_t)next_round(&plan, ns);
        if (was_calibrating && !plan.is_calibrating && nothing) {
            /* Disturbance only ever adds: the least counts. */
            for (int i = 0; i < 3; i++) {
                double overhead = timed(nothing, argument, plan.n);
                if (i == 0 || overhead < plan.overhead_ns) plan.overhead_ns = overhead;
            }
        }
        if (!was_calibrating) reply_sample(reply, ns / (double)plan.n);
    }
    reply_subtract(reply, plan.overhead_ns / (double)plan.n);
    reply_fact(reply, "operations", (double)plan.n);
    reply_fact(reply, "overhead_ns", plan.overhead_ns / (double)plan.n);
    reply_fact(reply, "processors", processors_here());
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

int processors_here(void) {
    static int count;
    if (count) return count;
    cpu_set_t set;
    use_all_processors();
    count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    use_own_processor();
    return count;
}

bool is_crowded(void) {
    int near;
    gas_near(&near);
    return near > processors_here();
}

void place_crowd(void) {
    if (is_crowded()) use_all_processors();
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

void work(long additions) {
    for (long i = 0; i < additions; i++) __asm__ volatile("" : "+r"(i));
}

/* Additions a nanosecond. */
static double work_rate(void) {
    enum { MANY = 20000, TIMES = 20 };
    static double fastest; /* additions a nanosecond: nothing makes it faster than it is */
    static int times;
    for (; times < TIMES; times++) {
        double start = now_ns();
        work(MANY);
        double rate = MANY / (now_ns() - start + 1);
        if (rate > fastest) fastest = rate;
    }
    return fastest;
}

long work_of_ns(double ns) { return (long)(ns * work_rate()); }
double ns_of_work(long additions) { return (double)additions / work_rate(); }

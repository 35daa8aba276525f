/* Two threads that take turns; see transfer.h. Each side's time is its own, while the other waits, and what one touched last is in
 * its caches when the other's turn comes.
 */
#define _GNU_SOURCE
#include "probe/transfer.h"

static void wait_turn(const uint32_t *turn, uint32_t wanted, bool serves) {
    unsigned round = 0;
    for (unsigned spins = 0; __atomic_load_n(turn, __ATOMIC_ACQUIRE) != wanted; spins++) {
        if (spins > 1u << 16)
            gas_wait_hint(&round);
        else if (serves)
            gas_poll();
    }
}

/* The time of a turn until its last store is visible, or until it was over, wherever. */
static double timed_turn(const struct turns *t, double clock_ns) {
    double begun = now_ns();
    t->body(t->argument);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    double ended = t->ended_ns && gas_me() == 0 ? *t->ended_ns : now_ns(), ns = ended - begun - clock_ns;
    return ns > 0 ? ns : 0;
}

/* What reading the clock twice and a fence cost. */
static double clock_and_fence_cost(void) {
    double least = 1e9;
    for (int i = 0; i < 50; i++) {
        double begun = now_ns();
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        double ns = now_ns() - begun;
        least = ns < least ? ns : least;
    }
    return least;
}

#define SAMPLE_NS 200e3

void take_turns(const struct request *request, struct reply *reply, fathom_ptr at, const struct turns *t) {
    struct game *g = fathom_local(fathom_make(0, fathom_offset_of(at)));
    double clock_ns = clock_and_fence_cost(), end = now_ns() + request_limit_s(request) * 1e9;
    if (gas_me() == 1) {
        for (uint32_t next = 1;; next += 2) {
            wait_turn(&g->turn, next, t->serves);
            if (__atomic_load_n(&g->is_over, __ATOMIC_RELAXED)) return;
            g->second_ns = timed_turn(t, clock_ns);
            __atomic_store_n(&g->turn, next + 1, __ATOMIC_RELEASE);
        }
    }
    uint32_t next = 0;
    double share = request_limit_s(request) * 1e9 / (request_samples(request) + 2);
    double wanted = share < SAMPLE_NS ? share : SAMPLE_NS, sum = 0;
    long rounds = 1, samples = -1; /* the first is to warm up, and to find how many turns a sample takes */
    for (; samples < request_samples(request) && (samples < 1 || now_ns() < end); samples++) {
        sum = 0;
        long done = 0, least = samples < 0 ? t->warm + 1 : rounds;
        for (; done < least || (samples < 0 && sum < wanted && now_ns() < end); done++) {
            double first_ns = timed_turn(t, clock_ns);
            __atomic_store_n(&g->turn, ++next, __ATOMIC_RELEASE);
            wait_turn(&g->turn, ++next, t->serves);
            sum += (t->whose != SECOND ? first_ns : 0) + (t->whose != FIRST ? g->second_ns : 0);
        }
        if (samples < 0)
            rounds = sum > wanted ? (long)((double)done * wanted / sum) + 1 : done;
        else
            reply_sample(reply, sum / (double)done);
    }
    __atomic_store_n(&g->is_over, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&g->turn, next + 1, __ATOMIC_RELEASE);
}

bool are_two(struct reply *reply) {
    int near, first = gas_near(&near);
    bool have = have_own_processors(2);
    /* Thread 0's answer counts, for all. */
    uint32_t why = first > 0 || near < 2 ? 1 : !have ? 2 : 0;
    uint32_t mine = why;
    gas_broadcast(gas_world(), &why, &mine, sizeof why, 0, 0);
    if (why == 1)
        reply_impossible(reply, REASON_APART,
                         "threads 0 and 1 do not share memory: what crosses between them goes through %s",
                         gas_conduit());
    else if (why == 2)
        reply_impossible(reply, REASON_PROCESSORS, "it needs two processors");
    return why == 0;
}

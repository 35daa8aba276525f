// threads: 1 2 3
// flags: -O2
/* Loops that wait for relaxed writes in ways that the C compiler, or a version on landed data, could turn into loops without end. The last thread
 * writes when the others may be expected to wait. */
#include "check.h"
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc_relaxed.h>

struct state {
    int x, ready;
};
shared int flag, ready[THREADS], served[THREADS];
shared struct state states[THREADS];
shared int *shared where;
struct node {
    shared struct node *next;
};
shared struct node nodes[THREADS];
enum { ALL = 1, RARE = 1 << 30 };

/* ---- functions --------------------------------------------------------------------------------------------------- */

static int looks, seen, found[4];
static int is_set(shared int *p) { return *p; }
static int counts_and_is_set(void) {
    looks++;
    return flag;
}
static void find(int *result) { *result = flag; }
static void find_for_all(void) { seen = flag; }
static void work(void) { looks++; }
static int is_there(int *p) { return *p; }
static int *mine(void) { return (int *)&ready[MYTHREAD]; }
static void wait_at(int *p) {
    while (!*p)
        ;
}
static int how_many(void) {
    int n = 0;
    for (int t = 0; t < THREADS; t++) n += ready[t];
    return n;
}
static int copied(void) {
    int x;
    upc_memget(&x, &flag, sizeof x);
    return x;
}
static struct state whole(void) {
    struct state s = states[MYTHREAD];
    return s;
}
static void calls_a_function(void) {
    while (!is_set(&flag))
        ;
}
static void calls_one_that_counts(void) {
    while (!counts_and_is_set())
        ;
}
static void is_given_the_result(void) {
    int ok = 0;
    while (!ok) find(&ok);
}
static void finds_it_in_a_static_object(void) {
    while (!seen) find_for_all();
}
static void works_meanwhile(void) {
    while (!flag) work();
}
static void sums_in_a_function(void) {
    while (how_many() < THREADS)
        ;
}
static void copies(void) {
    int x = 0;
    while (!x) upc_memget(&x, &flag, sizeof x);
}
static void copies_to_an_array(void) {
    do upc_memget(found, &flag, sizeof(int));
    while (!found[0]);
}
static void copies_in_a_function(void) {
    while (!copied())
        ;
}
static void reads_a_structure(void) {
    while (!whole().ready)
        ;
}
static void calls_by_pointer(void) {
    int (*f)(void) = counts_and_is_set;
    while (!f())
        ;
}
static void has_a_function_inside(void) {
    int inside(void) { return flag; }
    while (!inside())
        ;
}

/* ---- pointers-to-local ------------------------------------------------------------------------------------------- */

static void reads_by_a_local_pointer(void) {
    int *p = (int *)&ready[MYTHREAD];
    while (!*p)
        ;
}
static void reads_an_element_by_it(void) {
    int *p = mine();
    while (p[0] == 0) {
    }
}
static void gives_it_to_a_function(void) { wait_at((int *)&ready[MYTHREAD]); }
static void gives_it_in_the_condition(void) {
    while (!is_there((int *)&ready[MYTHREAD]))
        ;
}
static void keeps_it_in_a_structure(void) {
    struct {
        int *p;
    } kept = {0};
    kept.p = (int *)&ready[MYTHREAD];
    while (!*kept.p)
        ;
}
struct kept {
    int *p;
};
static struct kept keeps(void) {
    struct kept kept = {(int *)&ready[MYTHREAD]};
    return kept;
}
static void waits_at_what_is_kept(struct kept *kept) {
    while (!*kept->p)
        ;
}
static void gives_the_structure_to_a_function(void) {
    struct kept kept, *p = malloc(sizeof *p);
    kept = keeps();
    waits_at_what_is_kept(&kept);
    p->p = kept.p;
    waits_at_what_is_kept(p);
    free(p);
}
static void sets_mine(int **p) { *p = mine(); }
static void is_given_the_pointer(void) {
    int *p;
    sets_mine(&p);
    while (!*p)
        ;
}
static void calls_by_pointer_with_it(void) {
    void (*wait)(int *) = wait_at;
    wait(mine());
}
static void is_given_the_result_in_a_heap(void) {
    struct state *s = calloc(1, sizeof *s);
    while (!s->ready) find(&s->ready);
    do find(&s->x);
    while (!s->x);
    free(s);
}
static void find_there(struct state *s) { s->ready = flag; }
static void is_given_the_result_by_a_pointer(void) {
    struct state *s = calloc(1, sizeof *s);
    while (!s->ready) find_there(s);
    free(s);
}

/* ---- ways through a loop ----------------------------------------------------------------------------------------- */

static void switches(void) {
    int go = 1;
    while (go) switch (flag) {
        case 0: break;
        default: go = 0;
        }
}
static void goes_on_by_continue(void) {
    while (1) {
        if (!flag) continue;
        break;
    }
}
static void continues_in_a_switch(void) {
    for (;;) {
        switch (flag) {
        case 0: continue;
        default: break;
        }
        break;
    }
}
static void breaks_in_else(void) {
    while (1)
        if (!flag) {
        } else
            break;
}
static void breaks_deep_inside(void) {
    for (;;) {
        int x = flag;
        if (x > 0) {
            if (x < 9) break;
        }
    }
}
static int returns(void) {
    for (;;)
        if (flag) return 1;
}
static void goes_back(void) {
again:
    if (!flag) goto again;
}
static void goes_back_by_a_variable(void) {
    int x;
again:
    x = flag;
    if (x == 0) goto again;
}
static void goes_back_into_a_block(void) {
    int x;
    {
    again:
        x = flag;
    }
    if (!x) goto again;
}
static jmp_buf out_of_it;
static void leave(void) { longjmp(out_of_it, 1); }
static void leaves_in_a_function(void) {
    if (setjmp(out_of_it)) return;
    for (;;)
        if (flag) leave();
}
static void leaves_by_longjmp(void) {
    if (setjmp(out_of_it)) return;
    for (long k = 0; k < 1l << 60; k++)
        if (flag) longjmp(out_of_it, 1);
}
static void goes_out(void) {
    for (;;)
        if (flag) goto out;
out:;
}
static void is_a_statement_in_an_expression(void) {
    while (({
        int x = flag;
        !x;
    }))
        ;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void collects_bits(void) {
    int got = 0;
    while (!got) got |= flag;
}
static void adds(void) {
    int n = 0;
    while (n < 3) n += flag;
}
static void subtracts_and_inverts(void) {
    int n = 3, x = 0;
    while (n > 0) n -= flag;
    while (!x) x ^= flag;
}
static void takes_the_largest(void) {
    int most = 0;
    while (most < 1) most = flag > most ? flag : most;
}
static void counts_those_that_are_ready(void) {
    int n;
    do {
        n = 0;
        for (int t = 0; t < THREADS; t++)
            if (ready[t]) n++;
    } while (n < THREADS);
}
static void waits_for_all(void) {
    int all;
    do {
        all = 1;
        for (int t = 0; t < THREADS; t++) all &= ready[t];
    } while (!all);
}
static void steps_where_ready(void) {
    for (int n = 0; n < THREADS;)
        if (ready[n]) n++;
}
static void serves_in_turn(void) {
    int n = 0, mine[THREADS];
    while (n < THREADS) {
        if (!ready[n]) continue;
        mine[n] = served[n];
        n++;
    }
    CHECK_EQ(0, mine[0]);
}
static void serves_in_any_order(void) {
    int left = THREADS;
    char done[THREADS];
    memset(done, 0, sizeof done);
    while (left)
        for (int t = 0; t < THREADS; t++)
            if (!done[t] && ready[t]) {
                done[t] = 1;
                left--;
            }
}
static void steps_if_enough_are_ready(void) {
    int n = 0;
    while (n < THREADS) {
        int ok = 1;
        for (int t = 0; t <= n; t++)
            if (!ready[t]) ok = 0;
        if (ok) n++;
    }
}
static void follows_a_list(void) {
    shared struct node *p = &nodes[0];
    for (int i = 0; i < 2;) {
        shared struct node *next = p->next;
        if (next) {
            p = next;
            i++;
        }
    }
}
static void has_states(void) {
    int state = 0;
    while (state != 2)
        if (state == 0) {
            if (flag) state = 1;
        } else if (ready[0])
            state = 2;
}
static void finds_a_pointer(void) {
    while (!where)
        ;
}

/* ---- loops that also do something -------------------------------------------------------------------------------- */

static double data[64];
static void computes(void) {
    for (int k = 0; !flag; k = (k + 1) % 64) data[k] = data[k] * 1.5 + k;
}
static void computes_in_a_loop(void) {
    while (!flag)
        for (int k = 0; k < 64; k++) data[k] += k;
}
static void searches(void) {
    unsigned x = MYTHREAD + 1;
    while (!flag) {
        x = (x * 1664525u + 1013904223u) | 1;
        if (x == 2) flag = 1;
    }
}
static void writes(void) {
    for (int k = 0; !flag; k++) served[MYTHREAD] = 0;
}
static void may_give_up(void) {
    for (long k = 0; k < 1l << 60; k++)
        if (flag) break;
}
static void waits_longer_and_longer(void) {
    double sum = 0;
    for (int wait = 1; !flag;) {
        for (int i = 0; i < wait; i++) sum += i;
        if (wait < 1000) wait *= 2;
    }
    data[0] = sum;
}
static void fences_now_and_then(void) {
    for (long k = 0; !flag; k++)
        if (k % RARE == RARE - 1) upc_fence;
}

#define WAY(f) {#f, (void (*)(void))f}
static const struct {
    const char *name;
    void (*wait)(void);
} ways[] = {
    WAY(calls_a_function), WAY(calls_one_that_counts), WAY(is_given_the_result), WAY(finds_it_in_a_static_object), WAY(works_meanwhile),
    WAY(sums_in_a_function), WAY(copies), WAY(copies_to_an_array), WAY(copies_in_a_function), WAY(reads_a_structure), WAY(calls_by_pointer),
    WAY(has_a_function_inside), WAY(reads_by_a_local_pointer), WAY(reads_an_element_by_it), WAY(gives_it_to_a_function),
    WAY(gives_it_in_the_condition), WAY(keeps_it_in_a_structure), WAY(switches), WAY(goes_on_by_continue), WAY(continues_in_a_switch),
    WAY(breaks_in_else), WAY(breaks_deep_inside), WAY(returns), WAY(goes_back), WAY(goes_back_by_a_variable), WAY(goes_out),
    WAY(is_a_statement_in_an_expression), WAY(collects_bits), WAY(takes_the_largest), WAY(counts_those_that_are_ready),
    WAY(waits_for_all), WAY(steps_where_ready), WAY(serves_in_turn), WAY(serves_in_any_order), WAY(steps_if_enough_are_ready),
    WAY(follows_a_list), WAY(has_states), WAY(finds_a_pointer), WAY(computes), WAY(computes_in_a_loop), WAY(searches), WAY(writes),
    WAY(may_give_up), WAY(waits_longer_and_longer), WAY(fences_now_and_then), WAY(gives_the_structure_to_a_function), WAY(is_given_the_pointer), WAY(calls_by_pointer_with_it), WAY(is_given_the_result_in_a_heap), WAY(is_given_the_result_by_a_pointer), WAY(goes_back_into_a_block), WAY(leaves_in_a_function), WAY(leaves_by_longjmp), WAY(adds), WAY(subtracts_and_inverts),
};

static void write_all(int value) {
    for (int t = 0; t < THREADS; t++) {
        ready[t] = states[t].ready = value;
        nodes[t].next = value ? &nodes[(t + 1) % THREADS] : 0;
    }
    where = value ? &flag : 0;
    flag = value;
    upc_fence;
}

int main(void) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        upc_barrier;
        if (MYTHREAD == THREADS - 1) {
            usleep(2000);
            write_all(1);
        }
        ways[i].wait();
        upc_barrier;
        seen = found[0] = 0;
        if (MYTHREAD == THREADS - 1) write_all(0);
    }
    return 0;
}

// flags: -fcomm-opt
// comm: strips strips,force strips=5 on
// Loops that are left early, by a block that calls functions: what these change is seen behind the loop, by the block itself, and by
// the iterations that come after a block which did not leave the loop after all.
#include <upc_relaxed.h>
#include "check.h"
#include <stdlib.h>

#define N 600
shared [N] long blocks[N * THREADS];
shared long cyclic[N * THREADS];
long other[N + 1], pick[N], bound = N, calls;
enum { last_of_all = 300 };

// Each does what a loop may not move its accesses across.
void change(long i) {
    calls++;
    bound = 0;
    for (long k = i; k < i + 3 && k < N * THREADS; k++) {
        blocks[k] = -7 - k;
        cyclic[k] = -7 - k;
    }
    upc_fence;
}
long changed(long i) {
    change(i);
    return i;
}
_Noreturn void end_at(long i) {
    change(i);
    CHECK(i == last_of_all);
    exit(calls == 2 ? 0 : 1);
}
void end(long i) {
    change(i);
    end_at(i);
}
void fill(void) {
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; &blocks[i]) blocks[i] = 3 * i;
    upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i]) cyclic[i] = 5 * i;
    for (int i = 0; i < N; i++) pick[i] = (long)i * 7 % N, other[i] = i;
    bound = N;
    calls = 0;
    upc_barrier;
}
/* ---- left for good ------------------------------------------------------------------------------------------------- */

long found_by_return(long key) {
    for (int i = 0; i < bound; i++)
        if (blocks[N * (THREADS - 1) + i] == key) return changed(N * (THREADS - 1) + i);
    return -1;
}
long found_by_break(long key) {
    long at = -1;
    for (int i = 0; i < bound * THREADS; i++)
        if (cyclic[i] == key) {
            change(at = i);
            break;
        }
    return at;
}
long sum_until(int last) {
    long sum = 0;
    for (int i = 0; i < bound; i++) {
        if (i == last) {
            sum += 1000 * cyclic[i];
            change(cyclic[i] / 5);
            return sum;
        } else {
            sum += cyclic[i];
        }
    }
    return sum;
}
long gathered_until(long limit) {
    long sum = 0;
    for (int i = 0; i < bound; i++) {
        if (other[i] > limit) {
            if (other[i] & 1) {
                change(2);
                return sum;
            } else {
                change(4);
                break;
            }
        }
        sum += blocks[pick[i]];
    }
    return sum;
}
void ends_the_program(int last) {
    for (int i = 0; i < bound; i++) {
        other[i] = cyclic[i];
        if (other[i] == 5 * last) end(i);
    }
}

/* ---- and not ------------------------------------------------------------------------------------------------------- */

// The block reads what its call has changed.
long reads_behind(int last) {
    for (int i = 0; i < N - 2; i++)
        if (cyclic[i] == 5 * last) {
            change(i);
            return cyclic[i] + cyclic[i + 1];
        }
    return 0;
}
long reads_beside(int last) {
    for (int i = 0; i < N - 2; i++)
        if (cyclic[i] == 5 * last) return changed(i) + cyclic[i];
    return 0;
}
long reads_in_a_loop(int last) {
    long sum = 0;
    for (int i = 0; i < N - 2; i++)
        if (cyclic[i] == 5 * last) {
            for (int k = 0; k < 2; k++) {
                sum += cyclic[i];
                change(i);
            }
            break;
        }
    return sum;
}
// It does not always leave the loop.
long goes_on(int last) {
    long sum = 0;
    for (int i = 0; i < N - 2; i++) {
        if (other[i] == last) {
            change(i);
            if (calls < 2) continue;
            break;
        }
        sum += cyclic[i];
    }
    return sum;
}
// Its `break` leaves another statement.
long leaves_a_switch(int last) {
    long sum = 0;
    for (int i = 0; i < N - 2; i++) {
        switch (other[i] == last) {
        case 1:
            if (last >= 0) {
                change(i);
                break;
            }
            sum += 1;
        }
        sum += cyclic[i];
    }
    return sum;
}
long leaves_a_loop(int last) {
    long sum = 0;
    for (int i = 0; i < N - 2; i++) {
        do
            if (other[i] == last) {
                change(i);
                break;
            }
        while (0);
        sum += blocks[N * (THREADS - 1) + i];
    }
    return sum;
}
long jumps(int last) {
    long sum = 0;
    for (int i = 0; i < N - 2; i++) {
        if (other[i] == last) {
            change(i);
            goto rest;
        }
    rest:
        sum += cyclic[i];
    }
    return sum;
}
// The bound is changed by a call that comes back.
long stops_by_bound(int last) {
    long sum = 0;
    for (int i = 0; i < bound; i++) {
        if (other[i] == last) change(N * THREADS);
        sum += cyclic[i];
    }
    return sum;
}

// So do expressions that have statements in them.
long continues_in_return(int last) {
    long sum = 0;
    for (int i = 0; i < N - 3; i++) {
        if (other[i] == last) return ({
            change(i);
            if (calls < 2) continue;
            sum;
        });
        sum += cyclic[i];
    }
    return sum;
}
long continues_in_an_argument(int last) {
    long sum = 0;
    for (int i = 0; i < N - 3; i++) {
        if (other[i] == last) end_at(({
            change(i);
            if (calls < 2) continue;
            sum;
        }));
        sum += cyclic[i];
    }
    return sum;
}
long continues_in_a_condition(int last) {
    long sum = 0;
    for (int i = 0; i < N - 3; i++) {
        if (other[i] == last)
            if (({
                    change(i);
                    if (calls < 2) continue;
                    sum;
                }))
                return sum;
            else
                return -1;
        sum += cyclic[i];
    }
    return sum;
}

/* ---- a variable that others read ----------------------------------------------------------------------------------- */

long at_hand;
long at_hand_now(void) { return at_hand; }
long seen_when_left(int last) {
    long seen = -1;
    for (at_hand = 0; at_hand < N; at_hand++)
        if (cyclic[at_hand] == 5 * last) {
            change(0);
            seen = at_hand_now();
            break;
        }
    return seen;
}
long seen_in_rows(void) {
    long sum = 0;
    for (at_hand = 0; at_hand < 20; at_hand++)
        for (int k = 0; k < 30; k++) sum += cyclic[pick[at_hand * 30 + k]] * at_hand_now();
    return sum;
}
void seen_by_owners(void) {
    upc_forall (at_hand = 0; at_hand < N * THREADS; at_hand++; &blocks[at_hand])
        blocks[at_hand] = 1000 * cyclic[at_hand] + at_hand_now();
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; &blocks[i]) CHECK_EQ(5001L * i, blocks[i]);
}

long sum_to(long n, long factor) { return factor * (n * (n - 1) / 2); }

int main(void) {
    const long base = N * (THREADS - 1L);
    for (int who = 0; who < THREADS; who++) {
        for (int at = 5; at < N - 5; at += 97) {
#define TRY(call, wanted)                                                                                              \
    fill();                                                                                                            \
    if (who == MYTHREAD) CHECK_EQ(wanted, call)
            TRY(found_by_return(3 * (base + at)), base + at);
            TRY(found_by_break(5 * at), at);
            TRY(sum_until(at), sum_to(at, 5) + 5000L * at);
            TRY(reads_behind(at), -7L - at - 7 - (at + 1));
            TRY(leaves_a_switch(at), sum_to(N - 2, 5) - 5L * (3 * at + 3) - 21 - (3 * at + 3));
            TRY(jumps(at), sum_to(N - 2, 5) - 5L * (3 * at + 3) - 21 - (3 * at + 3));
            TRY(leaves_a_loop(at), THREADS > 1 ? sum_to(N - 2, 3) + 3 * base * (N - 2)
                                               : sum_to(N - 2, 3) - 3L * (3 * at + 3) - 21 - (3 * at + 3));
            TRY(goes_on(at), sum_to(N - 2, 5) - 5L * (3 * at + 3) - 14 - (2 * at + 3));
            TRY(stops_by_bound(at), sum_to(at + 1, 5));
            TRY(reads_in_a_loop(at), 5L * at - 7 - at);
            const long all_but_one = sum_to(N - 3, 5) - 5L * (3 * at + 3) - 14 - (2 * at + 3);
            TRY(continues_in_return(at), all_but_one);
            TRY(continues_in_an_argument(at), all_but_one);
            TRY(continues_in_a_condition(at), all_but_one);
            TRY(seen_when_left(at), at);
            long gathered = 0;
            for (int i = 0; i <= at; i++) gathered += 3L * (i * 7 % N);
            TRY(gathered_until(at), gathered);
            // Which operand comes first is not said.
            fill();
            if (who == MYTHREAD) {
                long got = reads_beside(at);
                CHECK(got == at + 5L * at || got == at - 7L - at);
            }
        }
    }
    long in_rows = 0;
    for (long i = 0; i < N; i++) in_rows += 5 * (i * 7 % N) * (i / 30);
    fill();
    CHECK_EQ(in_rows, seen_in_rows());
    fill();
    seen_by_owners();
    fill();
    if (MYTHREAD == THREADS - 1) ends_the_program(last_of_all);
    return 0;
}

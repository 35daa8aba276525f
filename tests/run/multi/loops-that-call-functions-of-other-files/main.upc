// flags: -fcomm-opt
// comm: strips gathers gathers=3,force strips=1,force strips=5,force gathers,outbox,lines
// A loop that calls a function of another file may make its relaxed reads ahead if that only computes (UPC 1.3, B), and not if it
// writes what the loop reads.
#include <upc_relaxed.h>
#include "../../check.h"
#include "functions.h"

shared long cyclic[A];
shared [7] long sevens[7 * 20 * THREADS];
shared [32] long rows[32 * 4 * THREADS];
static int start[N + 1];

static void fill(void) {
    upc_barrier;
    for (int i = MYTHREAD; i < A; i += THREADS) cyclic[i] = 5L * i + 1;
    upc_forall (int i = 0; i < 140 * THREADS; i++; &sevens[i]) sevens[i] = i;
    upc_forall (int i = 0; i < 128 * THREADS; i++; &rows[i]) rows[i] = -i;
    for (int i = 0; i < N; i++) start[i + 1] = start[i] + i % 3;
    upc_barrier;
}

static long half(long x) { return thrice(x) / 2; }

static void that_compute(void) {
    long sum = 0, right = 0;
    for (int i = 0; i < A; i++) sum += thrice(cyclic[i]) + weight(i);
    for (int i = 0; i < A; i++) right += 3 * (5L * i + 1) + weights[i & 3];
    CHECK_EQ(right, sum);
    sum = right = 0;
    for (int i = 0; i < N; i++) sum += collatz(sevens[i] % 30) + half(sevens[i + 2]);
    for (int i = 0; i < N; i++) {
        for (long x = i % 30; x > 1; x = x % 2 ? 3 * x + 1 : x / 2) right++;
        right += 3 * (i + 2) / 2;
    }
    CHECK_EQ(right, sum);
    /* Places. */
    sum = right = 0;
    for (int i = 0; i < N; i++) sum += cyclic[permuted(i, A)] * thrice(i);
    for (int i = 0; i < N; i++) right += (5L * ((i + 5 < A ? i + 5 : i + 5 - A) * 7 + 3) % (5L * A) + 1) * 3 * i;
    CHECK_EQ(right, sum);
    sum = right = 0;
    for (int i = 0; i < A; i++) sum += cyclic[i] * (upc_threadof((shared void *)element(i)) == (size_t)(i % THREADS));
    for (int i = 0; i < A; i++) right += 5L * i + 1;
    CHECK_EQ(right, sum);
}

static void of_other_forms(void) {
    long sum = 0, right = 0;
    for (int i = A - 1; i >= 0; i -= 2) sum += thrice(cyclic[i]);
    for (int i = A - 1; i >= 0; i -= 2) right += 3 * (5L * i + 1);
    CHECK_EQ(right, sum);
    sum = right = 0;
    for (shared long *p = cyclic; p != cyclic + A; p++) sum += thrice(*p);
    for (int i = 0; i < A; i++) right += 3 * (5L * i + 1);
    CHECK_EQ(right, sum);
    sum = right = 0;
    upc_forall (int i = 0; i < A - 1; i++; &cyclic[i]) sum += thrice(cyclic[i + 1]);
    for (int i = MYTHREAD; i < A - 1; i += THREADS) right += 3 * (5L * (i + 1) + 1);
    CHECK_EQ(right, sum);
    sum = right = 0;
    upc_forall (int i = 1; i < 128 * THREADS; i++; &rows[i]) sum += thrice(rows[i - 1]) + weight(i);
    for (int i = 1; i < 128 * THREADS; i++)
        if (i / 32 % THREADS == MYTHREAD) right += 3 * -(i - 1) + weights[i & 3];
    CHECK_EQ(right, sum);
    sum = right = 0;
    upc_forall (int i = 0; i < A; i++; thrice(i)) sum += cyclic[i];
    for (int i = 0; i < A; i++)
        if (3 * i % THREADS == MYTHREAD) right += 5L * i + 1;
    CHECK_EQ(right, sum);
    sum = right = 0;
    for (int i = 0; i < N; i++)
        for (int k = start[i]; k < start[i + 1]; k++) sum += cyclic[thrice(k) % A] * weight(k);
    for (int k = 0; k < start[N]; k++) right += (5L * (3 * k % A) + 1) * weights[k & 3];
    CHECK_EQ(right, sum);
    sum = right = 0;
    for (int i = 0; i < N; i++) {
        sum += cyclic[i];
        for (int d = 0; d < 3; d++) sum += thrice(d);
    }
    for (int i = 0; i < N; i++) right += 5L * i + 1 + 9;
    CHECK_EQ(right, sum);
}

static void that_do_more(void) {
    long sum = 0;
    long kept[N + 2];
    if (MYTHREAD == 0) {
        for (int i = 0; i < A; i++) sum += cyclic[i] * writes_ahead(i);
        CHECK_EQ(1 + (A - 1) * (A - 2L) / 2, sum);
        sum = 0;
        for (int i = 0; i < A; i++) sum += cyclic[i] * writes_by_pointer(i);
        CHECK_EQ(1 + (A - 1) * (A - 2L), sum);
        sum = 0;
        for (int i = 0; i < A; i++) cyclic[i] = 1;
        for (int i = 0; i < A; i++) sum += cyclic[i] * writes_later(i);
        CHECK_EQ(2 * (1 + (A - 1) * (A - 2L)), sum);
        sum = 0;
        for (shared long *p = cyclic, *end = cyclic + A; p != end; p++) sum += *p * writes_ahead(p - cyclic);
        CHECK_EQ(1 + (A - 1) * (A - 2L) / 2, sum);
        sum = 0;
        for (int i = 0; i < A; i++) sum += cyclic[i] - reads_shared(i);
        CHECK_EQ(0, sum);
    }
    fill();
    sum = 0;
    for (int i = 0; i < N; i++) sum += sevens[i] * counts(i);
    long right = 0, times = counts(0) - N - 1;
    for (int i = 0; i < N; i++) right += i * (times + i + 1L);
    CHECK_EQ(right, sum);
    seen = 0;
    sum = right = 0;
    for (int i = 0; i < N; i++) sum += sevens[remembers(i)];
    for (int i = 1; i < N; i++) right += i - 1;
    CHECK_EQ(right, sum);
    /* A place that follows what the loop stores. */
    sum = 0;
    for (int i = 0; i < N; i++) {
        weights[i & 3] = i;
        sum += sevens[weight(i)];
    }
    CHECK_EQ(N * (N - 1) / 2, sum);
    /* What the loop stores is what the function reads. */
    kept[0] = 0;
    for (int i = 0; i < N; i++) kept[i + 1] = first_of(&kept[i]) + sevens[i];
    CHECK_EQ(N * (N - 1) / 2, kept[N]);
    kept[0] = 0;
    sum = 0;
    for (int i = 0; i < N; i++) sum += sevens[kept[i]] * stores(kept, i);
    CHECK_EQ((N - 1) * (N - 2) / 2, sum);
}

int main(void) {
    fill();
    that_compute();
    of_other_forms();
    upc_barrier;
    that_do_more();
    return 0;
}

// flags: -fcomm-opt
// comm: foresee foresee=1,strips=5 gathers,foresee=3 gathers,foresee=4,force on,foresee=2
// Loops inside loops run again and again, and what their next runs will read is fetched ahead (docs/decisions/0020). Between the runs this thread
// writes what they read, or all do, behind a strict operation: each run must see it.
#include <upc_relaxed.h>
#include <upc_strict.h>
#include <upc_relaxed.h>
#include "check.h"

enum { N = 24 };
shared [N * N] double row_blocks[THREADS][N][N];
shared [3] double cyclic[N * N * THREADS];
shared [] double *one;
shared strict int turn;
static double got[N][N];
static int round_number;

static double at(int i) { return i * 1.25 + round_number; }
/* An element of another thread's rows. */
#define FROM ((MYTHREAD + 1) % THREADS)
static double of_rows(int i, int j) { return at((FROM * N + i) * N + j); }

static void fill(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) row_blocks[MYTHREAD][i][j] = at((MYTHREAD * N + i) * N + j);
    upc_forall (int i = 0; i < N * N * THREADS; i++; &cyclic[i]) cyclic[i] = at(i);
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < N * N; i++) one[i] = at(i);
}

static void renew(void) {
    upc_barrier;
    round_number++;
    fill();
    upc_barrier;
}

static void transposes(void) {
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) got[i][j] = row_blocks[FROM][j][i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK(got[i][j] == of_rows(j, i));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) got[i][j] = -row_blocks[FROM][j][i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK(got[i][j] == -of_rows(j, i));
    for (int j = N - 1; j >= 0; j--)
        for (int i = N - 1; i >= 0; i -= 1) got[i][j] = row_blocks[FROM][j][i] * 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK(got[i][j] == of_rows(j, i) * 2);
    double sum = 0, wanted = 0;
    for (int j = 0; j < N; j++)
        upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i]) sum += i * cyclic[(j * N + i + 3) % (N * N)];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N * THREADS; i++)
            if (upc_threadof(&cyclic[i]) == MYTHREAD) wanted += i * at((j * N + i + 3) % (N * N));
    CHECK(sum == wanted);
}

/* The vector is read again for each row; the matrix moves on. */
static void products(void) {
    for (int i = 0; i < N; i++) {
        double sum = 0, wanted = 0;
        for (int j = 0; j < N; j++) sum += row_blocks[FROM][i][j] * one[j];
        for (int j = 0; j < N; j++) wanted += of_rows(i, j) * at(j);
        CHECK(sum == wanted);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0, wanted = 0;
            for (int k = 0; k < N; k++) sum += row_blocks[FROM][i][k] * row_blocks[FROM][k][j];
            for (int k = 0; k < N; k++) wanted += of_rows(i, k) * of_rows(k, j);
            CHECK(sum == wanted);
        }
    for (int i = 0; i < N; i++) { /* a triangle */
        double sum = 0, wanted = 0;
        for (int j = 0; j <= i; j++) sum += one[i * N + j] + cyclic[i + j];
        for (int j = 0; j <= i; j++) wanted += at(i * N + j) + at(i + j);
        CHECK(sum == wanted);
    }
}

static double sums[N];
/* Nests whose rows are known before: those of a matrix and the vector, of a stencil, across the ends of blocks. */
static void nests(void) {
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++) sum += row_blocks[FROM][i][j] * one[j];
        sums[i] = sum;
    }
    for (int i = 0; i < N; i++) {
        double wanted = 0;
        for (int j = 0; j < N; j++) wanted += of_rows(i, j) * at(j);
        CHECK(sums[i] == wanted);
    }
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            got[i][j] = row_blocks[FROM][i - 1][j] + row_blocks[FROM][i + 1][j] - row_blocks[FROM][i][j - 1] * row_blocks[FROM][i][j + 1];
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            CHECK(got[i][j] == of_rows(i - 1, j) + of_rows(i + 1, j) - of_rows(i, j - 1) * of_rows(i, j + 1));
    int i, j;
    for (i = 0; i < N; i++)
        for (j = 1; j <= N - 2; j++) got[i][j] = cyclic[i * N + j] - one[(N - 1 - i) * N + j - 1];
    CHECK(i == N && j == N - 1);
    for (i = 0; i < N; i++)
        for (j = 1; j < N - 1; j++) CHECK(got[i][j] == at(i * N + j) - at((N - 1 - i) * N + j - 1));
    for (i = 3; i < N; i++) {
        if (i % 4 == 2) continue;
        for (j = 0; j < N; j++) {
            if (j == i) break;
            got[i][j] = row_blocks[FROM][i - 3][j];
        }
    }
    for (i = 3; i < N; i++)
        for (j = 0; j < i && i % 4 != 2; j++) CHECK(got[i][j] == of_rows(i - 3, j));
}

/* One thread writes by one pointer in an iteration what it reads by another one in the next. */
static void written(shared [] double *from, shared [] double *to) {
    for (int i = 1; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++) sum += from[(i - 1) * N + j];
        to[i] = sum;
    }
}
static void nests_that_write(void) {
    double copy[N * N];
    for (int where = 0; where < 3; where++) {
        int far = where == 2 ? N * N - N : where * (2 * N + 3); /* what is written, from here on */
        for (int i = 0; i < N * N; i++) one[i] = copy[i] = at(i);
        written(one, one + far);
        for (int i = 1; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) sum += copy[(i - 1) * N + j];
            copy[far + i] = sum;
        }
        for (int i = 0; i < N * N; i++) CHECK(one[i] == copy[i]);
    }
    for (int i = 0; i < N * N; i++) one[i] = at(i);
}

/* One thread writes what it reads in the runs that come, or has just read. */
static void writes(void) {
    double sum = 0, wanted = 0, copy[N * N];
    for (int i = 0; i < N * N; i++) copy[i] = at(i);
    for (int i = 0; i + 2 < N; i++) {
        for (int j = 0; j < N; j++) sum += one[i * N + j];
        for (int j = 0; j < N; j++) wanted += copy[i * N + j];
        one[(i + 1) * N + 5] = copy[(i + 1) * N + 5] = -i;
        if (i % 5 == 3) one[(i + 2) * N] += 3, copy[(i + 2) * N] += 3;
        CHECK(sum == wanted);
    }
    /* The same elements again. */
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) sum += one[j];
        for (int j = 0; j < N; j++) wanted += copy[j];
        if (i % 4 == 2) one[i] = copy[i] = i * 3;
        CHECK(sum == wanted);
    }
    /* A loop writes in this run what it reads in the next one; by a library's call; by places that are computed. */
    for (int i = 0; i + 1 < N; i++) {
        for (int j = 0; j < N; j++) {
            sum += one[i * N + j];
            one[(i + 1) * N + j] = i + j;
        }
        for (int j = 0; j < N; j++) {
            wanted += copy[i * N + j];
            copy[(i + 1) * N + j] = i + j;
        }
        CHECK(sum == wanted);
    }
    for (int i = 0; i + 1 < N; i++) {
        for (int j = 0; j < N; j++) sum += one[j * N + i];
        for (int j = 0; j < N; j++) wanted += copy[j * N + i];
        double now = i * 7 + 1;
        if (i % 3 == 1) upc_memput(&one[(i % 4) * N + i + 1], &now, sizeof now), copy[(i % 4) * N + i + 1] = now;
        CHECK(sum == wanted);
    }
    for (int i = 0; i < N * N; i++) one[i] = at(i);
}

/* Each thread in turn writes what the others go on reading. */
static void turns(void) {
    for (int i = 0; i < 2 * THREADS; i++) {
        for (int k = 0; k < 4; k++) {
            double sum = 0, wanted = 0;
            for (int j = 0; j < N; j++) sum += one[k * N + j];
            for (int j = 0; j < N; j++) wanted += at(k * N + j) + i * j;
            CHECK(sum == wanted);
        }
        upc_barrier;
        if (i % THREADS == MYTHREAD)
            for (int k = 0; k < 4 * N; k++) one[k] += k % N;
        upc_barrier;
    }
    /* Without a barrier: a strict flag says when. */
    if (THREADS == 1) return;
    turn = 0;
    upc_barrier;
    for (int i = 0; i < 12; i++) {
        if (MYTHREAD == 0) {
            for (int k = 0; k < N; k++) one[k] = i * 100 + k;
            turn = 2 * i + 1;
            while (turn != 2 * i + 2) {}
        } else if (MYTHREAD == 1) {
            while (turn != 2 * i + 1) {}
            for (int k = 0; k < 5; k++)
                for (int j = 0; j < N; j++) CHECK(one[j] == i * 100 + j);
            turn = 2 * i + 2;
        }
    }
}

int main(void) {
    one = upc_all_alloc(1, N * N * sizeof *one);
    if (THREADS > 1) { /* on the last thread */
        shared void *mine = MYTHREAD == THREADS - 1 ? upc_alloc(N * N * sizeof *one) : NULL;
        static shared [] double *shared there;
        if (mine) there = mine;
        upc_barrier;
        one = there;
    }
    fill();
    upc_barrier;
    for (int times = 0; times < 3; times++) {
        transposes();
        products();
        nests();
        renew();
    }
    if (MYTHREAD == 0) writes(), nests_that_write();
    renew();
    turns();
    upc_barrier;
    return 0;
}

// flags: -fcomm-opt -Werror
// comm: gathers gathers=1,force gathers=7,force strips=3,force
// Shared arrays of pointers to private memory of thread 0, which its loops fetch ahead: what they lead to is no more constant than it was.
#include <stdlib.h>
#include <upc_relaxed.h>
#include "check.h"

#define N (12 * THREADS)
#define ROWS 20

static int number[ROWS * 10];
int *shared[3] table[N];
shared struct {
    int *to, many;
    void (*how)(void);
} records[N];
static int start[ROWS + 1], column[ROWS * 10];
static int *got[ROWS * 10], **in_order;

static void nothing(void) {}

int main(void) {
    if (MYTHREAD) return 0;
    for (int j = 0; j < ROWS; j++) start[j + 1] = start[j] + j % 10;
    in_order = malloc(N * sizeof *in_order);
    for (int i = 0; i < N; i++) {
        table[i] = number + i % 200;
        records[i].to = number + (i + 1) % 200;
        records[i].how = nothing;
    }
    for (int times = 0; times < 3; times++) {
        for (int k = 0; k < start[ROWS]; k++) column[k] = (k * 7 + times) % N;
        for (int i = 0; i < N; i++) in_order[i] = table[i];
        for (int i = 0; i < N; i++) CHECK(in_order[i] == number + i % 200);
        for (int k = 0; k < start[ROWS]; k++) got[k] = table[column[k]];
        for (int k = 0; k < start[ROWS]; k++) CHECK(got[k] == number + column[k] % 200);
        for (int j = 0; j < ROWS; j++)
            for (int k = start[j]; k < start[j + 1]; k++) {
                int *to = table[column[k]];
                got[k] = to + 1;
            }
        for (int k = 0; k < start[ROWS]; k++) CHECK(got[k] == number + column[k] % 200 + 1);
        int others = 0;
        for (int j = 0; j < ROWS; j++)
            for (int k = start[j]; k < start[j + 1]; k++) {
                got[k] = records[column[k]].to;
                others += records[column[k]].how != nothing;
            }
        for (int k = 0; k < start[ROWS]; k++) CHECK(got[k] == number + (column[k] + 1) % 200);
        CHECK(others == 0);
    }
    return 0;
}

// Inline functions with external linkage may not refer to what has internal linkage (C11, 6.7.4 p3). What the shared
// accesses in them become must not break that rule for the user.
#include <upc.h>

struct record {
    int part[4];
};

shared int counter;
shared [4] double table[4 * THREADS];
shared struct record records[THREADS];
shared [] int *far;
shared _Complex double wave;

inline double sum(shared int *cell, int i) {
    upc_forall(int j = 0; j < 4 * THREADS; j++; &table[j]) table[j] = j;
    *far = 4;
    return *cell + counter + table[i];
}

inline int place(int i) {
    upc_barrier;
    far = (shared [] int *)&counter;
    return upc_threadof(&table[i]) + upc_phaseof(&table[3]) + (far == 0) + THREADS * MYTHREAD;
}

inline struct record move(shared struct record *to) {
    strict shared int *flag = (strict shared int *)&counter;
    *flag += 3;
    wave *= 2;
    to++;
    to->part[3]++;
    upc_memcpy(&records[0], to, sizeof *to);
    return records[0] = records[MYTHREAD];
}

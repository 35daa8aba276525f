/* Many gets under way together, in any mixture: of neighbouring words, of scattered ones, of structures, from several
 * processors, with bulk gets between them; completed by sync() or seen to be complete by is_sync(). The first of them may
 * be made at once, and the others be put off. */
#include "check-split-c.h"

#define N 100
struct part {
    char name[3];
    double value;
};
long words[PROCS]::[N];
struct part parts[PROCS]::[N];

static long expected(int processor, int i) { return 1000 * processor + i; }

splitc_main() {
    long here[N], scattered[N], block[N], mixed[N];
    struct part far[N];
    for (int i = 0; i < N; i++) {
        tolocal(words[MYPROC])[i] = expected(MYPROC, i);
        tolocal(parts[MYPROC])[i].name[0] = 'a' + i % 26;
        tolocal(parts[MYPROC])[i].value = 0.5 * expected(MYPROC, i);
    }
    barrier();
    for (int step = 0; step < PROCS; step++) {
        int p = (MYPROC + step) % PROCS;
        for (int i = 0; i < N; i++) here[i] = scattered[i] = block[i] = mixed[i] = -1;
        for (int i = 0; i < N; i++) here[i] := words[p][i];
        for (int i = 0; i < N; i++) scattered[N - 1 - i] := words[p][i];
        bulk_get(block, words[p], sizeof block);
        for (int i = 0; i < N; i++) {
            mixed[i] := words[(p + i) % PROCS][i];
            far[i] := parts[p][i];
        }
        if (step % 2 == 0)
            sync();
        else
            while (!is_sync());
        for (int i = 0; i < N; i++) {
            CHECK_EQ(expected(p, i), here[i]);
            CHECK_EQ(expected(p, i), scattered[N - 1 - i]);
            CHECK_EQ(expected(p, i), block[i]);
            CHECK_EQ(expected((p + i) % PROCS, i), mixed[i]);
            CHECK(far[i].name[0] == 'a' + i % 26 && far[i].value == 0.5 * expected(p, i));
        }
    }
    /* What a processor writes between two barriers is what a get after them brings. */
    for (long round = 1; round <= 5; round++) {
        long one = -1, two = -1;
        int p = (MYPROC + 1) % PROCS;
        barrier();
        tolocal(words[MYPROC])[0] = round;
        tolocal(words[MYPROC])[7] = -round;
        barrier();
        one := words[p][0];
        two := words[p][7];
        sync();
        CHECK(one == round && two == -round);
    }
    return 0;
}

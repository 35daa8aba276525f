// threads: 1 2 3 4 8
/* 5.1.1, C 6.2.2: shared objects with external linkage are one object in all files, whatever their layout; static ones of the same
 * name are apart; private ones with external linkage are one for each thread. */
#include "objects.h"

static shared int hidden = 1;
static int own = 10;

int main(void) {
    for (int i = MYTHREAD; i < 12 * THREADS; i += THREADS) blocked[i] = i, sized[i] = -i;
    for (int j = 0; j < 4; j++) matrix[MYTHREAD][j] = 4 * MYTHREAD + j;
    star[6 * MYTHREAD + 2] = MYTHREAD + 0.5;
    records[MYTHREAD].key = MYTHREAD;
    records[MYTHREAD].where = &sized[3 * MYTHREAD + 1];
    private_object += MYTHREAD;
    CHECK_EQ(100 + MYTHREAD, private_of_other_file());
    CHECK(text[0] == 't' && text[3] == 't');
    CHECK(entry == &sized[4] && private_entry == &blocked[5]);
    CHECK_EQ(1, upc_phaseof(entry));
    CHECK_EQ(2, upc_phaseof(private_entry));
    CHECK(generic == (shared void *)&flag);
    CHECK(hidden_in_other_file() != &hidden);
    CHECK_EQ(2, *hidden_in_other_file());
    CHECK_EQ(10, own);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK(find(t) == &sized[3 * t + 1]);
        CHECK_EQ(-(3 * t + 1), *find(t));
        CHECK(star[6 * t + 2] == t + 0.5);
    }
    CHECK(find(-1) == NULL);
    for (int i = 0; i < 12 * THREADS; i++) CHECK_EQ(i, blocked[i]);
    if (MYTHREAD == THREADS - 1) bump(&counter);
    upc_barrier;
    CHECK_EQ(6, counter);
    return 0;
}

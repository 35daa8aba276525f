/* docs/split-c.md, memory: global pointers to string literals and constant tables. */
#include "check-split-c.h"
#include <string.h>

static const int table[4] = {10, 20, 30, 40};
static const char *const words[] = {"zero", "one", "two"};
const struct {
    double d;
    int i;
} record = {2.5, 7};

const char *global names[PROCS]::;
const int *global tables[PROCS]::;


splitc_main() {
    int right = (MYPROC + 1) % PROCS, i;
    char copy[16];
    int four[4];
    names[MYPROC] = (const char *global)(MYPROC % 2 ? "odd one" : words[2]);
    tables[MYPROC] = (const int *global)table;
    barrier();
    CHECK_EQ(right, toproc(names[right]));
    bulk_read(copy, names[right], right % 2 ? 8 : 4);
    CHECK(strcmp(copy, right % 2 ? "odd one" : "two") == 0);
    bulk_get(four, tables[right], sizeof four);
    sync();
    for (i = 0; i < 4; i++) CHECK_EQ(table[i], four[i]);
    for (i = 0; i < 4; i++) CHECK_EQ(table[i], tables[right][i]);
    CHECK(tolocal(tables[right]) == table);
    CHECK(toglobal(right, &record)->d == 2.5);
    CHECK(toglobal(right, words)[1] == words[1]);
    barrier();
    return 0;
}

// threads: 1 2 3
/* C 6.7.8, 6.6: address constants of shared objects that another file defines, in initialisers of private and of shared pointers, in
 * a cycle between the files. */
#include "../../check.h"

extern shared [4] int there[8 * THREADS];
extern shared struct ring b;
struct ring {
    int id;
    shared [] struct ring *next;
};
extern shared [4] int *their_pointer;

shared [4] int here[8 * THREADS];
shared [4] int *mine = &there[5];
shared [4] int *table[3] = {there, there + 2, &here[1]};
shared [] struct ring a = {1, (shared [] struct ring *)&b};

int main(void) {
    static shared [4] int *local = &there[7];
    CHECK(mine == &there[5]);
    CHECK_EQ(1, upc_phaseof(mine));
    CHECK(table[1] - table[0] == 2 && table[2] == &here[1]);
    CHECK(local == mine + 2);
    CHECK(their_pointer == &here[6]);
    CHECK_EQ(2, upc_phaseof(their_pointer));
    CHECK_EQ(2, a.next->id);
    CHECK_EQ(1, a.next->next->id);
    CHECK(a.next->next == &a);
    return 0;
}

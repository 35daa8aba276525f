/* The other half of the cycle. */
#include <upc.h>

struct ring {
    int id;
    shared [] struct ring *next;
};
extern shared [4] int here[8 * THREADS];
extern shared [] struct ring a;

shared [4] int there[8 * THREADS];
shared [4] int *their_pointer = &here[6];
shared struct ring b = {2, &a};

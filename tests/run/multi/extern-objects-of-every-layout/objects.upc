/* The definitions. */
#include "objects.h"

shared int counter = 5;
shared [3] int blocked[12 * THREADS];
shared [3] int sized[12 * THREADS];
shared int matrix[THREADS][4];
shared [*] double star[6 * THREADS];
shared [] char text[10] = "text";
strict shared int flag;
shared struct record records[THREADS];
shared [3] int *shared entry = &sized[4];
shared [3] int *private_entry = &blocked[5];
int private_object = 100;
shared void *generic = &flag;
static shared int hidden = 2;
static int own = 20;

shared [3] int *find(int key) {
    for (int t = 0; t < THREADS; t++)
        if (records[t].key == key) return records[t].where;
    return NULL;
}
void bump(shared int *p) { ++*p; }
int private_of_other_file(void) { return own == 20 ? private_object : -1; }
shared int *hidden_in_other_file(void) { return &hidden; }

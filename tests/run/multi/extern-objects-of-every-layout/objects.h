/* What the files of this program share: declarations of objects that one of them defines. */
#include "../../check.h"

struct record {
    int key;
    shared [3] int *where;
};
extern shared int counter;
#ifdef __UPC_STATIC_THREADS__
extern shared [3] int blocked[];
#else /* 6.5.2.1p2: THREADS exactly once */
extern shared [3] int blocked[12 * THREADS];
#endif
extern shared [3] int sized[12 * THREADS];
extern shared int matrix[THREADS][4];
extern shared [*] double star[6 * THREADS];
extern shared [] char text[];
extern strict shared int flag;
extern shared struct record records[THREADS];
extern shared [3] int *shared entry;
extern shared [3] int *private_entry;
extern int private_object;
extern shared void *generic;

shared [3] int *find(int key);
void bump(shared int *p);
int private_of_other_file(void);
shared int *hidden_in_other_file(void);

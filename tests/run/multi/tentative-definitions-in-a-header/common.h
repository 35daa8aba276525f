/* As old headers do: definitions without extern, included by every file. */
#include "../../check.h"
shared int total;
shared [2] int slots[4 * THREADS];
shared int *shared cursor;
strict shared int ready;
int private_count;
double private_table[10];
void work(void);

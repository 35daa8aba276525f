/* The other file of the program. */
#include "common.h"

void work(void) {
    private_count++;
    private_table[9] *= 2;
    if (MYTHREAD == 0) {
        cursor = &total;
        *cursor = 77;
        ready = 1;
    }
    for (int i = 0; i < 4 * THREADS; i++)
        if (upc_threadof(&slots[i]) == (size_t)MYTHREAD) slots[i] = MYTHREAD;
}

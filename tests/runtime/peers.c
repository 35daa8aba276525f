/* What a process allocates by the number of threads, before it talks to one: run.sh compares two numbers. */
#include <malloc.h>
#include <stdio.h>

#include "gas.h"

int main(void) {
    struct mallinfo2 now = mallinfo2();
    if (gas_me() == 1) printf("%zu\n", now.uordblks + now.hblkhd);
    return 0;
}

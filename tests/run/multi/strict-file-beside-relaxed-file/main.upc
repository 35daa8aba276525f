// threads: 2
/* 6.7.1p3-4: the state of the pragmas belongs to a translation unit: one file is strict, the other relaxed; the waiting loop
 * of the strict one sees what the other publishes in order. */
#include <upc_strict.h>
#include "../../check.h"

extern shared int data[THREADS], flag[THREADS];
void publish(int to, int value);

int main(void) {
    for (int r = 1; r < 1000; r++) {
        if (MYTHREAD == r % 2) {
            publish(1 - MYTHREAD, r);
        } else {
            while (flag[MYTHREAD] != r) continue;
            CHECK_EQ(r, data[MYTHREAD]);
        }
    }
    return 0;
}

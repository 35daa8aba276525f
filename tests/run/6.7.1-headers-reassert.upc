// threads: 2
/* 6.7.1p2, 7.1p3: <upc_strict.h> and <upc_relaxed.h> put their pragma in effect each time that they are included; a waiting
 * loop over a plain object ends only where accesses are strict (or the fence is there). */
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_strict.h>
#include "check.h"

shared int flag;
shared int data;

static void wait_for(int v) {
    while (flag != v) continue;
}

#include <upc_relaxed.h>

static void send(int v) {
    data = v;
    upc_fence;
    flag = v;
    upc_fence;
}

#include <upc_strict.h>

int main(void) {
    for (int r = 1; r < 500; r++) {
        if (MYTHREAD == 0) {
            send(r);
            wait_for(-r);
        } else {
            wait_for(r);
            CHECK_EQ(r, data);
            flag = -r;
        }
    }
    return 0;
}

// threads: 1 2 3 4
/* 6.6.2p6-12 over arrays: loops that read their neighbours' elements, blocks of 64 and 100, several a thread, and one larger than the array. */
#include "check.h"
#include "layout.h"

#define NAME b64
#define LAYOUT [64]
#define B 64
#define K 160
#include "stencil-one.h"

#define NAME b100
#define LAYOUT [100]
#define B 100
#define K 110
#include "stencil-one.h"

#define NAME over
#define LAYOUT [5000]
#define B 5000
#define K 20
#include "stencil-one.h"

int main(void) {
    b64_check();
    b100_check();
    over_check();
    return 0;
}

// threads: 1 2 3 4 7 8
/* 6.6.2p6-12 over arrays: loops that read their neighbours' elements, one block a thread. */
#include "check.h"
#include "layout.h"

#define NAME star
#define LAYOUT [*]
#define B 20
#define K 20
#include "stencil-one.h"

#define NAME star3
#define LAYOUT [*]
#define B 3
#define K 3
#include "stencil-one.h"

#define NAME star101
#define LAYOUT [*]
#define B 101
#define K 101
#include "stencil-one.h"

int main(void) {
    star_check();
    star3_check();
    star101_check();
    return 0;
}

// threads: 1 2 3 4 7 8
/* 6.6.2p6-12 over arrays: loops that read their neighbours' elements, cyclic layout. */
#include "check.h"
#include "layout.h"

#define NAME cyclic
#define LAYOUT
#define B 1
#define K 12
#include "stencil-one.h"

#define NAME cyclic1
#define LAYOUT [1]
#define B 1
#define K 9
#include "stencil-one.h"

int main(void) {
    cyclic_check();
    cyclic1_check();
    return 0;
}

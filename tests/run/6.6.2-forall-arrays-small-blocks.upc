// threads: 1 2 3 4 7 8
/* 6.6.2p6-12 over arrays: loops that read their neighbours' elements, blocks of two, three and seven that the arrays' lengths cut. */
#include "check.h"
#include "layout.h"

#define NAME two
#define LAYOUT [2]
#define B 2
#define K 11
#include "stencil-one.h"

#define NAME three
#define LAYOUT [3]
#define B 3
#define K 14
#include "stencil-one.h"

#define NAME seven
#define LAYOUT [7]
#define B 7
#define K 30
#include "stencil-one.h"

int main(void) {
    two_check();
    three_check();
    seven_check();
    return 0;
}

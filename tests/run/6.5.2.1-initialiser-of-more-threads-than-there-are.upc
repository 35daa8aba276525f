// threads: 1 2
// dynamic-only
// expect-exit: nonzero
// expect-stderr: initialiser of `squares` has more elements than the array has on [12] threads
/* C11 6.7.9 p2: no initialiser shall give a value to an object outside the array. With dynamic THREADS only the program's
 * start can see it, and says so, rather than write over what comes after. */
#include <upc.h>

shared int zeros[THREADS] = {0, 0, 0, 0};
shared int squares[2][THREADS] = {{0}, {0, 1, 4}};

int main(void) {
    return 0;
}

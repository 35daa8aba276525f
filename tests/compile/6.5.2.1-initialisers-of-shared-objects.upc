// Initialisers of shared scalars, structures, pointers and arrays are accepted.
#include <stddef.h>
struct s { int x; double d[2]; shared int *p; char name[8]; };
shared int a = 3, z;
shared int *shared p = &z;
shared struct s st = {1, {2.0, 3.0}, &z, "abc"};
shared struct s des = {.d[1] = 4.0, .name = "x", .p = NULL};
shared int arr[4 * THREADS] = {1, 2, 3, 4};
shared [2] int blocked[2 * THREADS][3] = {{1, 2, 3}, {4}};
shared [] char text[6] = "hello";
shared [] double d[] = {1, 2, [5] = 6};
shared int *q = &arr[2], *list[2] = {arr, &z};
shared [2] int (*row)[3] = &blocked[1];
static shared const long k = 1L << 40;
_Static_assert(sizeof d == 6 * sizeof(double), "sized by its initialiser");
void f(void) {
    static shared int inner = 7;
    static shared [] int t[2] = {1, 2};
    shared [] int *local = t;
    shared [] int *in = &st.x == local ? local : 0;
    inner = *in;
}

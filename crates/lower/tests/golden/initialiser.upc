/* Initialised shared objects, and pointers to shared. */
shared int x = 7;
shared [] int a[4] = {1, 2, [3] = 4};
struct s { int i; char name[4]; };
shared struct s s = {3, "abc"};
shared int *p = &x;
shared [] int *q = a + 2;
int get(void) { static shared int inner = 5; return x + *p + *q + inner; }

// Assigning through a pointer that lacks const is refused for shared types as for private ones.
shared const int k = 3;
shared const int *pc;
shared int *p;
shared const void *gc;
shared void *g;
void f(void) {
    k = 4; // error: C 6.5.16
    *pc = 4; // error: C 6.5.16
    pc[2]++; // error: C 6.5.16
    pc = p;
    gc = g, gc = p, gc = pc;
}

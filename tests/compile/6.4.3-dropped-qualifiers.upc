// An implicit conversion that drops const, volatile or strict from the referenced type is warned about, a cast is not.
shared int *p;
shared const int *pc;
shared volatile int *pv;
strict shared int *ps;
void take(shared int *);
void f(void) {
    p = pc; // warning: 6.4.3 p2
    p = pv; // warning: 6.4.3 p2
    p = ps; // warning: 6.4.3 p2
    take(pc); // warning: 6.4.3 p2
    pc = p, pv = p, ps = p;
    p = (shared int *)pc, take((shared int *)ps);
}

/* One declaration with several declarators, private and shared, and initialisers that read shared objects. */
shared int x;
shared int *p, *q[2], **r;
int f(void) {
    int a = x, b[2] = {x, x + 1}, *l = &a, c = *l + x;
    shared int *s = p, *t = q[1];
    return a + b[c] + *s + *t + **r;
}

// A file that ends in the middle of a block is reported where it ends.
// error(7): C 6.8.2
shared int s;
void f(void) {
    if (s) {
        s = 2;


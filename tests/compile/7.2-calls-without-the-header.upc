// A UPC library function used without its header is warned about, with the header's name.
shared int *p;
void f(void) {
    upc_free(p); // warning: 7.2 p1
    p = (shared int *)0;
}

// A header with mistakes: the reports name this file.
shared int fine_in_header;
struct in_header {
    int a;
    shared int x; // error: 6.5.1.1 p5
};
static inline int *leak(shared int *p) {
    return p; // error: 6.4.3 p4
}

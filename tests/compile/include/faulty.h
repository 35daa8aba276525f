// A header with mistakes: the reports name this file.
shared int fine_in_header;
struct in_header {
    int a;
    shared int x;
};
static inline int *leak(shared int *p) {
    return p;
}

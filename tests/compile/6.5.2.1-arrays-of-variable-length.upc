// The size of a shared array that is an object, a member's or at file scope is constant; elsewhere a pointer may refer to
// an array of variable length (C11 6.7.6.2 p2, 6.7.2.1 p9).
int n = 3;
shared int (*at_file_scope)[n]; // error: 6.5.2.1 p2
void prototype(int m, shared int (*a)[m], shared [] int b[][m]);
void f(int m, shared int (*a)[m]) {
    static shared int object[n]; // error: 6.5.2.1 p2
    static shared [] int row[3][n]; // error: 6.5.2.1 p2
    typedef shared [] int rows[m];
    static rows by_typedef; // error: 6.5.2.1 p2
    struct s {
        int x;
        shared int (*p)[m]; // error: 6.5.2.1 p2
    };
    shared [2] int (*fine)[m][n] = 0, *row_of_it = fine[0][0];
    rows *also = 0;
    (void)((shared int (*)[n])0 + sizeof(shared int (*)[m]) + sizeof(*also) + sizeof(*fine)), (void)row_of_it, (void)a;
}

// dynamic-only
// A typedef may have THREADS as a dimension, and then serves for shared objects alone where THREADS is not constant.
typedef int T[THREADS];
shared T fine;
T x; // error: 6.3.1 p1
static T many[3]; // error: 6.3.1 p1
void f(void) {
    typedef int here[THREADS];
    here of_variable_length;
    of_variable_length[0] = fine[MYTHREAD];
    static T y; // error: 6.3.1 p1
    (void)of_variable_length;
}

// The UPC keywords are reserved: none can name an object, a member, a parameter, a tag or a label.
static int *shared; // error: C syntax, 6.2 p3
int strict = 3; // error: 6.5.1.1 p4; C syntax, 6.2 p3
struct holder {
    int relaxed; // error: C syntax, 6.2 p3
    int fine;
};
int MYTHREAD; // error: C syntax, 6.2 p3
int f(int upc_barrier); // error: C syntax, 6.2 p3
struct upc_forall { int a; }; // error: C syntax, 6.2 p3
enum e { upc_wait, FINE }; // error: C syntax, 6.2 p3
int upc_elemsizeof(int); // error: C syntax, 6.2 p3
int still_here;

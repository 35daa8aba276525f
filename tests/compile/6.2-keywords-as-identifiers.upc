// The UPC keywords are reserved: none can name an object, a member, a parameter, a tag or a label.
int shared; // error: 6.2 p3
int strict = 3; // error: 6.2 p3
struct holder {
    int relaxed; // error: 6.2 p3
    int fine;
};
int MYTHREAD; // error: 6.2 p3
int f(int upc_barrier); // error: 6.2 p3
struct upc_forall { int a; }; // error: 6.2 p3
enum e { upc_wait, FINE }; // error: 6.2 p3
int upc_elemsizeof(int); // error: 6.2 p3
int still_here;

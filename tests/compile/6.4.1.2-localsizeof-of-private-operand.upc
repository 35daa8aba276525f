// upc_localsizeof applies to a shared type or an expression of shared type only.
shared int s;
shared int *p;
int *shared_pointee_only;
int i, a[10];
typedef int T;
typedef shared int ST;
struct st { shared int *p; } rec;
unsigned long r[9];
void f(void) {
    r[0] = upc_localsizeof(int); // error: 6.4.1.2 p1
    r[1] = upc_localsizeof i; // error: 6.4.1.2 p1
    r[2] = upc_localsizeof(a); // error: 6.4.1.2 p1
    r[3] = upc_localsizeof(p); // error: 6.4.1.2 p1
    r[4] = upc_localsizeof(shared int *); // error: 6.4.1.2 p1
    r[5] = upc_localsizeof(T); // error: 6.4.1.2 p1
    r[6] = upc_localsizeof(rec.p); // error: 6.4.1.2 p1
    r[7] = upc_localsizeof(1 + s); // error: 6.4.1.2 p1
    r[8] = upc_localsizeof(s) + upc_localsizeof(ST) + upc_localsizeof(*p) + upc_localsizeof(*rec.p);
    r[8] = upc_localsizeof(shared_pointee_only); // error: 6.4.1.2 p1
}

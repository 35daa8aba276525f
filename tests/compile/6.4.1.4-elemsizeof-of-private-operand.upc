// upc_elemsizeof applies to a shared type or an expression of shared type only.
shared int s;
shared int *p;
int *shared_pointee_only;
int i, a[10];
typedef int T;
typedef shared int ST;
struct st { shared int *p; } rec;
unsigned long r[9];
void f(void) {
    r[0] = upc_elemsizeof(int); // error: 6.4.1.4 p1
    r[1] = upc_elemsizeof i; // error: 6.4.1.4 p1
    r[2] = upc_elemsizeof(a); // error: 6.4.1.4 p1
    r[3] = upc_elemsizeof(p); // error: 6.4.1.4 p1
    r[4] = upc_elemsizeof(shared int *); // error: 6.4.1.4 p1
    r[5] = upc_elemsizeof(T); // error: 6.4.1.4 p1
    r[6] = upc_elemsizeof(rec.p); // error: 6.4.1.4 p1
    r[7] = upc_elemsizeof(1 + s); // error: 6.4.1.4 p1
    r[8] = upc_elemsizeof(s) + upc_elemsizeof(ST) + upc_elemsizeof(*p) + upc_elemsizeof(*rec.p);
    r[8] = upc_elemsizeof(shared_pointee_only); // error: 6.4.1.4 p1
}

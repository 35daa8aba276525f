// A parameter is an automatic object: it cannot be shared, though an array parameter, being a pointer, can point to shared.
typedef shared int S;
void a(shared int x) { } // error: 6.5.2 p8
void b(int *shared p) { } // error: 6.5.2 p8
void c(S x) { } // error: 6.5.2 p8
void d(x, y) int x; shared int y; { } // error: 6.5.2 p8
void e(shared int arr[10], shared [] int rows[][3], S *p, S list[]) { arr++, rows++, p++, list++; }
void g(p) shared int *p; { p++; }

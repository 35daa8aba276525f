// flags: -Wall -Werror
// `#pragma upc c_code` makes UPC's qualifiers names, as a header of C may have them, until `#pragma upc upc_code`.
#pragma upc c_code
typedef struct shared { int relaxed, strict; } record;
static inline int sum(int shared, int strict) { return shared + strict; }
#pragma upc upc_code
shared int x;
int f(record *p) { return p ? sum(x, 1) : 0; }

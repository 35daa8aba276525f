#include <upc.h>

inline int defined_inline(int x) { return x + 1; }
int there(int x) { return x + 1; }

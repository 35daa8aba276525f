/* Conversions of values on the way: small integers, floating point, _Bool, enumerations, complex. */
enum colour { RED, BLUE };
shared char c; shared unsigned short h; shared _Bool b; shared enum colour e; shared float f;
shared double _Complex z; shared long double w;
int ints(int i) { c = i; h = c; b = h; e = b ? BLUE : RED; return c + h + b + e; }
double reals(double d) { f = d; z = f; w = d; c += f; return f + w; }

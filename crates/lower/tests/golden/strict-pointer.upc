/* The class of an access is that of the referenced type (6.5.1.1p10). */
strict shared int *shared p;
relaxed shared int *q;
int get(void) { return *p + *q; }
void set(strict shared int *to) { p = to; *to = 1; *p = *q; }

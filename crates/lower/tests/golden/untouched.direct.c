
typedef unsigned long size_t;
/* Plain C stays byte for byte, comments and blanks too. */
struct point { int x, y; };   /* aligned   */
static inline int  twice ( int a ){return a+a;}

int sum(struct point *p, int n) {
	int s = 0;
	for (int i = 0; i < n; i++) s += twice(p[i].x) + p[i].y; // a tab before
	return s;
}

static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


typedef unsigned long size_t;
fathom_ptr a ; fathom_ptr b ; 
fathom_pptr v ; 
fathom_ptr c ; 
int compare(void) { return ((a == b)) + ((fathom_cyclic_diff(a, b, 4ul) < 0)) + ((a != (fathom_ptr)0)) + !(a) + ((fathom_word_of(v) == a)) + ((c >= (fathom_word_of(v)))); } 
int test(void) { if (a) return 1; while (b && !(fathom_word_of(v))) return 2; return a ? 3 : 4; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

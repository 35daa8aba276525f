
typedef unsigned long size_t;
/* Between block sizes, to void, to local, from null. */
fathom_pptr a ; 
fathom_ptr b ; 
fathom_ptr c ; 
fathom_pptr v ; 
void convert(void) { 
b = (fathom_word_of(a)); 
c = (b); 
v = a; 
a = v; 
b = (fathom_ptr)0;
} 
int *local(int i) { return (((int *)fathom_cast(fathom_cyclic_add(b, (long)(i), 4ul)))); } 
unsigned long number(void) { return (((unsigned long)fathom_word_of(a))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


typedef unsigned long size_t;
/* As parameters and results; pointers to such functions. */
fathom_ptr identity(fathom_ptr p) { return p; } 
fathom_pptr at(fathom_pptr p, int i) { return fathom_block_add(p, (long)(i), 5ul, 8ul); } 
fathom_ptr (*f)(fathom_ptr)  = identity; 
int call(fathom_ptr p) { return __extension__ ({ int fathom_copy2; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(f(p)))), &fathom_copy2, sizeof fathom_copy2); }) + __extension__ ({ int fathom_copy5; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(identity(fathom_cyclic_add(p, (long)(1), 4ul))))), &fathom_copy5, sizeof fathom_copy5); }); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

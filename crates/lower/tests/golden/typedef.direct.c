
typedef unsigned long size_t;
typedef int pair ; 
typedef fathom_pptr to_pair ; 
struct fathom_anon_0 { int a, b; }; typedef fathom_ptr record ; 
int get(fathom_pptr p, fathom_ptr r, int i) { fathom_pptr q  = fathom_block_add(p, (long)(i), 2ul, 4ul); return (*(int *)fathom_place(fathom_word_of(q))) + ((struct fathom_anon_0 *)fathom_place(r))->a + (*(struct fathom_anon_0 *)fathom_place(fathom_cyclic_add(r, (long)(1), 8ul))).b; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


typedef unsigned long size_t;
typedef int pair ; 
typedef fathom_pptr to_pair ; 
struct fathom_anon_0 { int a, b; }; typedef fathom_ptr record ; 
int get(fathom_pptr p, fathom_ptr r, int i) { fathom_pptr q  = fathom_block_add(p, (long)(i), 2ul, 4ul); return __extension__ ({ int fathom_copy2; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_word_of(q)))), &fathom_copy2, sizeof fathom_copy2); }) + __extension__ ({ int fathom_copy5; *(int *)fathom_read(fathom_place_word(&((struct fathom_anon_0 *)fathom_place(r))->a), &fathom_copy5, sizeof fathom_copy5); }) + __extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&(*(struct fathom_anon_0 *)fathom_place(fathom_cyclic_add(r, (long)(1), 8ul))).b), &fathom_copy8, sizeof fathom_copy8); }); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

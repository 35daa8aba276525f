
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

fathom_ptr p ; fathom_ptr q[2] ; fathom_ptr *r ; 
int f(void) { 
int a = __extension__ ({ int fathom_copy2; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))), &fathom_copy2, sizeof fathom_copy2); }), b[2] = {__extension__ ({ int fathom_copy5; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))), &fathom_copy5, sizeof fathom_copy5); }), __extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))), &fathom_copy8, sizeof fathom_copy8); }) + 1}, *l = &a, c = *l + __extension__ ({ int fathom_copy11; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))), &fathom_copy11, sizeof fathom_copy11); }); 
fathom_ptr s  = p; fathom_ptr t  = q[1]; 
return a + b[c] + __extension__ ({ int fathom_copy14; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(s))), &fathom_copy14, sizeof fathom_copy14); }) + __extension__ ({ int fathom_copy17; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(t))), &fathom_copy17, sizeof fathom_copy17); }) + __extension__ ({ int fathom_copy20; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(*r))), &fathom_copy20, sizeof fathom_copy20); });
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


typedef unsigned long size_t;
/* As parameters and results; pointers to such functions. */
fathom_ptr identity(fathom_ptr p) { return p; } 
fathom_pptr at(fathom_pptr p, int i) { return fathom_block_add(p, (long)(i), 5ul, 8ul); } 
fathom_ptr (*f)(fathom_ptr)  = identity; 
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=34\011function=call\011construct=read\011strict=false\011text=*f(p)\011object=\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=42\011function=call\011construct=read\011strict=false\011text=*identity(p + 1)\011object=\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 7 "<input>"
int call(fathom_ptr p) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(f(p))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(identity(fathom_cyclic_add(p, (long)(1), 4ul)))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


typedef unsigned long size_t;
typedef int pair ; 
typedef fathom_pptr to_pair ; 
struct fathom_anon_0 { int a, b; }; typedef fathom_ptr record ; 
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=63\011function=get\011construct=read\011strict=false\011text=*q\011object=q\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=2", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=68\011function=get\011construct=read\011strict=false\011text=r->a\011object=r\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=75\011function=get\011construct=read\011strict=false\011text=r[1].b\011object=r\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 6 "<input>"
int get(fathom_pptr p, fathom_ptr r, int i) { fathom_pptr q  = fathom_block_add(p, (long)(i), 2ul, 4ul); return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_word_of(q))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &((struct fathom_anon_0 *)fathom_place(r))->a; const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(struct fathom_anon_0 *)fathom_place(fathom_cyclic_add(r, (long)(1), 8ul))).b; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

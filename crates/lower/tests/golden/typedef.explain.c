
typedef unsigned long size_t;
typedef int pair ; 
typedef fathom_pptr to_pair ; 
struct fathom_anon_0 { int a, b; }; typedef fathom_ptr record ; 
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01163\011get\011read\0110\011*q\011q\0112\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01168\011get\011read\0110\011r->a\011r\0111\0118\011\0110\011address, load/store\011not in a loop\011\011\0110", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01175\011get\011read\0110\011r[1].b\011r\0111\0118\011\0110\011address, load/store\011not in a loop\011\011\0110", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 6 "<input>"
int get(fathom_pptr p, fathom_ptr r, int i) { fathom_pptr q  = fathom_block_add(p, (long)(i), 2ul, 4ul); return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_word_of(q))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &((struct fathom_anon_0 *)fathom_place(r))->a; const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(struct fathom_anon_0 *)fathom_place(fathom_cyclic_add(r, (long)(1), 8ul))).b; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

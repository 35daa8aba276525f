
typedef unsigned long size_t;
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01138\011sum\011read\0110\011p[i]\011p\0111\0114\011\0110\011address, load/store\011not in a upc_forall: whose element it is shows at run time only\011\011\0116", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01145\011sum\011read\0110\011q[i]\011q\0110\0114\011\0110\011row pointer\011what the loop leaves alone was computed before it\011\011\0116", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01122\011sum\011read\0110\011*p++\011p\0111\0114\011\0110\011address, load/store\011not in a upc_forall: whose element it is shows at run time only\011\011\0117", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01113\011sum\011read\0110\011*q--\011q\0110\0114\011\0110\011C subscript\011everything is on one thread: C's own address arithmetic\011\011\0118", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 4 "<input>"
int sum(fathom_ptr p, fathom_ptr q, int n) {
    int s = 0; 
{ __attribute__((unused)) int *const fathom_row3 = fathom_local(q); struct fathom_run fathom_row3_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_row3), 0}; struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; for (int i = 0; i < n; i++) s += (*__extension__ ({ __auto_type fathom_p4 = &(*(int *)fathom_place(fathom_cyclic_add(p, (long)(i), 4ul))); const fathom_ptr fathom_word5 = fathom_word(& *fathom_p4); fathom_explain_tally(&fathom_tally1_at0, fathom_word5); fathom_p4; })) + (*(fathom_row3_at1.n++, &fathom_row3[i])); } 
{ struct fathom_walk fathom_walk7_at2 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_2, 1ul, fathom_site_2.left, fathom_site_2.left, 0, 0}; while (n--) s += (*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old8 = p; p = fathom_cyclic_add(fathom_old8, 1l, 4ul); fathom_old8; }))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_walk(&fathom_walk7_at2, fathom_word10, 0); fathom_p9; })); } 
{ struct fathom_walk fathom_walk12_at3 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_3, 0ul, fathom_site_3.left, fathom_site_3.left, 0, 0}; do s -= (*__extension__ ({ __auto_type fathom_p14 = &(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old13 = q; q = fathom_flat_add(fathom_old13, -1l, 4ul); fathom_old13; }))); const fathom_ptr fathom_word15 = fathom_word(& *fathom_p14); fathom_explain_walk(&fathom_walk12_at3, fathom_word15, 0); fathom_p14; })); while (s > 0); } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

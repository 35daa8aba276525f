
typedef unsigned long size_t;
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=38\011function=sum\011construct=read\011strict=false\011text=p[i]\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=6\011block=1", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=45\011function=sum\011construct=read\011strict=false\011text=q[i]\011object=q\011elem_bytes=4\011row=0\011form=row-pointer\011reason=row\011affinity=\011loop_line=6\011block=0", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=22\011function=sum\011construct=read\011strict=false\011text=*p++\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=1", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=13\011function=sum\011construct=read\011strict=false\011text=*q--\011object=q\011elem_bytes=4\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=8\011block=0", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 4 "<input>"
int sum(fathom_ptr p, fathom_ptr q, int n) {
    int s = 0; 
{ __attribute__((unused)) int *const fathom_row3 = fathom_local(q); struct fathom_run fathom_row3_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_row3), 0}; struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; for (int i = 0; i < n; i++) s += (*__extension__ ({ __auto_type fathom_p4 = &(*(int *)fathom_place(fathom_cyclic_add(p, (long)(i), 4ul))); const fathom_ptr fathom_word5 = fathom_word(& *fathom_p4); fathom_explain_tally(&fathom_tally1_at0, fathom_word5); fathom_p4; })) + (*(fathom_row3_at1.n++, &fathom_row3[i])); } 
{ struct fathom_walk fathom_walk7_at2 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_2, 1ul, fathom_site_2.left, fathom_site_2.left, 0, 0}; while (n--) s += (*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old8 = p; p = fathom_cyclic_add(fathom_old8, 1l, 4ul); fathom_old8; }))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_walk(&fathom_walk7_at2, fathom_word10, 0); fathom_p9; })); } 
{ struct fathom_walk fathom_walk12_at3 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_3, 0ul, fathom_site_3.left, fathom_site_3.left, 0, 0}; do s -= (*__extension__ ({ __auto_type fathom_p14 = &(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old13 = q; q = fathom_flat_add(fathom_old13, -1l, 4ul); fathom_old13; }))); const fathom_ptr fathom_word15 = fathom_word(& *fathom_p14); fathom_explain_walk(&fathom_walk12_at3, fathom_word15, 0); fathom_p14; })); while (s > 0); } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

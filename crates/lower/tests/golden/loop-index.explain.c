
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_table[] __asm__("table") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak table\n\t.type table,@object\n\t.size table,8000\ntable:\t.zero 8000\n\t.popsection");
# 4 "<input>"

extern char fathom_at_index[] __asm__("index") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak index\n\t.type index,@object\n\t.size index,40\nindex:\t.zero 40\n\t.popsection");
# 5 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=6\011column=65\011function=add\011construct=update\011strict=false\011text=table[where[i]]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=6\011block=1\011count=1000\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 6 "<input>"
void add(const int *where, int n) { { struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; for (int i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p3 = &(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(where[i]), 8ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_tally(&fathom_tally1_at0, fathom_word4); fathom_p3; })) += 1); } }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=73\011function=gather\011construct=read\011strict=false\011text=index[i]\011object=index\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=10\011count=10\011count_per_thread=true", fathom_at_index};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=7\011column=67\011function=gather\011construct=read\011strict=false\011text=table[index[i]]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=1\011count=1000\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 7 "<input>"
long gather(int n) { long s = 0; { struct fathom_tally fathom_tally5_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; struct fathom_tally fathom_tally5_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; for (int i = 0; i < n; i++) s += (*__extension__ ({ __auto_type fathom_p9 = &(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)((*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_index), (long)(i), 10ul, 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally5_at1, fathom_word8); fathom_p7; }))), 8ul))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_tally(&fathom_tally5_at2, fathom_word10); fathom_p9; })); } return s; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

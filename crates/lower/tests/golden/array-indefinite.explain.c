
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,800\na:\t.zero 800\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=5\011column=28\011function=get\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0\011count=100\011count_per_thread=false", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 5 "<input>"
double get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(double (*)[100])fathom_place(fathom_static(fathom_at_a)))[i]; const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=8\011column=26\011function=walk\011construct=read\011strict=false\011text=*p++\011object=p\011elem_bytes=8\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=8\011block=0", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
double walk(fathom_ptr p, int n) {
    double s = 0; 
{ struct fathom_walk fathom_walk4_at1 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_1, 0ul, fathom_site_1.left, fathom_site_1.left, 0, 0}; while (n-- > 0) s += (*__extension__ ({ __auto_type fathom_p6 = &(*(double *)fathom_place(__extension__ ({ fathom_ptr fathom_old5 = p; p = fathom_flat_add(fathom_old5, 1l, 8ul); fathom_old5; }))); const fathom_ptr fathom_word7 = fathom_word(& *fathom_p6); fathom_explain_walk(&fathom_walk4_at1, fathom_word7, 0); fathom_p6; })); } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

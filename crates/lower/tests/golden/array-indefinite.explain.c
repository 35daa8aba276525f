
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,800\na:\t.zero 800\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\0115\01128\011get\011read\0110\011a[i]\011a\0110\0118\011100\0111\011C subscript\011everything is on one thread: C's own address arithmetic\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 5 "<input>"
double get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(double (*)[100])fathom_place(fathom_static(fathom_at_a)))[i]; const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\0118\01126\011walk\011read\0110\011*p++\011p\0110\0118\011\0110\011C subscript\011everything is on one thread: C's own address arithmetic\011\011\0118", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
double walk(fathom_ptr p, int n) {
    double s = 0; 
{ struct fathom_walk fathom_walk4_at1 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_1, 0ul, fathom_site_1.left, fathom_site_1.left, 0, 0}; while (n-- > 0) s += (*__extension__ ({ __auto_type fathom_p6 = &(*(double *)fathom_place(__extension__ ({ fathom_ptr fathom_old5 = p; p = fathom_flat_add(fathom_old5, 1l, 8ul); fathom_old5; }))); const fathom_ptr fathom_word7 = fathom_word(& *fathom_p6); fathom_explain_walk(&fathom_walk4_at1, fathom_word7, 0); fathom_p6; })); } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

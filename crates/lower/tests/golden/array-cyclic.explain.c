
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,40\na:\t.zero 40\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0115\01125\011get\011read\0110\011a[i]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 5 "<input>"
int get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0116\01126\011put\011write\0110\011a[i]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
void put(int i, int v) { ((*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) = v); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01132\011shift\011read\0110\011a[i]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01121\011shift\011write\0110\011a[i + 1]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01138\011shift\011update\0110\011a[i]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01162\011shift\011read\0110\011a[0]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01146\011shift\011update\0110\011a[2 * i - 1]\011a\0111\0114\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 7 "<input>"
void shift(int i) { ((*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i + 1), 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })) = (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; }))); ((*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; }))++); ((*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(2 * i - 1), 4ul))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_6, fathom_word14); fathom_p13; })) -= (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(0), 4ul))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_5, fathom_word12); fathom_p11; }))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

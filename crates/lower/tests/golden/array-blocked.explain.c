
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak b\n\t.type b,@object\n\t.size b,10\nb:\t.zero 10\n\t.popsection");
# 5 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\0116\01126\011get\011read\0110\011a[i]\011a\0114\0118\0118*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0116\01133\011get\011read\0110\011b[i]\011b\0115\0111\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
long get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\0117\01132\011put\011write\0110\011a[i]\011a\0114\0118\0118*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01142\011put\011write\0110\011b[i]\011b\0115\0111\01110*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_b};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 7 "<input>"
void put(unsigned i, long v) { ((*__extension__ ({ __auto_type fathom_p5 = &(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) = v); ((*__extension__ ({ __auto_type fathom_p7 = &(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })) = (char)v); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

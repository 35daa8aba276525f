
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak b\n\t.type b,@object\n\t.size b,10\nb:\t.zero 10\n\t.popsection");
# 5 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=6\011column=26\011function=get\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=4\011count=8\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "file=<input>\011line=6\011column=33\011function=get\011construct=read\011strict=false\011text=b[i]\011object=b\011elem_bytes=1\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=5\011count=10\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
long get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=7\011column=32\011function=put\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=4\011count=8\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "file=<input>\011line=7\011column=42\011function=put\011construct=write\011strict=false\011text=b[i]\011object=b\011elem_bytes=1\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=5\011count=10\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 7 "<input>"
void put(unsigned i, long v) { ((*__extension__ ({ __auto_type fathom_p5 = &(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) = v); ((*__extension__ ({ __auto_type fathom_p7 = &(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })) = (char)v); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

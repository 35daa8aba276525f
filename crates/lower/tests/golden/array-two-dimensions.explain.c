
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,32\na:\t.zero 32\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak b\n\t.type b,@object\n\t.size b,32\nb:\t.zero 32\n\t.popsection");
# 5 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak c\n\t.type c,@object\n\t.size c,32\nc:\t.zero 32\n\t.popsection");
# 6 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=32\011function=get\011construct=read\011strict=false\011text=a[i][j]\011object=a\011elem_bytes=4\011row=8\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=8\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=42\011function=get\011construct=read\011strict=false\011text=b[i][j]\011object=b\011elem_bytes=4\011row=8\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=8\011count=8\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 7 "<input>"
int get(int i, int j) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i) * (8l) + (long)(j), 4ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (8l) + (long)(j), 8ul, 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=8\011column=74\011function=row\011construct=read\011strict=false\011text=c[i][j]\011object=c\011elem_bytes=8\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=8\011block=1\011count=4\011count_per_thread=true", fathom_at_c};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 8 "<input>"
double row(int i) { double s = 0; { struct fathom_tally fathom_tally5_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; for (int j = 0; j < THREADS; j++) s += (*__extension__ ({ __auto_type fathom_p7 = &(*(double *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_c), (long)(i) * (1l * (long)fathom_threads) + (long)(j), 8ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally5_at2, fathom_word8); fathom_p7; })); } return s; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

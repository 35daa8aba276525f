
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,64\nb:\t.zero 64\n\t.popsection");
# 3 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak c\n\t.type c,@object\n\t.size c,16\nc:\t.zero 16\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=36\011function=f\011construct=read\011strict=false\011text=b[i]\011object=b\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=16\011count=16\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=43\011function=f\011construct=read\011strict=false\011text=c[i]\011object=c\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=4\011count=4\011count_per_thread=true", fathom_at_c};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=29\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=21\011function=f\011construct=read\011strict=false\011text=p[i - 1]\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=8\011block=20", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=32\011function=f\011construct=read\011strict=false\011text=p[i]\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=8\011block=20", 0};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=11\011column=36\011function=f\011construct=read\011strict=false\011text=b[i]\011object=b\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=11\011block=16\011count=16\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
# 5 "<input>"
int f(fathom_pptr p, int n) {
    int i, sum = 0; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; struct fathom_tally fathom_tally1_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; struct fathom_tally fathom_tally1_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; for (i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally1_at2, fathom_word8); fathom_p7; })) = (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_tally(&fathom_tally1_at0, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 4ul, 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_tally(&fathom_tally1_at1, fathom_word6); fathom_p5; }))); } 
{ struct fathom_tally fathom_tally9_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; struct fathom_tally fathom_tally9_at4 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_4, 0, fathom_site_4.left}; for (i = 1; i <= n; i++) 
if ((sum += (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i - 1), 20ul, 4ul)))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_tally(&fathom_tally9_at3, fathom_word12); fathom_p11; })) + (*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i), 20ul, 4ul)))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_tally(&fathom_tally9_at4, fathom_word14); fathom_p13; }))) < 0) break; }
#pragma GCC unroll 2
    for (i = 0; i < n; i++) sum += (*__extension__ ({ __auto_type fathom_p16 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word17 = fathom_word(& *fathom_p16); fathom_explain_touch(&fathom_site_5, fathom_word17); fathom_p16; }));
    return sum;
}
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=16\011column=18\011function=g\011construct=read\011strict=false\011text=a[j]\011object=a\011elem_bytes=4\011row=1\011form=row-pointer\011reason=row\011affinity=\011loop_line=16\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
static struct fathom_site fathom_site_7 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=16\011column=28\011function=g\011construct=read\011strict=false\011text=a[j + 1]\011object=a\011elem_bytes=4\011row=1\011form=row-pointer\011reason=row\011affinity=\011loop_line=16\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_7_at __attribute__((section("fathom_sites"), used)) = &fathom_site_7;
static struct fathom_site fathom_site_8 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=16\011column=50\011function=g\011construct=read\011strict=false\011text=b[k]\011object=b\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=16\011block=16\011count=16\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_8_at __attribute__((section("fathom_sites"), used)) = &fathom_site_8;
# 14 "<input>"
int g(int j) {
    int sum = 0; 
{ __attribute__((unused)) int *const fathom_row20 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(j), 16ul, 4ul)); __attribute__((unused)) int *const fathom_row21 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(j + 1), 16ul, 4ul)); struct fathom_run fathom_row20_at6 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_6, fathom_word(fathom_row20), 0}; struct fathom_run fathom_row21_at7 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_7, fathom_word(fathom_row21), 0}; struct fathom_tally fathom_tally18_at8 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_8, 0, fathom_site_8.left}; { int k = (*(fathom_row20_at6.n++, &(*fathom_row20)));for (; k < (*(fathom_row21_at7.n++, &(*fathom_row21))); k++) sum += (*__extension__ ({ __auto_type fathom_p22 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(k), 16ul, 4ul))); const fathom_ptr fathom_word23 = fathom_word(& *fathom_p22); fathom_explain_tally(&fathom_tally18_at8, fathom_word23); fathom_p22; })); } } 
return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

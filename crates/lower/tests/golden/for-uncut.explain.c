
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,64\nb:\t.zero 64\n\t.popsection");
# 3 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=16\011function=f\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=13\011column=9\011function=f\011construct=write\011strict=false\011text=b[i]\011object=b\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=11\011block=16\011count=16\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=14\011column=18\011function=f\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=11\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=18\011column=16\011function=f\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=16\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 4 "<input>"
int f(int n) {
    int i, sum = 0;
    void shrink(void) { n--; } 
for (i = 0; i < n; i++) { 
sum += (*__extension__ ({ __auto_type fathom_p2 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word3 = fathom_word(& *fathom_p2); fathom_explain_touch(&fathom_site_0, fathom_word3); fathom_p2; }));
        shrink();
    } 
for (i = 0; i < 16; i++) {
        static int before; 
((*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_1, fathom_word6); fathom_p5; })) = before); 
before = (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_2, fathom_word8); fathom_p7; }));
    } 
{ struct fathom_tally fathom_tally9_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; for (i = 0; i < 16; i++)
#pragma omp atomic
        sum += (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_tally(&fathom_tally9_at3, fathom_word12); fathom_p11; })); } 
return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

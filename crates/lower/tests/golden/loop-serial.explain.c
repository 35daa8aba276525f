
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,400\nb:\t.zero 400\n\t.popsection");
# 5 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,2800\nc:\t.zero 2800\n\t.popsection");
# 6 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=38\011function=sum\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=9\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=45\011function=sum\011construct=read\011strict=false\011text=b[i]\011object=b\011elem_bytes=4\011row=1\011form=row-pointer\011reason=row\011affinity=\011loop_line=9\011block=0\011count=100\011count_per_thread=false", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=43\011function=sum\011construct=read\011strict=false\011text=c[i]\011object=c\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=10\011block=7\011count=700\011count_per_thread=true", fathom_at_c};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 7 "<input>"
long sum(int n) {
    long s = 0; 
{ __attribute__((unused)) int *const fathom_row3 = fathom_local(fathom_static(fathom_at_b)); struct fathom_run fathom_row3_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_row3), 0}; struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; for (int i = 0; i < n; i++) s += (*__extension__ ({ __auto_type fathom_p4 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word5 = fathom_word(& *fathom_p4); fathom_explain_tally(&fathom_tally1_at0, fathom_word5); fathom_p4; })) + (*(fathom_row3_at1.n++, &fathom_row3[i])); } 
{ struct fathom_tally fathom_tally6_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; for (int i = n - 1; i >= 0; i--) s -= (*__extension__ ({ __auto_type fathom_p8 = &(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 7ul, 4ul))); const fathom_ptr fathom_word9 = fathom_word(& *fathom_p8); fathom_explain_tally(&fathom_tally6_at2, fathom_word9); fathom_p8; })); } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

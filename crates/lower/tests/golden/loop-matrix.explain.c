
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
enum { N = 32 };
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,8192\na:\t.zero 8192\n\t.popsection");
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,8192\nc:\t.zero 8192\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,8192\nb:\t.zero 8192\n\t.popsection");
# 5 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=10\011column=46\011function=multiply\011construct=read\011strict=false\011text=a[i][k]\011object=a\011elem_bytes=8\011row=32\011form=row-pointer\011reason=row\011affinity=\011loop_line=10\011block=32\011count=1024\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=10\011column=56\011function=multiply\011construct=read\011strict=false\011text=b[k][j]\011object=b\011elem_bytes=8\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=10\011block=32\011count=1024\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=13\011function=multiply\011construct=write\011strict=false\011text=c[i][j]\011object=c\011elem_bytes=8\011row=32\011form=row-pointer\011reason=row\011affinity=\011loop_line=8\011block=32\011count=1024\011count_per_thread=true", fathom_at_c};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 6 "<input>"
void multiply(int n) { 
{ struct fathom_tally fathom_tally1_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; for (int i = 0; i < n; i++) 
{ __attribute__((unused)) double *const fathom_row4 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(

i) * (32l), 32ul, 8ul)); __attribute__((unused)) double *const fathom_row5 = fathom_local(fathom_block_elem(fathom_static(fathom_at_c), (long)(
i) * (32l), 32ul, 8ul)); struct fathom_run fathom_row4_at0 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_0, fathom_word(fathom_row4), 0}; struct fathom_run fathom_row5_at2 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_2, fathom_word(fathom_row5), 0}; 
# 8 "<input>"
for (int j = 0; j < N; j++) {
            double s = 0; 
for (int k = 0; k < N; k++) s += (*(fathom_row4_at0.n++, &fathom_row4[k])) * (*__extension__ ({ __auto_type fathom_p7 = &(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(k) * (32l * (long)fathom_threads) + (long)(j), 32ul, 8ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally1_at1, fathom_word8); fathom_p7; })); 
((*(fathom_row5_at2.n++, &fathom_row5[j])) = s);
        } } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,2048\na:\t.zero 2048\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,2048\nb:\t.zero 2048\n\t.popsection");
# 3 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=7\011column=48\011function=f\011construct=read\011strict=false\011text=b[i][j]\011object=b\011elem_bytes=8\011row=16\011form=row-pointer\011reason=row\011affinity=&a[i][0]\011loop_line=7\011block=16\011count=256\011count_per_thread=true\011follows=0", fathom_at_b};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=7\011column=34\011function=f\011construct=write\011strict=false\011text=a[i][j]\011object=a\011elem_bytes=8\011row=16\011form=row-pointer\011reason=row\011affinity=&a[i][0]\011loop_line=7\011block=16\011count=256\011count_per_thread=true\011follows=0", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 4 "<input>"
void f(int n) {
    int i, j; 
{ i = 0; const long fathom_lo3 = (long)i; const long fathom_hi4 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi4; i++) { 
{ __attribute__((unused)) double *const fathom_row6 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul)); __attribute__((unused)) double *const fathom_row7 = fathom_local(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul)); struct fathom_run fathom_row7_at0 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_0, fathom_word(fathom_row7), 0}; struct fathom_run fathom_row6_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_row6), 0}; 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) ((*(fathom_row6_at1.n++, &fathom_row6[j])) = 2 * (*(fathom_row7_at0.n++, &fathom_row7[j]))); } } else { const long fathom_first8 = fathom_cyclic_first(fathom_lo3, 0l); const long fathom_n10 = fathom_cyclic_count(fathom_first8, fathom_hi4); for (long fathom_k9 = 0; fathom_k9 < fathom_n10; fathom_k9++) { __attribute__((unused)) int i = (int)(fathom_first8 + fathom_k9 * (long)fathom_threads); { __attribute__((unused)) double *const fathom_row12 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul)); __attribute__((unused)) double *const fathom_row13 = fathom_local(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul)); struct fathom_run fathom_row13_at0 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_0, fathom_word(fathom_row13), 0}; struct fathom_run fathom_row12_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_row12), 0}; 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) ((*(fathom_row12_at1.n++, &fathom_row12[j])) = 2 * (*(fathom_row13_at0.n++, &fathom_row13[j]))); }} }  i = (int)(fathom_hi4 > fathom_lo3 ? fathom_hi4 : fathom_lo3); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

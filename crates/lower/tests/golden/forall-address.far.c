
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,400\nb:\t.zero 400\n\t.popsection");
# 4 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,640\nc:\t.zero 640\n\t.popsection");
# 5 "<input>"

void f(int n) {
    int i; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { (__extension__ ({ int fathom_v6 = __extension__ ({ int fathom_copy4; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul)))), &fathom_copy4, sizeof fathom_copy4); }) + 1; const fathom_ptr fathom_at7 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); fathom_write(fathom_is_near(fathom_at7), fathom_at7, &fathom_v6, sizeof fathom_v6); fathom_v6; })); } else { const long fathom_first8 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n10 = fathom_cyclic_count(fathom_first8, fathom_hi2); __attribute__((unused)) int *const fathom_view11 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first8 + 0l, 4ul)); __attribute__((unused)) int *const fathom_view12 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_b), fathom_first8 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k9 = 0; fathom_k9 < fathom_n10; fathom_k9++) { __attribute__((unused)) int i = (int)(fathom_first8 + fathom_k9 * (long)fathom_threads); 
# 8 "<input>"
(fathom_view11[fathom_k9] = fathom_view12[fathom_k9] + 1);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ i = 1; const long fathom_lo13 = (long)i; const long fathom_hi14 = (long)(n - 1); const long fathom_lead24 = 0; struct fathom_ranges fathom_ranges23; fathom_ranges_init(&fathom_ranges23, fathom_lo13, fathom_hi14, 0l + fathom_lead24, 8l, 1l, 0l, 1 && 0 == fathom_lead24); while (fathom_ranges_next(&fathom_ranges23)) { const int fathom_from27 = (int)fathom_ranges23.from, fathom_to26 = (int)fathom_ranges23.to; if (__builtin_expect(fathom_ranges23.fast, 1)) { __attribute__((unused)) double *const fathom_view25 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges23, fathom_lead24, 8ul); for (i = fathom_from27; i < fathom_to26; i++) (fathom_view25[i] = fathom_view25[i] * 2 + fathom_view25[i - 1]); } else for (i = fathom_from27; i < fathom_to26; i++) (__extension__ ({ double fathom_v21 = __extension__ ({ double fathom_copy16; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul)))), &fathom_copy16, sizeof fathom_copy16); }) * 2 + __extension__ ({ double fathom_copy19; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i - 1), 8ul, 8ul)))), &fathom_copy19, sizeof fathom_copy19); }); const fathom_ptr fathom_at22 = fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul)))); fathom_write(fathom_is_near(fathom_at22), fathom_at22, &fathom_v21, sizeof fathom_v21); fathom_v21; })); }  i = (int)(fathom_hi14 > fathom_lo13 ? fathom_hi14 : fathom_lo13); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

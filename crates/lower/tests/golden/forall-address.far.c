
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
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) (__extension__ ({ int fathom_v6 = __extension__ ({ int fathom_copy4; *(int *)fathom_read((fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_b), (long)(i), 4ul))), &fathom_copy4, sizeof fathom_copy4); }) + 1; const fathom_ptr fathom_at7 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); if (fathom_is_near(fathom_at7)) *(int *)fathom_local(fathom_at7) = fathom_v6; else { int fathom_copy8 = fathom_v6; fathom_far_put(fathom_at7, &fathom_copy8, sizeof fathom_copy8); }; fathom_v6; })); else { const long fathom_first9 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n11 = fathom_cyclic_count(fathom_first9, fathom_hi2); __attribute__((unused)) int *const fathom_view12 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first9 + 0l, 4ul)); __attribute__((unused)) int *const fathom_view13 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_b), fathom_first9 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k10 = 0; fathom_k10 < fathom_n11; fathom_k10++) { __attribute__((unused)) int i = (int)(fathom_first9 + fathom_k10 * (long)fathom_threads); 
# 8 "<input>"
(fathom_view12[fathom_k10] = fathom_view13[fathom_k10] + 1);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ i = 1; const long fathom_lo14 = (long)i; const long fathom_hi15 = (long)(n - 1); const long fathom_lead26 = 0; struct fathom_ranges fathom_ranges25; fathom_ranges_init(&fathom_ranges25, fathom_lo14, fathom_hi15, 0l + fathom_lead26, 8l, 1l, 0l, 1 && 0 == fathom_lead26); while (fathom_ranges_next(&fathom_ranges25)) { const int fathom_from29 = (int)fathom_ranges25.from, fathom_to28 = (int)fathom_ranges25.to; if (__builtin_expect(fathom_ranges25.fast, 1)) { __attribute__((unused)) double *const fathom_view27 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges25, fathom_lead26, 8ul); for (i = fathom_from29; i < fathom_to28; i++) (fathom_view27[i] = fathom_view27[i] * 2 + fathom_view27[i - 1]); } else for (i = fathom_from29; i < fathom_to28; i++) (__extension__ ({ double fathom_v22 = __extension__ ({ double fathom_copy17; *(double *)fathom_read((fathom_ptr)&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul))), &fathom_copy17, sizeof fathom_copy17); }) * 2 + __extension__ ({ double fathom_copy20; *(double *)fathom_read((fathom_ptr)&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i - 1), 8ul, 8ul))), &fathom_copy20, sizeof fathom_copy20); }); const fathom_ptr fathom_at23 = (fathom_ptr)&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul))); if (fathom_is_near(fathom_at23)) *(double *)fathom_local(fathom_at23) = fathom_v22; else { double fathom_copy24 = fathom_v22; fathom_far_put(fathom_at23, &fathom_copy24, sizeof fathom_copy24); }; fathom_v22; })); }  i = (int)(fathom_hi15 > fathom_lo14 ? fathom_hi15 : fathom_lo14); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

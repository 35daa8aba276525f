
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_t[] __asm__("t") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak t\n\t.type t,@object\n\t.size t,80\nt:\t.zero 80\n\t.popsection");
# 4 "<input>"

extern char fathom_at_u[] __asm__("u") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak u\n\t.type u,@object\n\t.size u,32\nu:\t.zero 32\n\t.popsection");
# 5 "<input>"

extern char fathom_at_ix[] __asm__("ix") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak ix\n\t.type ix,@object\n\t.size ix,40\nix:\t.zero 40\n\t.popsection");
# 6 "<input>"

double sum(int n, const int *w) { double s = 0; { const long fathom_lo5 = (long)(int)(0), fathom_trips6 = (long)(n) - fathom_lo5; struct fathom_strip fathom_strip4; if (fathom_trips6 >= fathom_gathers_from && (fathom_strip_begin(&fathom_strip4, fathom_trips6), fathom_strip_gather(&fathom_strip4, fathom_static(fathom_at_t), 80ul, 1ul, 8ul), fathom_strip_open(&fathom_strip4))) { 
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
# 7 "<input>"
for (int i = 0; i < n; ) { unsigned long fathom_n7 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n7 = fathom_strip_next(&fathom_strip4, fathom_n7 + 1); const int fathom_first9 = i; fathom_ptr *const fathom_places10 = fathom_gather_places(0, fathom_n7); for (unsigned long fathom_k8 = 0; fathom_k8 < fathom_n7; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_first9 + (long)fathom_k8); fathom_places10[fathom_k8] = fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(w[i]), 8ul); } fathom_gather_fetch(&fathom_strip4, 0, 1, fathom_n7); __attribute__((unused)) const double *const fathom_landed11 = fathom_strip4.gather[0].at; unsigned long fathom_k8 = 0; for (; fathom_k8 < fathom_n7; fathom_k8++, i++) { s += fathom_landed11[fathom_k8]; } if (fathom_k8 < fathom_n7) break;  }
#pragma GCC diagnostic pop
 } else { 
# 7 "<input>"
for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy2; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(w[i]), 8ul)))), &fathom_copy2, sizeof fathom_copy2); }); } } return s; } 
double both(int n) { double s = 0; { const long fathom_lo32 = (long)(int)(0), fathom_trips33 = (long)(n) - fathom_lo32; struct fathom_strip fathom_strip31; if (fathom_trips33 >= fathom_gathers_from && (fathom_strip_begin(&fathom_strip31, fathom_trips33), fathom_strip_range(&fathom_strip31, fathom_static(fathom_at_u), 0ul, fathom_lo32 + 0l, 4ul, 8ul, 0l), fathom_strip_range(&fathom_strip31, fathom_static(fathom_at_ix), 0ul, fathom_lo32 + 0l, 1ul, 4ul, 0l), fathom_strip_gather(&fathom_strip31, fathom_static(fathom_at_t), 80ul, 1ul, 8ul), fathom_strip_open(&fathom_strip31))) { 
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
# 8 "<input>"
for (int i = 0; i < n; ) { unsigned long fathom_n34 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n34 = fathom_strip_next(&fathom_strip31, fathom_n34 + 1); __attribute__((unused)) const double *const fathom_landed36 = fathom_strip31.slot[0].at; __attribute__((unused)) const int *const fathom_landed37 = fathom_strip31.slot[1].at; const int fathom_first38 = i; fathom_ptr *const fathom_places39 = fathom_gather_places(0, fathom_n34); for (unsigned long fathom_k35 = 0; fathom_k35 < fathom_n34; fathom_k35++) { __attribute__((unused)) int i = (int)(fathom_first38 + (long)fathom_k35); fathom_places39[fathom_k35] = fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_landed37[fathom_k35]), 8ul); } fathom_gather_fetch(&fathom_strip31, 0, 1, fathom_n34); __attribute__((unused)) const double *const fathom_landed40 = fathom_strip31.gather[0].at; unsigned long fathom_k35 = 0; for (; fathom_k35 < fathom_n34; fathom_k35++, i++) { s += fathom_landed36[fathom_k35] * fathom_landed40[fathom_k35]; } if (fathom_k35 < fathom_n34) break;  }
#pragma GCC diagnostic pop
 } else { { const long fathom_lo22 = (long)(int)(
# 8 "<input>"
0), fathom_trips23 = (long)(n) - fathom_lo22; struct fathom_strip fathom_strip21; if (fathom_trips23 >= fathom_strips_from && (fathom_strip_begin(&fathom_strip21, fathom_trips23), fathom_strip_range(&fathom_strip21, fathom_static(fathom_at_u), 0ul, fathom_lo22 + 0l, 4ul, 8ul, 0l), fathom_strip_range(&fathom_strip21, fathom_static(fathom_at_ix), 0ul, fathom_lo22 + 0l, 1ul, 4ul, 0l), fathom_strip_open(&fathom_strip21))) { for (int i = 0; i < n; ) { unsigned long fathom_n24 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n24 = fathom_strip_next(&fathom_strip21, fathom_n24 + 1); __attribute__((unused)) const double *const fathom_landed26 = fathom_strip21.slot[0].at; __attribute__((unused)) const int *const fathom_landed27 = fathom_strip21.slot[1].at; unsigned long fathom_k25 = 0; for (; fathom_k25 < fathom_n24; fathom_k25++, i++) { s += fathom_landed26[fathom_k25] * __extension__ ({ double fathom_copy29; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_landed27[fathom_k25]), 8ul)))), &fathom_copy29, sizeof fathom_copy29); }); } if (fathom_k25 < fathom_n24) break;  } } else { for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy13; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(i), 4ul, 8ul)))), &fathom_copy13, sizeof fathom_copy13); }) * __extension__ ({ double fathom_copy19; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(__extension__ ({ int fathom_copy16; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), &fathom_copy16, sizeof fathom_copy16); })), 8ul)))), &fathom_copy19, sizeof fathom_copy19); }); } } } } return s; } 
double some(int n, const int *w, double *to) {
    double s = 0; 
{ const long fathom_lo54 = (long)(int)(0), fathom_trips55 = (long)(n) - fathom_lo54; struct fathom_strip fathom_strip53; if (fathom_trips55 >= fathom_gathers_from && (fathom_strip_begin(&fathom_strip53, fathom_trips55), fathom_strip_gather(&fathom_strip53, fathom_static(fathom_at_u), 32ul, 4ul, 8ul), fathom_strip_gather(&fathom_strip53, fathom_static(fathom_at_t), 80ul, 1ul, 8ul), fathom_strip_stores(&fathom_strip53, (const volatile char *)


to + (fathom_lo54 + 0l) * 8l, fathom_trips55 * 8l), fathom_strip_open(&fathom_strip53))) { 
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
# 11 "<input>"
for (int i = 0; i < n; ) { unsigned long fathom_n56 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n56 = fathom_strip_next(&fathom_strip53, fathom_n56 + 1); const int fathom_first58 = i; fathom_ptr *const fathom_places59 = fathom_gather_places(0, fathom_n56); fathom_ptr *const fathom_places60 = fathom_gather_places(1, fathom_n56); for (unsigned long fathom_k57 = 0; fathom_k57 < fathom_n56; fathom_k57++) { __attribute__((unused)) int i = (int)(fathom_first58 + (long)fathom_k57); fathom_places59[fathom_k57] = 0; if (!(
w[i] < 0)) { { __attribute__((unused)) int k = 
w[i]; fathom_places59[fathom_k57] = fathom_block_elem(fathom_static(fathom_at_u), (long)(

k), 4ul, 8ul); } } fathom_places60[fathom_k57] = 0; if (!(
# 12 "<input>"
w[i] < 0)) { { __attribute__((unused)) int k = 
w[i]; fathom_places60[fathom_k57] = fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(
k), 8ul); } } } fathom_gather_fetch(&fathom_strip53, 0, 2, fathom_n56); __attribute__((unused)) const double *const fathom_landed61 = fathom_strip53.gather[0].at; __attribute__((unused)) const double *const fathom_landed62 = fathom_strip53.gather[1].at; unsigned long fathom_k57 = 0; for (; fathom_k57 < fathom_n56; fathom_k57++, 
# 11 "<input>"
i++) { {
        if (w[i] < 0) continue;
        int k = w[i]; 
to[i] = fathom_landed62[fathom_k57]; 
if (fathom_landed61[fathom_k57] > 0 && fathom_landed62[fathom_k57] > 0) s += fathom_landed61[fathom_k57];
    } } if (fathom_k57 < fathom_n56) break;  }
#pragma GCC diagnostic pop
 } else { 
# 11 "<input>"
for (int i = 0; i < n; i++) {
        if (w[i] < 0) continue;
        int k = w[i]; 
to[i] = __extension__ ({ double fathom_copy42; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul)))), &fathom_copy42, sizeof fathom_copy42); }); 
if (__extension__ ({ double fathom_copy45; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul)))), &fathom_copy45, sizeof fathom_copy45); }) > 0 && __extension__ ({ double fathom_copy48; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul)))), &fathom_copy48, sizeof fathom_copy48); }) > 0) s += __extension__ ({ double fathom_copy51; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul)))), &fathom_copy51, sizeof fathom_copy51); });
    } } } 
return s;
} 
void own(int n, double *to) { { int i; i = 0; const long fathom_lo63 = (long)i; const long fathom_hi64 = (long)(n); const long fathom_trips79 = fathom_hi64 - fathom_lo63; struct fathom_strip fathom_strip78; if (fathom_trips79 >= fathom_gathers_from && !fathom_forall_depth && (fathom_strip_begin(&fathom_strip78, fathom_trips79), fathom_strip_gather(&fathom_strip78, fathom_static(fathom_at_ix), 40ul, 1ul, 4ul), fathom_strip_gather(&fathom_strip78, fathom_static(fathom_at_t), 80ul, 1ul, 8ul), fathom_strip_stores(&fathom_strip78, (const volatile char *)to + (fathom_lo63 + 0l) * 8l, fathom_trips79 * 8l), fathom_strip_open(&fathom_strip78))) { struct fathom_own fathom_own80 = {fathom_lo63, fathom_hi64, 0l, 1l, 0}; for (unsigned long fathom_n81; (fathom_n81 = fathom_own_next(&fathom_strip78, &fathom_own80)) != 0;) { fathom_ptr *const fathom_places83 = fathom_gather_places(0, fathom_n81); for (unsigned long fathom_k82 = 0; fathom_k82 < fathom_n81; fathom_k82++) { __attribute__((unused)) int i = (int)(fathom_own80.at[fathom_k82]); fathom_places83[fathom_k82] = fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul); } fathom_gather_fetch(&fathom_strip78, 0, 1, fathom_n81); __attribute__((unused)) const int *const fathom_landed84 = fathom_strip78.gather[0].at; fathom_ptr *const fathom_places85 = fathom_gather_places(1, fathom_n81); for (unsigned long fathom_k82 = 0; fathom_k82 < fathom_n81; fathom_k82++) { __attribute__((unused)) int i = (int)(fathom_own80.at[fathom_k82]); fathom_places85[fathom_k82] = fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_landed84[fathom_k82]), 8ul); } fathom_gather_fetch(&fathom_strip78, 1, 2, fathom_n81); __attribute__((unused)) const double *const fathom_landed86 = fathom_strip78.gather[1].at; 
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
for (unsigned long fathom_k82 = 0; fathom_k82 < fathom_n81; fathom_k82++) { __attribute__((unused)) int i = (int)(fathom_own80.at[fathom_k82]); 
# 19 "<input>"
to[i] = fathom_landed86[fathom_k82]; } 
#pragma GCC diagnostic pop
} } else { if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi64; i++) { 
# 19 "<input>"
to[i] = __extension__ ({ double fathom_copy69; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(__extension__ ({ int fathom_copy66; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), &fathom_copy66, sizeof fathom_copy66); })), 8ul)))), &fathom_copy69, sizeof fathom_copy69); }); } else { const long fathom_first71 = fathom_cyclic_first(fathom_lo63, 0l); const long fathom_n73 = fathom_cyclic_count(fathom_first71, fathom_hi64); __attribute__((unused)) int *const fathom_view74 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_ix), fathom_first71 + 0l, 4ul)); for (long fathom_k72 = 0; fathom_k72 < fathom_n73; fathom_k72++) { __attribute__((unused)) int i = (int)(fathom_first71 + fathom_k72 * (long)fathom_threads); to[i] = __extension__ ({ double fathom_copy76; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_view74[fathom_k72]), 8ul)))), &fathom_copy76, sizeof fathom_copy76); });} } } i = (int)(fathom_hi64 > fathom_lo63 ? fathom_hi64 : fathom_lo63); } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

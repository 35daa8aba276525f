
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

double sum(int n, const int *w) { double s = 0; for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy2; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(w[i]), 8ul)))), &fathom_copy2, sizeof fathom_copy2); }); return s; } 
double both(int n) { double s = 0; for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy5; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(i), 4ul, 8ul)))), &fathom_copy5, sizeof fathom_copy5); }) * __extension__ ({ double fathom_copy11; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(__extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), &fathom_copy8, sizeof fathom_copy8); })), 8ul)))), &fathom_copy11, sizeof fathom_copy11); }); return s; } 
double some(int n, const int *w, double *to) {
    double s = 0; 
for (int i = 0; i < n; i++) {
        if (w[i] < 0) continue;
        int k = w[i]; 
to[i] = __extension__ ({ double fathom_copy14; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul)))), &fathom_copy14, sizeof fathom_copy14); }); 
if (__extension__ ({ double fathom_copy17; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul)))), &fathom_copy17, sizeof fathom_copy17); }) > 0 && __extension__ ({ double fathom_copy20; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul)))), &fathom_copy20, sizeof fathom_copy20); }) > 0) s += __extension__ ({ double fathom_copy23; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul)))), &fathom_copy23, sizeof fathom_copy23); });
    }
    return s;
} 
void own(int n, double *to) { { int i; i = 0; const long fathom_lo25 = (long)i; const long fathom_hi26 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi26; i++) { to[i] = __extension__ ({ double fathom_copy31; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(__extension__ ({ int fathom_copy28; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), &fathom_copy28, sizeof fathom_copy28); })), 8ul)))), &fathom_copy31, sizeof fathom_copy31); }); } else { const long fathom_first33 = fathom_cyclic_first(fathom_lo25, 0l); const long fathom_n35 = fathom_cyclic_count(fathom_first33, fathom_hi26); __attribute__((unused)) int *const fathom_view36 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_ix), fathom_first33 + 0l, 4ul)); for (long fathom_k34 = 0; fathom_k34 < fathom_n35; fathom_k34++) { __attribute__((unused)) int i = (int)(fathom_first33 + fathom_k34 * (long)fathom_threads); to[i] = __extension__ ({ double fathom_copy38; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_view36[fathom_k34]), 8ul)))), &fathom_copy38, sizeof fathom_copy38); });} }  i = (int)(fathom_hi26 > fathom_lo25 ? fathom_hi26 : fathom_lo25); } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


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

double sum(int n, const int *w) { double s = 0; for (int i = 0; i < n; i++) s += (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(w[i]), 8ul))); return s; } 
double both(int n) { double s = 0; for (int i = 0; i < n; i++) s += (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(i), 4ul, 8ul))) * (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), 8ul))); return s; } 
double some(int n, const int *w, double *to) {
    double s = 0; 
for (int i = 0; i < n; i++) {
        if (w[i] < 0) continue;
        int k = w[i]; 
to[i] = (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul))); 
if ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul))) > 0 && (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(k), 8ul))) > 0) s += (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_u), (long)(k), 4ul, 8ul)));
    }
    return s;
} 
void own(int n, double *to) { { int i; i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { to[i] = (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_ix), (long)(i), 4ul)))), 8ul))); } else { const long fathom_first3 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n5 = fathom_cyclic_count(fathom_first3, fathom_hi2); __attribute__((unused)) int *const fathom_view6 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_ix), fathom_first3 + 0l, 4ul)); for (long fathom_k4 = 0; fathom_k4 < fathom_n5; fathom_k4++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k4 * (long)fathom_threads); to[i] = (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_t), (long)(fathom_view6[fathom_k4]), 8ul)));} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

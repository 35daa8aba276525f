
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

float get(int i) { return (*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); } 
void clear(int n) { for (int i = 0; i < n; ) { unsigned long fathom_n1 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view4_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view4_at, 16ul); fathom_n1++; __attribute__((unused)) float *const fathom_view4 = fathom_local(fathom_view4_at.addr); __attribute__((unused)) const int fathom_first3 = i; 
#pragma omp simd
for (unsigned long fathom_k2 = 0; fathom_k2 < fathom_n1; fathom_k2++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k2); 
# 6 "<input>"
(fathom_view4[fathom_k2] = 0);} i += fathom_n1;  } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,64\nb:\t.zero 64\n\t.popsection");
# 3 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak c\n\t.type c,@object\n\t.size c,16\nc:\t.zero 16\n\t.popsection");
# 4 "<input>"

int f(fathom_pptr p, int n) {
    int i, sum = 0; 
for (i = 0; i < n; ) { unsigned long fathom_n1 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view4_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view4_at, 16ul); const fathom_pptr fathom_view5_at = fathom_block_at(fathom_static(fathom_at_b), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view5_at, 16ul); fathom_n1++; __attribute__((unused)) int *const fathom_view4 = fathom_local(fathom_view4_at.addr); __attribute__((unused)) int *const fathom_view5 = fathom_local(fathom_view5_at.addr); unsigned long fathom_k2 = 0; for (; fathom_k2 < fathom_n1; fathom_k2++, i++) { (fathom_view4[fathom_k2] = fathom_view5[fathom_k2] + (*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 4ul, 4ul)))); } if (fathom_k2 < fathom_n1) break;  } 
for (i = 1; i <= n; ) 
{ unsigned long fathom_n6 = (unsigned long)(
# 8 "<input>"
n) - (unsigned long)i; const fathom_pptr fathom_view9_at = fathom_block_add(
p, (long)i + -1l, 20ul, 4ul); fathom_n6 = fathom_in_block(fathom_n6, fathom_view9_at, 20ul); const fathom_pptr fathom_view10_at = fathom_block_add(p, (long)i + 0l, 20ul, 4ul); fathom_n6 = fathom_in_block(fathom_n6, fathom_view10_at, 20ul); fathom_n6++; __attribute__((unused)) int *const fathom_view9 = fathom_local(fathom_view9_at.addr); __attribute__((unused)) int *const fathom_view10 = fathom_local(fathom_view10_at.addr); unsigned long fathom_k7 = 0; for (; fathom_k7 < fathom_n6; fathom_k7++, 
# 8 "<input>"
i++) { 
if ((sum += fathom_view9[fathom_k7] + fathom_view10[fathom_k7]) < 0) break; } if (fathom_k7 < fathom_n6) break;  }
#pragma GCC unroll 2
    for (i = 0; i < n; i++) sum += (*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 16ul, 4ul)));
    return sum;
} 
int g(int j) {
    int sum = 0; 
{ __attribute__((unused)) int *const fathom_row11 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(j), 16ul, 4ul)); __attribute__((unused)) int *const fathom_row12 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(j + 1), 16ul, 4ul)); { int k = (*fathom_row11);for (; k < (*fathom_row12); ) { const __auto_type fathom_bound16 = +((*fathom_row12)); unsigned long fathom_n13 = (long)k < (long)fathom_bound16 ? (unsigned long)(fathom_bound16) - (unsigned long)k - 1 : 0; const fathom_pptr fathom_view17_at = fathom_block_at(fathom_static(fathom_at_b), (long)k + 0l, 16ul, 4ul); fathom_n13 = fathom_in_block(fathom_n13, fathom_view17_at, 16ul); fathom_n13++; __attribute__((unused)) int *const fathom_view17 = fathom_local(fathom_view17_at.addr); unsigned long fathom_k14 = 0; for (; fathom_k14 < fathom_n13; fathom_k14++, k++) { sum += fathom_view17[fathom_k14]; } if (fathom_k14 < fathom_n13) break;  } } } 
return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


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
for (i = 0; i < n; ) { unsigned long fathom_n1 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view4_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view4_at, 16ul); const fathom_pptr fathom_view5_at = fathom_block_at(fathom_static(fathom_at_b), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view5_at, 16ul); fathom_n1++; const fathom_ptr fathom_view4_word = fathom_view4_at.addr; __attribute__((unused)) const int fathom_view4_near = fathom_is_near(fathom_view4_word); __attribute__((unused)) int *const fathom_view4 = fathom_place_if(fathom_view4_near, fathom_view4_word); const fathom_ptr fathom_view5_word = fathom_view5_at.addr; __attribute__((unused)) const int fathom_view5_near = fathom_is_near(fathom_view5_word); __attribute__((unused)) int *const fathom_view5 = fathom_place_if(fathom_view5_near, fathom_view5_word); if (__builtin_expect(fathom_view4_near & fathom_view5_near, 1)) { unsigned long fathom_k2 = 0; for (; fathom_k2 < fathom_n1; fathom_k2++, i++) { (fathom_view4[fathom_k2] = fathom_view5[fathom_k2] + __extension__ ({ int fathom_copy7; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 4ul, 4ul)))), &fathom_copy7, sizeof fathom_copy7); })); } if (fathom_k2 < fathom_n1) break;  } else { unsigned long fathom_k2 = 0; for (; fathom_k2 < fathom_n1; fathom_k2++, i++) { (__extension__ ({ int fathom_v15 = __extension__ ({ int fathom_copy10; *(int *)fathom_open(fathom_view5_near, fathom_word_if(fathom_view5_near, &fathom_view5[fathom_k2]), &fathom_copy10, 0, sizeof fathom_copy10); }) + __extension__ ({ int fathom_copy13; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 4ul, 4ul)))), &fathom_copy13, sizeof fathom_copy13); }); const fathom_ptr fathom_at16 = fathom_word_if(fathom_view4_near, &fathom_view4[fathom_k2]); fathom_write(fathom_view4_near, fathom_at16, &fathom_v15, sizeof fathom_v15); fathom_v15; })); } if (fathom_k2 < fathom_n1) break;  } } 
for (i = 1; i <= n; ) 
{ unsigned long fathom_n17 = (unsigned long)(
# 8 "<input>"
n) - (unsigned long)i; const fathom_pptr fathom_view20_at = fathom_block_add(
p, (long)i + -1l, 20ul, 4ul); fathom_n17 = fathom_in_block(fathom_n17, fathom_view20_at, 20ul); const fathom_pptr fathom_view21_at = fathom_block_add(p, (long)i + 0l, 20ul, 4ul); fathom_n17 = fathom_in_block(fathom_n17, fathom_view21_at, 20ul); fathom_n17++; const fathom_ptr fathom_view20_word = fathom_view20_at.addr; __attribute__((unused)) const int fathom_view20_near = fathom_is_near(fathom_view20_word); __attribute__((unused)) int *const fathom_view20 = fathom_place_if(fathom_view20_near, fathom_view20_word); const fathom_ptr fathom_view21_word = fathom_view21_at.addr; __attribute__((unused)) const int fathom_view21_near = fathom_is_near(fathom_view21_word); __attribute__((unused)) int *const fathom_view21 = fathom_place_if(fathom_view21_near, fathom_view21_word); if (__builtin_expect(fathom_view20_near & fathom_view21_near, 1)) { unsigned long fathom_k18 = 0; for (; fathom_k18 < fathom_n17; fathom_k18++, 
# 8 "<input>"
i++) { 
if ((sum += fathom_view20[fathom_k18] + fathom_view21[fathom_k18]) < 0) break; } if (fathom_k18 < fathom_n17) break;  } else { unsigned long fathom_k18 = 0; for (; fathom_k18 < fathom_n17; fathom_k18++, 
# 8 "<input>"
i++) { 
if ((sum += __extension__ ({ int fathom_copy23; *(int *)fathom_open(fathom_view20_near, fathom_word_if(fathom_view20_near, &fathom_view20[fathom_k18]), &fathom_copy23, 0, sizeof fathom_copy23); }) + __extension__ ({ int fathom_copy26; *(int *)fathom_open(fathom_view21_near, fathom_word_if(fathom_view21_near, &fathom_view21[fathom_k18]), &fathom_copy26, 0, sizeof fathom_copy26); })) < 0) break; } if (fathom_k18 < fathom_n17) break;  } }
#pragma GCC unroll 2
    for (i = 0; i < n; i++) sum += __extension__ ({ int fathom_copy29; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 16ul, 4ul)))), &fathom_copy29, sizeof fathom_copy29); });
    return sum;
} 
int g(int j) {
    int sum = 0; 
{ const fathom_ptr fathom_row31_word = fathom_block_elem(fathom_static(fathom_at_a), (long)(j), 16ul, 4ul); __attribute__((unused)) const int fathom_row31_near = fathom_is_near(fathom_row31_word); __attribute__((unused)) int *const fathom_row31 = fathom_place_if(fathom_row31_near, fathom_row31_word); const fathom_ptr fathom_row32_word = fathom_block_elem(fathom_static(fathom_at_a), (long)(j + 1), 16ul, 4ul); __attribute__((unused)) const int fathom_row32_near = fathom_is_near(fathom_row32_word); __attribute__((unused)) int *const fathom_row32 = fathom_place_if(fathom_row32_near, fathom_row32_word); { int k = __extension__ ({ int fathom_copy37; *(int *)fathom_open(fathom_row31_near, fathom_word_if(fathom_row31_near, &(*fathom_row31)), &fathom_copy37, 0, sizeof fathom_copy37); });for (; k < __extension__ ({ int fathom_copy40; *(int *)fathom_open(fathom_row32_near, fathom_word_if(fathom_row32_near, &(*fathom_row32)), &fathom_copy40, 0, sizeof fathom_copy40); }); ) { const __auto_type fathom_bound45 = +(__extension__ ({ int fathom_copy43; *(int *)fathom_open(fathom_row32_near, fathom_word_if(fathom_row32_near, &(*fathom_row32)), &fathom_copy43, 0, sizeof fathom_copy43); })); unsigned long fathom_n33 = (long)k < (long)fathom_bound45 ? (unsigned long)(fathom_bound45) - (unsigned long)k - 1 : 0; const fathom_pptr fathom_view46_at = fathom_block_at(fathom_static(fathom_at_b), (long)k + 0l, 16ul, 4ul); fathom_n33 = fathom_in_block(fathom_n33, fathom_view46_at, 16ul); fathom_n33++; const fathom_ptr fathom_view46_word = fathom_view46_at.addr; __attribute__((unused)) const int fathom_view46_near = fathom_is_near(fathom_view46_word); __attribute__((unused)) int *const fathom_view46 = fathom_place_if(fathom_view46_near, fathom_view46_word); if (__builtin_expect(fathom_row31_near & fathom_row32_near & fathom_view46_near, 1)) { unsigned long fathom_k34 = 0; for (; fathom_k34 < fathom_n33; fathom_k34++, k++) { sum += fathom_view46[fathom_k34]; } if (fathom_k34 < fathom_n33) break;  } else { unsigned long fathom_k34 = 0; for (; fathom_k34 < fathom_n33; fathom_k34++, k++) { sum += __extension__ ({ int fathom_copy48; *(int *)fathom_open(fathom_view46_near, fathom_word_if(fathom_view46_near, &fathom_view46[fathom_k34]), &fathom_copy48, 0, sizeof fathom_copy48); }); } if (fathom_k34 < fathom_n33) break;  } } } } 
return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

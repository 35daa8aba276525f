
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

float get(int i) { return __extension__ ({ float fathom_copy2; *(float *)fathom_read(fathom_place_word(&(*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)))), &fathom_copy2, sizeof fathom_copy2); }); } 
void clear(int n) { for (int i = 0; i < n; ) { unsigned long fathom_n4 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view7_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n4 = fathom_in_block(fathom_n4, fathom_view7_at, 16ul); fathom_n4++; const fathom_ptr fathom_view7_word = fathom_view7_at.addr; __attribute__((unused)) const int fathom_view7_near = fathom_is_near(fathom_view7_word); __attribute__((unused)) float *const fathom_view7 = fathom_place_if(fathom_view7_near, fathom_view7_word); if (__builtin_expect(fathom_view7_near, 1)) { __attribute__((unused)) const int fathom_first6 = i; 
#pragma omp simd
for (unsigned long fathom_k5 = 0; fathom_k5 < fathom_n4; fathom_k5++) { __attribute__((unused)) int i = (int)(fathom_first6 + fathom_k5); 
# 6 "<input>"
(fathom_view7[fathom_k5] = 0);} i += fathom_n4;  } else { unsigned long fathom_k5 = 0; for (; fathom_k5 < fathom_n4; fathom_k5++, i++) { (__extension__ ({ float fathom_v8 = 0; const fathom_ptr fathom_at9 = fathom_word_if(fathom_view7_near, &fathom_view7[fathom_k5]); fathom_write(fathom_view7_near, fathom_at9, &fathom_v8, sizeof fathom_v8); fathom_v8; })); } if (fathom_k5 < fathom_n4) break;  } } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

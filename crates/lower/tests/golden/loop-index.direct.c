
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_table[] __asm__("table") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak table\n\t.type table,@object\n\t.size table,8000\ntable:\t.zero 8000\n\t.popsection");
# 4 "<input>"

extern char fathom_at_index[] __asm__("index") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak index\n\t.type index,@object\n\t.size index,40\nindex:\t.zero 40\n\t.popsection");
# 5 "<input>"

void add(const int *where, int n) { for (int i = 0; i < n; i++) ((*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(where[i]), 8ul))) += 1); } 
long gather(int n) { long s = 0; for (int i = 0; i < n; ) { unsigned long fathom_n1 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view4_at = fathom_block_at(fathom_static(fathom_at_index), (long)i + 0l, 10ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view4_at, 10ul); fathom_n1++; __attribute__((unused)) int *const fathom_view4 = fathom_local(fathom_view4_at.addr); unsigned long fathom_k2 = 0; for (; fathom_k2 < fathom_n1; fathom_k2++, i++) { s += (*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(fathom_view4[fathom_k2]), 8ul))); } if (fathom_k2 < fathom_n1) break;  } return s; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

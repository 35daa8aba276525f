
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak b\n\t.type b,@object\n\t.size b,10\nb:\t.zero 10\n\t.popsection");
# 5 "<input>"

long get(int i) { return __extension__ ({ long fathom_copy2; *(long *)fathom_read(fathom_place_word(&(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul)))), &fathom_copy2, sizeof fathom_copy2); }) + __extension__ ({ char fathom_copy5; *(char *)fathom_read(fathom_place_word(&(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul)))), &fathom_copy5, sizeof fathom_copy5); }); } 
void put(unsigned i, long v) { (__extension__ ({ long fathom_v7 = v; const fathom_ptr fathom_at8 = fathom_place_word(&(*(long *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 4ul, 8ul)))); fathom_write(fathom_is_near(fathom_at8), fathom_at8, &fathom_v7, sizeof fathom_v7); fathom_v7; })); (__extension__ ({ char fathom_v9 = (char)v; const fathom_ptr fathom_at10 = fathom_place_word(&(*(char *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 5ul, 1ul)))); fathom_write(fathom_is_near(fathom_at10), fathom_at10, &fathom_v9, sizeof fathom_v9); fathom_v9; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

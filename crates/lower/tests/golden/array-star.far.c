
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

float get(int i) { return __extension__ ({ float fathom_copy2; *(float *)fathom_read(fathom_place_word(&(*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)))), &fathom_copy2, sizeof fathom_copy2); }); } 
void clear(int n) { for (int i = 0; i < n; i++) (__extension__ ({ float fathom_v4 = 0; const fathom_ptr fathom_at5 = fathom_place_word(&(*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)))); fathom_write(fathom_is_near(fathom_at5), fathom_at5, &fathom_v4, sizeof fathom_v4); fathom_v4; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;


extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 3 "<input>"

struct s { int i; double d[2]; };
extern char fathom_at_s[] __asm__("s") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak s\n\t.type s,@object\n\t.size s,24\ns:\t.zero 24\n\t.popsection");
# 5 "<input>"

fathom_pptr whole(void) { return fathom_pptr_of(fathom_static(fathom_at_a), 0); } 
fathom_pptr element(int i) { return fathom_block_at(fathom_static(fathom_at_a), (long)(i), 4ul, 4ul); } 
fathom_ptr member(int t) { return fathom_place_word(&(*(struct s *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).d[1]); } 
fathom_pptr same(int i) { return fathom_block_at(fathom_static(fathom_at_a), (long)(i), 4ul, 4ul); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

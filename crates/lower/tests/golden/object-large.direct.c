
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_symbol_large[] __asm__("large") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.weak fathom_address_large\n\t.hidden fathom_address_large\nfathom_address_large:\t.quad large\n\t.popsection");
extern char *const fathom_at_large __asm__("fathom_address_large") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.zero 1\n\t.popsection\n\t.pushsection fathom_shared_large,\"aw\",@nobits\n\t.balign 4096\n\t.weak large\n\t.type large,@object\n\t.size large,16777216\nlarge:\t.zero 16777216\n\t.popsection");
# 2 "<input>"

// Objects of 16 MiB a thread and more, and those of which only another unit knows the length, are addressed through a
// constant; the others by their symbols.
#include <upc.h>

extern char fathom_at_small[] __asm__("small") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak small\n\t.type small,@object\n\t.size small,16777208\nsmall:\t.zero 16777208\n\t.popsection");
# 7 "<input>"

extern char fathom_symbol_elsewhere[] __asm__("elsewhere") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.weak fathom_address_elsewhere\n\t.hidden fathom_address_elsewhere\nfathom_address_elsewhere:\t.quad elsewhere\n\t.popsection");
extern char *const fathom_at_elsewhere __asm__("fathom_address_elsewhere") __attribute__((visibility("hidden")));
# 8 "<input>"

extern char fathom_symbol_local__fathom0[] __asm__("local__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.local fathom_address_local__fathom0\nfathom_address_local__fathom0:\t.quad local__fathom0\n\t.popsection");
extern char *const fathom_at_local__fathom0 __asm__("fathom_address_local__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.zero 1\n\t.popsection\n\t.pushsection fathom_shared_large,\"aw\",@nobits\n\t.balign 4096\n\t.local local__fathom0\n\t.type local__fathom0,@object\n\t.size local__fathom0,16777216\nlocal__fathom0:\t.zero 16777216\n\t.popsection");
# 9 "<input>"
int f(unsigned long i) { 
; 
return ((int)(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_large), (long)(i), 2097152ul, 8ul)))) + ((int)(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_small), (long)(i), 2097151ul, 8ul)))) + (*(int (*)[])fathom_place(fathom_static(fathom_at_elsewhere)))[i] + (*(char (*)[16777216])fathom_place(fathom_static(fathom_at_local__fathom0)))[i];
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

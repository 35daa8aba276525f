
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
extern char fathom_at_y[] __asm__("y") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak y\n\t.type y,@object\n\t.size y,4\ny:\t.zero 4\n\t.popsection");
# 4 "<input>"


int all(void) { (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); fathom_strict_write(1, fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); return __extension__ ({ const fathom_ptr fathom_at3 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_y)))); int fathom_v5; fathom_strict_read(1, fathom_at3, &fathom_v5, sizeof fathom_v5); fathom_v5; }); } 

int some(void) { 
((*(int *)fathom_place(fathom_static(fathom_at_x))) = 2); 
{ 

(__extension__ ({ int fathom_v6 = 3; const fathom_ptr fathom_at7 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); fathom_strict_write(1, fathom_at7, &fathom_v6, sizeof fathom_v6); fathom_v6; })); 
(__extension__ ({ int fathom_v11 = __extension__ ({ const fathom_ptr fathom_at8 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); int fathom_v10; fathom_strict_read(1, fathom_at8, &fathom_v10, sizeof fathom_v10); fathom_v10; }); const fathom_ptr fathom_at12 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_y)))); fathom_strict_write(1, fathom_at12, &fathom_v11, sizeof fathom_v11); fathom_v11; }));
    } 
return (*(int *)fathom_place(fathom_static(fathom_at_y)));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

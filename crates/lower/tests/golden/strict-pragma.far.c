
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
extern char fathom_at_y[] __asm__("y") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak y\n\t.type y,@object\n\t.size y,4\ny:\t.zero 4\n\t.popsection");
# 4 "<input>"


int all(void) { (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); fathom_strict_write(fathom_is_near(fathom_at2), fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); return __extension__ ({ const fathom_ptr fathom_at3 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_y)))); int fathom_v5; fathom_strict_read(fathom_is_near(fathom_at3), fathom_at3, &fathom_v5, sizeof fathom_v5); fathom_v5; }); } 

int some(void) { 
(__extension__ ({ int fathom_v6 = 2; const fathom_ptr fathom_at7 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); fathom_write(fathom_is_near(fathom_at7), fathom_at7, &fathom_v6, sizeof fathom_v6); fathom_v6; })); 
{ 

(__extension__ ({ int fathom_v8 = 3; const fathom_ptr fathom_at9 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); fathom_strict_write(fathom_is_near(fathom_at9), fathom_at9, &fathom_v8, sizeof fathom_v8); fathom_v8; })); 
(__extension__ ({ int fathom_v13 = __extension__ ({ const fathom_ptr fathom_at10 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_x)))); int fathom_v12; fathom_strict_read(fathom_is_near(fathom_at10), fathom_at10, &fathom_v12, sizeof fathom_v12); fathom_v12; }); const fathom_ptr fathom_at14 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_y)))); fathom_strict_write(fathom_is_near(fathom_at14), fathom_at14, &fathom_v13, sizeof fathom_v13); fathom_v13; }));
    } 
return __extension__ ({ int fathom_copy16; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_y)))), &fathom_copy16, sizeof fathom_copy16); });
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

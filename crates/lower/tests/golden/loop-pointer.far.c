
typedef unsigned long size_t;
/* Pointers that walk, in loops of all kinds. */
int sum(fathom_ptr p, fathom_ptr q, int n) {
    int s = 0; 
{ const fathom_ptr fathom_row1_word = q; __attribute__((unused)) const int fathom_row1_near = fathom_is_near(fathom_row1_word); __attribute__((unused)) int *const fathom_row1 = fathom_place_if(fathom_row1_near, fathom_row1_word); if (__builtin_expect(fathom_row1_near, 1)) { for (int i = 0; i < n; i++) s += __extension__ ({ int fathom_copy3; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_add(p, (long)(i), 4ul)))), &fathom_copy3, sizeof fathom_copy3); }) + fathom_row1[i]; } else { for (int i = 0; i < n; i++) s += __extension__ ({ int fathom_copy6; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_add(p, (long)(i), 4ul)))), &fathom_copy6, sizeof fathom_copy6); }) + __extension__ ({ int fathom_copy9; *(int *)fathom_open(fathom_row1_near, fathom_word_if(fathom_row1_near, &fathom_row1[i]), &fathom_copy9, 0, sizeof fathom_copy9); }); } } 
while (n--) s += __extension__ ({ int fathom_copy13; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old11 = p; p = fathom_cyclic_add(fathom_old11, 1l, 4ul); fathom_old11; })))), &fathom_copy13, sizeof fathom_copy13); }); 
do s -= __extension__ ({ int fathom_copy17; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old15 = q; q = fathom_flat_add(fathom_old15, -1l, 4ul); fathom_old15; })))), &fathom_copy17, sizeof fathom_copy17); }); while (s > 0);
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

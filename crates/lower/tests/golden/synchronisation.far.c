
typedef unsigned long size_t;
void meet(int v) {
    fathom_barrier(0, 0); 
fathom_barrier(1, (int)(3)); 
fathom_notify(1, (int)(v + 1)); 
fathom_wait(1, (int)(v + 1)); 
fathom_notify(0, 0); 
fathom_wait(0, 0); 
fathom_fence(); 
if (v) fathom_barrier(1, (int)(v)); else fathom_fence(); 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

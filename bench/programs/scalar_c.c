/* The C side of scalar.upc. */
#define ACCESSES 1000
#define KEEP() __asm__ volatile("" ::: "memory")

static long place;
long *scalar_c_pointer = &place; /* external: the compiler must not know where it points */
long scalar_c_sum;

long scalar_c_read(void);
long scalar_c_read(void) {
    long s = 0, *p = scalar_c_pointer;
    for (int k = 0; k < ACCESSES; k++) {
        s += *p;
        KEEP();
    }
    return s;
}
void scalar_c_write(void) {
    long *p = scalar_c_pointer;
    for (int k = 0; k < ACCESSES; k++) {
        *p = k;
        KEEP();
    }
}
static long array[64];
int scalar_c_index = 0; /* external, as above */
void scalar_c_read_element(void) {
    long s = 0;
    for (int k = 0; k < ACCESSES; k++) {
        s += array[scalar_c_index];
        KEEP();
    }
    scalar_c_sum = s;
}
void scalar_c_write_element(void) {
    for (int k = 0; k < ACCESSES; k++) {
        array[scalar_c_index] = k;
        KEEP();
    }
}
void scalar_c_atomic_read(void) {
    long s = 0, *p = scalar_c_pointer;
    for (int k = 0; k < ACCESSES; k++) s += __atomic_load_n(p, __ATOMIC_SEQ_CST);
    scalar_c_sum = s;
}
void scalar_c_atomic_write(void) {
    long *p = scalar_c_pointer;
    for (int k = 0; k < ACCESSES; k++) __atomic_store_n(p, (long)k, __ATOMIC_SEQ_CST);
}

// A layout qualifier cannot ask for more than UPC_MAX_BLOCK_SIZE elements.
shared [UPC_MAX_BLOCK_SIZE + 1] char *p; // error: 6.3.3 p1
shared [UPC_MAX_BLOCK_SIZE] char *q;
void f(shared [UPC_MAX_BLOCK_SIZE * 2] char *r); // error: 6.3.3 p1

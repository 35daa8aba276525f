// A block size computed by [*] is bound by UPC_MAX_BLOCK_SIZE as a written one is.
shared [*] char x[(UPC_MAX_BLOCK_SIZE + 1) * THREADS]; // error: 6.3.3 p1

// UPC_MAX_BLOCK_SIZE is an integer constant that #if understands, and a usable block size.
#if UPC_MAX_BLOCK_SIZE < 65535
#error far too small
#endif
shared [UPC_MAX_BLOCK_SIZE] int *p;
shared [UPC_MAX_BLOCK_SIZE - 1] int *q;
_Static_assert(upc_blocksizeof(*p) == UPC_MAX_BLOCK_SIZE, "the block size itself");

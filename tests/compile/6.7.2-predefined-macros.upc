// The macros that every UPC translation unit finds defined.
#if __UPC__ != 1
#error __UPC__
#endif
#if __UPC_VERSION__ != 201311L
#error __UPC_VERSION__
#endif
#ifndef UPC_MAX_BLOCK_SIZE
#error UPC_MAX_BLOCK_SIZE
#endif
#if defined __UPC_DYNAMIC_THREADS__ == defined __UPC_STATIC_THREADS__
#error exactly one environment
#endif
#if defined __UPC_DYNAMIC_THREADS__ && __UPC_DYNAMIC_THREADS__ != 1
#error dynamic
#endif
#if defined __UPC_STATIC_THREADS__ && (__UPC_STATIC_THREADS__ != 1 || THREADS < 1)
#error static
#endif
#if __UPC_COLLECTIVE__ != 1 || __UPC_TICK__ != 1 || __UPC_NB__ != 1 || __UPC_ATOMIC__ != 1 || __UPC_CASTABLE__ != 1 || __UPC_IO__ != 1
#error optional libraries
#endif
#ifdef __BERKELEY_UPC__
#error this is not Berkeley UPC
#endif
#ifdef MYTHREAD
#error MYTHREAD is no macro
#endif
_Static_assert(_Generic(__UPC_VERSION__, long: 1, default: 0), "201311L is a long");

/* Macros that a UPC translation unit has before its first line (UPC 1.3, 6.2 and the feature macros of each library).
 *
 * The driver passes this file with -imacros; it defines THREADS-dependent macros itself. Only #define lines, so that
 * every preprocessor reads the file in the same way.
 */
#define __UPC__ 1
#define __UPC_VERSION__ 201311L
/* The largest layout qualifier (6.5.1.1 p8): half of the one-byte elements that a segment can hold. */
#define UPC_MAX_BLOCK_SIZE 68719476736ul
#define __UPC_COLLECTIVE__ 1
#define __UPC_TICK__ 1
#define __UPC_NB__ 1
#define __UPC_ATOMIC__ 1
#define __UPC_CASTABLE__ 1
#define __UPC_IO__ 1

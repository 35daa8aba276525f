/* Macros that a Split-C translation unit has before its first line. The driver passes this file with -imacros. Only
 * #define lines, so that every preprocessor reads the file in the same way.
 */
#define __SPLIT_C__ 1

/** @file fathom_work.h
 * @brief Work that a simulated machine is to charge although the program does not perform it, or performs it in a library
 * that is not counted (docs/simulating.md). For UPC, Split-C and C; fathom.h includes it.
 */
#ifndef FATHOM_WORK_H
#define FATHOM_WORK_H

#ifdef __cplusplus
extern "C" {
#endif

/** @cond supplied by gas */
void gas_declare_work(double operations, double bytes);
/** @endcond */

/** The calling thread has done so many operations on floating-point numbers, and read or written so many bytes of
 * memory. On machines that are not simulated nothing happens.
 * @param operations on floating-point numbers; 0 or more.
 * @param bytes of memory; 0 or more. */
static inline void fathom_declare_work(double operations, double bytes) { gas_declare_work(operations, bytes); }

#ifdef __cplusplus
}
#endif

#endif

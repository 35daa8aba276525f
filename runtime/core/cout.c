/* In programs that are C++ or have C++ parts, std::cout writes to the stream that core/output.c puts in stdout's place,
 * so that its lines are whole, too.
 *
 * Unless the program calls sync_with_stdio(false), libstdc++ passes the output of cout on to the C library's stdout, as
 * it was when the C++ library was initialised: a stdio_sync_filebuf holds the pointer. No function sets it. The layout
 * belongs to the ABI of libstdc++, and has been the same since GCC 3.4: a streambuf (the pointer to its functions, six
 * pointers, a locale), then the FILE *. We change that word only if the object is of exactly this type and the word is
 * the stream that is replaced; otherwise cout stays as it is. The same holds for other C++ libraries.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "core/core.h"

/* Of libstdc++, where it is linked: std::cout, basic_ios<char>::rdbuf() const, and the table of the functions of
 * stdio_sync_filebuf<char>. */
extern char _ZSt4cout[] __attribute__((weak));
extern void *_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv(const void *ios) __attribute__((weak));
extern void *_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE[] __attribute__((weak));
extern void *dlsym(void *, const char *) __attribute__((weak)); /* in a library of its own before glibc 2.34 */

struct sync_filebuf {
    void *const *functions;
    char *area[6];
    void *locale;
    void *file; /* a FILE */
};

/* A shared library of the program may have brought the C++ library along. */
static void *symbol(void *linked, const char *name) { return linked || !dlsym ? linked : dlsym(RTLD_DEFAULT, name); }

void core_output_take_cout(const void *before, void *after) {
    char *cout = symbol(_ZSt4cout, "_ZSt4cout");
    void **table = symbol(_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE,
                          "_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE");
    void *(*rdbuf)(const void *) = (void *(*)(const void *))symbol(
        (void *)_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv, "_ZNKSt9basic_iosIcSt11char_traitsIcEE5rdbufEv");
    if (!cout || !table || !rdbuf || !*(char **)cout) return; /* none, or not initialised */
    ptrdiff_t to_ios = (*(ptrdiff_t **)cout)[-3];             /* the place of a virtual base: Itanium C++ ABI, 2.5.2 */
    struct sync_filebuf *buffer = rdbuf(cout + to_ios);
    /* The table of functions begins behind an offset and the type. */
    if (buffer && buffer->functions == table + 2 && buffer->file == before) buffer->file = after;
}

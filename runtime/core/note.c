/* The information that an executable holds for the programs that start it: an ELF note of owner "Fathom" with the name
 * of the conduit, and the MPI's wrapper where there is one. `fathom run` reads it; it survives strip. A build of the
 * runtime for programs that others start defines FATHOM_CONDUIT_NOTE.
 */
#ifdef FATHOM_CONDUIT_NOTE
__asm__(".pushsection .note.fathom,\"a\",@note\n"
        ".balign 4\n"
        ".globl fathom_conduit_note\n"
        "fathom_conduit_note:\n"
        ".long 7, 2f - 1f, 1\n"
        ".asciz \"Fathom\"\n"
        ".balign 4\n"
        "1:\n"
        ".asciz \"" FATHOM_CONDUIT_NOTE "\"\n"
        "2:\n"
        ".balign 4\n"
        ".popsection\n");
#endif
extern const char fathom_conduit_note[] __attribute__((visibility("hidden")));

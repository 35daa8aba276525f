//! The table of rules: every diagnostic that `sema` can report, with its code, clause, and standing advice.
//!
//! `docs/diagnostics.md` is tested against [`TABLE`], so that no code is without documentation. Codes are stable: the
//! first digit is the chapter of the UPC specification.

use fathom_syntax::token::TokRange;
use fathom_syntax::Diag;

/// One rule of the language.
#[derive(Debug)]
pub struct Rule {
    pub code: &'static str,
    pub clause: Option<&'static str>,
    pub meaning: &'static str,
    /// Printed at the caret.
    pub label: &'static str,
    pub hint: Option<&'static str>,
    /// Reported as a warning: undefined behaviour that the text shows, or an extension.
    pub warning: bool,
}

impl Rule {
    /// A breach of the rule.
    pub fn diag(&self, span: TokRange, message: impl Into<String>) -> Diag {
        let mut d = match self.warning {
            true => Diag::warning(self.code, span, message),
            false => Diag::error(self.code, span, message),
        };
        d.clause = self.clause;
        d.label = self.label.into();
        d.hint = self.hint.map(Into::into);
        d
    }
}

/// Is this a rule that only the dynamic THREADS environment has, so that what breaks it may be right for a fixed number of
/// threads (UPC 1.3, 6.3.1, 6.5.2.1)?
pub fn is_of_dynamic_threads(code: &str) -> bool {
    let rules = [
        &THREADS_NOT_CONSTANT,
        &SIZEOF_NOT_CONSTANT,
        &BLOCK_NOT_CONSTANT,
        &THREADS_MISSING,
        &THREADS_TWICE,
        &THREADS_FORM,
        &THREADS_INDEFINITE,
        &SHARED_SIZE,
    ];
    rules.iter().any(|rule| rule.code == code)
}

/// Is this a conversion between pointers that needs a cast, and that other UPC compilers perform with a warning?
pub fn is_of_missing_casts(code: &str) -> bool {
    [&SHARED_TO_LOCAL, &INCOMPATIBLE_SHARED].iter().any(|rule| rule.code == code)
}

macro_rules! rules {
    ($($name:ident $code:literal $kind:ident $clause:literal, $meaning:literal, $label:literal $(, $hint:literal)?;)*) => {
        $(pub static $name: Rule = Rule {
            code: $code,
            clause: Some(rules!(@clause $kind $clause)),
            meaning: $meaning,
            label: $label,
            hint: rules!(@hint $($hint)?),
            warning: rules!(@kind $kind),
        };)*
        /// Every rule, in order of code.
        pub static TABLE: &[&Rule] = &[$(&$name),*];
    };
    (@hint) => { None };
    (@hint $h:literal) => { Some($h) };
    (@clause c_error $c:literal) => { concat!("C11, ", $c) };
    (@clause c_warning $c:literal) => { concat!("C11, ", $c) };
    (@clause splitc_warning $c:literal) => { concat!("Split-C, ", $c) };
    (@clause splitc_error $c:literal) => { concat!("Split-C, ", $c) };
    (@clause $kind:ident $c:literal) => { concat!("UPC 1.3, ", $c) };
    (@kind splitc_warning) => { true };
    (@kind splitc_error) => { false };
    (@kind error) => { false };
    (@kind c_error) => { false };
    (@kind c_warning) => { true };
    (@kind warning) => { true };
}

rules! {
    THREADS_VALUE "U301" error "6.3.1 p1", "THREADS is an expression, not an object: it has no address and cannot be assigned to",
        "THREADS is a value";
    MYTHREAD_VALUE "U302" error "6.3.2 p1", "MYTHREAD is an expression, not an object: it has no address and cannot be assigned to",
        "MYTHREAD is a value";
    BLOCK_TOO_LARGE "U303" error "6.3.3 p1", "a block size is greater than UPC_MAX_BLOCK_SIZE",
        "too large", "use an indefinite block size, `shared []`, to keep a whole array on one thread";
    THREADS_NOT_CONSTANT "U304" error "6.3.1 p1", "in the dynamic THREADS environment, THREADS is not a constant",
        "not constant", "compile for a fixed number of threads with -T N";
    LOCALSIZEOF_SHARED "U401" error "6.4.1.2 p1", "upc_localsizeof applies only to shared types and expressions",
        "not a shared type", "`sizeof` gives the size of a private object";
    BLOCKSIZEOF_SHARED "U402" error "6.4.1.3 p1", "upc_blocksizeof applies only to shared types and expressions",
        "not a shared type", "to ask about what a pointer points to, write `upc_blocksizeof(*p)`";
    ELEMSIZEOF_SHARED "U403" error "6.4.1.4 p1", "upc_elemsizeof applies only to shared types and expressions",
        "not a shared type", "to ask about what a pointer points to, write `upc_elemsizeof(*p)`";
    SIZEOF_OPERAND "U404" error "6.4.1.1 p1", "sizeof applied to a shared type that is incomplete, or to a shared bit-field",
        "has no size";
    LOCALSIZEOF_OPERAND "U405" error "6.4.1.2 p1", "upc_localsizeof applied to an incomplete type, a function or a bit-field",
        "has no size";
    BLOCKSIZEOF_OPERAND "U406" error "6.4.1.3 p1", "upc_blocksizeof applied to an incomplete type, a function or a bit-field",
        "has no size";
    ELEMSIZEOF_OPERAND "U407" error "6.4.1.4 p1", "upc_elemsizeof applied to an incomplete type, a function or a bit-field",
        "has no size";
    SIZEOF_NOT_CONSTANT "U408" error "6.4.1.1 p1", "in the dynamic THREADS environment, the size of a shared array is not constant",
        "depends on THREADS", "upc_localsizeof is constant; or compile for a fixed number of threads with -T N";
    MIXED_BINARY "U411" error "6.4.2 p1", "a binary operator on one pointer-to-shared and one pointer-to-local",
        "one operand points to shared data, the other to private data",
        "cast the pointer-to-shared to a pointer-to-local if it points to this thread's data";
    RELATIONAL_INCOMPLETE "U412" error "6.4.2 p2", "a relational operator on a pointer-to-shared with incomplete type",
        "points to an incomplete type", "cast both operands to a pointer to a complete shared type";
    ARITHMETIC_INCOMPLETE "U413" error "6.4.2 p3", "arithmetic on a pointer-to-shared with incomplete type",
        "points to an incomplete type", "cast it first, for example to `shared [] char *`";
    POINTER_OPERATOR "U414" error "6.4.2 p3", "an operator that does not apply to a pointer-to-shared",
        "does not apply to pointers-to-shared";
    DIFFERENT_POINTERS "U415" error "6.5.1.1 p13", "a binary operator on pointers to incompatible shared types",
        "the block size is part of the type", "cast one of the operands to the type of the other";
    CONDITIONAL_MIXED "U416" error "6.4.2 p1", "?: between a pointer-to-shared and a pointer-to-local",
        "the two results cannot have one type", "cast the pointer-to-shared to a pointer-to-local if it points to this thread's data";
    CONDITIONAL_POINTERS "U417" error "6.5.1.1 p13", "?: between pointers to incompatible shared types",
        "the two results cannot have one type", "cast one of the operands to the type of the other";
    CONDITIONAL_VALUE "U418" error "6.4.3 p1", "?: between a pointer-to-shared and a value that is not a pointer",
        "the two results cannot have one type";
    CAST_TO_SHARED "U421" error "6.4.3 p1", "a cast of a pointer-to-local to a pointer-to-shared",
        "not a pointer-to-shared", "only a pointer-to-shared or a null pointer constant can be cast to a pointer-to-shared";
    CAST_INTEGER "U422" error "6.4.3 p1", "a cast of a value that is not a pointer to a pointer-to-shared",
        "not a pointer", "only a pointer-to-shared or a null pointer constant can be cast to a pointer-to-shared";
    CAST_TYPE "U423" error "6.4.3 p1", "a cast between a pointer-to-shared and a type that is neither pointer nor integer",
        "cannot be converted";
    LOCAL_TO_SHARED "U424" error "6.4.3 p1", "an implicit conversion of a pointer-to-local to a pointer-to-shared",
        "a pointer-to-local", "make it point to shared data from the start: a pointer-to-local cannot become a pointer-to-shared";
    SHARED_TO_LOCAL "U425" error "6.4.3 p4", "an implicit conversion of a pointer-to-shared to a pointer-to-local",
        "a pointer-to-shared", "write the cast, `(T *)p`, if the data has affinity to this thread; -fpermissive does it, with a warning";
    INCOMPATIBLE_SHARED "U426" error "6.5.1.1 p13", "an implicit conversion between pointers to incompatible shared types",
        "the block size is part of the type", "write a cast; it sets the phase to zero where block size or element size differ; -fpermissive does it, with a warning";
    INTEGER_TO_SHARED "U427" error "6.4.3 p1", "an implicit conversion of a value that is not a pointer to a pointer-to-shared",
        "not a pointer-to-shared";
    SHARED_TO_INTEGER "U428" error "6.4.3 p1", "an implicit conversion of a pointer-to-shared to a type that is not a pointer",
        "a pointer-to-shared";
    DISCARDS_QUALIFIER "U429" warning "6.4.3 p2", "an implicit conversion drops const, volatile or strict from the referenced shared type",
        "drops a qualifier", "write a cast if that is meant";
    DIFFERENT_SIGNS "U430" c_warning "6.5.16.1 p1", "an implicit conversion or a comparison between pointers-to-shared whose elements differ in signedness alone",
        "the elements differ in signedness", "write a cast if that is meant";
    DEREFERENCE_VOID "U431" error "6.5.1.1 p14", "access through a generic pointer-to-shared or a pointer to an incomplete shared type",
        "points to a type that cannot be accessed", "cast it to a pointer to the type of the data";
    BIT_FIELD_ADDRESS "U432" error "6.4.4 p1", "the address of a shared bit-field",
        "a bit-field";
    NO_MEMBER "U434" error "6.4.4 p1", "a shared struct or union has no such member",
        "no such member";
    SHARED_INDEX "U435" error "6.4.2 p3", "a subscript of a shared array or pointer-to-shared is not an integer",
        "not an integer";
    SHARED_TO_FORMAT "U436" warning "6.4.3 p4", "a pointer-to-shared is an argument of printf, scanf or a function like them",
        "a pointer-to-shared";
    ASM_OBJECT "U437" c_warning "J.5.10 p1", "inline assembly reaches a shared object by its address, as an output or an operand in memory",
        "near objects only: the program stops if it is another computer's", "let the assembly work on a private variable, and copy before or after";
    STRICT_AND_RELAXED "U501" error "6.5 p2", "declaration specifiers include both strict and relaxed",
        "strict and relaxed exclude each other", "keep one of the two; the other may come from a typedef";
    TWO_BLOCK_SIZES "U502" error "6.5 p3", "declaration specifiers give more than one block size",
        "a second block size", "keep one layout qualifier; the other may come from a typedef";
    POINTER_TWO_BLOCK_SIZES "U503" error "6.5.2 p6", "a type qualifier list gives more than one block size",
        "a second block size", "keep one layout qualifier";
    POINTER_STRICT_AND_RELAXED "U504" error "6.5.2 p7", "a type qualifier list includes both strict and relaxed",
        "strict and relaxed exclude each other", "keep one of the two";
    REFERENCE_WITHOUT_SHARED "U511" error "6.5.1.1 p4", "strict or relaxed without shared",
        "qualifies nothing shared", "add `shared`";
    SHARED_MEMBER "U512" error "6.5.1.1 p5", "a member of a struct or union is shared",
        "a shared member", "share the whole object: `shared struct S x;`. A member may be a pointer-to-shared: `shared T *p`";
    STAR_POINTER "U513" error "6.5.1.1 p6", "[*] in the declaration specifiers of a pointer type",
        "[*] needs an array to divide", "write the block size out, or use `[]`";
    STAR_TYPEDEF "U514" error "6.5.1.1 p7", "[*] in a typedef",
        "[*] in a typedef", "put `shared [*]` in the declaration of the array";
    LAYOUT_VOID "U515" error "6.5.1.1 p8", "a layout qualifier on the referenced type of a pointer to void",
        "a generic pointer-to-shared has no block size", "write `shared void *`";
    BLOCK_NOT_CONSTANT "U516" error "6.5.1.1 p3", "a block size is not an integer constant expression",
        "not an integer constant", "in the dynamic THREADS environment, THREADS is not constant: use `[*]`, or compile with -T N";
    BLOCK_NEGATIVE "U517" error "6.5.1.1 p11", "a block size is negative",
        "negative";
    AUTOMATIC_SHARED "U521" error "6.5.2 p8", "an object with automatic storage duration is shared",
        "automatic and shared", "add `static`, or move it to file scope";
    PARAMETER_SHARED "U522" error "6.5.2 p8", "a parameter is shared",
        "a parameter is an automatic object", "pass a pointer-to-shared: `shared T *p`";
    THREAD_LOCAL_SHARED "U523" error "6.5.2 p8", "a thread-local object is shared",
        "every thread sees a shared object";
    SHARED_RESULT "U524" error "6.5.2 p8", "a function returns a shared-qualified type: its result would be an automatic object",
        "a result is an automatic object", "to return a pointer-to-shared, write `shared T *f(…)`";
    SHARED_FUNCTION "U525" error "6.5.1.1 p5", "a function type is shared-qualified",
        "a function cannot be shared";
    ATOMIC_SHARED "U526" error "6.5.1 p2", "an _Atomic type is shared-qualified",
        "a shared object cannot be _Atomic", "use `strict`, or the functions of <upc_atomic.h>";
    THREADS_MISSING "U531" error "6.5.2.1 p2", "in the dynamic THREADS environment, a shared array with definite block size has no THREADS dimension",
        "no dimension has THREADS", "write `n*THREADS` elements, or `shared []`, or compile for a fixed number of threads with -T N";
    THREADS_TWICE "U532" error "6.5.2.1 p2", "in the dynamic THREADS environment, THREADS occurs more than once in a shared array type",
        "THREADS more than once", "use THREADS in one dimension, or compile for a fixed number of threads with -T N";
    THREADS_FORM "U533" error "6.5.2.1 p2", "in the dynamic THREADS environment, THREADS stands neither alone nor multiplied by an integer constant",
        "not a multiple of THREADS", "write `THREADS*n` with constant n, or compile for a fixed number of threads with -T N";
    THREADS_MULTIPLIER "U534" error "6.5.2.1 p2", "THREADS is multiplied by a value that is not positive",
        "not positive";
    THREADS_INDEFINITE "U535" error "6.5.2.1 p3", "in the dynamic THREADS environment, THREADS occurs in a shared array type with indefinite block size",
        "THREADS with an indefinite block size", "allocate it with upc_alloc, or compile for a fixed number of threads with -T N";
    SHARED_SIZE "U536" error "6.5.2.1 p2", "the size of a shared array is not a positive integer constant",
        "not a positive constant";
    SHARED_INCOMPLETE "U537" error "6.5.2.1 p2", "a shared object is defined with an incomplete type",
        "its size is not known";
    CONFLICTING_TYPES "U538" error "6.5.1.1 p13", "declarations of one identifier have incompatible types, shared types among them",
        "differs from the earlier declaration";
    THREADS_PRODUCT "U539" warning "6.5.2.1 p2", "THREADS is multiplied by more than one constant; accepted as an extension",
        "more than one factor", "for portability write the constants in parentheses: `THREADS*(a*b)`";
    SHARED_OVERFLOW "U540" error "6.5.2.1 p2", "a shared object is larger than a thread's segment can hold",
        "too large";
    INITIALIZER_NOT_CONSTANT "U541" error "6.5.2.1 p4", "the initializer of a shared object is not constant",
        "not constant", "assign at run time, in one thread, and follow with upc_barrier";
    INITIALIZER_EXCESS "U542" error "6.5.2.1 p4", "an initializer of a shared object is outside the object",
        "outside the object";
    EXTERN_THREADS "U543" warning "6.5.2.1 p2", "in the dynamic THREADS environment, an extern declaration of a shared array omits its THREADS dimension",
        "no dimension has THREADS", "repeat the dimension of the definition, `n*THREADS`";
    STAR_UNKNOWN "U544" error "6.5.1.1 p16", "a use of a shared array with [*] whose size, and so block size, is not known",
        "its block size is not known here", "declare all dimensions before, as in the definition, or write the block size out";
    STAR_INCOMPLETE "U545" warning "6.5.1.1 p16", "a shared array with [*] is declared without its size, from which the block size would follow",
        "its block size is not known", "declare all dimensions, as in the definition, or write the block size out";
    BARRIER_VALUE "U601" error "6.6.1 p2", "the expression of a barrier statement does not convert to int",
        "cannot be assigned to an int";
    AFFINITY_TYPE "U611" error "6.6.2 p4", "the affinity of upc_forall is neither an integer nor a pointer-to-shared",
        "neither integer nor pointer-to-shared", "use an integer, `&a[i]` of a shared array, or `continue`";
    AFFINITY_NEGATIVE "U612" warning "6.6.2 p8", "the affinity of upc_forall is negative: the behaviour is undefined",
        "negative";
    LEAVES_FORALL "U613" warning "6.6.2 p13", "break, goto or return ends a upc_forall: the behaviour is undefined",
        "leaves the upc_forall", "use `continue` to end one iteration";
    ENTERS_FORALL "U614" warning "6.6.2 p13", "goto enters the body of a upc_forall: the behaviour is undefined",
        "enters a upc_forall";
    COLLECTIVE_IN_FORALL "U615" warning "6.6.2 p13", "a collective operation in the body of a upc_forall: the behaviour is undefined",
        "inside a upc_forall", "move it out of the loop";
    UNDECLARED_LIBRARY "U801" warning "7.2 p1", "a UPC library function is not declared",
        "not declared", "include <upc.h>, or the header that declares it";
    LOCK_OBJECT "U802" error "7.2.4.1 p2", "a use of upc_lock_t that needs a complete type",
        "an incomplete type", "allocate locks with upc_all_lock_alloc or upc_global_lock_alloc, and keep `upc_lock_t *`";
    LIBRARY_HEADER "U803" warning "7.1 p1", "a name of a UPC library is used, and its header is not included",
        "not declared", "include the header that declares it; Fathom includes it before the first line";
    ATOMIC_POINTER "U804" warning "7.6.3.3 p3", "an atomic operation on a pointer-to-shared that is smaller than the `shared void *` of UPC_PTS",
        "its object has one word, a `shared void *` two", "declare it as `shared void *`, and cast where it is used";
    REACH_PLACE "P101" splitc_error "pointers", "`global` or `spread` stands elsewhere than after a `*`",
        "qualifies no pointer", "write it after the `*`: `T *global p`; a spread array has `::` instead";
    REACH_TWICE "P102" splitc_error "pointers", "a pointer is both global and spread",
        "a second kind", "keep one of the two";
    REACH_FUNCTION "P103" splitc_error "pointers", "a global or spread pointer to a function",
        "a function is no data", "all processors have the same functions: use an ordinary pointer";
    LOCAL_TO_GLOBAL "P111" splitc_error "conversions", "an implicit conversion of a local pointer to a global or spread one",
        "a local pointer", "write the cast, `(T *global)p` or `(T *spread)p`, or `toglobal(processor, p)`";
    GLOBAL_TO_LOCAL "P112" splitc_error "conversions", "an implicit conversion of a global or spread pointer to a local one",
        "other processors' objects are not reached by it", "write `tolocal(p)`, or the cast `(T *)p`, if the object is on this processor";
    GLOBAL_TO_SPREAD "P113" splitc_error "conversions", "an implicit conversion of a global pointer to a spread one",
        "a global pointer", "write the cast, `(T *spread)p`, if the next objects are on the next processors";
    NUMBER_TO_GLOBAL "P114" splitc_error "conversions", "a conversion of a value that is not a pointer to a global or spread pointer",
        "not a pointer", "`toglobal(processor, p)` makes a global pointer";
    GLOBAL_TO_NUMBER "P115" splitc_error "conversions", "a conversion of a global or spread pointer to a type that is not a pointer",
        "a global pointer", "`toproc(p)` is its processor, `tolocal(p)` its local address";
    GLOBAL_TYPES "P116" splitc_error "conversions", "global or spread pointers to different types in one operation",
        "the types of the objects differ", "write a cast";
    PLACE_OPERAND "P117" splitc_error "conversions", "the operand of tolocal or toglobal is not a pointer",
        "not a pointer";
    GLOBAL_DIMENSIONS "P118" splitc_warning "conversions", "an implicit conversion between pointers to arrays of different dimensions, or to an array and its element",
        "the pointers count in different units", "write a cast if that is meant";
    DIFFERENT_KINDS "P119" splitc_error "conversions", "pointers of different kinds are compared or subtracted",
        "one points to objects of this processor, or counts in another order", "convert one of them to the kind of the other";
    STORE_LOCAL "P121" splitc_error "assignments", "the left side of `:-` is not reached through a global or spread pointer",
        "the left side is a local object", "write `=`";
    SPLIT_LOCAL "P122" splitc_error "assignments", "neither side of `:=` is reached through a global or spread pointer",
        "both sides are local objects", "write `=`";
    SPLIT_TARGET "P123" splitc_error "assignments", "the left side of `:=` or `:-` is a value, not an object",
        "not an object";
    SPREAD_INITIALIZER "P131" splitc_error "spread arrays", "a spread array has an initializer",
        "cannot be initialised", "assign to it, on one processor, and follow with barrier()";
    SPREAD_SIZE "P132" splitc_error "spread arrays", "the size of a static spread array is not known before the program runs",
        "PROCS in more than one dimension, or a size that is not constant", "allocate it with all_spread_malloc, declare it in a function, or compile with -T N";
    SPREAD_MEMBER "P133" splitc_error "spread arrays", "a member of a struct or union is a spread array",
        "a spread array as a member", "declare the array by itself; a member may be a spread pointer, `T *spread p`";
    SPREAD_JUMP "P134" splitc_error "spread arrays", "goto or switch enters the scope of a spread array of a block",
        "the array does not exist then", "declare the array before, or in a block of its own after the label";
    IMPLICIT_FUNCTION "T101" c_warning "6.5.1 p2", "a function is called without a declaration",
        "not declared", "declare it, or include its header: it is taken to return int";
    NOT_SCALAR "T102" c_error "6.8.4.1 p1", "a shared struct, union or array where a scalar is needed",
        "not a scalar";
    OPERANDS "T103" c_error "6.5 p1", "operands that an operator does not accept, shared objects among them",
        "the operator does not accept these operands";
    ASSIGNED_TYPE "T104" c_error "6.5.16.1 p1", "a struct or union assigned to or from a shared object of another type",
        "cannot be converted";
    NOT_CALLED "T105" c_error "6.5.2.2 p1", "a call of a shared object that is not a function",
        "not a function";
    READ_ONLY "T106" c_error "6.5.16 p2", "assignment to a shared object that is const",
        "read-only";
}

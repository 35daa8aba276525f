// Every function, structure and macro of upc_io.h with the type that the specification gives it.
#include <upc.h>
#include <upc_io.h>
typedef upc_off_t local_io(upc_file_t *, void *, size_t, size_t, upc_flag_t);
typedef upc_off_t shared_io(upc_file_t *, shared void *, size_t, size_t, size_t, upc_flag_t);
typedef upc_off_t local_list(upc_file_t *, size_t, struct upc_local_memvec const *, size_t, struct upc_filevec const *, upc_flag_t);
typedef upc_off_t shared_list(upc_file_t *, size_t, struct upc_shared_memvec const *, size_t, struct upc_filevec const *, upc_flag_t);
typedef void local_async(upc_file_t *, void *, size_t, size_t, upc_flag_t);
typedef void shared_async(upc_file_t *, shared void *, size_t, size_t, size_t, upc_flag_t);
typedef void local_list_async(upc_file_t *, size_t, struct upc_local_memvec const *, size_t, struct upc_filevec const *, upc_flag_t);
typedef void shared_list_async(upc_file_t *, size_t, struct upc_shared_memvec const *, size_t, struct upc_filevec const *, upc_flag_t);
upc_file_t *(*p1)(const char *, int, size_t, struct upc_hint const *) = upc_all_fopen;
int (*p2)(upc_file_t *) = upc_all_fclose, (*p3)(upc_file_t *) = upc_all_fsync;
upc_off_t (*p4)(upc_file_t *, upc_off_t, int) = upc_all_fseek;
int (*p5)(upc_file_t *, upc_off_t) = upc_all_fset_size, (*p6)(upc_file_t *, upc_off_t) = upc_all_fpreallocate;
upc_off_t (*p7)(upc_file_t *) = upc_all_fget_size, (*p8)(upc_file_t *) = upc_all_fwait_async;
int (*p9)(upc_file_t *, int, void *) = upc_all_fcntl;
upc_off_t (*p10)(upc_file_t *, int *) = upc_all_ftest_async;
local_io *l[] = {upc_all_fread_local, upc_all_fwrite_local};
shared_io *s[] = {upc_all_fread_shared, upc_all_fwrite_shared};
local_list *ll[] = {upc_all_fread_list_local, upc_all_fwrite_list_local};
shared_list *sl[] = {upc_all_fread_list_shared, upc_all_fwrite_list_shared};
local_async *la[] = {upc_all_fread_local_async, upc_all_fwrite_local_async};
shared_async *sa[] = {upc_all_fread_shared_async, upc_all_fwrite_shared_async};
local_list_async *lla[] = {upc_all_fread_list_local_async, upc_all_fwrite_list_local_async};
shared_list_async *sla[] = {upc_all_fread_list_shared_async, upc_all_fwrite_list_shared_async};
int flags = UPC_RDONLY | UPC_WRONLY | UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_COMMON_FP | UPC_APPEND | UPC_CREATE | UPC_EXCL | UPC_STRONG_CA | UPC_TRUNC | UPC_DELETE_ON_CLOSE;
int origins[] = {UPC_SEEK_SET, UPC_SEEK_CUR, UPC_SEEK_END};
int commands[] = {UPC_GET_CA_SEMANTICS, UPC_SET_WEAK_CA_SEMANTICS, UPC_SET_STRONG_CA_SEMANTICS, UPC_GET_FP, UPC_SET_COMMON_FP, UPC_SET_INDIVIDUAL_FP, UPC_GET_FL, UPC_GET_FN, UPC_GET_HINTS, UPC_SET_HINT, UPC_ASYNC_OUTSTANDING};
struct upc_hint hint = {.key = "access_style", .value = "read_once"};
struct upc_local_memvec lm = {.baseaddr = &hint, .len = sizeof hint};
struct upc_filevec fv = {.offset = 3, .len = 4};
upc_off_t zero = 0;
size_t f(struct upc_shared_memvec v, shared void *base) { v.baseaddr = base; return v.blocksize + v.len; }

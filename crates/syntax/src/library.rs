//! Which header declares a name of a UPC library that has a header of its own (UPC 1.3, 7.4 to 7.9).

/// The names that each header declares beside those of `<upc.h>` and `<upc_types.h>`; tags of structures are left out,
/// because C needs no declaration of them. A test compares the table with the headers.
const HEADERS: &[(&str, &str)] = &[
    (
        "upc_atomic.h",
        "upc_atomicdomain_t upc_atomichint_t upc_all_atomicdomain_alloc upc_all_atomicdomain_free upc_atomic_strict \
         upc_atomic_relaxed upc_atomic_isfast UPC_GET UPC_SET UPC_CSWAP UPC_SUB UPC_INC UPC_DEC UPC_ATOMIC_HINT_DEFAULT \
         UPC_ATOMIC_HINT_LATENCY UPC_ATOMIC_HINT_THROUGHPUT",
    ),
    (
        "upc_castable.h",
        "upc_thread_info_t upc_thread_info upc_cast UPC_CASTABLE_ALL_ALLOC UPC_CASTABLE_GLOBAL_ALLOC UPC_CASTABLE_ALLOC \
         UPC_CASTABLE_STATIC UPC_CASTABLE_ALL",
    ),
    (
        "upc_collective.h",
        "upc_all_broadcast upc_all_scatter upc_all_gather upc_all_gather_all upc_all_exchange upc_all_permute upc_all_sort \
         UPC_FUNC UPC_NONCOMM_FUNC",
    ),
    (
        "upc_io.h",
        "upc_file_t upc_off_t upc_hint_t upc_local_memvec_t upc_shared_memvec_t upc_filevec_t upc_all_fopen upc_all_fclose \
         upc_all_fsync upc_all_fseek upc_all_fset_size upc_all_fget_size upc_all_fpreallocate upc_all_fcntl \
         upc_all_fread_local upc_all_fread_shared upc_all_fwrite_local upc_all_fwrite_shared upc_all_fread_list_local \
         upc_all_fread_list_shared upc_all_fwrite_list_local upc_all_fwrite_list_shared upc_all_fread_local_async \
         upc_all_fread_shared_async upc_all_fwrite_local_async upc_all_fwrite_shared_async upc_all_fread_list_local_async \
         upc_all_fread_list_shared_async upc_all_fwrite_list_local_async upc_all_fwrite_list_shared_async \
         upc_all_fwait_async upc_all_ftest_async UPC_RDONLY UPC_WRONLY UPC_RDWR UPC_INDIVIDUAL_FP UPC_COMMON_FP UPC_APPEND \
         UPC_CREATE UPC_EXCL UPC_STRONG_CA UPC_TRUNC UPC_DELETE_ON_CLOSE UPC_SEEK_SET UPC_SEEK_CUR UPC_SEEK_END \
         UPC_GET_CA_SEMANTICS UPC_SET_WEAK_CA_SEMANTICS UPC_SET_STRONG_CA_SEMANTICS UPC_GET_FP UPC_SET_COMMON_FP \
         UPC_SET_INDIVIDUAL_FP UPC_GET_FL UPC_GET_FN UPC_GET_HINTS UPC_SET_HINT UPC_ASYNC_OUTSTANDING",
    ),
    (
        "upc_nb.h",
        "upc_handle_t upc_memcpy_nb upc_memget_nb upc_memput_nb upc_memset_nb upc_memcpy_nbi upc_memget_nbi upc_memput_nbi \
         upc_memset_nbi upc_sync upc_sync_attempt upc_synci upc_synci_attempt UPC_COMPLETE_HANDLE",
    ),
    ("upc_tick.h", "upc_tick_t upc_ticks_now upc_ticks_to_ns UPC_TICK_MIN UPC_TICK_MAX"),
];

/// The suffixes T of `upc_all_reduceT` and `upc_all_prefix_reduceT` (UPC 1.3, 7.4.3).
const REDUCED: &[&str] = &["C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD"];

/// The header that declares `name`, as it is written between `<` and `>`.
pub fn header_of(name: &str) -> Option<&'static str> {
    if !name.starts_with("upc_") && !name.starts_with("UPC_") && !name.starts_with("bupc_all_reduce_all") {
        return None;
    }
    let reduces = ["upc_all_reduce", "upc_all_prefix_reduce", "bupc_all_reduce_all"];
    if reduces.iter().any(|f| name.strip_prefix(f).is_some_and(|t| REDUCED.contains(&t))) {
        return Some("upc_collective.h");
    }
    HEADERS.iter().find(|(_, names)| names.split(' ').any(|n| n == name)).map(|(header, _)| *header)
}

/// Does a library's header declare `name` as a type?
pub fn is_type(name: &str) -> bool {
    name.ends_with("_t") && header_of(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The words of C text, comments left out, from which a name of a library can begin.
    fn names(text: &str) -> Vec<String> {
        let code: String = text
            .split("/*")
            .enumerate()
            .map(|(i, part)| match i {
                0 => part,
                _ => part.split_once("*/").map_or("", |(_, code)| code),
            })
            .collect();
        let reductions = code.split("FATHOM_DECLARE_REDUCTIONS(").skip(2).filter_map(|s| s.split(',').next());
        let suffixes: Vec<&str> = reductions.collect();
        let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '#');
        words
            .filter(|w| ["upc_", "UPC_", "bupc_"].iter().any(|p| w.starts_with(p)))
            .flat_map(|w| match w.strip_suffix("##T") {
                Some(stem) => suffixes.iter().map(|t| format!("{stem}{t}")).collect(),
                None => vec![w.to_string()],
            })
            .collect()
    }

    #[test]
    fn the_table_is_what_the_headers_declare() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        let types = names(&read("upc_types.h"));
        let tags = ["upc_hint", "upc_local_memvec", "upc_shared_memvec", "upc_filevec"];
        for (header, listed) in HEADERS {
            let guard = header.to_uppercase().replace('.', "_");
            let declared = names(&read(header));
            let own =
                |n: &&String| !types.contains(n) && **n != guard && !tags.contains(&n.as_str()) && *n != "upc_types";
            for name in declared.iter().filter(own) {
                assert_eq!(header_of(name), Some(*header), "{name}");
            }
            for name in listed.split(' ') {
                assert!(declared.iter().any(|n| n == name), "{header} does not declare {name}");
            }
        }
        for name in ["upc_lock_t", "upc_all_alloc", "UPC_ADD", "upc_flag_t", "upc_all_nothing", "upc_all_reduceX", "f"]
        {
            assert_eq!(header_of(name), None, "{name}");
        }
    }
}

//! Static shared objects: a symbol in section `fathom_shared` or `fathom_shared_large`, written by file-scope assembly
//! so that the section occupies no file space with any compiler; and the actions of the unit before `main`.

use crate::code::Code;
use crate::write::Writer;
use fathom_sema::segments::LINE_BYTES;
use fathom_sema::{Block, Len, Linkage, SymId, Ty, TyKind};
use fathom_syntax::ast::*;

/// An object of at least this size a thread stands in section `fathom_shared_large`, behind everything that code
/// addresses with 32 bits, and its address is loaded from a constant. Code computes the addresses of smaller objects.
/// 127 objects below this size fit into the 2 GiB that 32 bits reach.
const LARGE_BYTES: u64 = 16 << 20;

impl Writer<'_> {
    /// The name of a shared object in the generated code; declares (and defines) it on first use.
    pub(crate) fn object_name(&mut self, sym: SymId) -> String {
        if let Some(n) = self.object_names.get(&sym) {
            return n.clone();
        }
        let s = &self.s.symbols[sym.0 as usize];
        let name = self.p.source.name(s.name);
        let local_static = s.local && s.linkage == Linkage::None;
        let symbol = if local_static { format!("{name}__fathom{}", s.serial) } else { name.to_owned() };
        // No variable of the program shadows the C name; the symbol is the program's.
        let c_name = format!("fathom_at_{symbol}");
        self.object_names.insert(sym, c_name.clone());
        self.storage(sym, &c_name, &symbol);
        c_name
    }

    /// The object's symbol for use in an initialiser, which may have 64 bits.
    pub(crate) fn object_symbol(&self, sym: SymId) -> Option<String> {
        let name = self.object_names.get(&sym)?;
        Some(if self.is_large(sym) { name.replacen("fathom_at_", "fathom_symbol_", 1) } else { name.clone() })
    }

    /// Another unit's array of unknown length may be large.
    fn is_large(&self, sym: SymId) -> bool {
        self.s.local_size(self.s.symbols[sym.0 as usize].ty).is_none_or(|bytes| bytes >= LARGE_BYTES)
    }

    fn storage(&mut self, sym: SymId, c_name: &str, name: &str) {
        let s = self.s.symbols[sym.0 as usize].clone();
        let local_static = s.local && s.linkage == Linkage::None;
        let local = local_static || s.linkage == Linkage::Internal;
        let size = self.s.local_size(s.ty);
        let large = self.is_large(sym);
        if large {
            let symbol = c_name.replacen("fathom_at_", "fathom_symbol_", 1);
            self.hoisted
                .push(format!("extern char {symbol}[] __asm__(\"{name}\") __attribute__((visibility(\"hidden\")));\n"));
            // One definition of the address serves all units; an object of this unit alone has its own.
            let address = format!("fathom_address_{name}");
            let binding = match local {
                true => format!(".local {address}"),
                false => format!(".weak {address}\\n\\t.hidden {address}"),
            };
            self.hoisted.push(format!(
                "__asm__(\".pushsection .data.rel.ro.local,\\\"aw\\\",@progbits\\n\\t.balign 8\\n\\t{binding}\\n\
                 {address}:\\t.quad {name}\\n\\t.popsection\");\nextern char *const {c_name} __asm__(\"{address}\") \
                 __attribute__((visibility(\"hidden\")));\n"
            ));
        } else {
            self.hoisted
                .push(format!("extern char {c_name}[] __asm__(\"{name}\") __attribute__((visibility(\"hidden\")));\n"));
        }
        if !(s.defined || s.tentative || local_static) {
            return;
        }
        let size = size.unwrap_or(1).max(1);
        let natural = self.s.align_of(s.ty).max(s.align).max(1);
        // On a cache line, where vector instructions work best; large objects on a page of their own.
        let align = match size {
            _ if large => natural.max(4096),
            LINE_BYTES.. => natural.max(LINE_BYTES),
            _ => natural,
        };
        let binding = if local {
            ".local"
        } else if s.defined {
            ".globl"
        } else {
            ".weak"
        };
        // Linkers place sections in the order in which they meet them: the section that 32 bits must reach comes first.
        let (before, section) = match large {
            true => (
                ".pushsection fathom_shared,\\\"aw\\\",@nobits\\n\\t.zero 1\\n\\t.popsection\\n\\t",
                "fathom_shared_large",
            ),
            false => ("", "fathom_shared"),
        };
        self.hoisted.push(format!(
            "__asm__(\"{before}.pushsection {section},\\\"aw\\\",@nobits\\n\\t.balign {align}\\n\\t{binding} {name}\\n\\t.type \
             {name},@object\\n\\t.size {name},{size}\\n{name}:\\t.zero {size}\\n\\t.popsection\");\n"
        ));
    }

    /// A declaration of a shared object: its storage, and its initialiser for `fathom_unit_init`.
    pub(crate) fn shared_object(&mut self, sym: SymId, init: Option<InitId>) {
        let name = self.object_name(sym);
        let Some(init) = init else { return };
        let ty = self.s.symbols[sym.0 as usize].ty;
        let block = match self.s.types.shared(ty) {
            Some(Block::Of(b)) => b,
            _ => 0,
        };
        let private = self.s.types.plain(ty);
        let temp = self.temp("init");
        let is_array = matches!(self.s.types.kind(private), TyKind::Array(..));
        let value = self.init(init);
        // The number of elements is not a constant where it depends on THREADS: the initialiser's number is.
        let threads_at = self.threads_dimension(private);
        let declared = match threads_at {
            Some(_) => {
                let columns = self.columns(init).max(1);
                self.with_columns(private, columns, &temp)
            }
            None => self.c_type(private, &temp),
        };
        let storage = if self.translated.expr_free(self.u, init) { "static const " } else { "" };
        let size = self.s.elem_size(ty);
        self.inits.push(if is_array {
            let (row, width) = match threads_at {
                Some((above, per_thread)) => {
                    let row = format!("{temp}{}", "[0]".repeat(above));
                    let width =
                        format!("{per_thread}ul * (unsigned long)fathom_threads * (sizeof {row}[0] / {size}ul)");
                    (row, width)
                }
                None => (temp.clone(), format!("sizeof {temp} / ({size}ul)")),
            };
            code![
                "{ ",
                storage,
                declared,
                " = ",
                value,
                "; ",
                format!("fathom_init_array(fathom_static({name}), {temp}, sizeof {temp} / (sizeof {row}), "),
                format!("sizeof {row} / {size}ul, {width}, {block}ul, {size}ul, {:?}); }} ", self.name_of(sym))
            ]
        } else {
            code![
                "if (fathom_mythread == 0) { ",
                declared,
                " = ",
                value,
                "; ",
                format!("fathom_memput(fathom_static({name}), &{temp}, sizeof {temp}); }} ")
            ]
        });
    }

    pub(crate) fn name_of(&self, sym: SymId) -> &str {
        self.p.source.name(self.s.symbols[sym.0 as usize].name)
    }

    /// The number of dimensions of an array before the one that depends on THREADS, and the number of elements of that
    /// one per thread.
    fn threads_dimension(&self, ty: Ty) -> Option<(usize, u64)> {
        match *self.s.types.kind(ty) {
            TyKind::Array(_, Len::Threads(n)) => Some((0, n)),
            TyKind::Array(row, _) => self.threads_dimension(row).map(|(above, n)| (above + 1, n)),
            _ => None,
        }
    }

    /// Declares an array with a constant in place of the length that depends on THREADS.
    fn with_columns(&self, mut ty: Ty, columns: u64, name: &str) -> String {
        let mut declarator = name.to_owned();
        while let TyKind::Array(elem, Len::Const(_) | Len::Threads(_) | Len::Unknown) = *self.s.types.kind(ty) {
            declarator += &match *self.s.types.kind(ty) {
                TyKind::Array(_, Len::Const(n)) => format!("[{n}]"),
                TyKind::Array(_, Len::Threads(_)) => format!("[{columns}]"),
                _ => "[]".to_owned(),
            };
            ty = elem;
        }
        self.c_type(ty, &declarator)
    }

    /// The length that the dimension that depends on THREADS must have for an initialiser; more where it leaves out
    /// braces.
    fn columns(&self, init: InitId) -> u64 {
        let Some((above, _)) = self.threads_dimension(self.s.init_ty[init.index()]) else { return 0 };
        let items = match &self.u[init].kind {
            InitKind::List(items) => items,
            // A string.
            InitKind::Expr(e) => {
                return match *self.s.types.kind(self.s.ty(*e)) {
                    TyKind::Array(_, Len::Const(n)) => n,
                    _ => 0,
                }
            }
        };
        let (mut columns, mut next) = (0, 0u64);
        for i in items {
            if !i.designators.is_empty() {
                next = match i.designators.get(above) {
                    Some(Designator::Index(e) | Designator::Range(_, e)) => {
                        self.s.const_int(self.p, *e).and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
                    }
                    _ => 0,
                };
            }
            let is_row = self.threads_dimension(self.s.init_ty[i.init.index()]).is_some();
            if is_row {
                columns = columns.max(self.columns(i.init));
            } else {
                next = next.saturating_add(1);
                columns = columns.max(next);
            }
        }
        columns
    }

    /// The end of a unit: its initialisation function and its record (docs/decisions/0001).
    pub(crate) fn unit_tail(&mut self) -> Code {
        let mut out = std::mem::take(&mut self.hoisted);
        let inits = std::mem::take(&mut self.inits);
        let init = if inits.is_empty() { "0" } else { "fathom_unit_init" };
        if !inits.is_empty() {
            out.push("static void fathom_unit_init(void) {\n");
            for i in inits {
                out.push(i).push("\n");
            }
            out.push("}\n");
        }
        let split = u8::from(self.is_split_c());
        if self.is_split_c() {
            out.push(self.split_main());
            out.push("char fathom_split_unit __attribute__((weak, visibility(\"hidden\")));\n");
        }
        if self.has_void_main() {
            out.push("char fathom_void_main __attribute__((weak, visibility(\"hidden\")));\n");
        }
        out.push(self.known_costs());
        let threads = self.s.options.threads.unwrap_or(0);
        let file = self.main_file();
        out.push(format!(
            "static const struct fathom_unit fathom_unit_record = {{fathom_abi, {threads}, {file:?}, {init}, {split}}};\n\
             static const struct fathom_unit *const fathom_unit_here __attribute__((section(\"fathom_units\"), used)) = \
             &fathom_unit_record;\n"
        ));
        out
    }

    /// Does the unit define `void main`? The C compiler leaves any status in the register; the runtime gives 0.
    fn has_void_main(&self) -> bool {
        self.u.items.iter().any(|item| {
            let Item::Fn(f) = item else { return false };
            let named = self.u[f.declarator].name.is_some_and(|(name, _)| self.p.source.name(name) == "main");
            let ty = self.s.declarator_ty[f.declarator.index()];
            named && matches!(self.s.types.kind(ty), TyKind::Function(f) if self.s.types.is_void(f.ret))
        })
    }

    /// The first file of the preprocessed text that is not the preprocessor's own.
    fn main_file(&self) -> &str {
        self.p.source.files.iter().map(|s| s.as_str()).find(|f| !f.starts_with('<')).unwrap_or("")
    }
}

//! Static shared objects: a symbol in section `fathom_shared`, written by file-scope assembly so that the section
//! occupies no file space whatever the compiler; and what the unit does before `main`.

use crate::code::Code;
use crate::Lower;
use fathom_sema::{Block, Linkage, SymId, TyKind};
use fathom_syntax::ast::*;

impl Lower<'_> {
    /// The name of a shared object in the generated code; declares (and defines) it on first use.
    pub(crate) fn object_name(&mut self, sym: SymId) -> String {
        if let Some(n) = self.object_names.get(&sym) {
            return n.clone();
        }
        let s = &self.s.symbols[sym.0 as usize];
        let name = self.p.source.name(s.name);
        let local_static = s.local && s.linkage == Linkage::None;
        let symbol = if local_static { format!("{name}__fathom{}", s.serial) } else { name.to_owned() };
        // The C name is one that no variable of the program shadows; the symbol is the program's.
        let c_name = format!("fathom_at_{symbol}");
        self.object_names.insert(sym, c_name.clone());
        self.storage(sym, &c_name, &symbol);
        c_name
    }

    fn storage(&mut self, sym: SymId, c_name: &str, name: &str) {
        let s = self.s.symbols[sym.0 as usize].clone();
        let local_static = s.local && s.linkage == Linkage::None;
        self.hoisted
            .push(format!("extern char {c_name}[] __asm__(\"{name}\") __attribute__((visibility(\"hidden\")));\n"));
        if !(s.defined || s.tentative || local_static) {
            return;
        }
        let size = self.s.local_size(s.ty).unwrap_or(1).max(1);
        let natural = self.s.align_of(s.ty).max(s.align).max(1);
        // Blocks of vectors start where vectors like to start.
        let align = if size >= 64 { natural.max(64) } else { natural };
        let binding = if local_static || s.linkage == Linkage::Internal {
            ".local"
        } else if s.defined {
            ".globl"
        } else {
            ".weak"
        };
        self.hoisted.push(format!(
            "__asm__(\".pushsection fathom_shared,\\\"aw\\\",@nobits\\n\\t.balign {align}\\n\\t{binding} {name}\\n\\t.type \
             {name},@object\\n\\t.size {name},{size}\\n{name}:\\t.zero {size}\\n\\t.popsection\");\n"
        ));
    }

    /// A declaration of a shared object: its storage, and its initialiser for `fathom_unit_init`.
    pub(crate) fn shared_object(&mut self, sym: SymId, init: Option<InitId>) {
        let name = self.object_name(sym);
        let Some(init) = init else { return };
        let ty = self.s.symbols[sym.0 as usize].ty;
        let mut q = self.s.types.quals(self.s.types.ultimate(ty));
        let block = match q.shared {
            Some(Block::Of(b)) => b,
            _ => 0,
        };
        q = fathom_sema::Quals::default();
        let private = self.s.types.with_quals(ty, q);
        let temp = self.temp("init");
        let is_array = matches!(self.s.types.kind(private), TyKind::Array(..));
        let value = self.init(init);
        let declared = match *self.s.types.kind(private) {
            // The number of elements is not a constant where it depends on THREADS: the initialiser's is.
            TyKind::Array(elem, fathom_sema::Len::Threads(_)) => self.c_type(elem, &format!("{temp}[]")),
            _ => self.c_type(private, &temp),
        };
        let storage = if self.touch.expr_free(self.u, init) { "static const " } else { "" };
        let size = self.s.elem_size(ty);
        self.inits.push(if is_array {
            code![
                "{ ", storage, declared, " = ", value, "; ",
                format!("fathom_init_array(fathom_static({name}), {temp}, sizeof {temp} / {size}ul, {block}ul, {size}ul); }} ")
            ]
        } else {
            code![
                "if (fathom_mythread == 0) { ", declared, " = ", value, "; ",
                format!("fathom_memput(fathom_static({name}), &{temp}, sizeof {temp}); }} ")
            ]
        });
    }

    /// What ends a unit: its initialisation function and its record (docs/decisions/0001).
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
        let threads = self.s.options.static_threads.unwrap_or(0);
        let file = self.main_file();
        out.push(format!(
            "static const struct fathom_unit fathom_unit_record = {{fathom_abi, {threads}, {file:?}, {init}}};\n\
             static const struct fathom_unit *const fathom_unit_here __attribute__((section(\"fathom_units\"), used)) = \
             &fathom_unit_record;\n"
        ));
        out
    }

    /// The first file of the preprocessed text that is not the preprocessor's own.
    fn main_file(&self) -> &str {
        self.p.source.files.iter().map(|s| s.as_str()).find(|f| !f.starts_with('<')).unwrap_or("")
    }
}

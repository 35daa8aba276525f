//! What an object file says of its functions that only compute, and what its loops ask about those of other files
//! (docs/decisions/0021): `runtime/lang/computes.h` has the types.

use crate::code::Code;
use crate::plan::strips::Assumed;
use crate::write::Writer;
use fathom_sema::SymId;

impl Writer<'_> {
    /// The questions whether what a loop assumes of functions of other files is so, each with `&&` behind it.
    pub(crate) fn only_compute(&mut self, assumed: &Assumed) -> String {
        let may_read = u8::from(assumed.may_read);
        let mut questions = String::new();
        for sym in &assumed.functions {
            let declared = self.asked_about(*sym);
            self.hoisted.push(declared);
            let name = self.name_of(*sym);
            questions += &format!("fathom_only_computes(&fathom_computes_{name}, fathom_named_{name}, {may_read}) && ");
        }
        questions
    }

    /// Declarations, the first time, of what is said of a function of another file, and of the function. Neither has to be there: a call that the C
    /// compiler leaves out needs no function.
    fn asked_about(&mut self, sym: SymId) -> String {
        if !self.asked.insert(sym) {
            return String::new();
        }
        let name = self.name_of(sym);
        format!(
            "extern const struct fathom_computes fathom_computes_{name} __attribute__((weak));\n\
             static void fathom_named_{name}(void) __attribute__((weakref(\"{name}\")));\n"
        )
    }

    /// What this file says of its functions, as if a system header said it: warnings are not for the user.
    pub(crate) fn said(&mut self) -> Code {
        let mut out = String::new();
        let plan = self.plan;
        for said in &plan.said {
            out += &format!("extern const struct fathom_computes fathom_computes_{};\n", self.name_of(said.function));
        }
        for said in &plan.said {
            let elsewhere = said.calls.elsewhere.iter().map(|sym| self.asked_about(*sym)).collect::<String>();
            out += &elsewhere;
            let name = self.name_of(said.function);
            // By this name it is the function of this file, whatever becomes of the other name at link time. It is weak because clang replaces
            // other aliases by what they name.
            out += &format!(
                "extern __typeof__({name}) fathom_this_{name} \
                 __attribute__((alias(\"{name}\"), weak, visibility(\"hidden\")));\n"
            );
            let elsewhere = said.calls.elsewhere.iter().map(|sym| {
                let name = self.name_of(*sym);
                format!("{{&fathom_computes_{name}, fathom_named_{name}}}")
            });
            let beside = said.calls.beside.iter().map(|sym| {
                let name = self.name_of(*sym);
                format!("{{&fathom_computes_{name}, (void (*)(void)){name}}}")
            });
            let each = elsewhere.chain(beside).collect::<Vec<_>>();
            let called = match each.is_empty() {
                true => "0".to_owned(),
                false => {
                    let list = each.join(", ");
                    out += &format!("static const struct fathom_called fathom_called_{name}[] = {{{list}}};\n");
                    format!("fathom_called_{name}")
                }
            };
            out += &format!(
                "const struct fathom_computes fathom_computes_{name} = {{(void (*)(void))fathom_this_{name}, {called}, {}, {}}};\n",
                each.len(),
                u8::from(said.reads)
            );
        }
        match out.is_empty() {
            true => Code::new(),
            false => format!("# 1 \"<fathom>\" 3\n{out}").into(),
        }
    }
}

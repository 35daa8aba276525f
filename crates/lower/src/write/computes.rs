//! What an object file says of its functions that only compute, or are one atomic operation, and what its loops ask about those of other files
//! (docs/decisions/0021): `runtime/lang/computes.h` and `fetch.h` have the types.

use crate::code::Code;
use crate::plan::atomic_functions::{AtomicFunction, Made, Parameters};
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
        self.asked_whether(sym, "computes")
    }

    /// The same of what is said if it is an atomic operation.
    pub(crate) fn asked_about_atomic(&mut self, sym: SymId) -> String {
        self.asked_whether(sym, "atomic")
    }

    fn asked_whether(&mut self, sym: SymId, what: &'static str) -> String {
        let (is_named, is_asked) = (!self.asked.insert((sym, "")), !self.asked.insert((sym, what)));
        let name = self.name_of(sym);
        let said = format!("extern const struct fathom_{what} fathom_{what}_{name} __attribute__((weak));\n");
        let named = format!("static void fathom_named_{name}(void) __attribute__((weakref(\"{name}\")));\n");
        let declared = [(is_asked, said), (is_named, named)].into_iter().filter(|(is_there, _)| !is_there);
        declared.map(|(_, text)| text).collect()
    }

    /// Another name of a function of this file. By this name it is the function of this file, whatever becomes of the other name at link time. It is
    /// weak because clang replaces other aliases by what they name.
    fn this_function(&self, sym: SymId) -> String {
        let name = self.name_of(sym);
        format!(
            "extern __typeof__({name}) fathom_this_{name} \
             __attribute__((alias(\"{name}\"), weak, visibility(\"hidden\")));\n"
        )
    }

    /// What this file says of a function that is one atomic operation.
    fn said_of_atomic(&self, f: &AtomicFunction) -> String {
        let name = self.name_of(f.function);
        let bytes = f.bytes;
        let (opens, operand) = match f.made {
            Made::Domain { domain, op, has_operand } => {
                let (domain, has_operand) = (self.name_of(domain), u8::from(has_operand));
                (format!("fathom_fetch_domain(f, {domain}, {op}, {bytes}ul, {has_operand})"), 0)
            }
            Made::Berkeley { ty, op, operand } => {
                let bits = operand.unwrap_or(0) as u64;
                let bits = if bytes == 4 { u64::from(bits as u32) } else { bits };
                (format!("fathom_fetch_berkeley(f, FATHOM_FETCH_{ty}, FATHOM_FETCH_{op})"), bits)
            }
        };
        let parameters = parameters_as_bits(f.parameters);
        format!(
            "extern const struct fathom_atomic fathom_atomic_{name};\n\
             {}static int fathom_opens_{name}(struct fathom_fetch *f) {{ return {opens}; }}\n\
             const struct fathom_atomic fathom_atomic_{name} = \
             {{(void (*)(void))fathom_this_{name}, fathom_opens_{name}, {parameters}, {bytes}ul, {operand}ul}};\n",
            self.this_function(f.function)
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
            out += &self.this_function(said.function);
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
        plan.atomic_functions.iter().for_each(|f| out += &self.said_of_atomic(f));
        match out.is_empty() {
            true => Code::new(),
            false => format!("# 1 \"<fathom>\" 3\n{out}").into(),
        }
    }
}

/// As `struct fathom_atomic` has them.
pub(crate) fn parameters_as_bits(parameters: Parameters) -> u8 {
    u8::from(parameters.index) | u8::from(parameters.operand) << 1
}

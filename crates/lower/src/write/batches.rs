//! Writes what stands before the body of a loop whose update is made for many iterations together (runtime/lang/batch.h).

use crate::code::Code;
use crate::plan::batches::{Batch, Change};
use crate::plan::counting::Counting;
use crate::plan::updates::{Operand, Update};
use crate::plan::{Form, Loop};
use crate::write::strips::iteration_variable;
use crate::write::Writer;

/// The head of a loop in the generated code, `for (…; counter < end; counter++)`.
pub(crate) struct Head<'a> {
    pub counter: &'a str,
    pub ty: &'a str,
    pub end: Code,
    /// Declares what an iteration has, for this value of the counter.
    pub own: &'a dyn Fn(&str) -> String,
}

impl Writer<'_> {
    /// The number behind the last iteration's.
    pub(crate) fn behind_last(&mut self, c: &Counting) -> Code {
        let inclusive = if c.inclusive { " + 1ul" } else { "" };
        code!["(long)((unsigned long)(", self.expr(c.hi), format!("){inclusive})")]
    }

    /// The name of a counter, its first value, and the code.
    pub(crate) fn c_loop_in_batches(&mut self, planned: &Loop) -> Option<(String, &'static str, Code)> {
        let c = planned.counting.as_ref().filter(|_| planned.batch.is_some())?;
        let (var, ty) = (self.name_of(c.var).to_owned(), self.c_cast(self.s.symbols[c.var.0 as usize].ty));
        let end = self.behind_last(c);
        let hiding = self.options.hiding;
        let own = |value: &str| iteration_variable(hiding, &var, &ty, value);
        let (counter, begin) = self.in_batches(planned, Head { counter: &var, ty: &ty, end, own: &own })?;
        Some((counter, "fathom_batch_first", begin))
    }

    /// The name of a counter that begins with `fathom_batch_first`, and the code.
    pub(crate) fn in_batches(&mut self, planned: &Loop, head: Head) -> Option<(String, Code)> {
        let batch = planned.batch.as_ref()?;
        let is_near = |l: &Self, e| matches!(l.form(e), Form::Near { .. });
        if self.options.explain
            || self.form(batch.object) != Form::Far
            || !batch.shared_reads.iter().all(|e| is_near(self, *e))
        {
            return None;
        }
        let Head { counter: var, ty, end, own } = head;
        let [counter, s, i, from, to] = ["batch", "places", "i", "from", "to"].map(|what| self.temp(what));
        let place = self.place(batch.object);
        let (steps, place) = (self.steps_of_place(&batch.steps), self.word_at(place));
        let private: Vec<Code> = batch.reads.iter().map(|e| self.expr(*e)).collect();
        let shared: Vec<Code> = batch.shared_reads.iter().map(|e| self.place(*e).lvalue).collect();
        let mut reads = Code::new();
        for read in private.into_iter().chain(shared) {
            let [first, last] = [from.clone(), format!("{to} - 1")].map(|value| own(&value));
            reads.push(code![
                format!("fathom_batch_read(&{s}, __extension__ ({{ {first}(const volatile char *)&("),
                read.clone(),
                format!("); }}), __extension__ ({{ {last}(const volatile char *)(&("),
                read,
                ") + 1); })), "
            ]);
        }
        let change = self.change_of(batch, &s);
        let own = own(&i);
        let here = self.here(self.u[batch.object].toks, "; ");
        let begin = code![
            format!("if (__builtin_expect(--{counter} == 0, 0)) {{ {counter} = FATHOM_BATCH; const long {from} = (long){var}, "),
            format!("{to} = fathom_batch_to({from}, "),
            end,
            format!("); if ({from} < {to}) {{ struct fathom_batch {s}; {s}.n = {s}.reads = 0; "),
            format!("for (long {i} = {from}; {i} < {to}; {i}++) {{ {own}"),
            steps,
            format!("{s}.at[{s}.n++] = "),
            place,
            format!("; {}}} ", "} ".repeat(batch.steps.len())),
            here,
            format!("if ({s}.n == 0 || ("),
            reads,
            change,
            format!(")) {{ {var} = ({ty})({to} - 1); {counter} = 1; continue; }} }} }} ")
        ];
        Some((counter, begin))
    }

    /// The call that updates the objects at the places `s`.
    fn change_of(&mut self, batch: &Batch, s: &str) -> Code {
        match batch.change {
            Change::Update(update, operand) => {
                let operand = operand.map_or("1".into(), |e| self.expr(e));
                let Update { object, op, .. } = update;
                let (function, ty) = match update.operand {
                    Operand::Integer => {
                        (format!("fathom_batch_update(&{s}, FATHOM_UPDATE_{object}, "), "unsigned long")
                    }
                    Operand::Float => (format!("fathom_batch_update_float(&{s}, "), "float"),
                    Operand::Double => (format!("fathom_batch_update_double(&{s}, FATHOM_UPDATE_{object}, "), "double"),
                };
                code![function, format!("FATHOM_UPDATE_{op}, ({ty})("), operand, "))"]
            }
            Change::Atomic([domain, op, operand]) => {
                let [domain, op, operand] = [domain, op, operand].map(|e| self.expr(e));
                code![format!("fathom_batch_atomic(&{s}, "), domain, ", (int)(", op, "), ", operand, ")"]
            }
        }
    }
}

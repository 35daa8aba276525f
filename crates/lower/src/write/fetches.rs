//! Writes loops whose atomic operations are made for many iterations together, before these use the results (runtime/lang/fetch.h).

use crate::code::Code;
use crate::plan::fetches::{Fetch, Object, Operation};
use crate::plan::strips::Write;
use crate::plan::{Form, Loop};
use crate::write::batches::Head;
use crate::write::computes::parameters_as_bits;
use crate::write::strips::iteration_variable;
use crate::write::Writer;
use fathom_syntax::ast::*;

/// How the call in the body of such a loop finds its result.
pub(crate) struct Fetched {
    call: ExprId,
    /// The results, or null, and the expression for the number of this iteration's.
    results: String,
    index: String,
    /// The private object that gets the result.
    result: Option<ExprId>,
}

/// A number of 4 or 8 bytes as it lies in memory.
fn bits(number: Code) -> Code {
    let copied = "__builtin_memcpy(&fathom_bits, &fathom_value, sizeof fathom_value); fathom_bits; })";
    code!["__extension__ ({ __auto_type fathom_value = +(", number, "); unsigned long fathom_bits = 0; ", copied]
}

impl Writer<'_> {
    /// Declarations before a C loop, and what stands before its body.
    pub(crate) fn c_loop_with_fetches(&mut self, planned: &Loop) -> Option<(String, Code)> {
        let c = planned.counting.as_ref().filter(|_| matches!(planned.fetch, Some(Ok(_))))?;
        let (var, var_ty) = (self.name_of(c.var).to_owned(), self.s.symbols[c.var.0 as usize].ty);
        let ty = self.c_cast(var_ty);
        let end = self.behind_last(c);
        let hiding = self.options.hiding;
        let own = |value: &str| iteration_variable(hiding, &var, &ty, value);
        let head = Head { counter: &var, ty: &ty, end, own: &own };
        self.fetches_ahead(planned, head, (&|counter| counter.to_owned(), "1"), self.wraps_after(var_ty, c.hi, false))
    }

    /// Declarations before the loop, and what stands before its body. `at` says which value the program's variable has for one of the counter, and how far
    /// iterations are apart; a counter that goes beyond `most` starts anew.
    pub(crate) fn fetches_ahead(
        &mut self,
        planned: &Loop,
        head: Head,
        at: (&dyn Fn(&str) -> String, &str),
        most: Option<u64>,
    ) -> Option<(String, Code)> {
        let fetch = planned.fetch.as_ref()?.as_ref().ok()?;
        let is_near = |e: &ExprId| matches!(self.form(*e), Form::Near { .. });
        if matches!(fetch.object, Object::Named(x) if self.form(x) != Form::Far)
            || !fetch.shared_reads.iter().all(is_near)
        {
            return None;
        }
        let names = ["fetch", "got", "made", "strip", "atomic", "lo", "trips", "n", "k", "places", "operands"];
        let [counter, got, made, s, atomic, lo, trips, n, k, places, operands] = names.map(|what| self.temp(what));
        let [from, reach] = ["from", "reach"].map(|what| self.temp(what));
        let Head { counter: var, end, own, .. } = head;
        let counts = most.map(|most| format!("{lo} + {trips} - 1 <= {most}l && "));
        let own_var = own(&format!("{lo} + (long){k}"));
        let bytes = format!("{}ul", self.s.elem_size(fetch.ty));
        let (opens, questions, steps, place, operand) = self.silently(|l| {
            let place = l.place_of_fetch(fetch.object);
            let operand = fetch.operand.map(|x| l.expr(x));
            let questions = code![
                "(",
                l.questions(&fetch.strips, &s, [&from, &reach]),
                ")",
                l.loads(fetch, [&atomic, &s], [&from, &reach])
            ];
            let opens = l.opens_fetch(fetch, &atomic, &bytes);
            (opens, questions, l.steps_of_place(&fetch.steps), place, operand)
        });
        let fetch_all = self.explained_fetch(fetch);
        let returned = self.s.ty(fetch.call);
        let value = match operand {
            // The bytes of the object that a pointer leads to, or the value of a parameter.
            Some(x) if self.s.types.is_void(returned) => bits(x),
            Some(x) => bits(code![format!("({})(", self.c_cast(self.unqualified(returned))), x, ")"]),
            None if matches!(fetch.operation, Operation::Elsewhere(..)) => format!("{atomic}.operand").into(),
            None => "0".into(),
        };
        let begin = code![
            format!("if (__builtin_expect(--{counter} == 0, 0)) {{ {got} = 0; "),
            format!("const long {lo} = (long){var}, {trips} = fathom_fetch_trips({lo}, "),
            end,
            format!(
                "); __attribute__((unused)) const long {from} = {}, {reach} = ({trips} - 1) * {} + 1; ",
                at.0(&lo),
                at.1
            ),
            // Where the answer is no, it is asked again behind these iterations.
            format!("{counter} = {trips} > 0 ? {trips} : 1; struct fathom_strip {s}; struct fathom_fetch {atomic}; "),
            format!("if ({trips} >= fathom_gathers_from && {}", counts.unwrap_or_default()),
            opens,
            " && ",
            questions,
            format!(") {{ const unsigned long {n} = fathom_fetch_count(&{s}, {trips}); "),
            format!("fathom_ptr *const {places} = fathom_gather_places(0, {n}); "),
            format!("unsigned long *const {operands} = fathom_fetch_operands({n}); "),
            format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}{places}[{k}] = ~0ul; "),
            steps,
            format!("{operands}[{k}] = "),
            value,
            format!("; {places}[{k}] = "),
            place,
            format!("; {}}} ", "} ".repeat(fetch.steps.len())),
            format!("{got} = {fetch_all}&{atomic}, {n}); {counter} = {made} = (long){n}; }} }} ")
        ];
        let before = format!("long {counter} = fathom_fetch_first(), {made} = 0; const void *{got} = 0; ");
        // The program's variable may be hidden where the call is.
        let index = format!("{made} - {counter}");
        let result = match fetch.operation {
            Operation::Domain([_, _, result]) => Some(result),
            Operation::Berkeley(..) | Operation::Elsewhere(..) => None,
        };
        self.fetched = Some(Fetched { call: fetch.call, results: got, index, result });
        Some((before, begin))
    }

    /// The call with its result from the ones that have been fetched, or `otherwise`.
    pub(crate) fn fetched_call(&mut self, call: ExprId, otherwise: Code) -> Code {
        let Some(Fetched { results, index, result, .. }) = self.fetched.as_ref().filter(|f| f.call == call) else {
            return otherwise;
        };
        let (results, index, result) = (results.clone(), index.clone(), *result);
        let returned = self.s.ty(call);
        let value = |ty: &str| format!("((const {ty} *){results})[{index}]");
        let fetched: Code = match result {
            Some(object) => {
                let ty = self.c_cast(self.unqualified(self.s.ty(object)));
                code![format!("(void)(*({ty} *)&("), self.expr(object), format!(") = {})", value(&ty))]
            }
            None => value(&self.c_cast(self.unqualified(returned))).into(),
        };
        code![format!("({results} ? "), fetched, " : ", otherwise, ")"]
    }

    /// The word of the object's place.
    fn place_of_fetch(&mut self, object: Object) -> Code {
        match object {
            Object::Named(object) => {
                let place = self.place(object);
                self.word_at(place)
            }
            Object::Indexed { table, index, ty } => {
                let t = self.s.rvalue_ty(table);
                let index = code![format!("(long)({})(", self.c_cast(ty)), self.expr(index), ")"];
                let value = self.expr(table);
                let sum = self.add(value, index, t);
                self.word(sum, t)
            }
        }
    }

    /// The questions about private memory that the loop reads.
    fn loads(&mut self, fetch: &Fetch, [atomic, s]: [&str; 2], [lo, trips]: [&str; 2]) -> Code {
        let mut out = Code::new();
        for read in &fetch.loads {
            let (root, bytes) = match read {
                Write::Local { root, offset, bytes } => (
                    code![self.expr(*root), format!(" + ({lo} + {offset}l) * {bytes}l")],
                    format!("{trips} * {bytes}l"),
                ),
                Write::Object { root } => (self.expr(*root), "-1l".to_owned()),
                _ => continue,
            };
            out.push(format!(" && fathom_fetch_loads(&{atomic}, &{s}, (const volatile char *)"))
                .push(root)
                .push(format!(", {bytes})"));
        }
        out
    }

    /// May the operation be made so? It says how.
    fn opens_fetch(&mut self, fetch: &Fetch, atomic: &str, bytes: &str) -> Code {
        match fetch.operation {
            Operation::Domain([domain, op, _]) => {
                let (domain, op) = (self.expr(domain), self.expr(op));
                let has_operand = u8::from(fetch.operand.is_some());
                code![
                    format!("fathom_fetch_domain(&{atomic}, "),
                    domain,
                    ", (int)(",
                    op,
                    format!("), {bytes}, {has_operand})")
                ]
            }
            Operation::Berkeley(ty, op) => {
                format!("fathom_fetch_berkeley(&{atomic}, FATHOM_FETCH_{ty}, FATHOM_FETCH_{op})").into()
            }
            Operation::Elsewhere(function, parameters) => {
                let declared = self.asked_about_atomic(function);
                self.hoisted.push(declared);
                let (name, of) = (self.name_of(function), parameters_as_bits(parameters));
                format!("fathom_fetch_elsewhere(&{atomic}, &fathom_atomic_{name}, fathom_named_{name}, {of}, {bytes})")
                    .into()
            }
        }
    }
}

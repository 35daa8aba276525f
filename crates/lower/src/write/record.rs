//! Struct, union and enumeration specifiers whose definition mentions shared types: their members that point to shared
//! objects become words, and all other text stays.

use crate::code::Code;
use crate::write::Writer;
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;

impl Writer<'_> {
    /// A specifier with its definition, members lowered; a record without a name gets the one that `sema` invented
    /// if other code uses it, as `name_it` or the plan say.
    pub(crate) fn record_spec(&mut self, id: RecordSpecId, name_it: bool) -> Code {
        let u = self.u;
        let spec = &u[id];
        let mut parts = vec![];
        for m in spec.members.iter().flatten() {
            match m {
                Member::Field(f) => {
                    if let Some(code) = self.field(f) {
                        parts.push((f.toks, code));
                    }
                }
                Member::StaticAssert(e, _) if self.translated.expr(*e) => parts.push((u[*e].toks, self.expr(*e))),
                _ => {}
            }
        }
        if (name_it || self.translated.names_record(self.s, id)) && spec.members.is_some() {
            let record = self.s.record_of_spec[id.index()].map(|r| self.s.types.record(r));
            if let Some(r) = record.filter(|r| r.invented) {
                let name = r.c_name.clone();
                parts.extend(self.before_brace(spec.toks, &name));
            }
        }
        self.splice(spec.toks, parts)
    }

    /// `None` if the member is plain C.
    fn field(&mut self, f: &FieldDecl) -> Option<Code> {
        let u = self.u;
        let retype = self.retyped_specs(&f.specs) || f.declarators.iter().any(|d| self.mentions(d.declarator));
        if !retype {
            let mut parts = vec![];
            self.specs_parts(&f.specs, &mut parts);
            for d in &f.declarators {
                self.declarator_parts(d.declarator, &mut parts);
                if let Some(w) = d.width.filter(|w| self.translated.expr(*w)) {
                    parts.push((u[w].toks, self.expr(w)));
                }
            }
            return if parts.is_empty() { None } else { Some(self.splice(f.toks, parts)) };
        }
        let mut out = self.definitions_in(&f.specs);
        for d in &f.declarators {
            let name = u[d.declarator].name.map_or(String::new(), |(n, _)| self.p.source.name(n).to_owned());
            let text = self.declare(d.declarator, &name);
            out.push(text);
            if let Some(w) = d.width {
                out.push(" : ").push(self.expr(w));
            }
            for a in &d.attrs {
                out.push(" __attribute__((").push(Code::from(a.toks)).push("))");
            }
            out.push("; ");
        }
        Some(out)
    }

    /// An enumeration specifier, with its values lowered.
    pub(crate) fn enum_spec(&mut self, id: EnumSpecId, name_it: bool) -> Code {
        let u = self.u;
        let mut parts = vec![];
        for value in u[id].enumerators.iter().flatten().filter_map(|e| e.value) {
            self.part(value, &mut parts);
        }
        let invented = self.s.enum_of_spec[id.index()]
            .map(|e| &self.s.types.enums[e.0 as usize])
            .filter(|e| e.invented && (name_it || self.translated.names_enum(self.s, id)))
            .map(|e| e.c_name.clone());
        if let Some(name) = invented {
            parts.extend(self.before_brace(u[id].toks, &name));
        }
        self.splice(u[id].toks, parts)
    }

    /// Puts the tag of `name` (`struct tag`) before the first brace of a specifier.
    fn before_brace(&self, toks: TokRange, name: &str) -> Option<(TokRange, Code)> {
        let tag = name.split_whitespace().last()?.to_owned();
        let open = (toks.lo..toks.hi).find(|&i| self.p.source.tok_text(i) == "{")?;
        let at = TokRange::new(open, open + 1);
        Some((at, code![tag, " ", Code::from(at)]))
    }
}

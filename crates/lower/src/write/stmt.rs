//! Statements: synchronisation becomes calls, conditions on pointers-to-shared become conditions on words, and other
//! statements keep their text around lowered parts.

use crate::code::Code;
use crate::plan::waiting_repeats::Repeats;
use crate::plan::{Form, Loop, Sharing, Version, When};
use crate::write::views::simd;
use crate::write::Writer;
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;

impl Writer<'_> {
    pub(crate) fn stmt(&mut self, id: StmtId) -> Code {
        let u = self.u;
        let toks = u[id].toks;
        if !self.translated.stmt(id) {
            return toks.into();
        }
        if let Some(charge) = self.plan.work.at(id) {
            return self.charged(toks, charge, |l| l.uncharged(id));
        }
        let code = match self.plan.together.calls.get(&id) {
            Some(call) => self.call_together(call),
            None => self.uncharged(id),
        };
        self.in_group(id, code)
    }

    fn uncharged(&mut self, id: StmtId) -> Code {
        let u = self.u;
        let toks = u[id].toks;
        let mut parts: Vec<(TokRange, Code)> = vec![];
        match &u[id].kind {
            StmtKind::Expr(e) => self.parts_of(e.as_slice(), &mut parts),
            StmtKind::Return(Some(e)) => {
                let code = match self.ret {
                    Some(t) if self.crosses(*e, t) => self.converted(*e),
                    _ => self.expr(*e),
                };
                parts.push((u[*e].toks, code));
            }
            StmtKind::Compound(items) => {
                for i in items {
                    match i {
                        BlockItem::Stmt(s) => self.stmt_part(*s, &mut parts),
                        BlockItem::Decl(d) if self.translated.decl(*d) => parts.push((u[*d].toks, self.decl(*d, true))),
                        BlockItem::Fn(f) if self.translated.function(f) => parts.push((f.toks, self.fn_def(f))),
                        BlockItem::Pragma(_, r) => parts.push((*r, Code::new())),
                        BlockItem::StaticAssert(e, _) => self.part(*e, &mut parts),
                        _ => {}
                    }
                }
            }
            StmtKind::If { cond, then, els } => {
                self.cond_part(*cond, &mut parts);
                self.stmt_part(*then, &mut parts);
                if let Some(s) = els {
                    self.stmt_part(*s, &mut parts);
                }
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } | StmtKind::Forall { .. } => {
                // The plan has every loop that is translated.
                let Some(planned) = self.plan.loop_in(self.region, id) else { return toks.into() };
                return match planned.sharing {
                    Sharing::C | Sharing::Runs => {
                        let made = self.make_rows(planned);
                        let bounds = self.known_bounds(planned);
                        let code = match planned.sharing {
                            Sharing::Runs => self.runs(planned),
                            _ => self.versions(&planned.versions, |l, v| l.loop_code(planned, v)),
                        };
                        let code = match &planned.strips {
                            Some(Ok(strips)) => self.strips_or(planned, strips, code),
                            _ => code,
                        };
                        let code = match &planned.walk {
                            Some(Ok(walk)) => self.walk_or(planned, walk, code),
                            _ => code,
                        };
                        let code = self.with_known_bounds(planned, bounds, code);
                        let code = self.plain_or(planned, code);
                        let code = self.with_rows(planned, made, code);
                        match self.repeats(id).is_some() {
                            true => code!["{ fathom_wait_begins(); ", code, " }"],
                            false => code,
                        }
                    }
                    _ => self.forall(planned),
                };
            }
            StmtKind::Switch { cond, body } => {
                self.part(*cond, &mut parts);
                self.stmt_part(*body, &mut parts);
            }
            StmtKind::GotoComputed(e) => self.part(*e, &mut parts),
            StmtKind::Label(_, s) | StmtKind::Default(s) => self.stmt_part(*s, &mut parts),
            StmtKind::Case(lo, hi, s) => {
                self.part(*lo, &mut parts);
                self.parts_of(hi.as_slice(), &mut parts);
                self.stmt_part(*s, &mut parts);
            }
            StmtKind::Asm(operands) => {
                for o in operands {
                    if self.is_shared_lvalue(o.expr) && !o.by_value {
                        parts.push((u[o.expr].toks, self.lvalue(o.expr)));
                    } else {
                        self.part(o.expr, &mut parts);
                    }
                }
            }
            StmtKind::Notify(e) => return self.sync(id, "notify", *e),
            StmtKind::Wait(e) => return self.sync(id, "wait", *e),
            StmtKind::Barrier(e) => return self.sync(id, "barrier", *e),
            StmtKind::Fence if self.options.explain => return code![self.explained_sync(id, "fence"), ");"],
            StmtKind::Fence => return code![self.here(toks, ", "), "fathom_fence();"],
            StmtKind::Decl(d) => return self.decl(*d, true),
            StmtKind::Goto(_) if self.waits(id) => return code!["{ fathom_turn(); ", toks, " }"],
            StmtKind::Return(None) | StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Error => {}
        }
        self.splice(toks, parts)
    }

    fn body_part(&mut self, of: StmtId, body: StmtId, parts: &mut Vec<(TokRange, Code)>) {
        let repeats = self.repeats(of).map(|repeats| format!("fathom_waits({}); ", u8::from(repeats.is_simple)));
        let turn = if self.waits(of) { "fathom_turn(); " } else { "" };
        if repeats.is_none() && turn.is_empty() {
            return self.stmt_part(body, parts);
        }
        let begin = format!("{{ {}{turn}", repeats.unwrap_or_default());
        parts.push((self.u[body].toks, code![begin, self.stmt(body), " }"]));
    }

    /// Is the simulated thread to say that an iteration has changed nothing (see [`Facts::repeats`])?
    fn repeats(&self, of: StmtId) -> Option<Repeats> {
        self.options.count.then(|| self.facts.repeats(of)).flatten()
    }

    /// The loop as it is, if its variable begins so far up that sums in it may start anew; else `code`.
    fn plain_or(&mut self, planned: &Loop, code: Code) -> Code {
        let (Some(region), Some(c)) = (planned.plain, &planned.counting) else { return code };
        let lo = self.silently(|l| l.expr(c.lo));
        let version = Version { when: When::Always, independent: false, region };
        let plain = self.within(region, |l| l.loop_code(planned, &version));
        code![
            "{ if (__builtin_expect((unsigned int)(",
            lo,
            ") > 0x7fffffffu, 0)) { ",
            plain,
            " } else { ",
            code,
            " } }"
        ]
    }

    /// A C loop, in the current version.
    fn loop_code(&mut self, planned: &Loop, version: &Version) -> Code {
        let (u, id) = (self.u, planned.stmt);
        let mut parts = vec![];
        match &u[id].kind {
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.cond_part(*cond, &mut parts);
                self.body_part(id, *body, &mut parts);
                self.splice(u[id].toks, parts)
            }
            StmtKind::For { init, cond, step, body } => {
                let head = self.for_init_part(init, &mut parts);
                if let Some(c) = cond {
                    self.cond_part(*c, &mut parts);
                }
                match (step, &self.list_reads) {
                    (Some(step), Some((s, read))) if *s == id => {
                        let counts = format!(", {read}++");
                        parts.push((u[*step].toks, code![self.expr(*step), counts]));
                    }
                    _ => self.parts_of(step.as_slice(), &mut parts),
                }
                let begins = match version.independent || planned.plain == Some(version.region) {
                    true => None,
                    false => self.begins_iteration(planned),
                };
                let Some((before, begin)) = begins else {
                    self.body_part(id, *body, &mut parts);
                    return behind(head, code![simd(version), self.splice(u[id].toks, parts)]);
                };
                parts.push((u[*body].toks, code!["{ ", begin, self.stmt(*body), " }"]));
                self.fetched = None;
                let head = code![head, before];
                behind(head, code![simd(version), self.splice(u[id].toks, parts)])
            }
            _ => unreachable!("no C loop"),
        }
    }

    /// Declarations before the loop, and what stands before the body, if many iterations do something together.
    fn begins_iteration(&mut self, planned: &Loop) -> Option<(String, Code)> {
        if let Some(begins) = self.c_loop_with_fetches(planned) {
            return Some(begins);
        }
        let (counter, first, begin) = self.c_loop_in_batches(planned).or_else(|| self.asks_ahead(planned))?;
        Some((format!("long {counter} = {first}; "), begin))
    }

    /// The name of a counter, its first value, and what stands before the body of a loop that asks for near memory ahead (runtime/lang/ahead.h).
    fn asks_ahead(&mut self, planned: &Loop) -> Option<(String, &'static str, Code)> {
        let (ahead, c) = (planned.ahead.as_ref()?, planned.counting.as_ref()?);
        if self.form(ahead.element) != Form::Far {
            return None;
        }
        let [counter, s, i, to] = ["ahead", "places", "i", "to"].map(|what| self.temp(what));
        let var = self.name_of(c.var).to_owned();
        let own_var = self.own_var(planned, &i);
        let (end, steps, place) =
            self.silently(|l| (l.behind_last(c), l.steps_of_place(&ahead.steps), l.address(ahead.element)));
        let asks = code![
            format!("if (__builtin_expect(--{counter} == 0, 0)) {{ struct fathom_ahead {s}; {s}.n = 0; "),
            format!("const long {to} = fathom_ahead_to((long){var}, "),
            end,
            format!("); for (long {i} = (long){var}; {i} < {to}; {i}++) {{ {own_var}"),
            steps,
            format!("fathom_ahead_add(&{s}, "),
            place,
            format!("); {} }} {counter} = fathom_ahead_ask(&{s}); }} ", "} ".repeat(ahead.steps.len()))
        ];
        Some((counter, "fathom_ahead_first", asks))
    }

    fn sync(&mut self, id: StmtId, what: &str, value: Option<ExprId>) -> Code {
        let begin = match self.options.explain {
            true => self.explained_sync(id, what) + ", ",
            false => format!("fathom_{what}("),
        };
        let here = self.here(self.u[id].toks, ", ");
        match value {
            Some(e) => code![here, begin, "1, (int)(", self.expr(e), "));"],
            None => code![here, begin, "0, 0);"],
        }
    }

    fn parts_of(&mut self, es: &[ExprId], parts: &mut Vec<(TokRange, Code)>) {
        for e in es {
            self.part(*e, parts);
        }
    }

    pub(crate) fn cond_part(&mut self, e: ExprId, parts: &mut Vec<(TokRange, Code)>) {
        if self.translated.expr(e) {
            let code = self.cond(e);
            parts.push((self.u[e].toks, code));
        }
    }

    pub(crate) fn stmt_part(&mut self, s: StmtId, parts: &mut Vec<(TokRange, Code)>) {
        if self.translated.stmt(s) {
            let code = self.stmt(s);
            parts.push((self.u[s].toks, code));
        }
    }

    /// Lowers the first clause of a loop. A declaration that had to be written anew may have become several: it is
    /// returned, and stands before the loop.
    pub(crate) fn for_init_part(&mut self, init: &ForInit, parts: &mut Vec<(TokRange, Code)>) -> Code {
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => self.part(*e, parts),
            ForInit::Decl(d) => {
                if self.translated.decl(*d) {
                    let code = self.decl(*d, true);
                    parts.push((self.u[*d].toks, ";".into()));
                    return code;
                }
            }
        }
        Code::new()
    }
}

/// A loop behind what `for_init_part` returned.
pub(crate) fn behind(declared: Code, code: Code) -> Code {
    match declared.is_empty() {
        true => code,
        false => code!["{ ", declared, code, " }"],
    }
}

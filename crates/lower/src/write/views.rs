//! Views in C: the pointers that are made before a loop, and the elements that they reach.

use crate::code::Code;
use crate::plan::affinity::Start;
use crate::plan::views::{Kind, View};
use crate::plan::{Action, Form, Proof, RegionId, Version, ViewId, When};
use crate::write::Writer;
use fathom_sema::{Ty, TyKind};
use fathom_syntax::ast::*;

/// Names in the generated code from which the views of one loop are made.
#[derive(Clone, Default)]
pub(crate) struct Made {
    /// The counter of iterations, and the first iteration.
    pub counter: String,
    pub first: String,
    /// The ranges of iterations, and the amount by which their blocks are shifted.
    pub ranges: String,
    pub lead: String,
    /// The pieces of iterations, which the runtime hands out with their views.
    pub pieces: String,
}

/// How a loop reads a table that is there as a whole.
#[derive(Clone)]
pub(crate) enum Whole {
    /// Each element after a test whether it is there. The names of the list, of the first element and of their number.
    Tested([String; 3]),
    /// As it stands: all indices have been looked at.
    Looked,
}

impl<'a> Writer<'a> {
    /// Writes code of another region.
    pub(crate) fn within<T>(&mut self, region: RegionId, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.region, region);
        let out = write(self);
        self.region = outer;
        out
    }

    /// The form of an access to `e` in the current code.
    pub(crate) fn form(&self, e: ExprId) -> Form {
        match self.s.types.is_shared(self.s.ty(e)) {
            true => self.plan.form(self.region, e),
            false => Form::Near { by: None, proof: Proof::Private },
        }
    }

    pub(crate) fn view(&self, v: ViewId) -> &'a View {
        self.plan.view(v)
    }

    /// The C name of a view's pointer.
    pub(crate) fn name(&self, v: ViewId) -> &str {
        self.views.get(&v).map_or("", |(name, _)| name)
    }

    /// The C variable that says whether the elements of a view are near.
    pub(crate) fn near_name(&self, v: ViewId) -> String {
        format!("{}_near", self.name(v))
    }

    /// The C variable with the pointer-to-shared, and its phase, from which a run's view is made.
    fn at_name(&self, v: ViewId) -> String {
        format!("{}_at", self.name(v))
    }

    /// Before the views of a run: where they lead to, and how many iterations `n` after the first one stay in every
    /// view's block.
    pub(crate) fn run_begins(&mut self, actions: &[Action], made: &Made, n: &str) -> Code {
        let mut out = Code::new();
        for a in actions {
            let Action::Make(v) = *a else { continue };
            let view = self.view(v);
            let Kind::Run { offset, block, .. } = view.kind else { continue };
            self.name_view(v, made);
            let index = code![self.linear(view.root, &view.prefix), format!("(long){} + {offset}l", made.first)];
            let size = self.s.elem_size(view.elem);
            let at = match self.is_array(view.root) {
                true => {
                    let start = self.address(view.root);
                    code!["fathom_block_at(", start, ", ", index, format!(", {block}ul, {size}ul)")]
                }
                false => {
                    let (p, t) = (self.expr(view.root), self.s.ty(view.root));
                    self.add(p, index, t)
                }
            };
            let name = self.at_name(v);
            out.push(code![
                format!("const fathom_pptr {name} = "),
                at,
                format!("; {n} = fathom_in_block({n}, {name}, {block}ul); ")
            ]);
        }
        out
    }

    fn name_view(&mut self, v: ViewId, made: &Made) {
        if !self.views.contains_key(&v) {
            let name = self.temp(if matches!(self.view(v).kind, Kind::Row { .. }) { "row" } else { "view" });
            self.views.insert(v, (name, made.counter.clone()));
        }
    }

    /// The actions for views before a loop.
    pub(crate) fn make_views(&mut self, actions: &[Action], made: &Made) -> Code {
        let mut out = Code::new();
        let mut number = 0;
        for a in actions {
            match *a {
                Action::Ask(v) => {
                    self.name_view(v, made);
                    let word = self.word_of_view(v, made);
                    let (name, near) = (self.name(v), self.near_name(v));
                    out.push(code![
                        format!("const fathom_ptr {name}_word = "),
                        word,
                        format!("; __attribute__((unused)) const int {near} = fathom_is_near({name}_word); ")
                    ]);
                }
                Action::Make(v) => {
                    self.name_view(v, made);
                    let address = self.address_of_view(v, number, made);
                    number += 1;
                    let (name, elem) = (self.name(v), self.view(v).elem);
                    let declarator = self.c_pointer_to(elem, &format!("const {name}"));
                    out.push(code!["__attribute__((unused)) ", declarator, " = ", address, "; "]);
                }
                Action::Enter | Action::Leave => {}
            }
        }
        out
    }

    /// The declaration of a landed view's pointer, which the runtime sets.
    pub(crate) fn declared_view(&mut self, v: ViewId, counter: &str) -> String {
        let name = self.temp("landed");
        self.views.insert(v, (name.clone(), counter.to_owned()));
        self.c_pointer_to_const(self.view(v).elem, &format!("const {name}"))
    }

    /// The C pointer to `elem` of this name.
    fn c_pointer_to(&self, elem: Ty, name: &str) -> String {
        match self.s.types.kind(elem) {
            TyKind::Array(..) => self.c_type(elem, &format!("(*{name})")),
            _ => self.c_type(elem, &format!("*{name}")),
        }
    }

    /// The same, which does not change what it leads to.
    fn c_pointer_to_const(&self, elem: Ty, name: &str) -> String {
        match self.s.types.kind(elem) {
            // An element that is a pointer itself is constant, not what it leads to.
            TyKind::Pointer(_) => self.c_type(elem, &format!("const *{name}")),
            _ => format!("const {}", self.c_pointer_to(elem, name)),
        }
    }

    /// The word of the place that a view leads to.
    fn word_of_view(&mut self, v: ViewId, made: &Made) -> Code {
        let view = self.view(v);
        match view.kind {
            Kind::Row { has_more: true, .. } if self.is_shared_ptr(self.s.ty(view.root)) => self.word_of(view.root),
            Kind::Row { whole, .. } => self.address(whole),
            Kind::Run { .. } => format!("{}.addr", self.at_name(v)).into(),
            Kind::Strided { offset, .. } => {
                let index = code![self.linear(view.root, &view.prefix), format!("{} + {offset}l", made.first)];
                self.start_of(view.root, index)
            }
            Kind::Landed { .. } | Kind::Walked { .. } | Kind::Pointed { .. } | Kind::Gathered { .. } => {
                unreachable!("the runtime makes it")
            }
            Kind::Blocks { .. } | Kind::Rows { .. } | Kind::Piece { .. } if self.is_array(view.root) => {
                self.address(view.root)
            }
            Kind::Blocks { .. } | Kind::Rows { .. } | Kind::Piece { .. } => {
                let size = self.s.elem_size(view.elem);
                code!["fathom_block_origin(", self.expr(view.root), format!(", {size}ul)")]
            }
        }
    }

    /// The C pointer to the place that a view leads to; the view is the loop's `number`-th.
    fn address_of_view(&mut self, v: ViewId, number: usize, made: &Made) -> Code {
        let view = self.view(v);
        if let (Kind::Row { whole, has_more }, Some(rows)) = (&view.kind, view.within()) {
            let row = self.element(rows, *whole);
            return if *has_more { row } else { code!["&", row] };
        }
        if view.proof.is_none() {
            let (name, near) = (self.name(v), self.near_name(v));
            return format!("fathom_place_if({near}, {name}_word)").into();
        }
        if let Kind::Piece { offset, .. } = view.kind {
            let first = format!("{}.view[{number}]", made.pieces);
            // The address of the first iteration's element, or of the place that the program's index 0 would have.
            return match made.counter.as_str() {
                "" => {
                    let star = self.c_pointer_to(view.elem, "");
                    format!("({star}){first} - ((long){} + {offset}l)", made.first).into()
                }
                _ => first.into(),
            };
        }
        let word = self.word_of_view(v, made);
        match view.kind {
            Kind::Row { .. } | Kind::Strided { .. } | Kind::Run { .. } => code!["fathom_local(", word, ")"],
            Kind::Landed { .. } | Kind::Walked { .. } | Kind::Pointed { .. } | Kind::Gathered { .. } => {
                unreachable!("the runtime makes it")
            }
            Kind::Blocks { .. } | Kind::Rows { .. } | Kind::Piece { .. } => {
                let bytes = self.bytes_of(view);
                code!["fathom_block_view(", word, format!(", &{}, {}, {bytes}ul)", made.ranges, made.lead)]
            }
        }
    }

    /// The number of bytes that an index of a view counts.
    pub(crate) fn bytes_of(&self, view: &View) -> u64 {
        self.s.elem_size(view.elem) * self.const_count(view.elem).unwrap_or(1)
    }

    /// C that tests whether the array of a view is aligned with the affinity's; none if it always is.
    pub(crate) fn aligned(&mut self, v: ViewId, block: u64, lead: &str) -> Option<Code> {
        let view = self.view(v);
        if !matches!(view.kind, Kind::Blocks { .. }) {
            return None;
        }
        let own = match self.is_array(view.root) {
            true => code![self.linear(view.root, &view.prefix), "0"],
            false => code!["fathom_block_lead(", self.expr(view.root), format!(", {block}ul)")],
        };
        Some(code![" && ", own, format!(" == {lead}")])
    }

    /// The element that `e` designates, by a view.
    pub(crate) fn element(&mut self, v: ViewId, e: ExprId) -> Code {
        let view = self.view(v);
        let name = self.name(v).to_owned();
        if let Kind::Walked { elements, low, .. } | Kind::Pointed { elements, low, .. } = &view.kind {
            let at = elements.iter().find(|(x, _)| *x == e).map_or(0, |(_, at)| at - low);
            let counter = self.views.get(&v).map_or("", |(_, counter)| counter);
            let element = match at {
                0 => format!("{name}[{counter}]"),
                _ => format!("{name}[{counter} + {at}]"),
            };
            return match self.u[e].kind {
                ExprKind::Member { name, arrow: true, .. } => format!("{element}.{}", self.p.source.name(name)).into(),
                // The pointer takes its step.
                ExprKind::Unary(UnOp::Deref, p) if self.bare(p).is_none() => {
                    code!["(*((void)(", self.expr(p), format!("), &{element}))")]
                }
                _ => element.into(),
            };
        }
        let Some(s) = self.subscripts(e) else { return name.into() };
        let counter = self.views.get(&v).map_or("", |(_, counter)| counter);
        let mut out = Code::from(name.clone());
        let from = match view.kind {
            Kind::Gathered { .. } if self.whole.is_some() => return self.element_of_whole(view, &name, &s.indices),
            Kind::Strided { .. } | Kind::Run { .. } | Kind::Gathered { .. } => {
                return format!("{name}[{counter}]").into()
            }
            Kind::Landed { var, low, .. } => {
                let at = s.indices.last().and_then(|i| self.sum_from(*i, var)).map_or(low, |(at, _)| at) - low;
                return if at == 0 { format!("{name}[{counter}]") } else { format!("{name}[{counter} + {at}]") }.into();
            }
            // The program's further indices follow the row.
            Kind::Piece { .. } if !counter.is_empty() => {
                out.push(format!("[{counter}]"));
                1
            }
            Kind::Piece { .. } => 0,
            Kind::Row { has_more: false, .. } | Kind::Walked { .. } | Kind::Pointed { .. } => {
                return format!("(*{name})").into()
            }
            Kind::Row { .. } if view.prefix.len() == s.indices.len() => return format!("(*{name})").into(),
            Kind::Row { .. } => view.prefix.len(),
            Kind::Blocks { .. } => s.indices.len() - 1,
            Kind::Rows { .. } => 0,
        };
        for i in &s.indices[from..] {
            out.push("[").push(self.expr(*i)).push("]");
        }
        out
    }

    /// An element of a table that is there as a whole.
    fn element_of_whole(&mut self, view: &View, at: &str, indices: &[ExprId]) -> Code {
        let (Some(whole), Some((last, prefix))) = (self.whole.clone(), indices.split_last()) else {
            unreachable!("an element of a table")
        };
        let Whole::Tested([list, low, many]) = whole else {
            return code![format!("{at}[(long)("), self.expr(*last), ")]"];
        };
        let size = self.s.elem_size(view.elem).max(1);
        let star = self.c_pointer_to_const(view.elem, "");
        let index = code![self.linear(view.root, prefix), "(long)(", self.expr(*last), ")"];
        code![
            format!("(*({star})fathom_kept_element(&{list}, {at}, (unsigned long)("),
            index,
            format!(") - {low}, {many}, {size}ul))")
        ]
    }

    /// The elements before the row that the prefix of a reference names, as the beginning of a sum.
    pub(crate) fn linear(&mut self, root: ExprId, prefix: &[ExprId]) -> Code {
        let mut out = Code::new();
        let mut ty = self.s.ty(root);
        for i in prefix {
            let (TyKind::Array(row, _) | TyKind::Pointer(row)) = *self.s.types.kind(ty) else { break };
            let index = self.expr(*i);
            out.push(self.scaled(index, row)).push(" + ");
            ty = row;
        }
        out
    }

    /// The address of element `index` of a cyclic array or pointer.
    fn start_of(&mut self, root: ExprId, index: Code) -> Code {
        let t = self.s.ty(root);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            let start = self.address(root);
            return self.elem_address(start, index, t);
        }
        let p = self.expr(root);
        self.add(p, index, t)
    }

    /// The number of elements that the affinity's array or pointer adds to the subscript. With `block`, or otherwise
    /// with block size 1.
    pub(crate) fn start(&mut self, start: &Start, block: Option<u64>) -> Code {
        match (start, block) {
            (Start::Zero, _) => Code::new(),
            (Start::Pointer(p), Some(block)) => code!["fathom_block_lead(", self.expr(*p), format!(", {block}ul)")],
            (Start::Pointer(p), None) => code!["fathom_thread_of(", self.word_of(*p), ")"],
            (Start::Row(root, prefix), _) => self.linear(*root, prefix),
        }
    }

    /// The versions of a loop: `make` writes one of them, in its region.
    pub(crate) fn versions(&mut self, versions: &[Version], mut make: impl FnMut(&mut Self, &Version) -> Code) -> Code {
        let mut out = Code::new();
        for (i, v) in versions.iter().enumerate() {
            let code = self.within(v.region, |l| make(l, v));
            match &v.when {
                When::AllNear(views) => {
                    let all = views.iter().map(|v| self.near_name(*v)).collect::<Vec<_>>().join(" & ");
                    out.push(format!("if (__builtin_expect({all}, 1)) {{ ")).push(code).push(" } else ");
                }
                _ if i > 0 => _ = out.push("{ ").push(code).push(" }"),
                _ => _ = out.push(code),
            }
        }
        out
    }
}

/// The pragma that tells the C compiler that a loop's iterations are independent.
pub(crate) fn simd(v: &Version) -> &'static str {
    if v.independent {
        "\n#pragma omp simd\n"
    } else {
        ""
    }
}

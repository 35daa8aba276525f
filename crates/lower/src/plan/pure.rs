//! Functions of the unit that do nothing but compute: a loop that calls them may still fetch far data ahead.
//!
//! They touch no shared memory and order nothing, write no object but their own, and call only functions of that kind, or the C library's that
//! compute. Some also read nothing but their arguments: what they return is known as soon as these are.
//!
//! Of a function that another file defines nothing is known, but it may be assumed to be pure: the loop asks at run time whether it is (docs/decisions/0021).

use super::effects::{is_known_library, visit};
use fathom_sema::{Linkage, Sema, SymId, SymKind, Symbol, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, walk_fn_children, Child};
use fathom_syntax::Parsed;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a function does besides computing, from most to least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Purity {
    /// It may end the program.
    Ends,
    /// It reads private memory, or gives up where something is wrong.
    Reads,
    /// It computes a value from those of its arguments, and returns.
    Computes,
}

/// The functions that this unit defines and that are pure.
#[derive(Default)]
pub(crate) struct PureFunctions {
    known: HashMap<SymId, Purity>,
    /// What is assumed of functions that other files define.
    assumed: Option<Purity>,
    /// What each of this unit's functions calls, if others are assumed to be pure.
    called: HashMap<SymId, Called>,
    never_returning: Rc<HashSet<SymId>>,
}

/// What the object file says of a function that other files may call.
pub(crate) struct Said {
    pub function: SymId,
    pub reads: bool,
    /// It is true if it is true of these.
    pub calls: Called,
}

/// The functions that one calls, itself or by way of others.
#[derive(Clone, Default)]
pub(crate) struct Called {
    /// Those that other files define.
    pub elsewhere: Vec<SymId>,
    /// Those that this unit defines for other files, too: in a shared library the name may be another function's.
    pub beside: Vec<SymId>,
}

impl PureFunctions {
    pub fn new(p: &Parsed, s: &Sema, assumed: Option<Purity>, never_returning: &Rc<HashSet<SymId>>) -> PureFunctions {
        let mut defined = HashMap::new();
        // Another definition may take the place of a weak one, wherever it is said that it is weak.
        let has_weak = p.source.text.contains("weak");
        for item in &p.unit.items {
            let Item::Fn(f) = item else { continue };
            let Some(sym) = s.declarator_sym[f.declarator.index()] else { continue };
            let is_replaced = has_weak && s.symbols[sym.0 as usize].linkage == Linkage::External;
            if !is_replaced && !p.source.range_text(f.toks).contains("cleanup") {
                defined.insert(sym, f);
            }
        }
        let mut finder = Finder { p, s, defined, assumed, known: HashMap::new(), at: None };
        let all: Vec<SymId> = finder.defined.keys().copied().collect();
        all.iter().for_each(|sym| _ = finder.purity(*sym));
        let mut called = HashMap::new();
        if assumed.is_some() {
            all.iter().for_each(|sym| _ = called.insert(*sym, finder.called(*sym)));
        }
        let known = finder.known.into_iter().filter_map(|(sym, purity)| Some((sym, purity?))).collect();
        PureFunctions { known, assumed, called, never_returning: Rc::clone(never_returning) }
    }

    /// The functions of which it is known that a call never comes back (`leaving`).
    pub fn never_returning(&self) -> &HashSet<SymId> {
        &self.never_returning
    }

    /// The purity of a function that is called directly: of this unit, of the library, or of another file.
    pub fn of_call(&self, p: &Parsed, s: &Sema, callee: ExprId) -> Option<Purity> {
        let ExprKind::Ident(_) = p.unit[callee].kind else { return None };
        let of_unit = s.expr_sym[callee.index()].and_then(|sym| self.known.get(&sym).copied());
        let of_unit = of_unit.or_else(|| of_library(p, s, callee));
        of_unit.or_else(|| self.assumed.filter(|_| is_elsewhere(p, s, callee)))
    }

    /// What must be true of functions of other files so that what is assumed of the calls in `code` is.
    pub fn assumed_in(&self, p: &Parsed, s: &Sema, code: Child) -> Vec<SymId> {
        let mut found = vec![];
        visit_calls(p, code, |callee| {
            let Some(sym) = s.expr_sym[callee.index()] else { return };
            match self.called.get(&sym) {
                Some(called) => found.extend(&called.elsewhere),
                None if is_elsewhere(p, s, callee) => found.push(sym),
                None => {}
            }
        });
        found.sort();
        found.dedup();
        found
    }

    /// What this unit says of its functions to other files.
    pub fn said(&self, p: &Parsed, s: &Sema) -> Vec<Said> {
        let said = p.unit.items.iter().filter_map(|item| {
            let Item::Fn(f) = item else { return None };
            let function = s.declarator_sym[f.declarator.index()]?;
            let purity = self.known.get(&function).filter(|p| **p >= Purity::Reads)?;
            is_for_other_files(p, s, f, function).then(|| Said {
                function,
                reads: *purity == Purity::Reads,
                calls: self.called.get(&function).cloned().unwrap_or_default(),
            })
        });
        let mut said: Vec<Said> = said.collect();
        loop {
            let all: Vec<SymId> = said.iter().map(|f| f.function).collect();
            said.retain(|f| f.calls.beside.iter().all(|g| all.contains(g)));
            if said.len() == all.len() {
                return said;
            }
        }
    }
}

/// May other files call the function, and does the definition decide what it is?
pub(super) fn is_for_other_files(p: &Parsed, s: &Sema, f: &FnDef, function: SymId) -> bool {
    let symbol = &s.symbols[function.0 as usize];
    let text = p.source.range_text(f.toks).to_owned() + p.source.range_text(symbol.trailer);
    let is_plain = !NOT_PLAIN.iter().any(|word| text.contains(word)) && !has_other_symbol(p, symbol);
    let name = p.source.name(symbol.name);
    let is_called = symbol.linkage == Linkage::External && !symbol.inline_only && name != "main";
    is_plain && is_called && name.is_ascii()
}

/// Words of definitions that leave no function of that name, or more than one.
const NOT_PLAIN: [&str; 5] = ["inline", "asm", "ifunc", "alias", "target_clones"];

/// By another symbol it may be any function.
fn has_other_symbol(p: &Parsed, symbol: &Symbol) -> bool {
    let is_labelled = p.source.range_text(symbol.trailer).contains("asm") && !symbol.in_system_header;
    is_labelled || p.source.text.contains("redefine_extname")
}

/// Is it a function of the program that another file defines?
pub(super) fn is_elsewhere(p: &Parsed, s: &Sema, callee: ExprId) -> bool {
    let ExprKind::Ident(name) = p.unit[callee].kind else { return false };
    let Some(sym) = s.expr_sym[callee.index()] else { return false };
    let symbol = &s.symbols[sym.0 as usize];
    let is_declared = symbol.kind == SymKind::Function && symbol.linkage == Linkage::External && !symbol.defined;
    let name = p.source.name(name);
    let is_program = !symbol.in_system_header && !is_known_library(name) && name.is_ascii();
    // One that returns nothing has something else to do than to compute.
    let computes = matches!(s.types.kind(symbol.ty), TyKind::Function(f) if !s.types.is_void(f.ret));
    is_declared && is_program && computes && !has_other_symbol(p, symbol) && of_library(p, s, callee).is_none()
}

fn visit_calls(p: &Parsed, code: Child, mut f: impl FnMut(ExprId)) {
    visit(&p.unit, code, |n| {
        let Child::Expr(e) = n else { return };
        if let ExprKind::Call { callee, .. } = p.unit[e].kind {
            f(callee);
        }
    });
}

/// Functions of the C library that end the program as it wants, and because something is wrong (C17 7.1.3: their names are reserved).
pub(super) const ENDS: [&str; 3] = ["exit", "_Exit", "upc_global_exit"];
const GIVES_UP: [&str; 4] = ["abort", "__assert_fail", "trap", "unreachable"];
const INTEGER: [&str; 4] = ["abs", "labs", "llabs", "imaxabs"];
/// Of `double`; the same with `f` and `l` behind them.
const MATH: [&str; 49] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];
/// Of `ctype.h`, which look into tables; and functions of the GNU library that say where its macros find these.
const CHARACTER: [&str; 14] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit", "tolower", "toupper",
];
const TABLES: [&str; 3] = ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"];
/// What compilers know without a declaration, behind `__builtin_`: whole names, and beginnings.
const BUILTIN: [&str; 9] = [
    "expect",
    "expect_with_probability",
    "constant_p",
    "classify_type",
    "fpclassify",
    "prefetch",
    "bswap16",
    "bswap32",
    "bswap64",
];
const BUILTINS: [&str; 11] =
    ["clrsb", "clz", "ctz", "popcount", "parity", "ffs", "is", "signbit", "huge_val", "inf", "nan"];

/// The purity of a function that the unit calls and does not define.
fn of_library(p: &Parsed, s: &Sema, callee: ExprId) -> Option<Purity> {
    let ExprKind::Ident(name) = p.unit[callee].kind else { return None };
    let name = p.source.name(name);
    let builtin = name.strip_prefix("__builtin_");
    match s.expr_sym[callee.index()] {
        None => _ = builtin?,
        Some(sym) => {
            let symbol = &s.symbols[sym.0 as usize];
            let is_declared =
                symbol.kind == SymKind::Function && symbol.linkage == Linkage::External && !symbol.defined;
            if !is_declared || has_other_symbol(p, symbol) {
                return None;
            }
        }
    }
    let of_double = |name: &str| MATH.contains(&name);
    match builtin.unwrap_or(name) {
        name if ENDS.contains(&name) => Some(Purity::Ends),
        name if GIVES_UP[..if builtin.is_some() { 4 } else { 2 }].contains(&name) => Some(Purity::Reads),
        name if builtin.is_none() && CHARACTER.contains(&name) => Some(Purity::Reads),
        name if builtin.is_none() && TABLES.contains(&name) => Some(Purity::Computes),
        name if INTEGER.contains(&name) || of_double(name) => Some(Purity::Computes),
        name if name.strip_suffix(['f', 'l']).is_some_and(of_double) => Some(Purity::Computes),
        name if builtin.is_some() && BUILTIN.contains(&name) => Some(Purity::Computes),
        name if builtin.is_some() && BUILTINS.iter().any(|begin| name.starts_with(begin)) => Some(Purity::Computes),
        _ => None,
    }
}

struct Finder<'a> {
    p: &'a Parsed,
    s: &'a Sema,
    defined: HashMap<SymId, &'a FnDef>,
    assumed: Option<Purity>,
    /// None: it does more than compute, or that is being found out.
    known: HashMap<SymId, Option<Purity>>,
    /// The function that is being looked at.
    at: Option<SymId>,
}

impl Finder<'_> {
    fn purity(&mut self, sym: SymId) -> Option<Purity> {
        if self.at == Some(sym) {
            return Some(Purity::Computes); // as the rest of it is
        }
        if let Some(known) = self.known.get(&sym) {
            return *known;
        }
        self.known.insert(sym, None);
        let f = *self.defined.get(&sym)?;
        let around = self.at.replace(sym);
        let mut found = Some(Purity::Computes);
        let (p, s) = (self.p, self.s);
        let mut look = |n: Child| {
            let here = match n {
                Child::Expr(e) => self.of_expr(e),
                Child::Stmt(st) => of_stmt(&p.unit[st].kind),
                Child::Fn(_) => None,
                Child::Decl(d) => {
                    let mut declared =
                        p.unit[d].declarators.iter().filter_map(|x| s.declarator_sym[x.declarator.index()]);
                    declared.all(|sym| self.is_plain(sym)).then_some(Purity::Computes)
                }
                Child::Init(_) | Child::TypeName(_) => Some(Purity::Computes),
            };
            found = found.and_then(|so_far| Some(so_far.min(here?)));
            // The operand of `sizeof` is not evaluated, if its size is known.
            found.is_some() && !matches!(n, Child::Expr(e) if is_sizeof(&p.unit[e].kind))
        };
        walk_fn_children(&p.unit, f, &mut |part| walk(&p.unit, part, &mut look));
        self.at = around;
        self.known.insert(sym, found);
        found
    }

    fn called(&self, sym: SymId) -> Called {
        let (mut elsewhere, mut seen) = (vec![], vec![sym]);
        let mut at = 0;
        while at < seen.len() {
            if let Some(f) = self.defined.get(&seen[at]) {
                visit_calls(self.p, Child::Stmt(f.body), |callee| {
                    let Some(called) = self.s.expr_sym[callee.index()] else { return };
                    if is_elsewhere(self.p, self.s, callee) {
                        elsewhere.push(called);
                    } else if !seen.contains(&called) {
                        seen.push(called);
                    }
                });
            }
            at += 1;
        }
        elsewhere.sort();
        elsewhere.dedup();
        let is_for_others = |sym: &SymId| {
            let symbol = &self.s.symbols[sym.0 as usize];
            self.defined.contains_key(sym) && symbol.linkage == Linkage::External && !symbol.inline_only
        };
        let beside = seen[1..].iter().copied().filter(is_for_others).collect();
        Called { elsewhere, beside }
    }

    /// No shared object, and none that changes by itself.
    fn is_plain(&self, sym: SymId) -> bool {
        let t = self.s.symbols[sym.0 as usize].ty;
        let q = self.s.types.quals(t);
        !self.s.types.is_shared(t) && !q.is_volatile && !q.is_atomic
    }

    fn of_expr(&mut self, e: ExprId) -> Option<Purity> {
        use ExprKind::*;
        let (u, s) = (&self.p.unit, self.s);
        let q = s.types.quals(s.ty(e));
        if s.designates_shared(e) || q.is_volatile || q.is_atomic {
            return None;
        }
        match u[e].kind {
            Assign(_, l, _) | Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                self.is_own(l).then_some(Purity::Computes)
            }
            Call { callee, ref args } => self.of_call(callee, args),
            Index(a, _) if self.own_variable(a).is_some() && matches!(s.types.kind(s.ty(a)), TyKind::Array(..)) => {
                Some(Purity::Computes)
            }
            Index(..) | Member { arrow: true, .. } | Unary(UnOp::Deref, _) => Some(Purity::Reads),
            Ident(_) => {
                let Some(sym) = s.expr_sym[e.index()] else { return Some(Purity::Computes) };
                let symbol = &s.symbols[sym.0 as usize];
                match symbol.kind {
                    SymKind::Function | SymKind::EnumConst(_) => Some(Purity::Computes),
                    _ if !self.is_plain(sym) => None,
                    _ if symbol.local && !symbol.is_static && symbol.linkage == Linkage::None => Some(Purity::Computes),
                    _ => Some(Purity::Reads),
                }
            }
            SizeofType(_, t) if s.types.has_vla(s.type_name_ty[t.index()]) => None,
            SizeofExpr(_, x) if s.types.has_vla(s.ty(x)) => None,
            Split(..) | LabelAddr(_) | VaArg(..) | Error => None,
            _ => Some(Purity::Computes),
        }
    }

    fn of_call(&mut self, callee: ExprId, args: &[ExprId]) -> Option<Purity> {
        let ExprKind::Ident(_) = self.p.unit[callee].kind else { return None };
        if let Some(sym) = self.s.expr_sym[callee.index()].filter(|sym| self.defined.contains_key(sym)) {
            return self.purity(sym);
        }
        let assumed = self.assumed.filter(|_| is_elsewhere(self.p, self.s, callee));
        let purity = of_library(self.p, self.s, callee).or(assumed)?;
        let is_value = |e: &ExprId| !matches!(self.s.types.kind(self.s.rvalue_ty(*e)), TyKind::Pointer(_));
        Some(if args.iter().all(is_value) { purity } else { purity.min(Purity::Reads) })
    }

    /// Is it a part of a variable of the function's own, whose address is known to it alone?
    fn is_own(&self, l: ExprId) -> bool {
        self.own_variable(l).is_some()
    }

    fn own_variable(&self, l: ExprId) -> Option<SymId> {
        use ExprKind::*;
        match self.p.unit[l].kind {
            Paren(x) | Member { base: x, arrow: false, .. } | Unary(UnOp::Real | UnOp::Imag | UnOp::Extension, x) => {
                self.own_variable(x)
            }
            Index(a, _) if matches!(self.s.types.kind(self.s.ty(a)), TyKind::Array(..)) => self.own_variable(a),
            Ident(_) => self.s.expr_sym[l.index()].filter(|sym| {
                let symbol = &self.s.symbols[sym.0 as usize];
                let is_automatic = symbol.local && !symbol.is_static && symbol.linkage == Linkage::None;
                is_automatic && self.is_plain(*sym)
            }),
            _ => None,
        }
    }
}

fn is_sizeof(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..))
}

fn of_stmt(kind: &StmtKind) -> Option<Purity> {
    use StmtKind::*;
    match kind {
        Notify(_) | Wait(_) | Barrier(_) | Fence | Asm(_) | Forall { .. } | GotoComputed(_) | Error => None,
        _ => Some(Purity::Computes),
    }
}

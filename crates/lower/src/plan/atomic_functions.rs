//! Functions that are one relaxed atomic operation with a result, and nothing else, as libraries have them:
//!
//! ```c
//! long fetch_and_add(shared long *p, long index, long value) {
//!     long before;
//!     upc_atomic_relaxed(domain, &before, UPC_ADD, &p[index], &value, 0);
//!     return before;
//! }
//! ```
//!
//! The object file that has such a function says so, and a loop of another file that calls a function that may be one asks before it makes many
//! of its calls together (docs/decisions/0021).

use super::build::Planner;
use super::facts::Facts;
use super::fetches::{Call, Object, Operation};
use super::library::library_name;
use super::pure::{is_elsewhere, is_for_other_files};
use super::updates::bupc_atomic;
use fathom_sema::{SymId, Ty, TyKind};
use fathom_syntax::ast::*;

/// What the parameters are, behind the pointer-to-shared that comes first: an index to it, the operand, or both in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameters {
    pub index: bool,
    pub operand: bool,
}

pub(crate) struct AtomicFunction {
    pub function: SymId,
    pub parameters: Parameters,
    pub bytes: u64,
    pub made: Made,
}

/// How the operation is made.
pub(crate) enum Made {
    /// In the domain that the variable has; the operation is a constant.
    Domain { domain: SymId, op: i128, has_operand: bool },
    /// As `enum fathom_fetch_type` and `enum fathom_fetch_op` name it, with an operand that is no parameter, or none.
    Berkeley { ty: &'static str, op: &'static str, operand: Option<i128> },
}

/// What a call in the function's body is, its target as parameters, and the variables for the operand and the result.
struct Found {
    made: Made,
    target: (SymId, Option<SymId>),
    operand: Option<SymId>,
    result: Option<SymId>,
}

impl Facts<'_> {
    pub(super) fn atomic_functions(&self) -> Vec<AtomicFunction> {
        // Another definition may take the place of a weak one.
        if self.p.source.text.contains("weak") {
            return vec![];
        }
        let functions = self.u.items.iter().filter_map(|item| match item {
            Item::Fn(f) => self.atomic_function(f),
            _ => None,
        });
        functions.collect()
    }

    fn atomic_function(&self, f: &FnDef) -> Option<AtomicFunction> {
        let function = self.s.declarator_sym[f.declarator.index()]?;
        let found = self.only_operation(f)?;
        let text = self.p.source.range_text(f.toks);
        if !is_for_other_files(self.p, self.s, f, function) || text.contains("cleanup") {
            return None;
        }
        let TyKind::Function(ty) = self.s.types.kind(self.s.symbols[function.0 as usize].ty) else { return None };
        let Found { made, target: (pointer, index), operand, result } = found;
        let used: Vec<SymId> = [Some(pointer), index, operand].into_iter().flatten().collect();
        let number = self.number_behind(self.s.symbols[pointer.0 as usize].ty)?;
        let is_number = |t: Ty| self.s.types.unqual(t) == number;
        let mut numbers = [operand, result].into_iter().flatten().map(|x| self.s.symbols[x.0 as usize].ty);
        let bytes = self.s.size_of(number)?.bytes;
        let fits = match made {
            // It returns such a number, and takes one.
            Made::Berkeley { ty, .. } => {
                let is_float = matches!(self.s.types.kind(number), TyKind::Float(_));
                bytes == if ty.ends_with("32") { 4 } else { 8 } && is_float == ty.starts_with('F')
            }
            // Of the type in the domain the runtime asks whether it has as many bytes.
            Made::Domain { .. } => true,
        };
        let index_fits = index.is_none_or(|x| self.is_index(self.s.symbols[x.0 as usize].ty));
        let parameters = Parameters { index: index.is_some(), operand: operand.is_some() };
        let fits = fits && index_fits && is_number(ty.ret) && numbers.all(is_number);
        (fits && self.parameters_of(f)? == used).then_some(AtomicFunction { function, parameters, bytes, made })
    }

    /// The type of the numbers, of 4 or 8 bytes, that a pointer-to-shared leads to.
    fn number_behind(&self, pointer: Ty) -> Option<Ty> {
        let t = self.s.types.shared_pointee(pointer)?;
        let q = self.s.types.quals(t);
        let fits = self.is_number_as_wide(t, t);
        (fits && !q.is_volatile && !q.is_atomic && q.access.is_none()).then(|| self.s.types.unqual(t))
    }

    fn is_index(&self, t: Ty) -> bool {
        let q = self.s.types.quals(t);
        matches!(self.s.types.kind(t), TyKind::Int(_)) && !q.is_volatile && !q.is_atomic
    }

    fn parameters_of(&self, f: &FnDef) -> Option<Vec<SymId>> {
        let Some(Deriv::Function { params: Params::Proto { params, variadic: false, .. }, .. }) =
            self.u[f.declarator].derivs.first()
        else {
            return None;
        };
        params.iter().map(|p| self.s.declarator_sym[p.declarator.index()]).collect()
    }

    /// The operation, if the body makes it and returns what it returns, and does nothing else.
    fn only_operation(&self, f: &FnDef) -> Option<Found> {
        let StmtKind::Compound(items) = &self.u[f.body].kind else { return None };
        let (mut variable, mut found, mut is_returned) = (None, None, false);
        for item in items {
            // Behind the return there is nothing.
            if is_returned {
                return None;
            }
            let made = match item {
                BlockItem::Decl(d) => {
                    let [declared] = &self.u[*d].declarators[..] else { return None };
                    let sym = self.s.declarator_sym[declared.declarator.index()]?;
                    if variable.replace(sym).is_some() || !self.is_own_number(sym) {
                        return None;
                    }
                    match declared.init.map(|init| &self.u[init].kind) {
                        None => continue,
                        Some(InitKind::Expr(e)) => self.operation_in(*e).map(|f| Found { result: Some(sym), ..f })?,
                        Some(InitKind::List(_)) => return None,
                    }
                }
                BlockItem::Stmt(s) => match self.u[*s].kind {
                    StmtKind::Expr(None) => continue,
                    StmtKind::Expr(Some(e)) => match self.u[self.unparen(e)].kind {
                        ExprKind::Assign(None, l, r) => {
                            self.operation_in(r).map(|f| Found { result: self.bare(l), ..f })?
                        }
                        _ => self.operation_in(e).filter(|f| f.result.is_some())?,
                    },
                    StmtKind::Return(Some(e)) => {
                        is_returned = true;
                        match found.as_ref().map(|found: &Found| found.result) {
                            Some(result) if result.is_some() && self.bare(e) == result => continue,
                            Some(_) => return None,
                            None => self.operation_in(e).filter(|f| f.result.is_none())?,
                        }
                    }
                    _ => return None,
                },
                _ => return None,
            };
            // The result is the function's own variable, where there is one.
            if made.result.is_some() && made.result != variable || found.replace(made).is_some() {
                return None;
            }
        }
        found.filter(|_| is_returned)
    }

    /// Is it a plain automatic variable, a number?
    fn is_own_number(&self, sym: SymId) -> bool {
        let symbol = &self.s.symbols[sym.0 as usize];
        let q = self.s.types.quals(symbol.ty);
        let is_number = matches!(self.s.types.kind(symbol.ty), TyKind::Int(_) | TyKind::Float(_));
        is_number && symbol.local && !symbol.is_static && q.shared.is_none() && !q.is_volatile && !q.is_atomic
    }

    fn operation_in(&self, e: ExprId) -> Option<Found> {
        let ExprKind::Call { callee, ref args } = self.u[self.unparen(e)].kind else { return None };
        let name = library_name(self.p, self.s, callee)?;
        let own = |x: ExprId| self.bare(x).filter(|sym| self.is_own_number(*sym));
        let addressed = |x: ExprId| match self.u[self.unparen(x)].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => own(x),
            _ => None,
        };
        if name == "upc_atomic_relaxed" {
            let [domain, result, op, target, operand, other] = args[..] else { return None };
            let domain = self.bare(domain).filter(|sym| {
                let symbol = &self.s.symbols[sym.0 as usize];
                let q = self.s.types.quals(symbol.ty);
                let is_plain = q.shared.is_none() && !q.is_volatile && !q.is_atomic;
                !symbol.local && is_plain && self.is_shared_ptr(symbol.ty)
            })?;
            let op = self.s.const_int(self.p, op)?;
            let operand = if self.is_null(operand) { None } else { Some(addressed(operand)?) };
            let result = Some(addressed(result)?);
            let made = Made::Domain { domain, op, has_operand: operand.is_some() };
            return self.is_null(other).then_some(Found { made, target: self.target(target)?, operand, result });
        }
        let (ty, op) = bupc_atomic(name)?;
        let (target, operand) = match args[..] {
            [p] => (p, None),
            [p, x] => (p, Some(x)),
            _ => return None,
        };
        let constant = operand.and_then(|x| self.s.const_int(self.p, x)).filter(|_| !ty.starts_with('F'));
        let variable = if constant.is_none() { operand.and_then(own) } else { None };
        let is_known = operand.is_none() || constant.is_some() || variable.is_some();
        let made = Made::Berkeley { ty, op, operand: constant };
        is_known.then_some(Found { made, target: self.target(target)?, operand: variable, result: None })
    }

    /// `p`, `&*p`, `&p[i]`, `p + i`: p, and i.
    fn target(&self, e: ExprId) -> Option<(SymId, Option<SymId>)> {
        let e = self.unparen(e);
        let indexed = |p: ExprId, i: ExprId| Some((self.pointer(p)?, Some(self.bare(i)?)));
        match self.u[e].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => match self.u[self.unparen(x)].kind {
                ExprKind::Index(p, i) => indexed(p, i),
                ExprKind::Unary(UnOp::Deref, p) => Some((self.pointer(p)?, None)),
                _ => None,
            },
            ExprKind::Binary(BinOp::Add, p, i) => indexed(p, i),
            _ => Some((self.pointer(e)?, None)),
        }
    }

    fn pointer(&self, e: ExprId) -> Option<SymId> {
        self.bare(e).filter(|sym| self.is_shared_ptr(self.s.symbols[sym.0 as usize].ty))
    }
}

impl Planner<'_> {
    /// A call of a function that another file defines and that may be such an operation, by its type.
    pub(super) fn call_of_atomic_function(&self, call: ExprId, callee: ExprId, args: &[ExprId]) -> Option<Call> {
        if !is_elsewhere(self.p, self.s, callee) {
            return None;
        }
        let function = self.bare(callee)?;
        let TyKind::Function(f) = self.s.types.kind(self.s.symbols[function.0 as usize].ty) else { return None };
        let (&first, others) = f.params.split_first()?;
        let number = self.number_behind(first)?;
        let is_number = |t: Ty| self.s.types.unqual(t) == number;
        if f.variadic || args.len() != f.params.len() || !is_number(f.ret) {
            return None;
        }
        let operand_behind = |parameters: &[Ty], at: usize| match parameters {
            [] => Some(None),
            [t] if is_number(*t) => Some(Some(args[at])),
            _ => None,
        };
        let (object, operand) = match self.object_of(args[0]) {
            // The address is all that counts of it, whatever its block size.
            Some(x) => (Object::Named(x), operand_behind(others, 1)?),
            // The index counts in the blocks of the parameter's type.
            None => {
                let block =
                    |t: Ty| self.s.types.shared_pointee(t).map(|t| (self.s.types.unqual(t), self.s.types.shared(t)));
                let table = self.unparen(args[0]);
                if self.bare(table).is_none() || block(self.s.rvalue_ty(table)) != block(first) {
                    return None;
                }
                let (&ty, others) = others.split_first().filter(|(t, _)| self.is_index(**t))?;
                (Object::Indexed { table, index: args[1], ty }, operand_behind(others, 2)?)
            }
        };
        if matches!(object, Object::Named(x) if !is_number(self.s.ty(x))) {
            return None;
        }
        let parameters = Parameters { index: matches!(object, Object::Indexed { .. }), operand: operand.is_some() };
        Some(Call { call, object, operation: Operation::Elsewhere(function, parameters), operand, result: None })
    }

    /// The shared object whose address it is, perhaps as another pointer-to-shared.
    fn object_of(&self, e: ExprId) -> Option<ExprId> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.object_of(x),
            ExprKind::Cast(_, x) if self.is_shared_ptr(self.s.rvalue_ty(e)) => self.object_of(x),
            ExprKind::Unary(UnOp::AddrOf, x) => Some(x).filter(|x| self.is_shared_lvalue(*x)),
            _ => None,
        }
    }
}

//! Types as text: the C declarations that generated code holds, and the UPC types that diagnostics show.

use crate::*;
use std::fmt::Write;

/// Parts of a type that are printed: typedefs can make one far larger than its text.
const FUEL: u32 = 2_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Pointers-to-shared are `fathom_ptr` or `fathom_pptr`; nothing is shared.
    C,
    /// As `C`, without const on the object (but with const on what it points to).
    Assigned,
    /// As the user would write it.
    Upc,
    SplitC,
}

impl Style {
    fn is_c(self) -> bool {
        matches!(self, Style::C | Style::Assigned)
    }
}

impl Sema {
    /// The C declaration of `name` with type `t` as the generated code has it: a pointer-to-shared is `fathom_ptr`
    /// (phaseless) or `fathom_pptr`, shared types lose all their qualifiers. With an empty name, the abstract form.
    pub fn c_type(&self, p: &Parsed, t: Ty, name: &str) -> String {
        self.declaration(p, t, name, Style::C, &mut { FUEL })
    }

    /// As [`Sema::c_type`], for an object that is assigned to after its declaration, although the program declares it
    /// const.
    pub fn c_type_assigned(&self, p: &Parsed, t: Ty, name: &str) -> String {
        self.declaration(p, t, name, Style::Assigned, &mut { FUEL })
    }

    /// A dimension of variable length: in C, the variable that keeps it, or its text.
    pub fn dimension(&self, p: &Parsed, e: ExprId) -> String {
        match self.kept_dimensions.contains(&e) {
            true => format!("fathom_dimension{}", e.index()),
            false => p.source.range_text(p.unit[e].toks).to_owned(),
        }
    }

    /// The dimensions that are evaluated where this declarator stands, in their order.
    pub fn dimensions_of<'u>(&'u self, u: &'u Unit, d: DeclaratorId) -> impl Iterator<Item = ExprId> + 'u {
        self.sizes(u, d).filter(|e| self.kept_dimensions.contains(e))
    }

    /// The sizes between a declarator's brackets.
    pub(crate) fn sizes<'u>(&self, u: &'u Unit, d: DeclaratorId) -> impl Iterator<Item = ExprId> + 'u {
        u[d].derivs.iter().filter_map(|deriv| match deriv {
            Deriv::Array { size: ArraySize::Expr(e), .. } => Some(*e),
            _ => None,
        })
    }

    /// The type for a diagnostic.
    pub fn show(&self, p: &Parsed, t: Ty) -> String {
        let style = match self.options.dialect {
            fathom_syntax::Dialect::Upc => Style::Upc,
            fathom_syntax::Dialect::SplitC => Style::SplitC,
        };
        self.declaration(p, t, "", style, &mut 100)
    }

    fn declaration(&self, p: &Parsed, mut t: Ty, name: &str, mut style: Style, fuel: &mut u32) -> String {
        let mut inner = name.to_string();
        loop {
            if *fuel == 0 {
                return join("", "...", &inner);
            }
            *fuel -= 1;
            let d = self.types.get(t);
            match &d.kind {
                TyKind::Pointer(to) if style.is_c() && self.types.is_shared(*to) => {
                    let word = if self.types.phaseless_pointee(*to) { "fathom_ptr" } else { "fathom_pptr" };
                    // It is a number or a struct in C, so restrict does not apply to it.
                    let q = Quals { is_restrict: false, ..d.quals };
                    return join(&self.quals_text(q, style), word, &inner);
                }
                TyKind::Pointer(to) => {
                    let reach = match self.types.shared(*to) {
                        Some(Block::Indefinite) if style == Style::SplitC => "global",
                        Some(Block::Spread { .. }) if style == Style::SplitC => "spread",
                        _ => "",
                    };
                    let q = join(reach, &self.quals_text(d.quals, style), "");
                    inner = if q.is_empty() {
                        format!("*{inner}")
                    } else if inner.is_empty() {
                        format!("*{q}")
                    } else {
                        format!("*{q} {inner}")
                    };
                    if matches!(self.types.kind(*to), TyKind::Array(..) | TyKind::Function(_)) {
                        inner = format!("({inner})");
                    }
                    if style == Style::Assigned {
                        style = Style::C;
                    }
                    t = *to;
                }
                TyKind::Array(elem, len) => {
                    let _ = match *len {
                        Len::Unknown => write!(inner, "[]"),
                        Len::Const(n) => write!(inner, "[{n}]"),
                        Len::Threads(1) if style == Style::Upc => write!(inner, "[THREADS]"),
                        Len::Threads(n) if style == Style::Upc => write!(inner, "[{n}*THREADS]"),
                        Len::Threads(n) if style == Style::SplitC => write!(inner, "[{n}*PROCS]"),
                        Len::Threads(n) => write!(inner, "[{n}ul * (unsigned long)fathom_threads]"),
                        Len::Vla(e) if style.is_c() => write!(inner, "[{}]", self.dimension(p, e)),
                        Len::Vla(e) => write!(inner, "[{}]", p.source.words(p.unit[e].toks)),
                    };
                    t = *elem;
                }
                TyKind::Function(f) => {
                    let mut list: Vec<String> =
                        f.params.iter().map(|&q| self.declaration(p, q, "", style, fuel)).collect();
                    if f.variadic {
                        list.push("...".into());
                    }
                    if f.proto && list.is_empty() {
                        list.push("void".into());
                    }
                    let _ = write!(inner, "({})", list.join(", "));
                    t = f.ret;
                }
                kind => {
                    let q = self.quals_text(d.quals, style);
                    let (base, suffix) = match kind {
                        TyKind::Vector(elem, bytes) => (
                            self.declaration(p, *elem, "", style, fuel),
                            format!(" __attribute__((vector_size({bytes})))"),
                        ),
                        // Its name is of our own.
                        TyKind::Record(r) if !style.is_c() && self.types.record(*r).invented => {
                            let key = if self.types.record(*r).is_union { "union" } else { "struct" };
                            (format!("{key} {{...}}"), String::new())
                        }
                        k => (self.base_text(k).to_string(), String::new()),
                    };
                    return join(&q, &format!("{base}{suffix}"), &inner);
                }
            }
        }
    }

    fn base_text<'t>(&'t self, k: &'t TyKind) -> &'t str {
        use IntKind::*;
        match k {
            TyKind::Void => "void",
            TyKind::Int(k) => match k {
                Bool => "_Bool",
                Char => "char",
                SChar => "signed char",
                UChar => "unsigned char",
                Short => "short",
                UShort => "unsigned short",
                Int => "int",
                UInt => "unsigned int",
                Long => "long",
                ULong => "unsigned long",
                LongLong => "long long",
                ULongLong => "unsigned long long",
                Int128 => "__int128",
                UInt128 => "unsigned __int128",
            },
            TyKind::Float(k) => match k {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Float128 => "__float128",
            },
            TyKind::Complex(k) => match k {
                FloatKind::Float => "_Complex float",
                FloatKind::Double => "_Complex double",
                FloatKind::LongDouble => "_Complex long double",
                FloatKind::Float128 => "_Complex _Float128",
            },
            TyKind::Opaque(n) => n,
            TyKind::Record(r) => &self.types.record(*r).c_name,
            TyKind::Enum(e) => &self.types.enums[e.0 as usize].c_name,
            _ => "int",
        }
    }

    fn quals_text(&self, q: Quals, style: Style) -> String {
        let mut out = String::new();
        let mut word = |w: &str| {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(w);
        };
        if style == Style::Upc {
            match q.shared {
                Some(Block::Of(1)) => word("shared"),
                Some(Block::Of(n)) => word(&format!("shared [{n}]")),
                Some(Block::Indefinite) => word("shared []"),
                Some(Block::Star) => word("shared [*]"),
                Some(Block::Spread { .. }) | None => {}
            }
            match q.access {
                Some(Access::Strict) => word("strict"),
                Some(Access::Relaxed) => word("relaxed"),
                None => {}
            }
        } else if style.is_c() && q.shared.is_some() {
            // The compiler adds fences and moves the object if need be; only the C compiler can leave an access as it is.
            return if q.is_volatile { "volatile".to_owned() } else { out };
        }
        if q.is_const && style != Style::Assigned {
            word("const");
        }
        if q.is_volatile {
            word("volatile");
        }
        if q.is_restrict {
            word("restrict");
        }
        if q.is_atomic {
            word("_Atomic");
        }
        out
    }
}

fn join(quals: &str, base: &str, declarator: &str) -> String {
    let mut out = String::with_capacity(quals.len() + base.len() + declarator.len() + 2);
    for part in [quals, base, declarator] {
        if !part.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(part);
        }
    }
    out
}

//! Which names are types. A byte per name, and a log of what to put back at the end of each scope: a name that never
//! was a type costs one comparison.

use crate::keyword::{Kw, BUILTIN_TYPES, KEYWORDS};
use crate::neon::neon;
use crate::token::{Name, Source};
use crate::Dialect;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum NameKind {
    #[default]
    Other,
    Typedef,
    /// A built-in type name that no declaration has hidden.
    Builtin,
}

pub(super) struct Scopes {
    kinds: Vec<NameKind>,
    /// What the name was before a declaration in the scope at hand.
    log: Vec<(Name, NameKind)>,
    /// Open scopes inside the file's.
    open: u32,
    /// The statements of UPC 1.0 whose names occur in the text and have not been declared so far.
    old_statements: Vec<(Name, Kw)>,
}

/// UPC 1.0 had macros of these names in <upc.h>. Programs may use the names for what they like since, so they are
/// statements only where nothing has declared them.
const OLD_STATEMENTS: [(&str, Kw); 5] = [
    ("forall", Kw::UpcForall),
    ("barrier", Kw::UpcBarrier),
    ("barrier_notify", Kw::UpcNotify),
    ("barrier_wait", Kw::UpcWait),
    ("fence", Kw::UpcFence),
];

/// What [`Scopes::open`] returns and [`Scopes::close`] needs.
#[derive(Clone, Copy)]
pub(super) struct Mark(u32);

impl Scopes {
    pub fn new(source: &Source, dialect: Dialect) -> Self {
        let names = &source.names;
        let mut kinds = vec![NameKind::Other; names.len()];
        let builtin = KEYWORDS.len();
        kinds[builtin..builtin + BUILTIN_TYPES.len()].fill(NameKind::Builtin);
        if source.has_neon {
            let structs = (0..names.len()).filter(|&n| neon(source.name(Name(n as u32))).is_some());
            structs.for_each(|n| kinds[n] = NameKind::Builtin);
        }
        let old_statements = match dialect {
            Dialect::Upc => OLD_STATEMENTS.iter().filter_map(|&(s, kw)| Some((names.get(s)?, kw))).collect(),
            Dialect::SplitC => vec![],
        };
        Scopes { kinds, log: vec![], open: 0, old_statements }
    }

    /// The statement that an undeclared name was in UPC 1.0, or `Kw::None`.
    pub fn old_statement(&self, n: Name) -> Kw {
        self.old_statements.iter().find(|s| s.0 == n).map_or(Kw::None, |s| s.1)
    }

    #[inline]
    pub fn kind(&self, n: Name) -> NameKind {
        self.kinds.get(n.0 as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub fn declare(&mut self, n: Name, kind: NameKind) {
        if !self.old_statements.is_empty() {
            self.old_statements.retain(|s| s.0 != n);
        }
        let Some(k) = self.kinds.get_mut(n.0 as usize) else {
            return;
        };
        if *k != kind {
            if self.open > 0 {
                self.log.push((n, *k));
            }
            *k = kind;
        }
    }

    pub fn open(&mut self) -> Mark {
        self.open += 1;
        Mark(self.log.len() as u32)
    }

    pub fn close(&mut self, m: Mark) {
        self.open -= 1;
        while self.log.len() > m.0 as usize {
            if let Some((n, k)) = self.log.pop() {
                self.kinds[n.0 as usize] = k;
            }
        }
    }
}

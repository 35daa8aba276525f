//! Are promises (`#pragma fathom …`, docs/decisions/0017) where they mean something? Another compiler's stand in more
//! places, and mean nothing in those.

use crate::ast::*;
use crate::diag::Diag;
use crate::token::{Promised, TokKind, TokRange};
use crate::visit::{walk, walk_item, Child};
use crate::Source;
use std::collections::HashMap;

/// Warns of promises before anything but a loop, and of constants that the loop has not.
pub(crate) fn check(source: &Source, unit: &Unit, diags: &mut Vec<Diag>) {
    if source.promises.is_empty() {
        return;
    }
    let mut loops = HashMap::new();
    for item in &unit.items {
        walk_item(item, &mut |n| {
            walk(unit, n, |n| {
                use StmtKind::*;
                if let Child::Stmt(s) = n {
                    if matches!(unit[s].kind, For { .. } | While { .. } | DoWhile { .. } | Forall { .. }) {
                        loops.entry(unit[s].toks.lo).or_insert(unit[s].toks);
                    }
                }
                true
            })
        });
    }
    for p in source.promises.iter().filter(|p| !p.is_foreign) {
        let at = TokRange::new(p.token, p.token + 1);
        let unknown = source.tokens[p.token as usize..].iter().take_while(|t| t.kind == TokKind::Unknown).count();
        let Some(of) = loops.get(&(p.token + unknown as u32)) else {
            let message = "`#pragma fathom` that is not directly before a loop has no effect";
            diags.push(
                Diag::warning("S0119", at, message).hint("write it on the line before `for`, `while` or `upc_forall`"),
            );
            continue;
        };
        let Promised::Constant(names) = &p.promised else { continue };
        for name in names.iter().filter(|n| !mentions(source, *of, n)) {
            let message = format!("`{name}`, which `#pragma fathom constant` names, is not in the loop");
            diags.push(Diag::warning("S0119", at, message).hint("name arrays and pointers as the loop writes them"));
        }
    }
}

/// Has the text of a loop this name, or `p->q`, as a whole?
fn mentions(source: &Source, of: TokRange, name: &str) -> bool {
    let parts = name.replace("->", "\0>\0").replace('.', "\0.\0").replace("\0>\0", "\0->\0");
    let parts: Vec<&str> = parts.split('\0').collect();
    let text = |i: u32| source.tok_text(i);
    (of.lo..of.hi.saturating_sub(parts.len() as u32 - 1)).any(|i| {
        let is_member = i > of.lo && matches!(text(i - 1), "." | "->");
        !is_member && parts.iter().enumerate().all(|(k, part)| text(i + k as u32) == *part)
    })
}

//! The compiler's record of a site, which `lower` writes into the text of `struct fathom_site`, the runtime copies into
//! the trace without reading it, and [`crate::file`] reads. Writer and reader are both here.
//!
//! A record is one line: fields `name=value` with tabs between them. In a value, a backslash, a tab and a line feed are
//! written as `\\`, `\t` and `\n`. A field that does not apply is left out.

use serde::Serialize;
use std::collections::HashMap;

/// The form that the compiler gave an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// A call, not an access to one object.
    #[default]
    Call,
    /// An element of a C array that represents this thread's part of the shared one.
    Array,
    /// A C pointer to a row.
    RowPointer,
    /// Between fences.
    Strict,
    /// C's own subscript, because one thread has all elements.
    Subscript,
    /// An address is computed, then loaded from or stored to.
    Address,
    /// As `Address`, but only if the object is near; else a message.
    Tested,
    /// A copy: the loop runs in strips, and what a strip reads of far threads is fetched before it.
    Landed,
    /// A copy: the loop computes the places first, and the elements are fetched together.
    Gathered,
    /// A read or write of Split-C, which waits until it is complete.
    Blocking,
    /// A get, put or store of Split-C.
    SplitPhase,
}

/// Each form's name in a record, and its text for users.
const FORMS: [(Form, &str, &str); 11] = [
    (Form::Call, "call", "call"),
    (Form::Array, "array", "C array"),
    (Form::RowPointer, "row-pointer", "row pointer"),
    (Form::Strict, "strict", "strict"),
    (Form::Subscript, "subscript", "C subscript"),
    (Form::Address, "address", "address, load/store"),
    (Form::Tested, "tested", "address, near test"),
    (Form::Landed, "landed", "copy, in a strip"),
    (Form::Gathered, "gathered", "copy, gathered"),
    (Form::Blocking, "blocking", "waits"),
    (Form::SplitPhase, "split-phase", "split-phase"),
];

/// The reason for the compiler's choice of a form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reason {
    #[default]
    None,
    OwnBlock,
    OwnRows,
    CyclicIterations,
    CyclicElements,
    Row,
    Strict,
    OneThread,
    NoLoop,
    NoForall,
    NotCounting,
    BlockEnds,
    OtherLayout,
    Blocking,
    UntilSync,
    UntilStoreSync,
}

const REASONS: [(Reason, &str, &str); 16] = [
    (Reason::None, "none", ""),
    (Reason::OwnBlock, "own-block", "the affinity gives each iteration's block to this thread"),
    (Reason::OwnRows, "own-rows", "whole rows make up a block, and the affinity gives it to this thread"),
    (
        Reason::CyclicIterations,
        "cyclic-iterations",
        "iterations are THREADS apart: their elements are neighbours on one thread",
    ),
    (Reason::CyclicElements, "cyclic-elements", "elements THREADS apart are neighbours on one thread"),
    (Reason::Row, "row", "the loop does not change the address, which is computed before it"),
    (Reason::Strict, "strict", "strict: fences before and after, in program order"),
    (Reason::OneThread, "one-thread", "everything is on one thread: C's own address arithmetic"),
    (Reason::NoLoop, "no-loop", "not in a loop"),
    (Reason::NoForall, "no-forall", "not in a upc_forall: the owner of the element is known at run time only"),
    (
        Reason::NotCounting,
        "not-counting",
        "the upc_forall does not count i by one with an affinity of i + c or &x[i + c]",
    ),
    (Reason::BlockEnds, "block-ends", "at the ends of a block, where neighbours are on another thread"),
    (Reason::OtherLayout, "other-layout", "the subscript is not i + c of an array with the affinity's layout"),
    (Reason::Blocking, "blocking", "`=`: the access is complete before the next one begins; `:=` does not wait"),
    (Reason::UntilSync, "until-sync", "`:=`: under way until sync()"),
    (Reason::UntilStoreSync, "until-store-sync", "`:-`: under way until all_store_sync() or store_sync()"),
];

impl Form {
    /// The text for users.
    pub fn text(self) -> &'static str {
        FORMS.iter().find(|(f, ..)| *f == self).map_or("", |(.., text)| text)
    }
    fn name(self) -> &'static str {
        FORMS.iter().find(|(f, ..)| *f == self).map_or("", |(_, name, _)| name)
    }
    fn named(name: &str) -> Option<Form> {
        FORMS.iter().find(|(_, n, _)| *n == name).map(|(f, ..)| *f)
    }
}

impl Reason {
    /// The text for users.
    pub fn text(self) -> &'static str {
        REASONS.iter().find(|(r, ..)| *r == self).map_or("", |(.., text)| text)
    }
    fn name(self) -> &'static str {
        REASONS.iter().find(|(r, ..)| *r == self).map_or("", |(_, name, _)| name)
    }
    fn named(name: &str) -> Option<Reason> {
        REASONS.iter().find(|(_, n, _)| *n == name).map(|(r, ..)| *r)
    }
}

/// The kind of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Read,
    Write,
    Update,
    /// `upc_memget`, `bulk_read` and similar functions.
    Transfer,
    Lock,
    Atomic,
    Barrier,
    Fence,
    Collective,
    Allocation,
    Other,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct About {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// It stands in a Split-C file.
    pub is_split_c: bool,
    /// read, write, update, Split-C's get, put and store, or the name of the function or statement.
    pub construct: String,
    pub strict: bool,
    /// The expression in the program's text.
    pub text: String,
    /// The variable at its root.
    pub object: String,
    /// Block size in elements; 0 for indefinite; None if there is none.
    pub block: Option<u64>,
    pub elem_bytes: u64,
    /// Elements of a static array, and whether this is the number per thread.
    pub count: Option<(u64, bool)>,
    /// Elements that the first subscript steps over.
    pub row: u64,
    /// The form that the compiler chose, and why.
    pub form: Form,
    pub reason: Reason,
    /// If the iterations follow an array: the distance of this element from the iteration's own.
    pub follows: Option<i64>,
    pub affinity: String,
    /// Line of the enclosing loop; 0 if there is none.
    pub loop_line: u32,
    /// Why the compiler has no mechanism for the access if it is far, or why one may not have been used; may be empty.
    pub missed: String,
}

/// A language other than UPC, in a record.
const SPLIT_C: &str = "split-c";

impl About {
    /// The record, without a line feed at its end.
    pub fn record(&self) -> String {
        let mut fields = vec![
            ("file", self.file.clone()),
            ("line", self.line.to_string()),
            ("column", self.column.to_string()),
            ("function", self.function.clone()),
            ("construct", self.construct.clone()),
            ("strict", self.strict.to_string()),
            ("text", self.text.clone()),
            ("object", self.object.clone()),
            ("elem_bytes", self.elem_bytes.to_string()),
            ("row", self.row.to_string()),
            ("form", self.form.name().into()),
            ("reason", self.reason.name().into()),
            ("affinity", self.affinity.clone()),
            ("loop_line", self.loop_line.to_string()),
        ];
        if !self.missed.is_empty() {
            fields.push(("missed", self.missed.clone()));
        }
        if self.is_split_c {
            fields.push(("language", SPLIT_C.into()));
        }
        fields.extend(self.block.map(|b| ("block", b.to_string())));
        if let Some((count, per_thread)) = self.count {
            fields.extend([("count", count.to_string()), ("count_per_thread", per_thread.to_string())]);
        }
        fields.extend(self.follows.map(|d| ("follows", d.to_string())));
        let written = fields.iter().map(|(name, value)| format!("{name}={}", escaped(value)));
        written.collect::<Vec<_>>().join("\t")
    }

    /// None for a line that is not a record.
    pub fn parse(line: &str) -> Option<About> {
        let split = line.split('\t').map(|field| field.split_once('=').map(|(name, value)| (name, plain(value))));
        let fields: HashMap<&str, String> = split.collect::<Option<_>>()?;
        let text = |name: &str| fields.get(name).cloned();
        let number = |name: &str| fields.get(name)?.parse::<u64>().ok();
        let line_number = |name: &str| fields.get(name)?.parse::<u32>().ok();
        let flag = |name: &str| fields.get(name)?.parse::<bool>().ok();
        Some(About {
            file: text("file")?,
            line: line_number("line")?,
            column: line_number("column")?,
            function: text("function")?,
            is_split_c: text("language").is_some_and(|name| name == SPLIT_C),
            construct: text("construct")?,
            strict: flag("strict")?,
            text: text("text")?,
            object: text("object")?,
            block: number("block"),
            elem_bytes: number("elem_bytes")?,
            count: number("count").zip(flag("count_per_thread")),
            row: number("row")?,
            form: Form::named(fields.get("form")?)?,
            reason: Reason::named(fields.get("reason")?)?,
            follows: fields.get("follows").and_then(|d| d.parse().ok()),
            affinity: text("affinity")?,
            loop_line: line_number("loop_line")?,
            missed: text("missed").unwrap_or_default(),
        })
    }

    pub fn kind(&self) -> Kind {
        let name = self.construct.as_str();
        match name {
            "read" | "get" => Kind::Read,
            "write" | "put" | "store" => Kind::Write,
            "update" => Kind::Update,
            "upc_lock" | "upc_lock_attempt" | "upc_unlock" => Kind::Lock,
            "upc_barrier" | "upc_notify" | "upc_wait" | "barrier" | "all_store_sync" => Kind::Barrier,
            "upc_fence" => Kind::Fence,
            _ if name.starts_with("upc_mem") || name.starts_with("bupc_mem") => Kind::Transfer,
            "byte_write" => Kind::Transfer,
            _ if name.starts_with("bulk_") && name != "bulk_sync" => Kind::Transfer,
            "atomic" | "fetch_and_add" | "exchange" | "test_and_set" | "cmp_and_swap" => Kind::Atomic,
            _ if name.starts_with("upc_atomic") || name.starts_with("bupc_atomic") => Kind::Atomic,
            _ if name.ends_with("alloc") => Kind::Allocation,
            _ if ["upc_all_", "bupc_all", "all_"].iter().any(|p| name.starts_with(p)) => Kind::Collective,
            _ => Kind::Other,
        }
    }

    /// A barrier in one piece.
    pub fn is_barrier(&self) -> bool {
        matches!(self.construct.as_str(), "upc_barrier" | "barrier" | "all_store_sync")
    }

    /// A barrier, or the second half of a split one.
    pub fn ends_barrier(&self) -> bool {
        self.is_barrier() || self.construct == "upc_wait"
    }

    /// A transfer that brings data here.
    pub fn fetches(&self) -> bool {
        self.construct.contains("get") || self.construct == "bulk_read"
    }

    /// A call in which a thread may have to wait for others.
    pub fn waits(&self) -> bool {
        !self.is_access() && !matches!(self.kind(), Kind::Allocation | Kind::Fence)
    }

    /// A single access, as opposed to a call.
    pub fn is_access(&self) -> bool {
        matches!(self.kind(), Kind::Read | Kind::Write | Kind::Update)
    }

    /// The compiler made it plain C in a loop; the loop's accesses are counted together.
    pub fn is_private(&self) -> bool {
        matches!(self.form, Form::Array | Form::RowPointer)
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n")
}

fn plain(value: &str) -> String {
    let (mut out, mut chars) = (String::new(), value.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                other => out.extend(other),
            },
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let full = About {
            file: "a folder/heat=1.upc".into(),
            line: 7,
            column: 3,
            is_split_c: true,
            function: "main".into(),
            construct: "read".into(),
            strict: true,
            text: "a[\"\t\\\\n\"[0]]\n".into(),
            object: "a".into(),
            block: Some(0),
            elem_bytes: 8,
            count: Some((24, true)),
            row: 4,
            form: Form::Array,
            reason: Reason::OwnRows,
            follows: Some(-1),
            affinity: "&a[i]".into(),
            loop_line: 6,
            missed: "the loop jumps".into(),
        };
        for about in [full.clone(), About::default(), About { count: Some((5, false)), block: None, ..full.clone() }] {
            let record = about.record();
            assert!(!record.contains('\n'), "{record}");
            assert_eq!(About::parse(&record), Some(about));
        }
        for (form, ..) in FORMS {
            for (reason, ..) in REASONS {
                let about = About { form, reason, ..full.clone() };
                assert_eq!(About::parse(&about.record()), Some(about));
            }
        }
    }

    #[test]
    fn a_line_that_is_not_a_record_is_refused() {
        let record = About::default().record();
        for field in record.split('\t').filter(|f| !f.starts_with("follows") && !f.starts_with("missed")) {
            let without: Vec<&str> = record.split('\t').filter(|f| *f != field).collect();
            assert_eq!(About::parse(&without.join("\t")), None, "{field}");
        }
        assert_eq!(About::parse(""), None);
        assert_eq!(About::parse("a\tb"), None);
        assert_eq!(About::parse(&record.replace("form=call", "form=something")), None);
    }
}

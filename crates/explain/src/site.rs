//! What the compiler says about a site: the text in `struct fathom_site`, fields separated by tabs.

use serde::Serialize;

/// What a site does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Read,
    Write,
    Update,
    /// `upc_memget` and its kin.
    Transfer,
    Lock,
    Atomic,
    Barrier,
    Fence,
    Collective,
    Allocation,
    Other,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct About {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// read, write, update, or the name of the function or statement.
    pub construct: String,
    pub strict: bool,
    /// The expression as the program has it.
    pub text: String,
    /// The variable at its root.
    pub object: String,
    /// Block size in elements; 0 for indefinite, none where there is none.
    pub block: Option<u64>,
    pub elem_bytes: u64,
    /// Elements of a static array, and whether that is for each thread.
    pub count: Option<(u64, bool)>,
    /// Elements that the first subscript steps over.
    pub row: u64,
    /// The form that the compiler chose, and why.
    pub how: String,
    pub why: String,
    /// Where the iterations follow an array: how far from the iteration's own element this one is.
    pub follows: Option<i64>,
    pub affinity: String,
    /// Line of the loop around; 0 for none.
    pub loop_line: u32,
}

impl About {
    /// None for a line that is none of ours.
    pub fn parse(line: &str) -> Option<About> {
        let f: Vec<&str> = line.split('\t').collect();
        if f.len() != 17 {
            return None;
        }
        let count = match f[10].strip_suffix("*T") {
            Some(n) => n.parse().ok().map(|n| (n, true)),
            None => f[10].parse().ok().map(|n| (n, false)),
        };
        Some(About {
            file: f[0].into(),
            line: f[1].parse().ok()?,
            column: f[2].parse().ok()?,
            function: f[3].into(),
            construct: f[4].into(),
            strict: f[5] == "1",
            text: f[6].into(),
            object: f[7].into(),
            block: f[8].parse().ok(),
            elem_bytes: f[9].parse().ok()?,
            count,
            row: f[11].parse().ok()?,
            how: f[12].into(),
            why: f[13].into(),
            follows: f[14].parse().ok(),
            affinity: f[15].into(),
            loop_line: f[16].parse().ok()?,
        })
    }

    pub fn kind(&self) -> Kind {
        let name = self.construct.as_str();
        match name {
            "read" => Kind::Read,
            "write" => Kind::Write,
            "update" => Kind::Update,
            "upc_lock" | "upc_lock_attempt" | "upc_unlock" => Kind::Lock,
            "upc_barrier" | "upc_notify" | "upc_wait" => Kind::Barrier,
            "upc_fence" => Kind::Fence,
            _ if name.starts_with("upc_mem") || name.starts_with("bupc_mem") => Kind::Transfer,
            _ if name.starts_with("upc_atomic") => Kind::Atomic,
            _ if name.ends_with("alloc") => Kind::Allocation,
            _ if name.starts_with("upc_all_") || name.starts_with("bupc_all") => Kind::Collective,
            _ => Kind::Other,
        }
    }

    /// A call in which a thread may have to wait for others.
    pub fn waits(&self) -> bool {
        !self.is_access() && !matches!(self.kind(), Kind::Allocation | Kind::Fence)
    }

    /// A single access, as opposed to a call.
    pub fn is_access(&self) -> bool {
        matches!(self.kind(), Kind::Read | Kind::Write | Kind::Update)
    }

    /// The compiler made it plain C in a loop, whose accesses are counted together.
    pub fn is_private(&self) -> bool {
        matches!(self.how.as_str(), "C array" | "row pointer")
    }
}

//! The reason for a missing measurement: a code for programs, beside the sentence for people.
//!
//! A prober sends the code with its answer (`impossible processors it needs two processors`, `enum reason` of
//! runtime/probe/probe.h), and a profile's `[[missing]]` keeps it.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! reasons {
    ($($(#[$meta:meta])* $name:ident = $code:literal,)*) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Reason {
            $($(#[$meta])* #[serde(rename = $code)] $name,)*
        }

        impl Reason {
            pub const ALL: &[Reason] = &[$(Reason::$name,)*];

            /// The code as the prober and a profile write it.
            pub fn code(self) -> &'static str {
                match self {
                    $(Reason::$name => $code,)*
                }
            }
        }
    };
}

reasons! {
    /// There are fewer processors or cores than threads that take part.
    Processors = "processors",
    /// There are fewer threads than the stimulus needs.
    Threads = "threads",
    /// It needs threads that share memory, and these do not.
    Apart = "apart",
    /// It needs threads that do not share memory, and these do.
    Near = "near",
    /// There is not enough memory.
    Memory = "memory",
    /// The processor or the conduit has no such operation.
    Operation = "operation",
    /// The size is beyond a limit of the conduit.
    Size = "size",
    /// The operating system refused.
    System = "system",
    /// The C compiler that made the prober lacks something.
    Compiler = "compiler",
    /// The event to be observed did not happen.
    Unseen = "unseen",
    /// No time was left for it: a more thorough probe has more.
    Time = "time",
    /// It exceeded its time limit.
    Late = "late",
    /// The runner failed.
    Failed = "failed",
    /// None of these, or a profile from before there were codes.
    #[default]
    Other = "other",
}

impl Reason {
    /// The reason of this code; None if there is no such code.
    pub fn of_code(code: &str) -> Option<Reason> {
        Reason::ALL.iter().copied().find(|r| r.code() == code)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[REASON_NEAR] = "near"` of the prober: the same codes, except for those that the prober does not send.
    #[test]
    fn the_prober_knows_the_same_codes() {
        let source = include_str!("../../../runtime/probe/request.c");
        let list = source.split("reason_codes[REASONS] = {").nth(1).and_then(|rest| rest.split("};").next()).unwrap();
        let codes: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert!(codes.iter().all(|code| Reason::of_code(code).is_some()), "{codes:?}");
        let not_the_probers = [Reason::Late, Reason::Failed, Reason::Other];
        assert_eq!(codes.len(), Reason::ALL.len() - not_the_probers.len());
        assert!(not_the_probers.iter().all(|r| !codes.contains(&r.code())));
        let header = include_str!("../../../runtime/probe/reason.h");
        assert_eq!(header.matches("REASON_").count(), codes.len());
    }
}

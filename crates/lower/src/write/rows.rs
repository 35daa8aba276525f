//! Rows of shared arrays around a loop: their pointers, and the counters of an explained program, stand before it.

use crate::code::Code;
use crate::plan::Loop;
use crate::write::views::Made;
use crate::write::Writer;

impl Writer<'_> {
    /// The rows that a loop walks along, to be passed to `with_rows`.
    pub(crate) fn make_rows(&mut self, planned: &Loop) -> Code {
        self.enter_loop(planned);
        self.make_views(&planned.before, &Made::default())
    }

    /// A loop behind the code that is made before it.
    pub(crate) fn with_rows(&mut self, planned: &Loop, made: Code, code: Code) -> Code {
        let tallies = self.leave_loop();
        if made.is_empty() && tallies.is_empty() {
            return code;
        }
        let counters = self.counters_of_views(&planned.before);
        code!["{ ", made, counters, tallies, code, " }"]
    }
}

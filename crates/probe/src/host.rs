//! The runner that is this computer: a prober (see `runtime/probe`) that is told a stimulus a line.

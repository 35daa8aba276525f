//! A stimulus: the name of a kernel, and the arguments that choose the stream of operations it performs.
//!
//! The runner decides how to implement the kernel: C and assembler on this computer, a stream of accesses on a
//! simulated machine. As text a stimulus is one line: `chase bytes=32768 stride=64 order=random`.

use crate::Kernel;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stimulus {
    kernel: Kernel,
    arguments: Vec<(&'static str, Argument)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Argument {
    Number(u64),
    Word(&'static str),
}

impl Stimulus {
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel, arguments: vec![] }
    }

    /// Adds a number. The argument's name contains the unit; sizes are in bytes.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: u64) -> Self {
        self.arguments.push((name, Argument::Number(value)));
        self
    }

    /// Adds a word, which contains no blanks.
    #[must_use]
    pub fn word(mut self, name: &'static str, value: &'static str) -> Self {
        self.arguments.push((name, Argument::Word(value)));
        self
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        self.arguments.iter().find_map(|(n, a)| match a {
            Argument::Number(value) if *n == name => Some(*value),
            _ => None,
        })
    }

    pub fn chosen(&self, name: &str) -> Option<&'static str> {
        self.arguments.iter().find_map(|(n, a)| match a {
            Argument::Word(value) if *n == name => Some(*value),
            _ => None,
        })
    }
}

impl fmt::Display for Stimulus {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.kernel.word())?;
        for (name, argument) in &self.arguments {
            match argument {
                Argument::Number(value) => write!(f, " {name}={value}")?,
                Argument::Word(value) => write!(f, " {name}={value}")?,
            }
        }
        Ok(())
    }
}

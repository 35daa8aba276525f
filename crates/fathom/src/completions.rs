//! `fathom completions`: scripts by which shells complete the command.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fathom completions bash > ~/.local/share/bash-completion/completions/fathom\n  \
    fathom completions zsh > ~/.zfunc/_fathom\n  \
    fathom completions fish > ~/.config/fish/completions/fathom.fish")]
pub struct Options {
    shell: Shell,
}

pub fn main(options: &Options) {
    clap_complete::generate(options.shell, &mut crate::Cli::command(), "fathom", &mut std::io::stdout());
}

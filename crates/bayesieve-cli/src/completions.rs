//! `bayesieve completions`: scripts that complete commands and options in a shell.

use bayesieve::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output;

/// Print a script that completes commands and options in your shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  bayesieve completions bash > ~/.local/share/bash-completion/completions/bayesieve
  bayesieve completions fish > ~/.config/fish/completions/bayesieve.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run<C: CommandFactory>(arguments: &Arguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut C::command(), "bayesieve", &mut script);
    output::print_with(|out| out.write_all(&script))
}

//! Completions and manual pages.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;

use super::arguments::{among_programs, command, value};
use super::{Failure, Io, Program};

pub(super) const COMPLETIONS: Program =
    Program { name: "completions", executable: None, describe: describe_completions, run: print_completions };

pub(super) const MAN: Program =
    Program { name: "man", executable: None, describe: describe_man, run: print_page };

fn describe_completions(command: Command) -> Command {
    let shells = PossibleValuesParser::new(["bash", "zsh", "fish"]).try_map(|name| name.parse::<Shell>());
    command
        .about("Prints completions for a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(shells).help("The shell"))
        .after_help(
            "Example:\n  petteia completions bash > ~/.local/share/bash-completion/completions/petteia",
        )
}

fn print_completions(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let shell: Shell = value(matches, "shell");
    // Into memory first: clap_complete panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "petteia", &mut script);
    io.output.write_all(&script)?;
    Ok(0)
}

fn describe_man(command: Command) -> Command {
    command
        .about("Prints the manual page of the command, or of a program")
        .arg(Arg::new("program").value_name("PROGRAM").help("The program"))
        .after_help("Example:\n  petteia man solve | man -l -")
}

fn print_page(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let mut page = command().disable_help_subcommand(true);
    if let Some(name) = matches.get_one::<String>("program") {
        page.build();
        let program = page.find_subcommand(name).cloned();
        let program = program.ok_or_else(|| among_programs(&format!("no program {name:?}")))?;
        page = program.display_name(format!("petteia-{name}"));
    }
    clap_mangen::Man::new(page).render(&mut io.output)?;
    Ok(0)
}

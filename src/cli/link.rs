//! Links with the names of the documents' executables.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, absolute};

use clap::{Arg, ArgMatches, Command, value_parser};

use super::arguments::{listed, value};
use super::{Failure, Io, PROGRAMS, Program};

pub(super) const PROGRAM: Program = Program { name: "link", executable: None, describe, run };

fn describe(command: Command) -> Command {
    let path = |name: &'static str| Arg::new(name).value_parser(value_parser!(PathBuf));
    command
        .about("Makes links with the names of the documents' programs")
        .arg(path("folder").value_name("FOLDER").required(true).help("Where to make the links"))
        .arg(path("to").long("to").value_name("COMMAND").help("Command to link to [default: this one]"))
        .after_help(format!(
            "The links are {}. Nothing is overwritten: if there is anything else of one of these names, no link is \
             made.\n\nExample:\n  petteia link ~/bin",
            listed(executables())
        ))
}

/// Returns the names of the documents' executables.
fn executables() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().filter_map(|program| program.executable)
}

/// Returns the program that is run by a link of this name.
pub(super) fn program(called: &Path) -> Option<&'static Program> {
    // On some systems the names of executables have an ending.
    let name = if EXE_SUFFIX.is_empty() { called.file_name() } else { called.file_stem() }?.to_str()?;
    PROGRAMS.iter().find(|program| program.executable == Some(name))
}

fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let folder: PathBuf = value(matches, "folder");
    let command = match matches.get_one::<PathBuf>("to") {
        Some(command) => absolute(command)?,
        None => std::env::current_exe()?,
    };
    let fails = |path: &Path, error: io::Error| Failure::Complaint(format!("{}: {error}", path.display()));
    if !fs::metadata(&command).map_err(|error| fails(&command, error))?.is_file() {
        return Err(Failure::Complaint(format!("{}: expected a command to link to", command.display())));
    }
    if !fs::metadata(&folder).map_err(|error| fails(&folder, error))?.is_dir() {
        return Err(Failure::Complaint(format!("{}: expected a folder", folder.display())));
    }
    let mut missing = Vec::new();
    for name in executables() {
        let link = folder.join(format!("{name}{EXE_SUFFIX}"));
        match fs::symlink_metadata(&link) {
            Err(error) if error.kind() == ErrorKind::NotFound => missing.push(link),
            Err(error) => return Err(fails(&link, error)),
            Ok(_) if leads_to(&link, &command) => {}
            Ok(_) => {
                let complaint = format!("{}: is there already, and nothing is overwritten", link.display());
                return Err(Failure::Complaint(complaint));
            }
        }
    }
    for link in missing {
        // This fails if something of that name has appeared meanwhile.
        symlink(&command, &link).map_err(|error| fails(&link, error))?;
        writeln!(io.output, "{}", link.display())?;
    }
    Ok(0)
}

/// Returns whether a link is one to the command already.
fn leads_to(link: &Path, command: &Path) -> bool {
    link.is_symlink()
        && fs::canonicalize(link).is_ok_and(|end| fs::canonicalize(command).is_ok_and(|it| it == end))
}

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_file as symlink;

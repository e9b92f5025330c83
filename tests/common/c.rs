//! Helpers for the tests of the C API: the built libraries, folders for programs, commands that must succeed.

#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Returns the folder of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command, whether it succeeds or not.
pub fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs a command that must succeed and returns its output.
pub fn run(command: &mut Command) -> String {
    let result = output(command);
    let (out, err) = (String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&result.stderr));
    assert!(result.status.success(), "{command:?} ended with {}\n{out}\n{err}", result.status);
    out.into_owned()
}

/// Returns the call of `make` with a target and variables.
pub fn make_command(target: &str, variables: &[String]) -> Command {
    let mut make = Command::new("make");
    // If a make runs this test, its variables are not meant for this one.
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"] {
        make.env_remove(name);
    }
    make.arg(target).args(variables).env("CARGO", env!("CARGO")).current_dir(root());
    make
}

/// Runs `make` with a target and variables, and returns what it prints. Two would make the same files at once.
pub fn make(target: &str, variables: &[String]) -> String {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    run(&mut make_command(target, variables))
}

/// Installs the C library, as a user would, and returns the folder of the libraries.
pub fn installed() -> &'static Path {
    static LIBRARIES: OnceLock<PathBuf> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        // Each test program has a copy of its own.
        let prefix = folder(&format!("installed-for-{}", env!("CARGO_CRATE_NAME")));
        make("install-lib", &[format!("PREFIX={}", prefix.display())]);
        prefix.join("lib")
    })
}

/// Returns the version that programs are bound to: the major and minor number until 1.0, then the major one.
pub fn abi() -> String {
    match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => format!("0.{}", env!("CARGO_PKG_VERSION_MINOR")),
        major => major.to_owned(),
    }
}

/// Returns an empty folder of the given name for the files of a test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// Returns the text of a file of the package.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the functions that a header declares: their names, and their parameters as written.
pub fn declarations(header: &str) -> Vec<(String, String)> {
    let text = read(Path::new("include").join(header));
    let starts = text.match_indices('\n').map(|(end, _)| &text[end + 1..]);
    let declarations = starts.filter_map(|rest| {
        // Nothing else with parameters begins a line in lower case.
        let (before, parameters) = rest.split_once(';')?.0.split_once('(')?;
        let typed = before.starts_with(|first: char| first.is_ascii_lowercase()) && !before.contains('\n');
        // A function that is not exported but part of the header has its body there.
        let declared = !before.starts_with("typedef") && !before.starts_with("static ");
        (typed && declared).then_some((before, parameters))
    });
    let name = |before: &str| before.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
    declarations.map(|(before, parameters)| (name(before), parameters.to_owned())).collect()
}

/// Returns the names of the functions that a header declares.
pub fn declared(header: &str) -> Vec<String> {
    declarations(header).into_iter().map(|(name, _)| name).collect()
}

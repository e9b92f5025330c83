//! The installed library as a linker sees it: the members of the archive, names that programs share with it, symbol
//! versions, and that it stays in memory once it is loaded.

#[path = "common/c.rs"]
mod c;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARIES: [&str; 2] = ["libpetteia.so", "libpetteia.a"];

fn readelf(options: &[&str], file: &Path) -> String {
    c::run(Command::new("readelf").arg("--wide").args(options).arg(file))
}

/// Compiles files of `tests/c` into a program, runs it, and returns the program and its output.
fn links(name: &str, library: &Path, files: &[&str], options: &[&str]) -> (PathBuf, String) {
    let program = c::folder(&format!("members-{name}")).join("program");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Iinclude", "-Iinclude/breakdown", "-Itests/c"]);
    cc.args(options).args(files.iter().map(|file| format!("tests/c/{file}")));
    cc.arg("-o").arg(&program).arg(library).args(["-lm", "-lpthread", "-ldl"]);
    c::run(cc.current_dir(c::root()));
    let out = c::run(Command::new(&program).env("LD_LIBRARY_PATH", c::installed()));
    assert!(out.ends_with("checks passed\n"), "{name}: {out}");
    (program, out)
}

/// Links files of `tests/c` with either library, position-independent and not, and runs them.
fn links_with_both(name: &str, files: &[&str]) {
    for library in LIBRARIES {
        for kind in ["-pie", "-no-pie"] {
            let code = if kind == "-pie" { "-fPIE" } else { "-fno-pie" };
            links(&format!("{name}{kind}-{library}"), &c::installed().join(library), files, &[kind, code]);
        }
    }
}

#[test]
fn a_program_may_have_names_of_the_course() {
    links_with_both("names", &["own_names.c"]);
}

#[test]
fn a_students_board_works_with_the_rules() {
    links_with_both("board", &["evidence.c", "own_board.c"]);
}

#[test]
fn a_students_rules_work_with_the_board() {
    links_with_both("logic", &["evidence.c", "own_logic.c"]);
}

/// A program gets the members that it uses: the course's names are not in one that does without them.
#[test]
fn the_course_has_members_of_its_own() {
    let archive = c::installed().join("libpetteia.a");
    let mut members: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut member = String::new();
    for line in c::run(Command::new("nm").args(["-g", "--defined-only"]).arg(&archive)).lines() {
        if let Some(name) = line.strip_suffix(':') {
            name.clone_into(&mut member);
        } else if let Some(symbol) =
            line.split(' ').next_back().filter(|name| !name.starts_with("petteia_") && !name.is_empty())
        {
            members.entry(member.clone()).or_default().push(symbol.to_owned());
        }
    }
    let expected = [
        ("board.o", &["board_free", "board_get", "board_new", "board_set", "board_show"][..]),
        ("logic.o", &["breakdown", "drop_stick", "game_free", "game_outcome", "new_game"]),
        ("pos.o", &["make_pos"]),
    ];
    let expected = expected
        .map(|(member, names)| (member.to_owned(), names.iter().map(|&name| name.to_owned()).collect()));
    assert_eq!(members, BTreeMap::from(expected));

    let (program, _) = links("static", &archive, &["position.c"], &[]);
    let symbols = c::run(Command::new("nm").arg(program));
    assert!(
        symbols.contains(" T petteia_position_new\n") && !symbols.contains(" T board_new\n"),
        "{symbols}"
    );
}

/// Programs are bound to a version of the functions of petteia.h; the course's names have none.
#[test]
fn symbols_have_versions() {
    let version = format!("@@PETTEIA_{}", c::abi());
    let symbols = readelf(&["--dyn-syms"], &c::installed().join("libpetteia.so"));
    let names: Vec<&str> = symbols.split_whitespace().filter(|word| !word.starts_with("PETTEIA_")).collect();
    for name in c::declared("petteia.h") {
        assert!(names.contains(&&*format!("{name}{version}")), "{name} in {symbols}");
    }
    for name in c::declared("breakdown.h") {
        assert!(names.contains(&&*name), "{name} in {symbols}");
    }
}

/// Returns the shared library of a plain cargo build, like the one in the wheel.
fn plain() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plain");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "rustc",
        "--lib",
        "--crate-type=cdylib",
        "--no-default-features",
        "--features=capi",
        "--locked",
    ]);
    // Elsewhere, it would be in the way of the build that runs this test.
    c::run(cargo.arg("--target-dir").arg(&folder).env_remove("CARGO_BUILD_TARGET").current_dir(c::root()));
    folder.join("debug/libpetteia.so")
}

/// Rust's standard library leaves a key in the process each time that it is unloaded, of which there are 1,024.
#[test]
fn once_loaded_it_stays() {
    let program = c::folder("members-load").join("load");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Iinclude", "tests/c/load.c", "-o"]).arg(&program);
    c::run(cc.args(["-lpthread", "-ldl"]).current_dir(c::root()));
    for library in [c::installed().join("libpetteia.so"), plain()] {
        let out = c::run(Command::new(&program).arg(&library));
        assert!(out.ends_with("checks passed\n"), "{}: {out}", library.display());
    }
    assert!(readelf(&["--dynamic"], &c::installed().join("libpetteia.so")).contains("NODELETE"));
}

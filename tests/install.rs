//! `make install`: what it installs, and that C programs need only pkg-config or CMake to find it.

#[path = "common/c.rs"]
mod c;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXAMPLES: [&str; 6] = ["breakdown", "reversi", "quarto", "tictac", "engine", "match"];

/// Returns the files below a folder, without following links.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            if entry.file_type().expect("a type").is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.strip_prefix(folder).expect("below").to_string_lossy().into_owned());
            }
        }
    }
    found
}

fn expected() -> BTreeSet<String> {
    let (version, major) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_VERSION_MAJOR"));
    let names = [
        "include/petteia.h".to_owned(),
        "include/petteia.hpp".to_owned(),
        "include/breakdown.h".to_owned(),
        "include/breakdown/pos.h".to_owned(),
        "include/breakdown/board.h".to_owned(),
        "include/breakdown/logic.h".to_owned(),
        "lib/libpetteia.a".to_owned(),
        "lib/libpetteia.so".to_owned(),
        format!("lib/libpetteia.so.{major}"),
        format!("lib/libpetteia.so.{version}"),
        "lib/pkgconfig/petteia.pc".to_owned(),
        "lib/cmake/petteia/petteia-config.cmake".to_owned(),
        "lib/cmake/petteia/petteia-config-version.cmake".to_owned(),
    ];
    names.into_iter().collect()
}

/// Checks that a Reversi program runs.
fn plays(program: &Path) {
    let out = c::run(Command::new(program).args(["4", "4"]).env_remove("LD_LIBRARY_PATH"));
    assert!(out.ends_with("dark 9, light 7\n"), "{out}");
}

fn readelf(option: &str, file: &Path) -> String {
    c::run(Command::new("readelf").args(["--wide", option]).arg(file))
}

// A single test, since it all needs one installation, and concurrent builds would wait for each other.
#[test]
fn what_is_installed_works() {
    let prefix = c::folder("install");
    c::make("install", &[format!("PREFIX={}", prefix.display())]);
    assert_eq!(files(&prefix), expected());

    // The soname, read through the link.
    let lib = prefix.join("lib");
    let soname = format!("libpetteia.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    assert!(readelf("--dynamic", &lib.join("libpetteia.so")).contains(&format!("soname: [{soname}]")));

    // pkg-config, through the examples' Makefile and directly.
    let by_make = c::folder("install-make");
    for file in fs::read_dir(c::root().join("examples/c")).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), by_make.join(file.file_name())).expect("a copy");
    }
    let path = lib.join("pkgconfig");
    c::run(Command::new("make").current_dir(&by_make).env("PKG_CONFIG_PATH", &path).env_remove("MAKEFLAGS"));
    plays(&by_make.join("reversi"));
    let config = |option: &str| {
        let mut config = Command::new("pkg-config");
        c::run(config.args([option, "petteia"]).env("PKG_CONFIG_PATH", &path)).trim().to_owned()
    };
    assert_eq!(config("--modversion"), env!("CARGO_PKG_VERSION"));
    assert!(EXAMPLES.iter().all(|name| by_make.join(name).exists()));

    // CMake, with both libraries.
    let by_cmake = c::folder("install-cmake");
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(c::root().join("examples/c")).arg("-B").arg(&by_cmake);
    c::run(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    c::run(Command::new("cmake").arg("--build").arg(&by_cmake));
    assert!(EXAMPLES.iter().all(|name| by_cmake.join(name).exists()));
    plays(&by_cmake.join("reversi"));
    plays(&by_cmake.join("reversi_static"));
    assert!(readelf("--dynamic", &by_cmake.join("reversi")).contains(&format!("[{soname}]")));
    assert!(!readelf("--dynamic", &by_cmake.join("reversi_static")).contains("libpetteia"));

    // The installed static library, whose other symbols are local, still works.
    let program = prefix.join("position");
    let mut cc = Command::new("cc");
    cc.args(["tests/c/position.c", "-Iinclude", "-o"]).arg(&program).arg(lib.join("libpetteia.a"));
    c::run(cc.args(["-lpthread", "-ldl", "-lm"]).current_dir(c::root()));
    c::run(&mut Command::new(&program));
    fs::remove_file(&program).expect("the program");

    c::make("uninstall", &[format!("PREFIX={}", prefix.display())]);
    assert_eq!(files(&prefix), BTreeSet::new());

    // A staged installation contains its final paths.
    let stage = c::folder("install-stage");
    c::make("install", &["PREFIX=/opt/petteia".to_owned(), format!("DESTDIR={}", stage.display())]);
    assert_eq!(files(&stage.join("opt/petteia")), expected());
    let config = fs::read_to_string(stage.join("opt/petteia/lib/pkgconfig/petteia.pc")).expect("a file");
    assert!(config.starts_with("prefix=/opt/petteia\nlibdir=/opt/petteia/lib\n"), "{config}");
    assert!(!config.contains(&*stage.to_string_lossy()));
    c::make("uninstall", &["PREFIX=/opt/petteia".to_owned(), format!("DESTDIR={}", stage.display())]);
    assert_eq!(files(&stage), BTreeSet::new());
}

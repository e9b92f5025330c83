//! `make install`: what it installs and where, that C programs need only pkg-config or CMake to find it, and what
//! happens where something is missing.

#[path = "common/c.rs"]
mod c;
#[path = "common/header.rs"]
mod header;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
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

/// Returns the manual pages of a section that are kept in `docs/man`.
fn pages(section: &str) -> Vec<String> {
    let pages: Vec<String> = files(&c::root().join("docs/man")).into_iter().collect();
    let pages: Vec<String> =
        pages.into_iter().filter(|page| page.ends_with(&format!(".{section}"))).collect();
    assert!(pages.len() > 9, "{pages:?}");
    pages.iter().map(|page| format!("share/man/man{section}/{page}")).collect()
}

/// Returns what `make install-lib` installs.
fn library() -> BTreeSet<String> {
    let (version, abi) = (env!("CARGO_PKG_VERSION"), c::abi());
    let mut names: BTreeSet<String> = [
        "lib/libpetteia.a",
        "lib/libpetteia.so",
        &format!("lib/libpetteia.so.{abi}"),
        &format!("lib/libpetteia.so.{version}"),
        "lib/pkgconfig/petteia.pc",
        "lib/pkgconfig/petteia-breakdown.pc",
        "lib/cmake/petteia/petteia-config.cmake",
        "lib/cmake/petteia/petteia-config-version.cmake",
        "share/doc/petteia/LICENSE-MIT",
        "share/doc/petteia/LICENSE-APACHE",
        "share/petteia/valgrind.supp",
    ]
    .map(str::to_owned)
    .into();
    names.extend(files(&c::root().join("include")).iter().map(|header| format!("include/{header}")));
    assert!(names.contains("include/petteia.h") && names.contains("include/breakdown/logic.h"));
    for header in ["petteia.h", "breakdown.h"] {
        let sections = header::read(&c::read(format!("include/{header}"))).sections;
        let named = sections.iter().flat_map(header::Section::with_pages);
        names.extend(named.map(|item| format!("share/man/man3/{}.3", item.name)));
    }
    for name in ["petteia_version", "board_new", "petteia_solve_options_init", "petteia_callback"] {
        assert!(names.contains(&format!("share/man/man3/{name}.3")), "{name}");
    }
    names.extend(pages("3"));
    names
}

/// Returns what `make install` installs.
fn everything() -> BTreeSet<String> {
    let mut names = library();
    names.extend(pages("1"));
    let completions = [
        "bin/petteia",
        "share/bash-completion/completions/petteia",
        "share/zsh/site-functions/_petteia",
        "share/fish/vendor_completions.d/petteia.fish",
    ];
    names.extend(completions.map(str::to_owned));
    names
}

/// Checks that a Reversi program runs.
fn plays(program: &Path) {
    let out = c::run(Command::new(program).args(["4", "4"]).env_remove("LD_LIBRARY_PATH"));
    assert!(out.ends_with("dark 9, light 7\n"), "{out}");
}

fn readelf(option: &str, file: &Path) -> String {
    c::run(Command::new("readelf").args(["--wide", option]).arg(file))
}

fn variables(given: &[(&str, &Path)]) -> Vec<String> {
    given.iter().map(|(name, path)| format!("{name}={}", path.display())).collect()
}

/// Builds the examples by their Makefile, with pkg-config, in a fresh folder.
fn by_make(name: &str, lib: &Path) {
    let folder = c::folder(name);
    for file in fs::read_dir(c::root().join("examples/c")).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), folder.join(file.file_name())).expect("a copy");
    }
    let path = lib.join("pkgconfig");
    c::run(Command::new("make").current_dir(&folder).env("PKG_CONFIG_PATH", &path).env_remove("MAKEFLAGS"));
    assert!(EXAMPLES.iter().all(|name| folder.join(name).exists()));
    plays(&folder.join("reversi"));
}

/// Builds the examples with CMake, in a fresh folder, against both libraries.
fn by_cmake(name: &str, prefix: &Path) {
    let folder = c::folder(name);
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(c::root().join("examples/c")).arg("-B").arg(&folder);
    c::run(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    c::run(Command::new("cmake").arg("--build").arg(&folder));
    assert!(EXAMPLES.iter().all(|name| folder.join(name).exists()));
    plays(&folder.join("reversi"));
    plays(&folder.join("reversi_static"));
    assert!(readelf("--dynamic", &folder.join("reversi")).contains(&format!("[libpetteia.so.{}]", c::abi())));
    assert!(!readelf("--dynamic", &folder.join("reversi_static")).contains("libpetteia"));
}

/// Returns where a program looks for its libraries.
fn runpath(program: &Path) -> String {
    let dynamic = readelf("--dynamic", program);
    let line = dynamic.lines().find_map(|line| line.split_once("runpath: [")).expect("a runpath");
    line.1.trim_end_matches(']').to_owned()
}

/// Returns what pkg-config prints about a package.
fn pkg_config(lib: &Path, words: &[&str]) -> String {
    let mut config = Command::new("pkg-config");
    c::run(config.args(words).env("PKG_CONFIG_PATH", lib.join("pkgconfig"))).trim().to_owned()
}

/// Compiles a file of `tests/c` with the flags that pkg-config prints, in a shell as people do, runs and returns it.
fn compiles(lib: &Path, words: &str, source: &str) -> PathBuf {
    let program = c::folder("install-program").join("program");
    // The flags are words of the shell, quoted where they must be.
    let line = format!(
        "eval cc tests/c/{source} -Itests/c -o '\"$PROGRAM\"' \"$(pkg-config --cflags --libs {words})\""
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).env("PROGRAM", &program).env("PKG_CONFIG_PATH", lib.join("pkgconfig"));
    c::run(shell.current_dir(c::root()));
    let out = c::run(Command::new(&program).env_remove("LD_LIBRARY_PATH"));
    assert!(out.ends_with("checks passed\n"), "{out}");
    program
}

#[test]
fn programs_find_the_library() {
    let folder = c::folder("install");
    let prefix = folder.join("a prefix");
    let out = c::make("install-lib", &variables(&[("PREFIX", &prefix)]));
    assert!(!out.contains("ldconfig"), "{out}");
    assert_eq!(files(&prefix), library());
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is beside the prefix");

    let lib = prefix.join("lib");
    let soname = format!("libpetteia.so.{}", c::abi());
    assert!(readelf("--dynamic", &lib.join("libpetteia.so")).contains(&format!("soname: [{soname}]")));
    assert_eq!(pkg_config(&lib, &["--modversion", "petteia"]), env!("CARGO_PKG_VERSION"));
    assert!(pkg_config(&lib, &["--libs", "--static", "petteia"]).ends_with("-lpetteia -lm -lpthread -ldl"));
    by_make("install make", &lib);
    by_cmake("install cmake", &prefix);
    compiles(&lib, "petteia", "position.c");
    compiles(&lib, "petteia --static", "position.c");
    compiles(&lib, "petteia-breakdown", "evidence.c");

    // Only what was installed is removed.
    fs::write(prefix.join("include/breakdown/mine.h"), "").expect("a file");
    c::make("uninstall", &variables(&[("PREFIX", &prefix)]));
    assert_eq!(files(&prefix), ["include/breakdown/mine.h".to_owned()].into());
    assert!(!prefix.join("lib/cmake/petteia").exists());

    // Programs look in the folder of the library, however its .pc file was found, and whether it is still there or not.
    let (prefix, moved) = (folder.join("prefix"), folder.join("moved to"));
    c::make("install-lib", &variables(&[("PREFIX", &prefix)]));
    let lib = prefix.join("lib");
    assert_eq!(runpath(&compiles(&lib, "petteia", "position.c")), lib.to_string_lossy());
    if let Ok(below) = lib.strip_prefix(c::root()) {
        let program = compiles(below, "petteia", "position.c");
        assert_eq!(runpath(&program), lib.to_string_lossy());
        fs::rename(lib.join("pkgconfig"), folder.join("elsewhere")).expect("a folder that can be moved");
        let out = c::run(Command::new(&program).current_dir("/").env_remove("LD_LIBRARY_PATH"));
        assert!(out.ends_with("checks passed\n"), "{out}");
        fs::rename(folder.join("elsewhere"), lib.join("pkgconfig")).expect("the same folder");
    }

    // A prefix is moved as a whole.
    fs::rename(&prefix, &moved).expect("a folder that can be moved");
    let program = compiles(&moved.join("lib"), "--define-prefix petteia-breakdown", "evidence.c");
    assert_eq!(runpath(&program), moved.join("lib").to_string_lossy());
    by_cmake("install cmake-moved", &moved);
}

/// Folders that cannot work are refused at once, in one line.
#[test]
fn folders_that_cannot_work_are_refused() {
    let folder = c::folder("install-refused");
    let stage = folder.join("stage");
    let path = "a path without , : $ # and \\, which pkg-config or linkers take apart";
    let given = |name: &str| format!("PREFIX={}", folder.join(name).display());
    let is = |name: &str, path: &str| format!("{} is {}", name, folder.join(path).display());
    for (variable, what, expected) in [
        ("PREFIX=".to_owned(), "PREFIX is empty".to_owned(), "a folder, such as /usr/local"),
        ("LIBDIR=".to_owned(), "LIBDIR is empty".to_owned(), "a folder, such as /usr/local"),
        (given("a,b"), is("PREFIX", "a,b"), path),
        (given("a:b"), is("PREFIX", "a:b"), path),
        (given("a$$b"), is("PREFIX", "a$b"), path),
        (given("a\\b"), is("PREFIX", "a\\b"), path),
        ("INCLUDEDIR=/a,b".to_owned(), "INCLUDEDIR is /a,b".to_owned(), path),
    ] {
        let variables = [format!("DESTDIR={}", stage.display()), variable];
        // Nothing is built before.
        let mut make = c::make_command("install-lib", &variables);
        let output = c::output(make.env("CARGO", "/nowhere/cargo").arg("CARGO=/nowhere/cargo"));
        let err = String::from_utf8_lossy(&output.stderr);
        let own: Vec<&str> = err.lines().filter(|line| !line.starts_with("make")).collect();
        assert!(!output.status.success(), "{variables:?}");
        assert_eq!(own, [format!("{what}: expected {expected}")]);
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
    // The linker does not see the stage, nor where the command is.
    let odd = [
        ("DESTDIR", &*folder.join("a,b:c")),
        ("BINDIR", Path::new("/usr/a,b")),
        ("PREFIX", Path::new("/usr")),
    ];
    c::make("install-lib", &variables(&odd));
    assert_eq!(files(&folder.join("a,b:c/usr")), library());
}

#[test]
fn folders_are_where_they_are_said_to_be() {
    // Below the top folder, as a relative prefix is understood.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).strip_prefix(c::root());
    if let Ok(target) = target {
        let relative = target.join("./install-relative//x/..");
        let prefix = c::folder("install-relative");
        c::make("install-lib", &variables(&[("PREFIX", &relative)]));
        assert_eq!(files(&prefix), library());
        compiles(&prefix.join("lib"), "petteia", "position.c");
        c::make("uninstall", &variables(&[("PREFIX", &relative)]));
        assert_eq!(files(&prefix), BTreeSet::new());
    }

    // A staged installation, as packagers make it, contains its final paths.
    let stage = c::folder("install stage");
    let given = [
        ("DESTDIR", &*stage),
        ("PREFIX", Path::new("/usr/")),
        ("LIBDIR", Path::new("/usr/lib/some-linux-gnu")),
        ("INCLUDEDIR", Path::new("/headers")),
        ("MANDIR", Path::new("/usr/man")),
    ];
    let out = c::make("install-lib", &variables(&given));
    assert_eq!(
        out.lines().filter(|line| line.contains("ldconfig")).collect::<Vec<_>>(),
        ["Once the files are in /usr/lib/some-linux-gnu, run ldconfig, so that programs find the library."]
    );
    let config = c::read(stage.join("usr/lib/some-linux-gnu/pkgconfig/petteia.pc"));
    let head = "prefix=/usr\nlibdir=${prefix}/lib/some-linux-gnu\nincludedir=/headers\n";
    assert!(config.starts_with(head) && !config.contains("rpath"), "{config}");
    let all = files(&stage);
    assert!(all.contains("usr/man/man3/petteia_version.3") && all.contains("headers/petteia.h"), "{all:?}");
    let stages = stage.to_string_lossy().into_owned();
    for file in all.iter().filter(|file| file.ends_with(".pc") || file.ends_with(".cmake")) {
        assert!(!c::read(stage.join(file)).contains(&stages), "{file}");
    }
    let cmake = c::read(stage.join("usr/lib/some-linux-gnu/cmake/petteia/petteia-config.cmake"));
    assert!(cmake.contains("/../../../../../headers\""), "{cmake}");
    c::make("uninstall", &variables(&given));
    assert_eq!(files(&stage), BTreeSet::new());
}

/// The cache of a system's folders is refreshed, or somebody is told to.
#[test]
fn the_loader_is_told() {
    let folder = c::folder("install-loader");
    let (prefix, script, calls) = (folder.join("prefix"), folder.join("ldconfig"), folder.join("calls"));
    // A system that looks for libraries in the prefix. Only a call without options refreshes the cache.
    let lines = format!(
        "#!/bin/sh\nif [ $# -gt 0 ]; then echo '{}/lib: (from somewhere)'; else echo called >>'{}'; fi\n",
        prefix.display(),
        calls.display()
    );
    fs::write(&script, lines).expect("a file");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("permissions");
    let out = c::make("install-lib", &variables(&[("PREFIX", &prefix), ("LDCONFIG", &script)]));
    let root = c::run(Command::new("id").arg("-u")).trim() == "0";
    assert_eq!(calls.exists(), root, "{out}");
    assert_eq!(out.contains("Run ldconfig as root"), !root, "{out}");
    c::make("install-lib", &variables(&[("PREFIX", &prefix), ("LDCONFIG", Path::new("/nowhere/ldconfig"))]));
}

/// What CMake finds, and what it is told about what it does not.
#[test]
fn cmake_checks_versions_and_components() {
    let folder = c::folder("install-versions");
    let prefix = folder.join("prefix");
    c::make("install-lib", &variables(&[("PREFIX", &prefix)]));
    let this = env!("CARGO_PKG_VERSION");
    let [minor, patch] = [env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    let [minor, patch]: [u32; 2] = [minor, patch].map(|number| number.parse().expect("a number"));
    let (line, next, later) =
        (format!("0.{minor}"), format!("0.{}", minor + 1), format!("0.{minor}.{}", patch + 1));
    assert!(this.starts_with("0."), "from 1.0 on, other versions go together: docs/abi.md");
    let found = [
        "".to_owned(),
        "0".to_owned(),
        line.clone(),
        this.to_owned(),
        format!("{this} EXACT"),
        format!("{line}...{next}"),
        format!("{line}...<{next}"),
        "0.0.5...1".to_owned(),
        format!("{line}...{this}"),
        "COMPONENTS petteia static breakdown".to_owned(),
        "OPTIONAL_COMPONENTS nonsense".to_owned(),
    ];
    let refused = [
        "0.0".to_owned(),
        next.clone(),
        later.clone(),
        "1".to_owned(),
        "1.0".to_owned(),
        format!("{this}.1"),
        format!("{next}...0.{}", minor + 2),
        format!("0.0...<{this}"),
        format!("{later}...{next}"),
        "COMPONENTS nonsense".to_owned(),
    ];
    let call = |wanted: &str, unexpected: &str| {
        format!(
            "find_package(petteia {wanted} QUIET CONFIG)\nif({unexpected} petteia_FOUND)\n  \
             message(SEND_ERROR \"find_package(petteia {wanted}): ${{petteia_FOUND}}\")\nendif()\nunset(petteia_DIR CACHE)\n"
        )
    };
    let refused: String = refused.iter().map(|wanted| call(wanted, "")).collect();
    let found: String = found.iter().map(|wanted| call(wanted, "NOT")).collect();
    // CMake's own words for a missing component, which must name it.
    let loud = "find_package(petteia CONFIG COMPONENTS nonsense)\n";
    let project =
        format!("cmake_minimum_required(VERSION 3.19)\nproject(versions NONE)\n{refused}{found}{loud}");
    fs::write(folder.join("CMakeLists.txt"), project).expect("a file");
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(&folder).arg("-B").arg(folder.join("build"));
    let output = c::output(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    let err = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.status.success(), "{err}");
    assert!(
        err.contains("petteia has no component \"nonsense\": expected petteia, static or breakdown"),
        "{err}"
    );
}

/// The library needs no network, and the command is built for the same target; what fails leaves nothing half done.
#[test]
fn a_target_and_no_network() {
    let folder = c::folder("install-target");
    let prefix = folder.join("prefix");
    // Quickly built, and away from the library that people install from here.
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("quick");
    let rustc = c::run(Command::new("rustc").arg("-vV"));
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let make = |target: &str, given: &[(&str, &Path)]| {
        let mut make = c::make_command(
            target,
            &variables(&[&[("PREFIX", &*prefix), ("BUILT", &built)], given].concat()),
        );
        make.env("CARGO_BUILD_TARGET", host).env("CARGO_TARGET_DIR", built.join("command"));
        for (name, value) in [("LTO", "off"), ("OPT_LEVEL", "0"), ("CODEGEN_UNITS", "256")] {
            make.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
        }
        make
    };
    for name in ["libpetteia.so", "petteia.o", "petteia"] {
        let _ = fs::remove_file(built.join(name));
    }

    // Tools that fail.
    let nm = c::output(&mut make("install", &[("NM", Path::new("/nowhere/nm"))]));
    assert!(!nm.status.success() && String::from_utf8_lossy(&nm.stderr).contains("/nowhere/nm"));
    let link = c::output(&mut make("install", &[("LDFLAGS", Path::new("-Wl,--no-such-option"))]));
    assert!(!link.status.success());
    assert!(!built.join("libpetteia.so").exists() && !prefix.exists());

    // No crates and no network: the library is installed all the same, and the command is said to be missing.
    let offline = make("install", &[])
        .env("CARGO_HOME", folder.join("empty"))
        .env("CARGO_NET_OFFLINE", "true")
        .output();
    let offline = offline.expect("make");
    let err = String::from_utf8_lossy(&offline.stderr);
    assert!(
        !offline.status.success() && err.contains("The library is installed, the command is not"),
        "{err}"
    );
    assert_eq!(files(&prefix), library());

    c::run(&mut make("install", &[]));
    assert_eq!(files(&prefix), everything());
    let version = c::run(Command::new(prefix.join("bin/petteia")).arg("--version"));
    assert_eq!(version, format!("petteia {}\n", env!("CARGO_PKG_VERSION")));
    compiles(&prefix.join("lib"), "petteia", "position.c");
    c::run(&mut make("uninstall", &[]));
    assert_eq!(files(&prefix), BTreeSet::new());
}

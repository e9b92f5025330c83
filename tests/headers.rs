//! The headers match their sources, and the libraries export what the headers declare.
//!
//! `PETTEIA_WRITE_HEADERS=1 cargo test --test headers` regenerates the headers.

#[path = "common/c.rs"]
mod c;
#[path = "common/header.rs"]
mod header;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use cbindgen::{Builder, Config, ExportConfig, Language, Style};
use header::{Item, Kind};
use petteia::any::Game;

/// The C names of the integers that stand for enums. A member `type type` is an error in C++, hence the tag.
const RENAMED: [(&str, &str); 13] = [
    ("RawCell", "cell"),
    ("RawType", "enum type"),
    ("RawTurn", "turn"),
    ("RawStatus", "petteia_status"),
    ("RawGame", "petteia_game"),
    ("RawIllegal", "petteia_illegal"),
    ("RawPlayer", "petteia_player"),
    ("RawMark", "petteia_tictac_mark"),
    ("RawVerdict", "petteia_tictac_verdict"),
    ("RawHeight", "petteia_quarto_height"),
    ("RawColor", "petteia_quarto_color"),
    ("RawShape", "petteia_quarto_shape"),
    ("RawTop", "petteia_quarto_top"),
];

/// Returns the declarations of one source file.
fn section(file: &str) -> String {
    let source = c::root().join("src/capi").join(file);
    let raw = || RENAMED.iter().map(|(raw, _)| (*raw).to_owned());
    // Types that no function of the file uses are declared too.
    let text = c::read(&source);
    let types = text.lines().filter_map(|line| {
        if let Some(alias) = line.strip_prefix("pub type ") {
            return alias.split_once(" =").map(|(name, _)| name.to_owned());
        }
        let name = line.strip_prefix("pub enum ").or_else(|| line.strip_prefix("pub struct "))?;
        Some(name.strip_suffix(" {")?.trim_start_matches("r#").to_owned())
    });
    let export = ExportConfig {
        include: types.collect(),
        exclude: raw().collect(),
        rename: RENAMED.iter().map(|(raw, name)| ((*raw).to_owned(), (*name).to_owned())).collect(),
        ..ExportConfig::default()
    };
    let config = Config {
        language: Language::C,
        style: Style::Type,
        no_includes: true,
        usize_is_size_t: true,
        line_length: 120,
        export,
        ..Config::default()
    };
    let mut text = Vec::new();
    let bindings = Builder::new().with_config(config).with_src(&source).generate();
    bindings.unwrap_or_else(|error| panic!("{file}: {error}")).write(&mut text);
    let text = String::from_utf8(text).expect("cbindgen writes UTF-8");
    without_safety(&with_tags(&text)).trim().to_owned()
}

/// Returns the enum of the games, which a macro of the library generates and cbindgen does not see.
fn games() -> String {
    let constant = |game: &Game| {
        let (title, about, name) = (game.title(), game.about(), game.name().to_uppercase().replace('-', "_"));
        format!("  /**\n   * {title}: {about}\n   */\n  PETTEIA_{name} = {},\n", *game as u8)
    };
    let constants: String = Game::ALL.iter().map(constant).collect();
    format!("/**\n * One of the games.\n */\ntypedef enum petteia_game {{\n{constants}}} petteia_game;")
}

/// Adds a tag to every struct, union and enum. cbindgen writes no tags or uses them everywhere; idiomatic C defines a
/// tag and uses the typedef.
///
/// The type `type` has only a tag: a typedef would forbid variables of that name, and the course's header has none.
fn with_tags(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for end in 0..lines.len() {
        let Some(name) = lines[end].strip_prefix("} ").and_then(|line| line.strip_suffix(';')) else {
            continue;
        };
        let name = name.to_owned();
        let open = lines[..end].iter().rposition(|line| line.starts_with("typedef ") && line.ends_with(" {"));
        let open = open.unwrap_or_else(|| panic!("{name} is closed but not opened"));
        lines[open] = lines[open].replace(" {", &format!(" {name} {{"));
        if name == "type" {
            lines[open] = lines[open].replace("typedef ", "");
            lines[end] = "};".to_owned();
        }
    }
    lines.join("\n")
}

/// Removes the sections on safety, which are for readers of the Rust source; the header explains it once, at the top.
fn without_safety(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut skipping = false;
    for line in text.lines() {
        match line.trim() {
            "* # Safety" => {
                skipping = true;
                // The empty comment line before the heading.
                kept.pop();
            }
            "*/" => skipping = false,
            _ => {}
        }
        if !skipping {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// Generates a header from its template: a line `@file@` stands for the declarations of a source file, and `@games@`
/// for the enum of the games.
fn generate(header: &str) -> String {
    let frame = c::read(Path::new("src/capi").join(format!("{header}.in")))
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"));
    let line = |line: &str| match line.strip_prefix('@').and_then(|line| line.strip_suffix('@')) {
        Some("games") => games() + "\n",
        Some(file) => section(file) + "\n",
        None => line.to_owned() + "\n",
    };
    with_errors(&frame.lines().map(line).collect::<String>())
}

/// The statuses, in the order of their numbers.
const STATUSES: [&str; 10] = [
    "PETTEIA_NULL_POINTER",
    "PETTEIA_INVALID_ARGUMENT",
    "PETTEIA_NOT_UTF8",
    "PETTEIA_PARSE_ERROR",
    "PETTEIA_ILLEGAL_MOVE",
    "PETTEIA_WRONG_GAME",
    "PETTEIA_UNAVAILABLE",
    "PETTEIA_PANIC",
    "PETTEIA_STOPPED",
    "PETTEIA_NO_MEMORY",
];

/// Returns the statuses of a function: those that its comment names, those of a function that it fails like, and those
/// that follow from its parameters.
fn errors(function: &Item, earlier: &BTreeMap<String, BTreeSet<usize>>) -> BTreeSet<usize> {
    let Kind::Function(result, parameters) = &function.kind else { return BTreeSet::new() };
    if result != "petteia_status" {
        return BTreeSet::new();
    }
    let about = function.about.join(" ");
    let words: Vec<&str> =
        about.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
    let named = (0..STATUSES.len()).filter(|&status| words.contains(&STATUSES[status]));
    let mut found: BTreeSet<usize> = named.collect();
    if let Some(other) = words.windows(3).find(|words| words[0] == "Fails" && words[1] == "like") {
        let other =
            earlier.get(other[2]).unwrap_or_else(|| panic!("{}: {} is not earlier", function.name, other[2]));
        found.extend(other);
    }
    let mut add = |name: &str| found.extend(STATUSES.iter().position(|&status| status == name));
    let of_a_game =
        Game::ALL.iter().any(|game| function.name.starts_with(&format!("petteia_{}_", game.name())));
    for (i, (kind, name)) in parameters.iter().enumerate() {
        let next = parameters.get(i + 1).map_or("", |(_, name)| name.as_str());
        let is_enum = RENAMED.iter().any(|(_, renamed)| renamed == kind);
        if kind.ends_with('*') && name != "user" {
            add("PETTEIA_NULL_POINTER");
        }
        if kind == "const char *" && next != "size" {
            add("PETTEIA_NOT_UTF8");
        }
        if is_enum
            || kind == "unsigned int" && ["piece", "square", "width", "height"].contains(&name.as_str())
        {
            add("PETTEIA_INVALID_ARGUMENT");
        }
        if of_a_game && kind.trim_start_matches("const ") == "petteia_position *" {
            add("PETTEIA_WRONG_GAME");
        }
    }
    found
}

/// Adds the statuses that a function can return to the end of its comment.
fn with_errors(text: &str) -> String {
    let mut all: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut out = text.to_owned();
    for function in header::read(text).sections.iter().flat_map(header::Section::functions) {
        let statuses = errors(function, &all);
        if !statuses.is_empty() {
            let names: Vec<&str> = statuses.iter().map(|&status| STATUSES[status]).collect();
            let before = format!(" */\n{}", function.text);
            let mut line = " *\n * Errors:".to_owned();
            for (i, name) in names.iter().enumerate() {
                let end = if i + 1 == names.len() { "." } else { "," };
                let length = line.rsplit('\n').next().map_or(0, str::len);
                line += if length + name.len() + 2 > 120 { "\n * " } else { " " };
                line += &format!("{name}{end}");
            }
            assert_eq!(out.matches(&before).count(), 1, "{}", function.name);
            out = out.replace(&before, &format!("{line}\n{before}"));
        }
        all.insert(function.name.clone(), statuses);
    }
    out
}

#[test]
fn headers_are_up_to_date() {
    for header in ["breakdown.h", "petteia.h"] {
        let (path, fresh) = (c::root().join("include").join(header), generate(header));
        if std::env::var_os("PETTEIA_WRITE_HEADERS").is_some() {
            fs::write(&path, &fresh).expect("the header can be written");
        }
        let kept = c::read(&path);
        let differs = kept.lines().zip(fresh.lines()).find(|(kept, fresh)| kept != fresh);
        assert!(
            kept == fresh,
            "include/{header} differs from its sources, first in {differs:?}: \
             PETTEIA_WRITE_HEADERS=1 cargo test --test headers regenerates it"
        );
    }
}

/// A new game needs its own file only for what the common handle lacks; no other file names it.
#[test]
fn a_game_is_named_in_its_own_file_only() {
    let files = fs::read_dir(c::root().join("src/capi")).expect("a folder").map(|file| file.expect("a file"));
    for file in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let (source, name) =
            (c::read(&file), file.file_name().expect("a name").to_string_lossy().into_owned());
        for game in Game::ALL.iter().filter(|game| !name.starts_with(game.name())) {
            let named = source.lines().find(|line| line.contains(&format!("::{}", game.title())));
            assert_eq!(named, None, "src/capi/{name} is not the file of {game}");
        }
    }
}

/// Returns the names of the functions of both headers.
fn declared_in_both() -> BTreeSet<String> {
    ["breakdown.h", "petteia.h"].into_iter().flat_map(c::declared).collect()
}

/// Returns the symbols that a library, shared or static, defines and exports, without their versions.
fn exported(library: &Path, table: &str) -> BTreeSet<String> {
    let symbols = c::run(Command::new("readelf").args(["--wide", table]).arg(library));
    let visible = symbols.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, _, _, _, "GLOBAL" | "WEAK", "DEFAULT", place, name, ..]
                if place != "UND" && place != "ABS" =>
            {
                Some(name.split('@').next().unwrap_or(name))
            }
            _ => None,
        }
    });
    visible.map(str::to_owned).collect()
}

#[test]
fn the_shared_library_exports_what_is_declared() {
    let declared = declared_in_both();
    assert!(declared.len() > 90 && declared.contains("board_new") && declared.contains("petteia_version"));
    assert_eq!(exported(&c::installed().join("libpetteia.so"), "--dyn-syms"), declared);
}

#[test]
fn in_the_static_library_only_what_is_declared_is_global() {
    let global = exported(&c::installed().join("libpetteia.a"), "--syms");
    // The members of the course call functions of the main one by these names.
    let (internal, declared): (BTreeSet<String>, BTreeSet<String>) =
        global.into_iter().partition(|name| name.starts_with("petteia_course_"));
    assert_eq!(
        internal,
        c::declared("breakdown.h").iter().map(|name| format!("petteia_course_{name}")).collect()
    );
    assert_eq!(declared, declared_in_both());
}

#[test]
fn names_keep_to_their_prefix() {
    assert!(c::declared("petteia.h").iter().all(|name| name.starts_with("petteia_")));
    let text = c::read("include/petteia.h");
    let macros = text.lines().filter_map(|line| line.strip_prefix("#define "));
    assert!(macros.clone().count() > 5);
    assert!(macros.into_iter().all(|name| name.starts_with("PETTEIA_")));
}

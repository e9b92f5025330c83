//! The reference that is kept in `docs/man` and `docs/completions` is what the headers and the command say, and its
//! examples run.
//!
//! `PETTEIA_WRITE_REFERENCE=1 cargo test --test reference` writes it anew.

#[path = "common/c.rs"]
mod c;
#[path = "common/header.rs"]
mod header;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::process::Command;

use header::{Header, Item, Kind, Member, Section};

/// Text for groff: nothing in it is a command.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// Writes paragraphs, items that begin with a dash, and code, whose lines are indented by four spaces or more.
fn paragraphs(out: &mut String, lines: &[String]) {
    let (mut code, mut item, mut empty) = (false, false, false);
    for (i, line) in lines.iter().enumerate() {
        if line.is_empty() {
            empty = true;
            continue;
        }
        let indented = line.starts_with("    ");
        if indented != code {
            *out += if !indented {
                ".fi\n.RE\n"
            } else if i > 0 {
                ".PP\n.RS 4\n.nf\n"
            } else {
                ".RS 4\n.nf\n"
            };
        } else if code && empty {
            *out += "\n";
        }
        if indented {
            *out += &(escape(&line[4..]) + "\n");
        } else if let Some(rest) = line.strip_prefix("- ") {
            *out += &format!(".IP \\(bu 2\n{}\n", marked(rest));
            item = true;
        } else {
            if (empty || code) && i > 0 || item && !line.starts_with(' ') {
                *out += ".PP\n";
                item = false;
            }
            *out += &(marked(line.trim_start()) + "\n");
        }
        (code, empty) = (indented, false);
    }
    if code {
        *out += ".fi\n.RE\n";
    }
}

/// Escapes a line of text, with what is between backquotes in italics.
fn marked(line: &str) -> String {
    let pieces = line.split('`').map(escape).enumerate();
    let mut text = String::new();
    for (i, piece) in pieces {
        text += ["", "\\fI", "\\fP"][if i == 0 { 0 } else { 2 - i % 2 }];
        text += &piece;
    }
    if line.matches('`').count() % 2 == 0 { text } else { escape(line) }
}

/// Parts a text at lines that begin with a label, such as "Example:". The first part has none.
fn parts(lines: &[String]) -> Vec<(&'static str, Vec<String>)> {
    const LABELS: [(&str, &str); 7] = [
        ("Conventions:", "CONVENTIONS"),
        ("Errors:", "ERRORS"),
        ("Memory:", "OWNERSHIP"),
        ("Ownership:", "OWNERSHIP"),
        ("Ownership and threads:", "OWNERSHIP AND THREADS"),
        ("Threads:", "THREADS"),
        ("Example:", "EXAMPLE"),
    ];
    let mut found = vec![("", Vec::new())];
    for line in lines {
        let label = LABELS.iter().find_map(|(label, title)| Some((*title, line.strip_prefix(label)?)));
        let line = match label {
            Some((title, rest)) => {
                found.push((title, Vec::new()));
                let rest = rest.trim();
                rest[..1.min(rest.len())].to_uppercase() + &rest[1.min(rest.len())..]
            }
            None => line.clone(),
        };
        found.last_mut().expect("a part").1.push(line);
    }
    for (_, lines) in &mut found {
        lines.drain(..lines.iter().take_while(|line| line.is_empty()).count());
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
    }
    found
}

fn verbatim(out: &mut String, text: &str) {
    *out += ".nf\n";
    for line in text.lines() {
        *out += &(escape(line) + "\n");
    }
    *out += ".fi\n";
}

fn listed(out: &mut String, members: &[Member]) {
    for member in members {
        let _ = writeln!(out, ".TP\n.B \"{}\"", escape(&member.text));
        let about = if member.about.is_empty() { "\\&".to_owned() } else { marked(&member.about.join(" ")) };
        *out += &(about + "\n");
    }
}

/// Returns the page of a section of a header.
fn page(name: &str, header: &str, title: &str, section: &Section, others: &[String]) -> String {
    let named: Vec<&Item> = section.with_pages().collect();
    let names: Vec<&str> = named.iter().map(|item| item.name.as_str()).collect();
    let mut out = format!(
        ".\\\" Made from include/{header} by the test `reference`.\n.\\\" Names: {}\n",
        names.join(" ")
    );
    let _ = writeln!(
        out,
        ".TH \"{}\" 3 \"\" \"petteia {}\" \"petteia\"",
        escape(name),
        env!("CARGO_PKG_VERSION")
    );
    let all: Vec<&str> = std::iter::once(name).chain(names).collect();
    let _ = writeln!(out, ".SH NAME\n{} \\- {}", escape(&all.join(", ")), escape(title));
    let _ = writeln!(out, ".SH SYNOPSIS\n.nf\n.B #include <{header}>\n");
    for line in named.iter().flat_map(|item| item.text.lines()) {
        out += &(escape(line) + "\n");
    }
    out += ".fi\n.PP\nLink with \\-lpetteia.\n";
    let out = &mut out;
    let mut after = Vec::new();
    for (label, lines) in parts(&section.about) {
        if label.is_empty() {
            if !lines.is_empty() {
                *out += ".SH DESCRIPTION\n";
                paragraphs(out, &lines);
            }
        } else {
            after.push((label, lines));
        }
    }
    let is_function = |item: &Item| matches!(item.kind, Kind::Function(..) | Kind::Inline);
    let (functions, types): (Vec<&Item>, Vec<&Item>) =
        section.items.iter().partition(|item| is_function(item));
    if !functions.is_empty() {
        *out += ".SH FUNCTIONS\n";
        for function in functions {
            let _ = writeln!(out, ".SS {}", escape(&function.name));
            verbatim(out, &function.text);
            *out += ".PP\n";
            paragraphs(out, &function.about);
        }
    }
    if !types.is_empty() {
        *out += ".SH TYPES AND MACROS\n";
        for item in types {
            let _ = writeln!(out, ".SS {}", escape(&item.name));
            if let Kind::Callback | Kind::Macro = item.kind {
                verbatim(out, &item.text);
                *out += ".PP\n";
            }
            paragraphs(out, &item.about);
            if let Kind::Enum(members) | Kind::Struct(members) = &item.kind {
                listed(out, members);
            }
        }
    }
    for (label, lines) in after {
        let _ = writeln!(out, ".SH {label}");
        paragraphs(out, &lines);
    }
    let others: Vec<String> =
        others.iter().filter(|other| *other != name).map(|other| format!("{}(3)", escape(other))).collect();
    let _ = writeln!(out, ".SH SEE ALSO\n{}", others.join(",\n"));
    std::mem::take(out)
}

fn read(header: &str) -> Header {
    header::read(&c::read(format!("include/{header}")))
}

/// Returns the pages on the functions: one on each section of petteia.h, one on the whole of it, one on breakdown.h.
fn library_pages() -> BTreeMap<String, String> {
    let (main, course) = (read("petteia.h"), read("breakdown.h"));
    let name = |section: &Section| format!("petteia-{}", section.slug());
    let mut names = vec!["petteia.h".to_owned(), "breakdown.h".to_owned()];
    names.extend(main.sections.iter().map(name));
    let mut pages = BTreeMap::new();
    for section in &main.sections {
        pages.insert(name(section), page(&name(section), "petteia.h", &section.title, section, &names));
    }
    // The first line is the title. That the header is generated is no matter of the page.
    let without_title = |about: &[String]| -> Vec<String> {
        about[2..]
            .iter()
            .map(|line| {
                line.replace("Generated from src/capi of petteia; do not edit. Link with -lpetteia. ", "")
            })
            .collect()
    };
    let whole = Section { title: String::new(), about: without_title(&main.about), items: Vec::new() };
    pages.insert("petteia.h".to_owned(), page("petteia.h", "petteia.h", "board games", &whole, &names));
    let items = course.sections.into_iter().flat_map(|section| section.items).collect();
    let whole = Section { title: String::new(), about: without_title(&course.about), items };
    pages.insert(
        "breakdown.h".to_owned(),
        page("breakdown.h", "breakdown.h", "Breakdown as in its course", &whole, &names),
    );
    pages.into_iter().map(|(name, text)| (format!("docs/man/{name}.3"), text)).collect()
}

fn petteia(words: &[&str]) -> String {
    c::run(Command::new(env!("CARGO_BIN_EXE_petteia")).args(words))
}

/// Returns what the command says about itself: a page each for it and its programs, and completions.
fn command_files() -> BTreeMap<String, String> {
    let main = petteia(&["man"]);
    let programs: Vec<String> = main
        .lines()
        .filter_map(|line| Some(line.strip_prefix("petteia\\-")?.strip_suffix("(1)")?.replace('\\', "")))
        .collect();
    let mut files = BTreeMap::from([("docs/man/petteia.1".to_owned(), main)]);
    for program in programs {
        files.insert(format!("docs/man/petteia-{program}.1"), petteia(&["man", &program]));
    }
    for (shell, file) in [("bash", "petteia.bash"), ("zsh", "_petteia"), ("fish", "petteia.fish")] {
        files.insert(format!("docs/completions/{file}"), petteia(&["completions", shell]));
    }
    files
}

/// Compares files of the package with what they are made from, or writes them.
fn kept(files: &BTreeMap<String, String>) {
    for (path, fresh) in files {
        let file = c::root().join(path);
        if std::env::var_os("PETTEIA_WRITE_REFERENCE").is_some() {
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, fresh).expect("the file can be written");
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        let differs = kept.lines().zip(fresh.lines()).find(|(kept, fresh)| kept != fresh);
        assert!(
            kept == *fresh,
            "{path} is not up to date, first in {differs:?}: PETTEIA_WRITE_REFERENCE=1 cargo test --test reference \
             writes it anew"
        );
    }
}

#[test]
fn manual_pages_are_up_to_date() {
    let (library, command) = (library_pages(), command_files());
    kept(&library);
    kept(&command);
    let pages = fs::read_dir(c::root().join("docs/man")).expect("a folder");
    for page in pages.map(|page| format!("docs/man/{}", page.expect("a file").file_name().to_string_lossy()))
    {
        assert!(library.contains_key(&page) || command.contains_key(&page), "{page} is made from nothing");
    }
}

/// Every function and every type of a callback has a page, which names it once, and every page can be read by those who
/// write them.
#[test]
fn every_function_has_a_page() {
    let pages = library_pages();
    let sections: Vec<Section> =
        ["petteia.h", "breakdown.h"].into_iter().flat_map(|header| read(header).sections).collect();
    for item in sections.iter().flat_map(Section::with_pages) {
        let name = &item.name;
        let own = pages.values().filter(|page| {
            let names = page.lines().find_map(|line| line.strip_prefix(".\\\" Names: ")).expect("names");
            let synopsis = page.split(".SH SYNOPSIS").nth(1).expect("a synopsis").split(".SH ").next();
            names.split(' ').any(|word| word == name)
                && synopsis.is_some_and(|text| text.contains(name.as_str()))
        });
        assert_eq!(own.count(), 1, "{name}");
    }
    for name in ["petteia_solve_options_init", "petteia_callback"] {
        assert!(sections.iter().flat_map(Section::with_pages).any(|item| item.name == name), "{name}");
    }
    for header in ["petteia.h", "breakdown.h"] {
        for function in c::declared(header) {
            let own = pages.values().filter(|page| page.contains(&format!("\n.SS {function}\n")));
            assert_eq!(own.count(), 1, "{function}");
        }
    }
    for section in read("petteia.h").sections {
        for label in ["Ownership", "hreads:", "Example:"] {
            assert!(
                section.about.iter().any(|line| line.contains(label)),
                "{} has no {label}",
                section.title
            );
        }
        for item in &section.items {
            assert!(!item.about.is_empty(), "{} has no comment", item.name);
        }
    }
}

/// Where the C programs of the tests expect an error, the function's comment names it.
#[test]
fn errors_that_tests_expect_are_named() {
    let sections = read("petteia.h").sections;
    let functions: BTreeMap<&str, String> = sections
        .iter()
        .flat_map(Section::functions)
        .map(|item| {
            let errors = item.about.iter().skip_while(|line| !line.starts_with("Errors:"));
            (item.name.as_str(), errors.map(|line| format!("{line} ")).collect())
        })
        .collect();
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (mut compared, mut missing) = (0, BTreeSet::new());
    for file in fs::read_dir(c::root().join("tests/c")).expect("a folder") {
        let text = c::read(file.expect("a file").path());
        for call in text.split(';').flat_map(|statement| statement.split("&&")) {
            let Some((call, status)) = call.split_once("== PETTEIA_") else { continue };
            let status =
                format!("PETTEIA_{}", status.split(|letter| !is_name(letter)).next().unwrap_or_default());
            let Some(at) = call.find("petteia_") else { continue };
            let name = call[at..].split(|letter| !is_name(letter)).next().unwrap_or_default();
            // Every function may lack memory.
            let (Some(errors), false) = (functions.get(name), status == "PETTEIA_NO_MEMORY") else {
                continue;
            };
            let is_status =
                sections[0].items.iter().any(|item| item.text.contains(&format!("  {status} = ")));
            if is_status && status != "PETTEIA_OK" {
                compared += 1;
                if !errors.contains(&status) {
                    missing.insert(format!("{name}: {status}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "tests expect errors that the comments do not name: {missing:#?}");
    assert!(compared > 100, "{compared}");
}

/// The examples compile without a warning, and end with 0.
#[test]
fn examples_run() {
    let mut examples: Vec<(String, &str, Vec<String>)> = Vec::new();
    for section in read("petteia.h").sections {
        examples.push((section.slug(), "petteia.h", section.about));
    }
    examples.push(("breakdown-h".to_owned(), "breakdown.h", read("breakdown.h").about));
    let folder = c::folder("reference");
    for (name, header, about) in examples {
        let parts = parts(&about);
        let code = parts
            .iter()
            .find(|(label, _)| *label == "EXAMPLE")
            .unwrap_or_else(|| panic!("{name} has no example"));
        let source = folder.join(format!("{name}.c"));
        // An example may begin with a function of its own.
        let lines: Vec<&str> = code.1.iter().map(|line| line.trim_start_matches("    ")).collect();
        let own = if lines[0].starts_with("static ") {
            lines.iter().position(|&line| line == "}").map_or(0, |end| end + 1)
        } else {
            0
        };
        let (functions, code) = (code.1[..own].join("\n"), code.1[own..].join("\n"));
        let text = format!(
            "#include <stdio.h>\n#include <string.h>\n#include <{header}>\n{functions}\nint main(void) {{\n{code}\nreturn \
             0;\n}}\n"
        );
        fs::write(&source, text).expect("a file");
        for (compiler, options) in [("cc", ["-std=c99", "-xc"]), ("c++", ["-std=c++17", "-xc++"])] {
            let program = folder.join(format!("{name}-{compiler}"));
            let mut cc = Command::new(compiler);
            cc.args(options)
                .args(["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror", "-Iinclude"])
                .arg(&source)
                .args(["-xnone", "-o"]);
            cc.arg(&program).arg(c::installed().join("libpetteia.a")).args(["-lm", "-lpthread", "-ldl"]);
            c::run(cc.current_dir(c::root()));
            c::run(&mut Command::new(&program));
        }
    }
}

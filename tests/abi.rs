//! The binary interface: the functions, the constants and the layout of the structs are those of `tests/data/abi.txt`.
//!
//! `PETTEIA_WRITE_ABI=1 cargo test --test abi` writes the list anew; docs/abi.md says which changes are allowed when.

#[path = "common/c.rs"]
mod c;
#[path = "common/header.rs"]
mod header;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use header::{Item, Kind};

const HEADERS: [&str; 2] = ["breakdown.h", "petteia.h"];

fn items() -> Vec<(&'static str, Item)> {
    let of = |name: &'static str| {
        let header = header::read(&c::read(format!("include/{name}")));
        header.sections.into_iter().flat_map(|section| section.items).map(move |item| (name, item))
    };
    HEADERS.into_iter().flat_map(of).collect()
}

/// Returns a C program that prints what the compiler knows: numbers, sizes, places.
fn program(items: &[(&str, Item)]) -> String {
    let mut lines = Vec::new();
    for (_, item) in items {
        let name = &item.name;
        // The tag: the course's `enum type` has no other name.
        let of = |kind: &str| {
            if item.text.starts_with("typedef") { name.clone() } else { format!("{kind} {name}") }
        };
        match &item.kind {
            Kind::Enum(constants) => {
                lines.push(format!("printf(\"enum {name}: %zu bytes\\n\", sizeof({}));", of("enum")));
                for constant in constants.iter().map(|constant| &constant.name) {
                    lines.push(format!("printf(\"  {constant} = %d\\n\", (int){constant});"));
                }
            }
            Kind::Struct(members) if !members.is_empty() => {
                let kind = if item.text.starts_with("typedef union") { "union" } else { "struct" };
                lines.push(format!("printf(\"{kind} {name}: %zu bytes\\n\", sizeof({name}));"));
                for member in members {
                    let (at, text) = (&member.name, &member.text);
                    lines.push(format!("printf(\"  %zu: {text}\\n\", offsetof({name}, {at}));"));
                }
            }
            Kind::Macro if !item.text.contains(&format!("{name}(")) => {
                lines.push(format!("printf(\"{name} = %lld\\n\", (long long){name});"));
            }
            _ => {}
        }
    }
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    format!(
        "#include <stddef.h>\n#include <stdio.h>\n{includes}int main(void) {{\n{}\nreturn 0;\n}}\n",
        lines.join("\n")
    )
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the interface as text.
fn interface() -> String {
    let items = items();
    let folder = c::folder("abi");
    let (source, printer) = (folder.join("print.c"), folder.join("print"));
    fs::write(&source, program(&items)).expect("a file");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Iinclude"]).arg(&source).arg("-o").arg(&printer);
    c::run(cc.current_dir(c::root()));
    let layout = c::run(&mut Command::new(&printer));
    let mut text =
        format!("The binary interface of petteia {}, on 64-bit systems. See docs/abi.md.\n", c::abi());
    for header in HEADERS {
        text += &format!("\nFunctions of {header}\n\n");
        let of = |(name, item): &&(&str, Item)| {
            *name == header && matches!(item.kind, Kind::Function(..) | Kind::Callback)
        };
        let mut functions: Vec<String> = items.iter().filter(of).map(|(_, item)| words(&item.text)).collect();
        functions.sort();
        text += &(functions.join("\n") + "\n");
    }
    text + "\nTypes and constants\n\n" + &layout
}

#[test]
#[cfg(target_pointer_width = "64")]
fn the_interface_is_the_one_that_is_written_down() {
    let (path, fresh) = ("tests/data/abi.txt", interface());
    if std::env::var_os("PETTEIA_WRITE_ABI").is_some() {
        fs::write(c::root().join(path), &fresh).expect("the list can be written");
    }
    let kept = fs::read_to_string(c::root().join(path)).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let (before, now) = (lines(&kept), lines(&fresh));
    assert!(
        kept == fresh,
        "the interface is not that of {path}.\nGone: {:#?}\nNew: {:#?}\nIf docs/abi.md allows it in this version, \
         PETTEIA_WRITE_ABI=1 cargo test --test abi writes it down",
        before.difference(&now).collect::<Vec<_>>(),
        now.difference(&before).collect::<Vec<_>>()
    );
}

/// The installed libraries have the functions on the list and no other symbol that a program could be bound to.
#[test]
fn the_libraries_have_just_these_functions() {
    let listed: BTreeSet<String> = c::read("tests/data/abi.txt")
        .lines()
        .filter(|line| line.ends_with(");") && !line.starts_with("typedef"))
        .filter_map(|line| Some(line.split_once('(')?.0.rsplit([' ', '*']).next()?.to_owned()))
        .collect();
    assert!(listed.len() > 100, "{listed:?}");
    let symbols = |words: &[&str], library: &str| -> BTreeSet<String> {
        let out = c::run(
            Command::new("nm").args(words).args(["-P", "--defined-only"]).arg(c::installed().join(library)),
        );
        let names =
            out.lines().filter(|line| !line.ends_with(':')).filter_map(|line| line.split([' ', '@']).next());
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let mut shared = symbols(&["-D"], "libpetteia.so");
    assert!(shared.remove(&format!("PETTEIA_{}", c::abi())));
    assert_eq!(shared, listed);
    let mut all = symbols(&["-g"], "libpetteia.a");
    all.retain(|name| !name.starts_with("petteia_course_"));
    assert_eq!(all, listed);
}

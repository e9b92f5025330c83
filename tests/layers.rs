//! The rooms of src/, its top-level modules, import only rooms drawn below them in docs/architecture.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use petteia::any::Game;

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

// ---------------------------------------------------------------- the drawing

/// Where a room is drawn: its layer, counted from the bottom, and its group between bars.
type Place = (usize, usize);

/// Returns the rooms of the games, which are named after them.
fn games() -> impl Iterator<Item = String> {
    Game::ALL.iter().map(|game| game.name().replace('-', "_"))
}

/// Reads the drawing: a line for each layer, the lowest first. "the games" stands for all games, separated by bars.
fn drawing(document: &str) -> Vec<(String, Place)> {
    let section = document.split_once("\n## The layers\n").expect("a section named The layers").1;
    let block = section.split_once("\n```layers\n").expect("a block of layers").1;
    let block = block.split_once("\n```").expect("the end of the block").0;
    let mut rooms = Vec::new();
    for (layer, line) in block.lines().enumerate() {
        let line = line.replace("the games", &games().collect::<Vec<_>>().join(" | "));
        for (group, names) in line.split('|').enumerate() {
            rooms.extend(names.split_whitespace().map(|name| (name.to_owned(), (layer, group))));
        }
    }
    rooms
}

fn places() -> BTreeMap<String, Place> {
    drawing(&read("docs/architecture.md")).into_iter().collect()
}

/// A room may import those below it, and those beside it if no bar separates them.
fn may_know(from: Place, to: Place) -> bool {
    to.0 < from.0 || to == from
}

// ---------------------------------------------------------------- the code

/// A file of src/, without comments and the tests at its end; line numbers are unchanged.
struct Source {
    path: PathBuf,
    room: String,
    /// How many modules enclose this file's within the room.
    depth: usize,
    code: String,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut entries: Vec<_> = fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap).collect();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(Path::new("src"), &mut paths);
    // The root of the crate and the binaries are not rooms.
    paths.retain(|path| path != Path::new("src/lib.rs") && !path.starts_with("src/bin"));
    paths.into_iter().map(source).collect()
}

fn source(path: PathBuf) -> Source {
    let mut names: Vec<String> =
        path.with_extension("").iter().skip(1).map(|name| name.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    let code = without_comments(without_tests(&read(&path)));
    Source { path, room: names[0].clone(), depth: names.len() - 1, code }
}

fn without_tests(text: &str) -> &str {
    let Some((code, tests)) = text.split_once("\n#[cfg(test)]\n") else { return text };
    let first = tests.lines().find(|line| !line.starts_with("#[")).unwrap_or_default();
    assert!(
        first.ends_with(" {") && first.contains("mod "),
        "expected test code in a module at the end of the file: {first}"
    );
    code
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// Returns the first names of the paths in a list such as `a::B, c::{D, e::F}`, up to its closing brace.
fn first_names(list: &str) -> Vec<String> {
    let (mut names, mut name, mut depth) = (Vec::new(), String::new(), 0);
    let mut in_first = true;
    for character in list.chars() {
        match character {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(std::mem::take(&mut name));
                in_first = true;
            }
            _ if character.is_alphanumeric() || character == '_' => {
                if in_first {
                    name.push(character);
                }
            }
            _ => in_first &= name.is_empty(),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

/// Returns the names that follow `crate::`, with their line numbers.
fn crate_names(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, root) in code.match_indices("crate::") {
        let line = code[..start].matches('\n').count() + 1;
        let rest = &code[start + root.len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => first_names(list),
            None => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                Vec::from([rest[..end].to_owned()]).into_iter().filter(|name| !name.is_empty()).collect()
            }
        };
        found.extend(names.into_iter().map(|name| (line, name)));
    }
    found
}

/// Returns the room of every name at the root of the crate: of the rooms themselves, re-exports and macros.
fn names_at_the_root() -> BTreeMap<String, String> {
    // A module without code, which only has documents for doctests, ends without a semicolon.
    let front = without_comments(&read("src/lib.rs")).replace("{}", ";");
    let mut names = BTreeMap::new();
    for statement in front.split(';').map(|statement| statement.split(']').next_back().unwrap_or(statement)) {
        let statement = statement.trim();
        if let Some(room) = statement.strip_prefix("mod ").or(statement.strip_prefix("pub mod ")) {
            names.insert(room.to_owned(), room.to_owned());
        }
        if let Some((room, path)) = statement.strip_prefix("pub use ").and_then(|path| path.split_once("::"))
        {
            let exported = match path.split_once('{') {
                Some((_, list)) => first_names(list),
                None => vec![path.rsplit("::").next().unwrap_or(path).to_owned()],
            };
            names.extend(exported.into_iter().map(|name| (name, room.to_owned())));
        }
    }
    for source in sources() {
        for exported in source.code.split("#[macro_export]").skip(1) {
            let name = exported.trim_start().strip_prefix("macro_rules! ").expect("an exported macro");
            let name = name.split([' ', '{']).next().unwrap_or(name);
            names.insert(name.to_owned(), source.room.clone());
        }
    }
    names
}

/// An import from one room to another, with its file and line.
struct Import {
    from: String,
    to: String,
    place: String,
}

fn imports() -> Vec<Import> {
    let known = names_at_the_root();
    let mut imports = Vec::new();
    for source in sources() {
        for (line, name) in crate_names(&source.code) {
            let place = format!("{}:{line}", source.path.display());
            let to = known.get(&name).unwrap_or_else(|| panic!("{place}: crate::{name} is in no room"));
            imports.push(Import { from: source.room.clone(), to: to.clone(), place });
        }
    }
    imports
}

// ---------------------------------------------------------------- the tests

#[test]
fn every_room_is_drawn_once() {
    let drawn = drawing(&read("docs/architecture.md"));
    let mut names: Vec<&str> = drawn.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let rooms: BTreeSet<String> = sources().into_iter().map(|source| source.room).collect();
    assert_eq!(names, rooms.iter().map(String::as_str).collect::<Vec<_>>(), "left: drawn, right: in src/");
}

#[test]
fn no_room_knows_one_above_it() {
    let places = places();
    let wrong: Vec<String> = imports()
        .into_iter()
        .filter(|Import { from, to, .. }| !may_know(places[from], places[to]))
        .map(|Import { from, to, place }| {
            let how = if places[&to].0 > places[&from].0 { "above it" } else { "beside it, behind a bar" };
            format!("{place}: {from} uses {to}, which is drawn {how}")
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "move shared code to a lower room, or change the drawing in docs/architecture.md:\n{}",
        wrong.join("\n")
    );
}

/// Rooms side by side without a bar must all need each other; otherwise they could be drawn apart.
#[test]
fn rooms_side_by_side_know_each_other() {
    let places = places();
    let mut knows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Import { from, to, .. } in imports() {
        if places[&from] == places[&to] {
            knows.entry(from).or_default().insert(to);
        }
    }
    for room in places.keys() {
        let (mut reached, mut open) = (BTreeSet::from([room]), vec![room]);
        while let Some(room) = open.pop() {
            open.extend(knows.get(room).into_iter().flatten().filter(|next| reached.insert(next)));
        }
        let beside: BTreeSet<&String> =
            places.keys().filter(|other| places[*other] == places[room]).collect();
        assert_eq!(reached, beside, "left: what {room} needs, right: what is drawn beside it without a bar");
    }
}

/// Positions do not depend on what uses them, nor do shared rooms on single games.
#[test]
fn positions_are_at_the_bottom() {
    let places = places();
    for low in ["position", "error", "moves"] {
        for high in ["observe", "svg", "playout", "search", "engine", "parameters", "record", "vector"] {
            assert!(places[low].0 < places[high].0, "{low} is drawn below {high}");
        }
    }
    for game in games() {
        let known = |import: &Import| import.to == game && import.from != game;
        let rooms: BTreeSet<String> = imports().into_iter().filter(known).map(|import| import.from).collect();
        assert!(
            rooms.iter().all(|room| ["any", "cli", "capi"].contains(&room.as_str())),
            "{game}: {rooms:?}"
        );
    }
}

/// `super` never leaves its room; in the room's main file it would be the root of the crate.
#[test]
fn nothing_climbs_out_of_its_room() {
    for source in sources() {
        let up = "super::".repeat(source.depth + 1);
        for (number, line) in (1..).zip(source.code.lines()) {
            // Only imports without indentation: inside a function or inner module, `super` climbs less.
            let path = line.split_once("use ").map_or("", |(before, path)| match before {
                "" | "pub " | "pub(crate) " | "pub(super) " => path,
                _ => "",
            });
            assert!(
                !path.starts_with(&up),
                "{}:{number}: expected crate:: to leave a room: {line}",
                source.path.display()
            );
        }
    }
}

#[test]
fn imports_are_read_as_they_are_written() {
    let code = "use crate::a::{B, C};\nuse crate::{D, e::{F, G}, h::I as J,\n    k};\nimpl crate::L for $crate::m::N {}";
    let found: Vec<(usize, String)> = crate_names(code);
    let expected = [(1, "a"), (2, "D"), (2, "e"), (2, "h"), (2, "k"), (4, "L"), (4, "m")];
    assert_eq!(found, expected.map(|(line, name)| (line, name.to_owned())));
    let text = "use a;\n// use crate::b;\n\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}\n";
    assert_eq!(crate_names(&without_comments(without_tests(text))), []);
    let drawn = drawing("# A\n\n## The layers\n\nText.\n\n```layers\na\nb c | d\n```\n");
    let place = |name: &str| drawn.iter().find(|(drawn, _)| drawn == name).unwrap().1;
    assert!(may_know(place("b"), place("a")) && may_know(place("b"), place("c")));
    assert!(!may_know(place("a"), place("b")) && !may_know(place("b"), place("d")));
    let names = names_at_the_root();
    for (name, room) in [("Bot", "bots"), ("PerftOptions", "search"), ("with_game", "any"), ("cpu", "cpu")] {
        assert_eq!(names.get(name).map(String::as_str), Some(room), "{name}");
    }
}

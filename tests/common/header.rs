//! A C header of petteia, taken apart: its sections, and what each declares.

#![allow(dead_code)]

/// A header.
pub struct Header {
    /// The opening comment.
    pub about: Vec<String>,
    pub sections: Vec<Section>,
}

/// A part of a header that a comment with a line of dashes begins, or the whole header if there are none.
pub struct Section {
    pub title: String,
    /// The comment's text.
    pub about: Vec<String>,
    pub items: Vec<Item>,
}

/// A declaration with its comment.
pub struct Item {
    pub name: String,
    pub about: Vec<String>,
    /// The declaration as written.
    pub text: String,
    pub kind: Kind,
}

pub enum Kind {
    /// The type of the result, and type and name of each parameter.
    Function(String, Vec<(String, String)>),
    /// A function that is defined in the header.
    Inline,
    /// A pointer to a function.
    Callback,
    /// The constants.
    Enum(Vec<Member>),
    /// A struct or union with its members; without any, it is opaque.
    Struct(Vec<Member>),
    Macro,
}

/// A constant of an enum or a member of a struct.
pub struct Member {
    pub name: String,
    pub about: Vec<String>,
    pub text: String,
}

impl Section {
    /// Returns the title as a part of a file's name: "Moves of any game" is `moves-of-any-game`.
    pub fn slug(&self) -> String {
        let letters = self.title.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), " ");
        letters.split_whitespace().collect::<Vec<_>>().join("-")
    }

    pub fn functions(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| matches!(item.kind, Kind::Function(..)))
    }

    /// Returns what has a manual page: the functions, those that the header defines, and the types of callbacks.
    pub fn with_pages(&self) -> impl Iterator<Item = &Item> {
        let has_page = |item: &&Item| matches!(item.kind, Kind::Function(..) | Kind::Inline | Kind::Callback);
        self.items.iter().filter(has_page)
    }
}

/// Returns the lines of a comment without its frame.
fn uncomment(lines: &[&str]) -> Vec<String> {
    let bare = |line: &&str| {
        let line = line.trim();
        let line = line.strip_prefix("/**").or_else(|| line.strip_prefix("/*")).unwrap_or(line);
        let line = line.strip_suffix("*/").unwrap_or(line);
        line.strip_prefix("* ").or_else(|| line.strip_prefix('*')).unwrap_or(line).trim_end().to_owned()
    };
    let mut lines: Vec<String> = lines.iter().map(bare).collect();
    lines.drain(..lines.iter().take_while(|line| line.trim().is_empty()).count());
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if let [line] = &mut lines[..] {
        *line = line.trim().to_owned();
    }
    lines
}

/// Reads the lines up to one that ends in the given way.
fn take<'a>(lines: &[&'a str], at: &mut usize, end: &str) -> Vec<&'a str> {
    let start = *at;
    while !lines[*at].trim_end().ends_with(end) {
        *at += 1;
    }
    *at += 1;
    lines[start..*at].to_vec()
}

/// Takes the members of an enum or a struct apart.
fn members(lines: &[&str]) -> Vec<Member> {
    let (mut found, mut about, mut at) = (Vec::new(), Vec::new(), 0);
    while at < lines.len() {
        let line = lines[at].trim();
        if line.starts_with("/**") {
            about = uncomment(&take(lines, &mut at, "*/"));
            continue;
        }
        at += 1;
        let text = line.trim_end_matches([',', ';']).to_owned();
        if text.is_empty() {
            continue;
        }
        let declared =
            text.split([' ', '*']).find(|_| line.ends_with(',')).or_else(|| text.rsplit([' ', '*']).next());
        let name = declared.unwrap_or_default().split('[').next().unwrap_or_default().to_owned();
        found.push(Member { name, about: std::mem::take(&mut about), text });
    }
    found
}

/// Returns the types and names of parameters as written.
fn parameters(text: &str) -> Vec<(String, String)> {
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = text.split(',').map(words).filter(|part| part != "void" && !part.is_empty());
    let split = |part: String| {
        let at = part.rfind([' ', '*']).map_or(0, |at| at + 1);
        (part[..at].trim_end().to_owned(), part[at..].to_owned())
    };
    parts.map(split).collect()
}

impl Item {
    fn new(about: Vec<String>, lines: &[&str]) -> Self {
        let text = lines.join("\n");
        let first = lines[0];
        let last_word = |text: &str| text.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
        let inner = &lines[1..lines.len().max(2) - 1];
        let (name, kind) = if let Some(rest) = first.strip_prefix("#define ") {
            (rest.split([' ', '(']).next().unwrap_or_default().to_owned(), Kind::Macro)
        } else if let Some((_, rest)) = first.split_once("(*").filter(|_| first.starts_with("typedef ")) {
            (rest.split(')').next().unwrap_or_default().to_owned(), Kind::Callback)
        } else if let Some(head) = first.strip_suffix(" {") {
            let kind = if head.contains("enum ") {
                Kind::Enum(members(inner))
            } else {
                Kind::Struct(members(inner))
            };
            (last_word(head), kind)
        } else if first.starts_with("typedef ") {
            (last_word(first.trim_end_matches(';')), Kind::Struct(Vec::new()))
        } else {
            let (before, after) = text.split_once('(').unwrap_or_else(|| panic!("what is {text:?}?"));
            let name = last_word(before);
            let result = before[..before.len() - name.len()].trim_end().to_owned();
            (name, Kind::Function(result, parameters(after.trim_end_matches([')', ';']))))
        };
        Item { name, about, text, kind }
    }
}

/// Takes a header apart.
pub fn read(text: &str) -> Header {
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    let about = uncomment(&take(&lines, &mut at, "*/"));
    let mut sections: Vec<Section> = Vec::new();
    let mut comment: Vec<String> = Vec::new();
    while at < lines.len() {
        let line = lines[at];
        if line.starts_with("/* ----") {
            let comment = take(&lines, &mut at, "*/");
            let title = line.trim_matches(['/', '*', ' ', '-']).to_owned();
            sections.push(Section { title, about: uncomment(&comment[1..]), items: Vec::new() });
        } else if line.starts_with("/*") {
            comment = uncomment(&take(&lines, &mut at, "*/"));
        } else if line.starts_with("typedef ") && line.ends_with(';') || line.starts_with("#define ") {
            at += 1;
            // The guard and the version belong to no section.
            if let Some(section) = sections.last_mut() {
                section.items.push(Item::new(std::mem::take(&mut comment), &[line]));
            }
        } else if line.starts_with("static inline ") {
            let (head, _) = take(&lines, &mut at, "}")[0].split_once(" {").expect("a body");
            let declaration = format!("{};", head.trim_start_matches("static inline "));
            let item = Item::new(std::mem::take(&mut comment), &[&declaration]);
            sections.last_mut().expect("a section").items.push(Item { kind: Kind::Inline, ..item });
        } else if line.starts_with(|first: char| first.is_ascii_lowercase()) && !line.starts_with("extern") {
            let end = if line.ends_with(" {") { ";" } else { ");" };
            let mut item = vec![line];
            at += 1;
            while !item[item.len() - 1].ends_with(end)
                || (end == ";" && !item[item.len() - 1].starts_with('}'))
            {
                item.push(lines[at]);
                at += 1;
            }
            if sections.is_empty() {
                sections.push(Section { title: String::new(), about: Vec::new(), items: Vec::new() });
            }
            let item = Item::new(std::mem::take(&mut comment), &item);
            sections.last_mut().expect("a section").items.push(item);
        } else {
            at += 1;
        }
    }
    Header { about, sections }
}

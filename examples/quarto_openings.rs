//! Solves every opening of Quarto with at most three pieces placed, up to symmetry:
//! `cargo run --release --example quarto_openings -- JOURNAL [THREADS]`.
//!
//! An opening is a board without a piece in hand; its value is that of the player who is to select one. Each is written
//! to the journal, one line, when it is solved, which takes seconds. Whoever starts the command again with the same
//! journal, however it ended, goes on after the last whole line.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};

use petteia::{Options, Position, Quarto};

/// What the journal says of an opening.
struct Entry {
    value: i32,
    seconds: f64,
}

/// Returns the openings with so many pieces placed, one for each class under the symmetries.
fn openings(placed: usize) -> BTreeMap<String, Quarto> {
    let mut classes = BTreeMap::from([(Quarto::default().text(), Quarto::default())]);
    for _ in 0..placed {
        let mut next = BTreeMap::new();
        for opening in classes.values() {
            for select in opening.moves() {
                let given = opening.after_unchecked(select);
                for place in given.moves() {
                    let child = given.after_unchecked(place).canonical();
                    next.insert(child.text(), child);
                }
            }
        }
        classes = next;
    }
    classes
}

fn parse(line: &str) -> Option<(String, Entry)> {
    let words: Vec<&str> = line.split('\t').collect();
    let [text, value, _nodes, seconds] = words[..] else { return None };
    text.parse::<Quarto>().ok()?;
    Some((text.to_owned(), Entry { value: value.parse().ok()?, seconds: seconds.parse().ok()? }))
}

/// Reads what is known, and cuts off a line that was not written to its end.
fn read(journal: &str) -> Result<HashMap<String, Entry>, Box<dyn Error>> {
    let text = match fs::read_to_string(journal) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(format!("{journal}: {error}").into()),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        OpenOptions::new().write(true).open(journal)?.set_len(whole as u64)?;
    }
    let entry = |(number, line)| {
        let expected = "expected POSITION, VALUE, NODES and SECONDS with tabs between them";
        parse(line).ok_or_else(|| format!("{journal}, line {}: '{line}': {expected}", number + 1).into())
    };
    text[..whole].lines().enumerate().map(entry).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (journal, threads) = match &arguments[..] {
        [journal] => (journal, 1),
        [journal, threads] => {
            let parsed = threads.parse().map_err(|_| format!("threads '{threads}': expected a number"))?;
            (journal, parsed)
        }
        _ => return Err("usage: quarto_openings JOURNAL [THREADS]".into()),
    };
    let mut known = read(journal)?;
    let mut file = OpenOptions::new().create(true).append(true).open(journal)?;
    println!("| placed | classes | won | drawn | lost | seconds |\n| --- | --- | --- | --- | --- | --- |");
    for placed in 0..=3 {
        let openings = openings(placed);
        let (mut counts, mut seconds) = ([0; 3], 0.0);
        for (text, opening) in &openings {
            if !known.contains_key(text) {
                let solution = opening.solve(&Options { all_best: false, threads, ..Options::default() })?;
                let (value, nodes, seconds) = (solution.value, solution.nodes, solution.seconds);
                file.write_all(format!("{text}\t{value}\t{nodes}\t{seconds:.2}\n").as_bytes())?;
                file.sync_data()?;
                known.insert(text.clone(), Entry { value, seconds });
            }
            let entry = &known[text];
            counts[(entry.value + 1) as usize] += 1;
            seconds += entry.seconds;
        }
        let [lost, drawn, won] = counts;
        println!("| {placed} | {} | {won} | {drawn} | {lost} | {seconds:.0} |", openings.len());
    }
    Ok(())
}

//! Solves every opening of Quarto with at most three pieces placed, up to symmetry: `cargo run --release --example
//! quarto_openings -- JOURNAL [THREADS]`.
//!
//! An opening is a board without a piece in hand; its value is for the player who is to select one. Openings with
//! three pieces are solved, which takes about a second each, and each result is appended to the journal as one line.
//! With the same journal, the command resumes after the last complete line, however it ended. The values of openings
//! with fewer pieces follow from these.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};

use petteia::prelude::*;
use petteia::{Quarto, SolveOptions};

/// The openings with some number of pieces placed, one per symmetry class, by their text.
type Openings = BTreeMap<String, Quarto>;

/// Values of openings by their text, and how many seconds it took to find them.
type Values = BTreeMap<String, (i32, f64)>;

/// Returns the openings that follow an opening, one list per piece that can be selected.
fn following(opening: &Quarto) -> impl Iterator<Item = Vec<Quarto>> {
    opening.moves().map(|select| {
        let given = opening.after_unchecked(select);
        given.moves().map(|place| given.after_unchecked(place).canonical()).collect()
    })
}

/// Returns the openings with one more piece.
fn next(openings: &Openings) -> Openings {
    let children = openings.values().flat_map(following).flatten();
    children.map(|child| (child.to_string(), child)).collect()
}

/// Returns the value of an opening from those of its children: the player who places a piece selects the next one.
fn value(opening: &Quarto, known: &Values) -> i32 {
    let for_placer = |children: Vec<Quarto>| children.iter().map(|child| known[&child.to_string()].0).max();
    following(opening).filter_map(for_placer).map(|value| -value).max().unwrap_or_default()
}

fn parse(line: &str) -> Option<(String, (i32, f64))> {
    let words: Vec<&str> = line.split('\t').collect();
    let [text, value, _nodes, seconds] = words[..] else { return None };
    text.parse::<Quarto>().ok()?;
    Some((text.to_owned(), (value.parse().ok()?, seconds.parse().ok()?)))
}

/// Reads the journal, and cuts off an incomplete last line.
fn read(journal: &str) -> Result<Values, Box<dyn Error>> {
    let text = match fs::read_to_string(journal) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Values::new()),
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
    let mut levels = vec![Openings::from([(Quarto::default().to_string(), Quarto::default())])];
    for placed in 0..3 {
        levels.push(next(&levels[placed]));
    }
    for (text, opening) in &levels[3] {
        if !known.contains_key(text) {
            let solution =
                opening.solve(&SolveOptions { all_best: false, threads, ..SolveOptions::default() })?;
            let (value, nodes, seconds) = (solution.value, solution.nodes, solution.seconds);
            file.write_all(format!("{text}\t{value}\t{nodes}\t{seconds:.2}\n").as_bytes())?;
            file.sync_data()?;
            known.insert(text.clone(), (value, seconds));
        }
    }
    println!("| pieces placed | classes | won | drawn | lost |\n| --- | --- | --- | --- | --- |");
    for (placed, openings) in levels.iter().enumerate().rev() {
        let mut counts = [0; 3];
        for (text, opening) in openings {
            if placed < 3 {
                let value = value(opening, &known);
                known.insert(text.clone(), (value, 0.0));
            }
            counts[(known[text].0 + 1) as usize] += 1;
        }
        let [lost, drawn, won] = counts;
        println!("| {placed} | {} | {won} | {drawn} | {lost} |", openings.len());
    }
    let seconds: f64 = known.values().map(|(_, seconds)| seconds).sum();
    println!("\n{seconds:.0} s of solving.");
    Ok(())
}

//! However a game record arrives, TicTac's evaluator agrees with the oracle; so does its move parser.

use std::io::BufReader;

use petteia::tictac::{Evaluator, Mark, Move, evaluate};

use super::oracle::tictac as oracle;

pub fn law(data: &[u8]) {
    let [size, record @ ..] = data else { return };
    let size = 1 + usize::from(*size % 32);
    // The oracle takes characters: each byte becomes one.
    let text: String = record.iter().map(|&byte| char::from(byte)).collect();
    let verdict = evaluate(record);
    assert_eq!(verdict.line(), oracle::evaluate(&text));

    let mut evaluator = Evaluator::new();
    for piece in record.chunks(size) {
        let decided = evaluator.is_decided().then(|| evaluator.verdict());
        evaluator.push(piece);
        assert!(decided.is_none_or(|decided| evaluator.verdict() == decided));
    }
    assert_eq!(evaluator.verdict(), verdict);

    let mut input = BufReader::with_capacity(size, record);
    for line in text.split('\n') {
        let expected = oracle::parse_line(line);
        let bytes: Vec<u8> = line.chars().map(|c| c as u8).collect();
        assert_eq!(Move::parse(&bytes).ok().map(parts), expected);
        assert_eq!(Move::read(&mut input).expect("no errors in memory").map(parts), expected);
    }
}

fn parts(m: Move) -> (usize, char, usize) {
    (m.number().into(), if m.player() == Mark::X { 'X' } else { 'O' }, m.square().index())
}

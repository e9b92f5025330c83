//! Every game is played as its oracle plays it.

use arbitrary::Result;
use petteia::any::AnyPosition;
use petteia::breakdown::Cell;
use petteia::prelude::*;
use petteia::tictac::Mark;
use petteia::{Breakdown, Quarto, Reversi, TicTac};

use super::oracle::{breakdown, quarto, reversi, tictac};
use super::{Bytes, play_one, start, with_bytes};

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| match start(bytes)? {
        AnyPosition::TicTac(start) => tictac(start, bytes),
        AnyPosition::Breakdown(start) => breakdown(start, bytes),
        AnyPosition::Reversi(start) => reversi(start, bytes),
        AnyPosition::Quarto(start) => quarto(start, bytes),
    });
}

fn tictac(mut game: TicTac, bytes: &mut Bytes<'_>) -> Result<()> {
    let mut oracle = tictac::Oracle::new(if game.marks()[0] == Mark::X { 'X' } else { 'O' });
    loop {
        assert_eq!(game.to_string(), oracle.text());
        assert!(game.moves().map(|square| square.index()).eq(oracle.moves()));
        let winner = game.outcome().and_then(Outcome::winner).map(|player| game.marks()[player.index()]);
        assert_eq!(winner.map(|mark| mark.name()), oracle.winner().map(|c| if c == 'X' { "X" } else { "O" }));
        let Some(square) = play_one(&mut game, bytes)? else { return Ok(()) };
        oracle.play(square.index());
    }
}

fn breakdown(start: Breakdown, bytes: &mut Bytes<'_>) -> Result<()> {
    let mut oracle = breakdown::Oracle::new(start.width(), start.height(), start.stick(), start.square());
    // Any cells, not only those that play can reach.
    if bytes.arbitrary()? {
        for row in &mut oracle.rows {
            for cell in row {
                *cell = *bytes.choose(&[Cell::Empty, Cell::Empty, Cell::Black, Cell::White])?;
            }
        }
    }
    let mut game: Breakdown = oracle.text().parse().expect("every text of the oracle is a position");
    loop {
        assert_eq!(game.to_string(), oracle.text());
        let width = game.width() as usize;
        let landings = (0..2 * width).map(|action| oracle.landing(action % width, action < width));
        let legal = landings.map(|landing| landing.is_some() && !game.is_over());
        let legal: Vec<bool> = legal.chain([!game.is_over()]).collect();
        let moves = (0..game.num_actions()).map(|action| game.move_of(action).expect("a number below all"));
        assert!(moves.map(|m| game.is_legal(&m)).eq(legal.iter().copied()), "{game}");
        assert_eq!(game.moves().len(), legal.into_iter().filter(|legal| *legal).count());
        // A breakdown can be repeated forever.
        if bytes.is_empty() {
            return Ok(());
        }
        let before = game.clone();
        let Some(m) = play_one(&mut game, bytes)? else { return Ok(()) };
        match before.action_of_legal(&m) {
            action if action < 2 * width => assert!(oracle.drop_stick(action % width, action < width)),
            _ => assert!(oracle.breakdown() || game.turn() != before.turn()),
        }
        oracle.pass_turn();
    }
}

fn reversi(start: Reversi, bytes: &mut Bytes<'_>) -> Result<()> {
    let mut oracle = reversi::Oracle::new(start.width(), start.height());
    let mut game = start;
    // Any tiles, not only those that play can reach; some of these are refused.
    if bytes.arbitrary()? {
        for row in &mut oracle.rows {
            for cell in row {
                *cell = *bytes.choose(&['D', 'L', '_'])?;
            }
        }
        let can_move = |player: &char| !oracle.moves_of(*player).is_empty();
        oracle.next = ['D', 'L'].into_iter().find(can_move).unwrap_or('-');
        match oracle.text().parse() {
            Ok(parsed) => game = parsed,
            Err(_) => return Ok(()),
        }
    }
    loop {
        assert_eq!(game.to_string(), oracle.text());
        let winner =
            game.outcome().and_then(Outcome::winner).map_or('_', |player| ['D', 'L'][player.index()]);
        assert_eq!(winner, oracle.winner(), "{game}");
        let mut moves: Vec<_> = game.moves().map(|square| (square.x(), square.y())).collect();
        moves.sort();
        assert!(moves.into_iter().eq(oracle.moves().into_iter().map(|(place, _)| place)), "{game}");
        let Some(square) = play_one(&mut game, bytes)? else { return Ok(()) };
        oracle.play((square.x(), square.y()));
    }
}

fn quarto(mut game: Quarto, bytes: &mut Bytes<'_>) -> Result<()> {
    let mut oracle = quarto::Game::new();
    loop {
        assert_eq!(game.to_string(), oracle.text());
        assert!(game.moves().map(|m| m.to_string()).eq(oracle.moves()), "{game}");
        let winner = game.outcome().and_then(Outcome::winner).map(|player| player.index() as u32 + 1);
        assert_eq!(winner, oracle.winner, "{game}");
        let Some(m) = play_one(&mut game, bytes)? else { return Ok(()) };
        oracle.play(&m.to_string());
    }
}

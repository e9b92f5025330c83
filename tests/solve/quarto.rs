//! Quarto: late positions against the plain search, earlier ones with other symmetries, threads and tables.

use petteia::prelude::*;
use petteia::search::solve::solve_plainly;
use petteia::{Quarto, Rng, SolveOptions};

/// Returns the position of a random game with this many pieces placed, and one in hand or not, if the game gets there.
fn random_position(game: u64, placed: u32, in_hand: bool) -> Option<Quarto> {
    let mut rng = Rng::for_game(31, game);
    let mut position = Quarto::default();
    while position.placed() < placed || position.hand().is_some() != in_hand {
        position.play(position.moves().choose(&mut rng)?).unwrap();
    }
    (!position.is_over()).then_some(position)
}

#[test]
fn quarto_agrees_with_the_plain_search() {
    let mut seen = [0; 3];
    for game in 0..400 {
        let Some(position) = random_position(game, 9 + (game % 4) as u32, game % 8 < 4) else { continue };
        let plain = solve_plainly(&position, &SolveOptions::default()).unwrap();
        let fast = position.solve(&SolveOptions::default()).unwrap();
        let text = position.to_string();
        assert_eq!((fast.value, &fast.best_moves), (plain.value, &plain.best_moves), "{text}");
        seen[(fast.value + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// Positions this early use the transposition table, whose keys are the same under all symmetries.
#[test]
fn quarto_has_one_value_through_all_symmetries() {
    let mut seen = [0; 3];
    for game in 0..60 {
        let Some(position) = random_position(game, 5 + (game % 3) as u32, true) else { continue };
        let solution = position.solve(&SolveOptions::default()).unwrap();
        seen[(solution.value + 1) as usize] += 1;
        let symmetry = (game as usize * 7919 + 1234) % position.symmetries();
        let image = position.transform(symmetry);
        let transformed = image.solve(&SolveOptions::default()).unwrap();
        assert_eq!(transformed.value, solution.value, "{position}");
        let mut best: Vec<_> =
            solution.best_moves.iter().map(|&m| position.transform_move(symmetry, m)).collect();
        best.sort_by_key(|m| image.action(m));
        assert_eq!(transformed.best_moves, best, "{position}");
    }
    assert!(seen[1] > 10 && seen[2] > 5, "{seen:?}");
}

#[test]
fn quarto_is_solved_alike_by_any_number_of_threads_and_with_any_table() {
    for game in 0..12 {
        let Some(position) = random_position(game, 5, game % 2 == 0) else { continue };
        let alone = position.solve(&SolveOptions::default()).unwrap();
        for (threads, table_bytes) in [(2, None), (3, Some(0)), (1, Some(1 << 12)), (4, Some(1 << 20))] {
            let options = SolveOptions { threads, table_bytes, ..SolveOptions::default() };
            let together = position.solve(&options).unwrap();
            assert!(together.exact);
            assert_eq!((together.value, together.best_moves), (alone.value, alone.best_moves.clone()));
        }
    }
}

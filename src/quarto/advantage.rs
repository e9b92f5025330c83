//! What a position looks like: how many of the pieces that are left can be given away safely.

use super::Quarto;
use crate::engine::MAX_ADVANTAGE;
use crate::position::Position;

/// For each number of placed pieces from 7 on, what a player can expect who has to select a piece, if one, two, three
/// or more pieces are safe, and then who has to place one that does not win, if none, one, two or more of the others
/// are.
///
/// These are mean results, in thousandths, of 6,000 random games: [`Bot::Myopic`](crate::Bot) on both sides, seed 5,
/// every position with at least eight pieces solved exactly, and with seven in the first 1,500; rounded, and smoothed
/// by hand where there were few. There is little to see in earlier positions, for which a quarter is a guess.
const EXPECTED: [[[i32; 4]; 2]; 7] = [
    [[235, -430, 65, 10], [-235, 540, 200, 180]],
    [[-70, -570, -280, -160], [70, 690, 530, 430]],
    [[140, -330, -140, -120], [-140, 460, 460, 470]],
    [[100, -340, -160, -150], [-100, 500, 445, 455]],
    [[110, -180, -70, -130], [-110, 350, 400, 500]],
    [[140, -80, -110, -60], [-140, 240, 330, 270]],
    [[120, -60, -100, 0], [-150, 100, 300, 0]],
];

/// Returns how well the player to act stands.
pub(super) fn of(position: &Quarto) -> i32 {
    let safe = (!position.taken & !position.bad_pieces()).count_ones() as usize;
    let placed = position.placed() as usize;
    let row = EXPECTED[placed.saturating_sub(7).min(6)];
    let scale = if placed < 7 { 4 } else { 1 };
    match position.hand {
        _ if position.is_over() => 0,
        Some(piece) if position.winning_squares_for(piece) != 0 => MAX_ADVANTAGE - 1,
        Some(_) => row[1][safe.min(3)] / scale,
        None if safe == 0 => 1 - MAX_ADVANTAGE,
        None => row[0][safe.min(4) - 1] / scale,
    }
}

//! What leaves the game as it is: 32 ways to move the squares, times 384 ways to swap the attributes.
//!
//! Squares may be moved so that lines stay lines. Rows and columns are permuted alike, such that the outer two and the
//! inner two stay pairs (8 ways); columns may be reversed after that, and rows and columns exchanged. Attributes may be
//! permuted (24 ways), and the two values of each exchanged (16 ways).

use super::lines::{FILLED, PLANES};
use super::{Move, Piece, Quarto, Square};
use crate::moves::{BitMove, MoveSet};

/// How many ways there are to move the squares.
const BOARD_MAPS: usize = 1 << GENERATORS.len();

/// How many ways there are to permute attributes and exchange their values.
const ATTRIBUTE_MAPS: usize = 24 * 16;

/// How many symmetries the game has.
pub(super) const COUNT: usize = BOARD_MAPS * ATTRIBUTE_MAPS;

/// The moves of squares that make up all others: map `m` applies, in this order, those whose bit is set in `m`.
///
/// Each is two exchanges of the squares in a mask with those a number of bits further up.
const GENERATORS: [[(u32, u16); 2]; 5] = [
    // The outer rows are exchanged, and the outer columns.
    [(12, 0x000f), (3, 0x1111)],
    // The inner rows, and the inner columns.
    [(4, 0x00f0), (1, 0x2222)],
    // The first two and the last two rows, and columns alike.
    [(4, 0x0f0f), (1, 0x5555)],
    // The columns are reversed.
    [(3, 0x1111), (1, 0x2222)],
    // Rows and columns are exchanged.
    [(3, 0x0a0a), (6, 0x00cc)],
];

/// Moves the squares of all four planes.
#[inline]
fn move_squares(map: usize, mut planes: u64) -> u64 {
    for (bit, exchanges) in GENERATORS.into_iter().enumerate() {
        if map >> bit & 1 == 1 {
            for (step, mask) in exchanges {
                let differ = (planes ^ planes >> step) & (PLANES * mask as u64);
                planes ^= differ ^ differ << step;
            }
        }
    }
    planes
}

/// Returns where all board maps take a set of squares.
#[inline]
fn all_images(squares: u16) -> [u16; BOARD_MAPS] {
    let mut images = [squares; BOARD_MAPS];
    for (bit, exchanges) in GENERATORS.into_iter().enumerate() {
        let (done, rest) = images.split_at_mut(1 << bit);
        for (image, &earlier) in rest.iter_mut().zip(done.iter()) {
            *image = earlier;
            for (step, mask) in exchanges {
                let differ = (*image ^ *image >> step) & mask;
                *image ^= differ ^ differ << step;
            }
        }
    }
    images
}

/// Where each of the 24 permutations takes the attributes; the first changes nothing.
const PERMUTATIONS: [[u8; 4]; 24] = {
    let mut table = [[0; 4]; 24];
    let mut code = 0;
    let mut row = 0;
    while code < 256 {
        let places = [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
        if 1 << places[0] | 1 << places[1] | 1 << places[2] | 1 << places[3] == 15 {
            table[row] = [places[0] as u8, places[1] as u8, places[2] as u8, places[3] as u8];
            row += 1;
        }
        code += 1;
    }
    table
};

/// The board map, the permutation of attributes and the exchanges of values that a number stands for.
fn parts(symmetry: usize) -> (usize, [u8; 4], u8) {
    assert!(symmetry < COUNT, "Quarto has {COUNT} symmetries");
    let attributes = symmetry % ATTRIBUTE_MAPS;
    (symmetry / ATTRIBUTE_MAPS, PERMUTATIONS[attributes / 16], (attributes % 16) as u8)
}

fn change_piece(permutation: [u8; 4], exchanged: u8, piece: Piece) -> Piece {
    let bit = |plane: usize| (piece.index() >> plane & 1) << permutation[plane];
    Piece::from_bit((bit(0) | bit(1) | bit(2) | bit(3)) as u32 ^ u32::from(exchanged))
}

/// Returns where all ways to swap the attributes take a set of pieces.
pub(super) fn images_of_pieces(set: u16) -> impl Iterator<Item = u16> {
    (0..ATTRIBUTE_MAPS).map(move |map| {
        let (_, permutation, exchanged) = parts(map);
        let pieces = MoveSet::<Piece>::new(u64::from(set));
        pieces.fold(0, |all, piece| all | change_piece(permutation, exchanged, piece).bit())
    })
}

/// Returns a move seen through a symmetry.
pub(super) fn transform_move(symmetry: usize, m: Move) -> Move {
    let (map, permutation, exchanged) = parts(symmetry);
    match m {
        Move::Select(piece) => Move::Select(change_piece(permutation, exchanged, piece)),
        Move::Place(square) => {
            Move::Place(Square::from_bit(move_squares(map, u64::from(square.bit())).trailing_zeros()))
        }
    }
}

/// Returns a position seen through a symmetry.
pub(super) fn transform(position: &Quarto, symmetry: usize) -> Quarto {
    let (map, permutation, exchanged) = parts(symmetry);
    let occupied = move_squares(map, u64::from(position.occupied)) as u16;
    let moved = move_squares(map, position.ones);
    let mut ones = 0;
    for (plane, place) in permutation.into_iter().enumerate() {
        let values_exchanged = if exchanged >> place & 1 == 1 { occupied } else { 0 };
        ones |= u64::from((moved >> (16 * plane)) as u16 ^ values_exchanged) << (16 * place);
    }
    let change = |piece| change_piece(permutation, exchanged, piece);
    let taken = MoveSet::<Piece>::new(u64::from(position.taken)).map(change);
    Quarto {
        ones,
        occupied,
        taken: taken.fold(0, |all, piece| all | piece.bit()),
        hand: position.hand.map(change),
        won: position.won,
    }
}

/// Returns one position for all that are equal under the symmetries.
///
/// The occupied squares are made least first, which leaves few board maps to try. Under each of these, attributes are
/// independent of one another: each has its values exchanged if that makes the first piece's 0, and then they are sorted.
pub(super) fn canonical(position: &Quarto) -> Quarto {
    let images = all_images(position.occupied);
    let occupied = images.into_iter().fold(u16::MAX, u16::min);
    let ties = (0..BOARD_MAPS).filter(|&map| images[map] == occupied);
    let forms = ties.map(|map| normal_form(occupied, move_squares(map, position.ones), position.hand));
    let form = forms.min().unwrap_or_default();

    let mut ones = 0;
    let mut hand = 0;
    for (plane, attribute) in form.into_iter().enumerate() {
        ones |= u64::from(attribute as u16) << (16 * plane);
        hand |= (attribute >> 16) << plane;
    }
    let hand = position.hand.map(|_| Piece::from_bit(hand));
    let mut canonical = Quarto { ones, occupied, taken: 0, hand, won: position.won };
    let squares = MoveSet::<Square>::new(u64::from(occupied));
    let placed = squares.fold(0, |all, square| all | canonical.get(square).map_or(0, Piece::bit));
    canonical.taken = placed | hand.map_or(0, Piece::bit);
    canonical
}

/// Returns the attributes in order, each as its plane with its value in the hand's piece on top.
#[inline]
fn normal_form(occupied: u16, ones: u64, hand: Option<Piece>) -> [u32; 4] {
    let in_hand = hand.map_or(0, Piece::index) as u32;
    let pieces = u32::from(hand.is_some()) << 16 | u32::from(occupied);
    let first = pieces & pieces.wrapping_neg();
    sorted([0, 1, 2, 3].map(|plane| {
        let values = (in_hand >> plane & 1) << 16 | u32::from((ones >> (16 * plane)) as u16);
        if values & first == 0 { values } else { values ^ pieces }
    }))
}

/// Returns a number that positions with a piece in hand share exactly if they are equal under the symmetries.
///
/// It has sixteen bits for the squares and four for each piece on the board. The values of attributes are exchanged so
/// that the piece in hand has none but 0.
pub(super) fn key(ones: u64, occupied: u16, hand: u8) -> u64 {
    let ones = ones ^ FILLED[usize::from(hand & 15)] & (PLANES * u64::from(occupied));
    let images = all_images(occupied);
    let least = images.into_iter().fold(u16::MAX, u16::min);
    let mut planes = u64::MAX;
    for (map, image) in images.into_iter().enumerate() {
        if image == least {
            let moved = move_squares(map, ones);
            let sorted = sorted([0, 16, 32, 48].map(|shift| moved >> shift & 0xffff));
            planes = planes.min(sorted[3] << 48 | sorted[2] << 32 | sorted[1] << 16 | sorted[0]);
        }
    }
    let (mut key, mut squares) = (u64::from(least), least);
    while squares != 0 {
        let piece = planes >> squares.trailing_zeros() & PLANES;
        key = key << 4 | (piece | piece >> 15 | piece >> 30 | piece >> 45) & 15;
        squares &= squares - 1;
    }
    key
}

/// Sorts four numbers.
#[inline(always)]
fn sorted<T: Ord + Copy>(mut numbers: [T; 4]) -> [T; 4] {
    for (left, right) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (numbers[left], numbers[right]) =
            (numbers[left].min(numbers[right]), numbers[left].max(numbers[right]));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::moves::Moves;
    use crate::position::Position;
    use crate::quarto::lines::LINES;

    /// Finds, square by square, all ways to move the squares that take every line to a line.
    fn extend(images: &mut Vec<usize>, found: &mut BTreeSet<Vec<usize>>) {
        if images.len() == 16 {
            found.insert(images.clone());
            return;
        }
        for image in 0..16 {
            if images.contains(&image) {
                continue;
            }
            images.push(image);
            let known = (1u32 << images.len()) - 1;
            let kept = LINES.iter().filter(|&&line| u32::from(line) & !known == 0).all(|line| {
                let squares = (0..16).filter(|square| line >> square & 1 == 1);
                LINES.contains(&squares.fold(0, |all, square| all | 1 << images[square]))
            });
            if kept {
                extend(images, found);
            }
            images.pop();
        }
    }

    #[test]
    fn board_maps_are_all_that_keep_the_lines() {
        let mut found = BTreeSet::new();
        extend(&mut Vec::new(), &mut found);
        let maps = (0..BOARD_MAPS).map(|map| {
            let image = |square: usize| move_squares(map, 1 << square).trailing_zeros() as usize;
            (0..16).map(image).collect::<Vec<_>>()
        });
        assert_eq!(found.len(), 32);
        assert_eq!(maps.collect::<BTreeSet<_>>(), found);
    }

    #[test]
    fn images_are_those_of_the_single_maps() {
        for squares in (0..=u16::MAX).step_by(7) {
            let images = all_images(squares);
            let single = |map: usize| move_squares(map, u64::from(squares) * PLANES);
            assert!((0..BOARD_MAPS).all(|map| u64::from(images[map]) * PLANES == single(map)));
        }
    }

    #[test]
    fn permutations_are_all_there_are() {
        assert_eq!(PERMUTATIONS[0], [0, 1, 2, 3]);
        assert_eq!(PERMUTATIONS.into_iter().collect::<BTreeSet<_>>().len(), 24);
        assert!(PERMUTATIONS.iter().all(|places| places.iter().fold(0, |all, place| all | 1 << place) == 15));
    }

    #[test]
    fn keys_tell_apart_what_the_canonical_form_does() {
        let mut forms = std::collections::HashMap::new();
        for game in 0..2000 {
            let mut rng = crate::Rng::for_game(9, game);
            let mut position = Quarto::default();
            // Few pieces, so that different games often lead to positions that are equal under the symmetries.
            while position.placed() < 1 + game as u32 % 4 || position.hand.is_none() {
                let Some(m) = position.moves().choose(&mut rng) else { break };
                position.play_unchecked(m);
            }
            if position.hand.is_none() {
                continue;
            }
            let key_of = |p: &Quarto| key(p.ones, p.occupied, p.hand.map_or(0, |piece| piece.index() as u8));
            let image = transform(&position, rng.below(COUNT));
            assert_eq!(key_of(&image), key_of(&position));
            assert_eq!(*forms.entry(key_of(&position)).or_insert(canonical(&position)), canonical(&position));
        }
        let different: BTreeSet<String> = forms.values().map(|form| form.text()).collect();
        assert_eq!(different.len(), forms.len());
        assert!(forms.len() > 500);
    }
}

//! The symmetries of the game: 32 permutations of the squares, times 384 maps of the attributes.
//!
//! Squares may be permuted as long as lines stay lines: rows and columns by the same permutation that keeps the outer
//! two and the inner two paired (8 ways); then columns may be reversed, and the board transposed. Attributes may be
//! permuted (24 ways), and the two values of each exchanged (16 ways).

use super::lines::{FILLED, PLANES};
use super::{Move, Piece, Quarto, Square};
use crate::moves::{BitMove, MoveSet};

/// The number of permutations of the squares.
const BOARD_MAPS: usize = 1 << GENERATORS.len();

/// The number of ways to permute attributes and exchange their values.
const ATTRIBUTE_MAPS: usize = 24 * 16;

/// The number of symmetries of the game.
pub(super) const COUNT: usize = BOARD_MAPS * ATTRIBUTE_MAPS;

/// The generators of the board maps: map `m` applies, in this order, those whose bit is set in `m`.
///
/// Each is two swaps of the squares in a mask with those a number of bits further up.
const GENERATORS: [[(u32, u16); 2]; 5] = [
    // Swaps the outer rows, and the outer columns.
    [(12, 0x000f), (3, 0x1111)],
    // Swaps the inner rows, and the inner columns.
    [(4, 0x00f0), (1, 0x2222)],
    // Swaps the first two rows and the last two, and likewise the columns.
    [(4, 0x0f0f), (1, 0x5555)],
    // Reverses the columns.
    [(3, 0x1111), (1, 0x2222)],
    // Transposes.
    [(3, 0x0a0a), (6, 0x00cc)],
];

/// Applies a board map to all four planes.
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

/// Returns the images of a set of squares under all board maps.
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

/// The 24 permutations of the attributes; the first is the identity.
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

/// Splits a symmetry's number into the board map, the permutation of attributes and the exchanges of values.
fn parts(symmetry: usize) -> (usize, [u8; 4], u8) {
    assert!(symmetry < COUNT, "Quarto has {COUNT} symmetries");
    let attributes = symmetry % ATTRIBUTE_MAPS;
    (symmetry / ATTRIBUTE_MAPS, PERMUTATIONS[attributes / 16], (attributes % 16) as u8)
}

fn change_piece(permutation: [u8; 4], exchanged: u8, piece: Piece) -> Piece {
    let bit = |plane: usize| (piece.index() >> plane & 1) << permutation[plane];
    Piece::from_bit((bit(0) | bit(1) | bit(2) | bit(3)) as u32 ^ u32::from(exchanged))
}

/// Returns the images of a set of pieces under all attribute maps.
pub(super) fn images_of_pieces(set: u16) -> impl Iterator<Item = u16> {
    (0..ATTRIBUTE_MAPS).map(move |map| {
        let (_, permutation, exchanged) = parts(map);
        let pieces = MoveSet::<Piece>::new(u64::from(set));
        pieces.fold(0, |all, piece| all | change_piece(permutation, exchanged, piece).bit())
    })
}

/// Returns the image of a move under a symmetry.
pub(super) fn transform_move(symmetry: usize, m: Move) -> Move {
    let (map, permutation, exchanged) = parts(symmetry);
    match m {
        Move::Select(piece) => Move::Select(change_piece(permutation, exchanged, piece)),
        Move::Place(square) => {
            Move::Place(Square::from_bit(move_squares(map, u64::from(square.bit())).trailing_zeros()))
        }
    }
}

/// Returns the image of a position under a symmetry.
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

/// Returns the canonical form, which positions share if they are equal under the symmetries.
///
/// First the set of occupied squares is minimized, which leaves few board maps to try. Under each of these, attributes
/// are independent: the values of each are exchanged if that makes the first piece's 0, and then they are sorted.
pub(super) fn canonical(position: &Quarto) -> Quarto {
    let images = all_images(position.occupied);
    let occupied = images.into_iter().fold(u16::MAX, u16::min);
    let ties = (0..BOARD_MAPS).filter(|&map| images[map] == occupied);
    let forms = ties.map(|map| normal_form(occupied, move_squares(map, position.ones), position.hand));
    let form = forms.min().expect("at least one image is the least");

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

/// Returns the attributes in order, each as its plane, with its value in the piece in hand above that.
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

/// Returns a key that positions with a piece in hand share if and only if they are equal under the symmetries.
///
/// It has sixteen bits for the squares and four for each piece on the board. The values of attributes are exchanged so
/// that those of the piece in hand are all 0.
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

    /// Finds, square by square, all permutations of the squares that map lines to lines.
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
            // Few pieces, so that different games often reach equivalent positions.
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
        let different: BTreeSet<String> = forms.values().map(|form| form.to_string()).collect();
        assert_eq!(different.len(), forms.len());
        assert!(forms.len() > 500);
    }
}

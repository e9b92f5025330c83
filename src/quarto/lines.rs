//! Lines of four, found in all planes at once.
//!
//! A set of squares is a plane of sixteen bits, and a word holds four planes: plane 0 for the top, 1 for the shape, 2
//! for the color and 3 for the height, like the bits of a piece's number. Shifts spill into the next plane, but only at
//! squares that are masked out.

/// One bit in every plane: multiplied by a set of squares, it gives that set in all planes.
pub(super) const PLANES: u64 = 0x0001_0001_0001_0001;

/// The ten lines: rows, columns, then the diagonals.
pub(super) const LINES: [u16; 10] =
    [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248];

/// For each piece, the planes of the attributes that are 1, with all bits set.
pub(super) const FILLED: [u64; 16] = {
    let mut table = [0; 16];
    let mut piece = 0;
    while piece < 16 {
        let mut plane = 0;
        while plane < 4 {
            if piece >> plane & 1 == 1 {
                table[piece] |= 0xffff << (16 * plane);
            }
            plane += 1;
        }
        piece += 1;
    }
    table
};

/// Returns whether a plane contains a line.
#[inline]
pub(super) const fn has_line(planes: u64) -> bool {
    let rows = planes & planes >> 1;
    let columns = planes & planes >> 4;
    let first = planes & planes >> 5;
    let second = planes & planes >> 3;
    let starts = rows & rows >> 2 & (PLANES * 0x1111)
        | columns & columns >> 8 & (PLANES * 0x000f)
        | first & first >> 10 & PLANES
        | second & second >> 6 & (PLANES * 0x0008);
    starts != 0
}

/// Returns, in each plane, the squares that complete a line whose other three squares are set; they may be set
/// themselves.
#[inline]
pub(super) const fn completions(planes: u64) -> u64 {
    let first = planes & (PLANES * 0x8421);
    let second = planes & (PLANES * 0x1248);
    others(planes, 1, PLANES * 0x7777)
        | others(planes, 4, PLANES * 0x0fff)
        | others(first, 5, PLANES * 0x0421)
        | others(second, 3, PLANES * 0x0248)
}

/// Marks the squares that complete a line, for lines along which the next square is `step` bits up.
///
/// `not_last` contains all squares of the lines but the last of each, from which steps wrap around to the first.
#[inline]
const fn others(planes: u64, step: u32, not_last: u64) -> u64 {
    let last = (not_last << step) & !not_last;
    let pairs = planes & onward(planes, step, not_last, last);
    let triples = planes & onward(pairs, step, not_last, last);
    onward(triples, step, not_last, last)
}

/// Moves every square one step along its line.
#[inline]
const fn onward(planes: u64, step: u32, not_last: u64, last: u64) -> u64 {
    (planes & not_last) << step | (planes & last) >> (3 * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_find_what_the_list_of_lines_says() {
        for set in 0..=u16::MAX {
            let full = LINES.iter().any(|line| set & line == *line);
            let completing = (0..16).filter(|square| {
                let fellows = |line: &u16| line >> square & 1 == 1 && !set & line & !(1 << square) == 0;
                LINES.iter().any(fellows)
            });
            let completing = completing.fold(0u64, |all, square| all | 1 << square);
            for plane in [0, 16, 32, 48] {
                // The other planes are as full as possible, so that any spill would show.
                let (alone, others) = (u64::from(set) << plane, !(0xffff << plane));
                let no_lines = PLANES * (0xffff ^ 0x2841);
                assert_eq!(has_line(alone | others & no_lines), full, "{set:#x}");
                assert_eq!(completions(alone | others) >> plane & 0xffff, completing, "{set:#x}");
            }
        }
    }

    #[test]
    fn filled_planes_are_the_bits_of_the_pieces() {
        for (piece, planes) in FILLED.iter().enumerate() {
            assert!((0..64).all(|bit| planes >> bit & 1 == (piece >> (bit / 16) & 1) as u64));
        }
    }
}

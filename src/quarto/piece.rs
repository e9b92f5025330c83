//! Pieces and their four attributes.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;
use crate::moves::BitMove;

/// Defines an attribute with its two values, 0 first, and their letters.
macro_rules! attribute {
    ($(#[$doc:meta])* $name:ident { $(#[$zero_doc:meta])* $zero:ident = $zero_letter:literal,
                                    $(#[$one_doc:meta])* $one:ident = $one_letter:literal }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $(#[$zero_doc])*
            #[default]
            $zero = 0,
            $(#[$one_doc])*
            $one = 1,
        }

        impl $name {
            /// Both values, in the order of their numbers.
            pub const BOTH: [$name; 2] = [$name::$zero, $name::$one];

            /// Returns the value's letter in a piece's code.
            pub const fn letter(self) -> char {
                match self {
                    $name::$zero => $zero_letter,
                    $name::$one => $one_letter,
                }
            }

            const fn of_bit(bit: u8) -> $name {
                if bit & 1 == 0 { $name::$zero } else { $name::$one }
            }

            /// Parses a letter as a bit.
            const fn bit_of(letter: u8) -> Option<u8> {
                match letter as char {
                    $zero_letter => Some(0),
                    $one_letter => Some(1),
                    _ => None,
                }
            }
        }
    };
}

attribute! {
    /// How tall a piece is.
    Height {
        /// Short, `S`.
        Short = 'S',
        /// Tall, `T`.
        Tall = 'T'
    }
}

attribute! {
    /// The colour of a piece.
    Color {
        /// Beige, `B`.
        Beige = 'B',
        /// Sepia, `E`.
        Sepia = 'E'
    }
}

attribute! {
    /// The outline of a piece.
    Shape {
        /// A circle, `C`.
        Circle = 'C',
        /// A square, `Q`.
        Square = 'Q'
    }
}

attribute! {
    /// The top of a piece.
    Top {
        /// Hollow, `H`.
        Hollow = 'H',
        /// Solid, `O`.
        Solid = 'O'
    }
}

/// One of the sixteen pieces.
///
/// Its number, from 0 for `SBCH` to 15 for `TEQO`, has a bit for each attribute: height, color, shape and top from the
/// most significant. Whether it has been placed is up to the [`Pool`](super::Pool).
///
/// ```
/// use petteia::quarto::{Color, Height, Piece, Shape, Top};
///
/// let piece: Piece = "SEQO".parse()?;
/// assert_eq!(piece, Piece::with(Height::Short, Color::Sepia, Shape::Square, Top::Solid));
/// assert_eq!(piece.index(), 0b0111);
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// All pieces, in the order of their numbers.
    pub const ALL: [Piece; 16] = {
        let mut all = [Piece(0); 16];
        let mut index = 0;
        while index < 16 {
            all[index] = Piece(index as u8);
            index += 1;
        }
        all
    };

    /// Returns the piece with the given number, or `None` if it is above 15.
    pub const fn new(index: usize) -> Option<Piece> {
        if index < 16 { Some(Piece(index as u8)) } else { None }
    }

    /// Returns the piece with the given attributes.
    pub const fn with(height: Height, color: Color, shape: Shape, top: Top) -> Piece {
        Piece((height as u8) << 3 | (color as u8) << 2 | (shape as u8) << 1 | top as u8)
    }

    /// Returns the piece's number.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing, but spares bounds checks of tables of sixteen.
        (self.0 & 15) as usize
    }

    /// Returns how tall the piece is.
    pub const fn height(self) -> Height {
        Height::of_bit(self.0 >> 3)
    }

    /// Returns the piece's colour.
    pub const fn color(self) -> Color {
        Color::of_bit(self.0 >> 2)
    }

    /// Returns the piece's outline.
    pub const fn shape(self) -> Shape {
        Shape::of_bit(self.0 >> 1)
    }

    /// Returns the piece's top.
    pub const fn top(self) -> Top {
        Top::of_bit(self.0)
    }

    /// Returns whether both pieces have the same height.
    pub fn compare_height(self, other: Piece) -> bool {
        self.height() == other.height()
    }

    /// Returns whether both pieces have the same colour.
    pub fn compare_color(self, other: Piece) -> bool {
        self.color() == other.color()
    }

    /// Returns whether both pieces have the same shape.
    pub fn compare_shape(self, other: Piece) -> bool {
        self.shape() == other.shape()
    }

    /// Returns whether both pieces have the same top.
    pub fn compare_top(self, other: Piece) -> bool {
        self.top() == other.top()
    }

    /// Parses a code, which may be any bytes.
    pub(super) const fn from_code(code: &[u8]) -> Option<Piece> {
        let &[height, color, shape, top] = code else { return None };
        match (Height::bit_of(height), Color::bit_of(color), Shape::bit_of(shape), Top::bit_of(top)) {
            (Some(height), Some(color), Some(shape), Some(top)) => {
                Some(Piece(height << 3 | color << 2 | shape << 1 | top))
            }
            _ => None,
        }
    }

    /// Returns the letters of height and color, which are drawn above the other two.
    pub(super) const fn upper_half(self) -> [char; 2] {
        [self.height().letter(), self.color().letter()]
    }

    /// Returns the letters of shape and top.
    pub(super) const fn lower_half(self) -> [char; 2] {
        [self.shape().letter(), self.top().letter()]
    }

    #[inline]
    pub(super) const fn bit(self) -> u16 {
        1 << self.index()
    }
}

impl BitMove for Piece {
    #[inline]
    fn from_bit(bit: u32) -> Self {
        Piece(bit as u8 & 15)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([height, color], [shape, top]) = (self.upper_half(), self.lower_half());
        write!(f, "{height}{color}{shape}{top}")
    }
}

impl FromStr for Piece {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Piece::from_code(text.as_bytes()).ok_or_else(|| {
            ParseError::new("piece", text, "S or T, B or E, C or Q and H or O, in this order, such as SEQO")
        })
    }
}

//! The file of weights: what `make train` writes, and what the library contains.
//!
//! It is a header, the weights of every stage of the game, and a checksum. A weight is a byte, times the scale of its
//! kind of pattern in its stage; contents of a pattern and their mirror image share one.

use std::error::Error;
use std::fmt;

use super::WEIGHTS;
use super::patterns::{DISC, KINDS, STAGES};
use crate::error::list;

/// What a file begins with; the version follows.
const HEADER: &[u8; 7] = b"reversi";
const VERSION: u8 = 1;

/// The least depth of a search that may be cut short after a shallower one; see [`Weights::cut`].
pub(in crate::reversi) const FIRST_CUT: usize = 3;
/// How many depths, from there on, have doubts of their own.
pub(super) const CUTS: usize = 14;

/// What was learned of evaluations: the weights of patterns, and how far evaluations are off.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Vec<Stage>);

/// What belongs to one stage of the game.
#[derive(Clone, Debug, PartialEq)]
struct Stage {
    /// How far the end of a game is from the evaluation: the standard deviation, in units of 1/[`DISC`].
    doubt: u16,
    /// The same for a search of each depth and a shallower one.
    cuts: [u16; CUTS],
    kinds: Vec<Kind>,
}

/// The weights of one kind of pattern.
#[derive(Clone, Debug, PartialEq)]
struct Kind {
    scale: u8,
    weights: Vec<i8>,
}

/// What training finds for one stage, in discs.
#[derive(Clone, Debug)]
pub struct Learned {
    /// How far the end of a game is from the evaluation: the standard deviation.
    pub doubt: f32,
    /// The same for searches of each depth, from 3 on, and a shallower one.
    pub cuts: Vec<f32>,
    /// The weights of each kind of pattern, by its contents up to mirror images.
    pub kinds: Vec<Vec<f32>>,
}

impl Weights {
    /// Rounds what was learned to what the file can hold.
    ///
    /// # Panics
    ///
    /// If there are other numbers of stages, kinds or weights than the patterns have.
    pub fn new(stages: &[Learned]) -> Self {
        assert_eq!(stages.len(), STAGES, "the stages of the game");
        let units = |discs: f32| (discs * DISC as f32).round();
        let stage = |learned: &Learned| {
            assert_eq!(learned.kinds.len(), KINDS.len(), "the kinds of patterns");
            let kind = |(values, kind): (&Vec<f32>, &super::patterns::Kind)| {
                assert_eq!(values.len(), kind.representatives(), "the weights of a kind");
                let most = values.iter().fold(0f32, |most, value| most.max(value.abs()));
                let scale = (units(most) / 127.0).ceil().clamp(1.0, 255.0);
                let weights = values.iter().map(|&value| (units(value) / scale).round() as i8).collect();
                Kind { scale: scale as u8, weights }
            };
            Stage {
                doubt: units(learned.doubt) as u16,
                cuts: std::array::from_fn(|depth| units(learned.cuts[depth]) as u16),
                kinds: learned.kinds.iter().zip(&KINDS).map(kind).collect(),
            }
        };
        Weights(stages.iter().map(stage).collect())
    }

    /// Returns the values of a kind of pattern in a stage, for each of its representatives, in units of 1/[`DISC`].
    pub(super) fn values(&self, stage: usize, kind: usize) -> impl Iterator<Item = i16> + '_ {
        let Kind { scale, weights } = &self.0[stage].kinds[kind];
        weights.iter().map(|&weight| i16::from(weight) * i16::from(*scale))
    }

    /// Returns the standard deviation of the end of a game from its evaluation, in units of 1/[`DISC`].
    pub(super) fn doubt(&self, stage: usize) -> i32 {
        self.0[stage].doubt.into()
    }

    /// Returns the standard deviation of a search's result from that of a search which is shallower, by about half.
    pub(super) fn cut(&self, stage: usize, depth: usize) -> i32 {
        self.0[stage].cuts[depth.saturating_sub(FIRST_CUT).min(CUTS - 1)].into()
    }

    /// Returns the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&HEADER[..], &[VERSION]].concat();
        for stage in &self.0 {
            bytes.extend(stage.doubt.to_le_bytes());
            bytes.extend(stage.cuts.iter().flat_map(|cut| cut.to_le_bytes()));
            for kind in &stage.kinds {
                bytes.push(kind.scale);
                bytes.extend(kind.weights.iter().map(|&weight| weight as u8));
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    ///
    /// A [`WeightsError`] for anything that [`to_bytes`](Weights::to_bytes) has not written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(HEADER).ok_or(WeightsError::Header)?;
        let version = *rest.first().ok_or(WeightsError::Header)?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let counts: Vec<usize> = KINDS.iter().map(|kind| kind.representatives()).collect();
        let stage_len = 2 + 2 * CUTS + counts.iter().map(|count| 1 + count).sum::<usize>();
        let expected = HEADER.len() + 1 + STAGES * stage_len + size_of::<u64>();
        if bytes.len() != expected {
            return Err(WeightsError::Length { found: bytes.len(), expected });
        }
        let (content, sum) = bytes.split_at(expected - size_of::<u64>());
        if checksum(content).to_le_bytes() != sum {
            return Err(WeightsError::Checksum);
        }
        let stages = content[HEADER.len() + 1..].chunks_exact(stage_len).map(|stage| {
            let word = |place: usize| u16::from_le_bytes([stage[2 * place], stage[2 * place + 1]]);
            let mut rest = &stage[2 + 2 * CUTS..];
            let kind = |&count: &usize| {
                let (kind, others) = rest.split_at(1 + count);
                rest = others;
                let weights = kind[1..].iter().map(|&byte| byte as i8);
                Kind { scale: kind[0], weights: list(WEIGHTS, weights) }
            };
            let kinds = counts.iter().map(kind).collect();
            Stage { doubt: word(0), cuts: std::array::from_fn(|depth| word(1 + depth)), kinds }
        });
        Ok(Weights(stages.collect()))
    }
}

/// Returns the 64-bit FNV-1a hash.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Why a file has no weights that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// It is another kind of file.
    Header,
    /// It has another version.
    Version(u8),
    /// It has another length.
    Length {
        /// Its length.
        found: usize,
        /// The length of a whole file.
        expected: usize,
    },
    /// Something in it was changed.
    Checksum,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Header => {
                f.write_str("not a file of weights: expected one that begins with \"reversi\"")
            }
            WeightsError::Version(version) => {
                write!(f, "weights of version {version}: expected version {VERSION}")
            }
            WeightsError::Length { found, expected } => {
                write!(f, "weights of {found} bytes: expected {expected}")
            }
            WeightsError::Checksum => f.write_str("weights that were damaged: their checksum is wrong"),
        }
    }
}

impl Error for WeightsError {}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("weights.bin");

    #[test]
    fn the_library_s_weights_are_a_file() {
        assert!(FILE.len() <= 1_500_000);
        assert_eq!(Weights::from_bytes(FILE).unwrap().to_bytes(), FILE);
    }

    #[test]
    fn damaged_files_are_refused() {
        for length in [0, 1, 7, 8, 1000, FILE.len() - 1] {
            let error = Weights::from_bytes(&FILE[..length]).unwrap_err();
            assert!(matches!(error, WeightsError::Header | WeightsError::Length { .. }), "{length}: {error}");
        }
        let longer = [FILE, &[0]].concat();
        let expected = FILE.len();
        assert_eq!(Weights::from_bytes(&longer), Err(WeightsError::Length { found: expected + 1, expected }));
        for place in [8, 9, 500, FILE.len() / 2, FILE.len() - 9, FILE.len() - 8, FILE.len() - 1] {
            let mut flipped = FILE.to_vec();
            flipped[place] ^= 0x10;
            assert_eq!(Weights::from_bytes(&flipped), Err(WeightsError::Checksum), "{place}");
        }
        let mut other = FILE.to_vec();
        other[7] += 1;
        assert_eq!(Weights::from_bytes(&other), Err(WeightsError::Version(VERSION + 1)));
        assert_eq!(
            WeightsError::Version(VERSION + 1).to_string(),
            format!("weights of version {}: expected version {VERSION}", VERSION + 1)
        );
        assert_eq!(Weights::from_bytes(b"something else"), Err(WeightsError::Header));
    }
}

//! The games and their parameters.
//!
//! Both come from the core's list of games. cbindgen cannot see what a macro declares, so the test `headers` writes
//! the enum `petteia_game` into the header; here a game is an integer, its index in the list.

use std::ffi::{c_char, c_uint};
use std::ptr::null;

use super::guard::{Failure, Out, OutText, Result, status, text};
use super::status::petteia_status;
use crate::any::Game;
use crate::{Parameter, Values};

/// A game as C passes it: any number.
pub type RawGame = c_uint;

/// A parameter of a game, such as the width of its board. The texts are static; do not free them.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_parameter {
    /// Its name, such as "width".
    pub name: *const c_char,
    /// What it is, in a few words.
    pub about: *const c_char,
    /// Its default value.
    pub fallback: u32,
    /// Its least value.
    pub least: u32,
    /// Its greatest value.
    pub most: u32,
    /// NULL if the values are numbers. If they are words, the words for the values 0 to `most`, then NULL.
    pub words: *const *const c_char,
}

/// The parameters of all games as C reads them. They are laid out at compile time: C gets pointers that stay valid
/// forever, and on the heap they would look like a leak.
struct Layout<const TEXTS: usize, const WORDS: usize, const PARAMETERS: usize> {
    /// All texts, each with its NUL.
    texts: [u8; TEXTS],
    /// The words of all parameters that have them, each list ended by NULL.
    words: [*const c_char; WORDS],
    /// The parameters of the first game, then those of the next.
    parameters: [petteia_parameter; PARAMETERS],
    /// How many elements each array needs, even if it is too short for them.
    needed: [usize; 3],
    /// Where the texts and the words will be.
    places: (*const u8, *const *const c_char),
}

const NEEDED: [usize; 3] = Layout::<0, 0, 0>::new((null(), null())).needed;

static LAYOUT: Layout<{ NEEDED[0] }, { NEEDED[1] }, { NEEDED[2] }> =
    Layout::new(((&raw const LAYOUT.texts).cast(), (&raw const LAYOUT.words).cast()));

// SAFETY: it never changes, and its pointers point into itself.
unsafe impl<const T: usize, const W: usize, const P: usize> Sync for Layout<T, W, P> {}

impl<const TEXTS: usize, const WORDS: usize, const PARAMETERS: usize> Layout<TEXTS, WORDS, PARAMETERS> {
    const fn new(places: (*const u8, *const *const c_char)) -> Self {
        const NONE: petteia_parameter =
            petteia_parameter { name: null(), about: null(), fallback: 0, least: 0, most: 0, words: null() };
        let mut layout = Layout {
            texts: [0; TEXTS],
            words: [null(); WORDS],
            parameters: [NONE; PARAMETERS],
            needed: [0; 3],
            places,
        };
        let mut games = Game::ALL;
        while let [game, others @ ..] = games {
            let mut parameters = game.parameters();
            while let [parameter, others @ ..] = parameters {
                layout.add(parameter);
                parameters = others;
            }
            games = others;
        }
        layout
    }

    const fn add(&mut self, parameter: &Parameter) {
        let (least, most) = parameter.bounds();
        let parameter = petteia_parameter {
            name: self.add_text(parameter.name),
            about: self.add_text(parameter.about),
            fallback: parameter.default,
            least,
            most,
            words: match parameter.values {
                Values::Numbers { .. } => null(),
                Values::Words(words) => self.add_words(words),
            },
        };
        if self.needed[2] < PARAMETERS {
            self.parameters[self.needed[2]] = parameter;
        }
        self.needed[2] += 1;
    }

    const fn add_words(&mut self, mut words: &[&str]) -> *const *const c_char {
        let list = self.places.1.wrapping_add(self.needed[1]);
        while let [word, others @ ..] = words {
            let word = self.add_text(word);
            if self.needed[1] < WORDS {
                self.words[self.needed[1]] = word;
            }
            self.needed[1] += 1;
            words = others;
        }
        // NULL is there already.
        self.needed[1] += 1;
        list
    }

    const fn add_text(&mut self, text: &str) -> *const c_char {
        let place = self.places.0.wrapping_add(self.needed[0]);
        let mut bytes = text.as_bytes();
        while let [byte, others @ ..] = bytes {
            assert!(*byte != 0, "a text with a NUL is cut short in C");
            if self.needed[0] < TEXTS {
                self.texts[self.needed[0]] = *byte;
            }
            self.needed[0] += 1;
            bytes = others;
        }
        // The NUL is there already.
        self.needed[0] += 1;
        place.cast()
    }
}

/// Reads a game from C.
pub(super) fn read_game(raw: RawGame) -> Result<Game> {
    let game = Game::ALL.get(raw as usize).copied();
    game.ok_or_else(|| Failure::invalid("game", raw, format!("0 to {}", Game::ALL.len() - 1)))
}

/// Returns the number that a game has in C.
pub(super) fn raw_game(game: Game) -> RawGame {
    game as RawGame
}

/// Returns the number of games. They are numbered from 0.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_game_count() -> usize {
    Game::ALL.len()
}

/// Writes the name of a game, such as "reversi".
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_game_name(
    game: RawGame,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(read_game(game)?.name());
        Ok(())
    })
}

/// Writes the game with a name, such as "reversi". Fails with PETTEIA_PARSE_ERROR if there is none.
///
/// # Safety
///
/// `name` is NULL or a C string, `game` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_game_from_name(name: *const c_char, game: *mut RawGame) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (name, game) = unsafe { (text(name, "name")?, Out::new(game, "game")?) };
        game.write(raw_game(name.parse()?));
        Ok(())
    })
}

/// Writes the number of a game's parameters.
///
/// Loop over the parameters up to this number: a loop until petteia_game_parameter fails would overwrite the last
/// error.
///
/// # Safety
///
/// `count` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_game_parameter_count(game: RawGame, count: *mut usize) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let count = unsafe { Out::new(count, "count") }?;
        count.write(read_game(game)?.parameters().len());
        Ok(())
    })
}

/// Writes one of a game's parameters, counted from 0 in the order of petteia_position_new and of records. Fails with
/// PETTEIA_INVALID_ARGUMENT if the index is not below petteia_game_parameter_count.
///
/// # Safety
///
/// `parameter` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_game_parameter(
    game: RawGame,
    index: usize,
    parameter: *mut petteia_parameter,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let place = unsafe { Out::new(parameter, "parameter") }?;
        let game = read_game(game)?;
        let before = Game::ALL.iter().take_while(|other| **other != game);
        let first = before.map(|other| other.parameters().len()).sum::<usize>();
        let own = &LAYOUT.parameters[first..][..game.parameters().len()];
        let unknown = || Failure::invalid("parameter", index, known_parameters(game));
        place.write(*own.get(index).ok_or_else(unknown)?);
        Ok(())
    })
}

/// Lists a game's parameters for an error about an unknown one.
#[cold]
pub(super) fn known_parameters(game: Game) -> String {
    let names: Vec<_> = game.parameters().iter().map(|parameter| parameter.name).collect();
    match names[..] {
        [] => format!("none, since {game} has no parameters"),
        _ => format!("one of {game}'s: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn read(pointer: *const c_char) -> &'static str {
        // SAFETY: all texts of the layout are static and end with a NUL.
        unsafe { CStr::from_ptr(pointer) }.to_str().expect("UTF-8")
    }

    #[test]
    fn parameters_are_those_of_the_core() {
        for &game in Game::ALL {
            for (index, declared) in game.parameters().iter().enumerate() {
                let mut laid_out = petteia_parameter { words: null(), ..LAYOUT.parameters[0] };
                // SAFETY: it points to a local variable.
                let status = unsafe { petteia_game_parameter(raw_game(game), index, &raw mut laid_out) };
                assert_eq!(status, petteia_status::PETTEIA_OK);
                assert_eq!((read(laid_out.name), read(laid_out.about)), (declared.name, declared.about));
                assert_eq!(
                    (laid_out.fallback, (laid_out.least, laid_out.most)),
                    (declared.default, declared.bounds())
                );
                let Values::Words(words) = declared.values else {
                    assert!(laid_out.words.is_null());
                    continue;
                };
                // SAFETY: the list has an element for every word, and a NULL.
                let list = unsafe { std::slice::from_raw_parts(laid_out.words, words.len() + 1) };
                let (last, list) = list.split_last().expect("NULL at least");
                assert!(last.is_null() && list.iter().map(|word| read(*word)).eq(words.iter().copied()));
            }
        }
    }
}

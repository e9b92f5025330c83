//! The functions of `petteia.h` keep the conventions of its opening comment, in any order, with any arguments: no call
//! panics, a failed one writes nothing and has a message, and buffers of every size are filled as promised.

// The caller of C functions.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_uint, c_void};
use std::fmt::Debug;
use std::ptr::{null, null_mut};

use arbitrary::Result;
use petteia::any::{AnyPosition, Game};
use petteia::capi::status::petteia_status::*;
use petteia::capi::status::{petteia_last_error, petteia_status, petteia_status_message};
use petteia::capi::{analysis::*, bot::*, breakdown_position::*, contest::*, counting::*, game::*, moves::*};
use petteia::capi::{position::*, quarto::*, record::*, reversi::*, selfplay::*, solve::*, tictac::*};
use petteia::capi::{tree::*, vector::*};
use petteia::prelude::*;
use petteia::with_position;

use super::{Bytes, number, position, with_bytes};

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| {
        let mut handles = Handles::default();
        while !bytes.is_empty() {
            handles.act(bytes)?;
        }
        Ok(())
    });
}

/// What a program holds, NULL at first.
struct Handles {
    positions: [*mut petteia_position; 3],
    vector: *mut petteia_vector,
    myopic: *mut petteia_quarto_myopic,
    evaluator: *mut petteia_tictac_evaluator,
}

impl Default for Handles {
    fn default() -> Self {
        Handles { positions: [null_mut(); 3], vector: null_mut(), myopic: null_mut(), evaluator: null_mut() }
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: each is NULL or came from the library, and is no longer used.
        unsafe {
            self.positions.iter().for_each(|&position| petteia_position_free(position));
            petteia_vector_free(self.vector);
            petteia_quarto_myopic_free(self.myopic);
            petteia_tictac_evaluator_free(self.evaluator);
        }
    }
}

impl Handles {
    /// Calls one function, or a few related ones.
    fn act(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        match bytes.int_in_range(0..=9)? {
            0 | 1 => self.create(bytes),
            2 | 3 => self.play(bytes),
            4 => self.read(bytes),
            5 => self.count(bytes),
            6 => records(bytes),
            7 => self.step(bytes),
            8 => self.tictac(bytes),
            _ => self.one_game(bytes),
        }
    }

    fn any(&self, bytes: &mut Bytes<'_>) -> Result<*mut petteia_position> {
        bytes.choose(&self.positions).copied()
    }

    /// Creates a position and keeps it in place of another.
    fn create(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let [a, b, c, d] = [number(bytes)?, number(bytes)?, number(bytes)?, number(bytes)?];
        let source = self.any(bytes)?;
        let slot = bytes.choose_index(3)?;
        let created = match bytes.int_in_range(0..=9)? {
            9 => {
                let (dst, before) = (self.positions[slot], mirror(self.positions[slot]));
                // SAFETY: both are NULL or positions.
                let copied = status(unsafe { petteia_position_copy(dst, source) });
                assert_eq!(copied, !dst.is_null() && !source.is_null());
                assert_eq!(mirror(dst), if copied { mirror(source) } else { before });
                None
            }
            0 => {
                let (name, parameters) = (line(bytes)?, line(bytes)?);
                // SAFETY: texts and result are valid.
                result(null_mut(), |out| unsafe {
                    petteia_position_new(name.as_ptr(), parameters.as_ptr(), out)
                })
            }
            1 => {
                let (name, text) = (line(bytes)?, line(bytes)?);
                // SAFETY: texts and result are valid.
                result(null_mut(), |out| unsafe { petteia_position_parse(name.as_ptr(), text.as_ptr(), out) })
            }
            // SAFETY: position and result are valid.
            2 => result(null_mut(), |out| unsafe { petteia_position_clone(source, out) }),
            // SAFETY: position and result are valid.
            3 => result(null_mut(), |out| unsafe { petteia_position_canonical(source, out) }),
            // SAFETY: the result is valid.
            4 => result(null_mut(), |out| unsafe { petteia_tictac_new(a, out) }),
            // Not a board that takes long.
            5 if u64::from(a) * u64::from(b) > 1 << 12 && a.max(b) < 1 << 28 => None,
            // SAFETY: the result is valid.
            5 => result(null_mut(), |out| unsafe { petteia_breakdown_new(a, b, c, d, out) }),
            6 => {
                let [dark, light] = bytes.arbitrary()?;
                // SAFETY: the result is valid.
                result(null_mut(), |out| unsafe { petteia_reversi_from_tiles(a, b, dark, light, c, out) })
            }
            7 => {
                let any = position(bytes)?;
                let [name, text] =
                    [any.game().to_string(), any.to_string()].map(|text| CString::new(text).expect("no NUL"));
                // SAFETY: texts and result are valid.
                result(null_mut(), |out| unsafe { petteia_position_parse(name.as_ptr(), text.as_ptr(), out) })
            }
            // SAFETY: the result is valid.
            _ => result(null_mut(), |out| unsafe { petteia_quarto_new(out) }),
        };
        if let Some(created) = created {
            // SAFETY: NULL or a position of the library, replaced here.
            unsafe { petteia_position_free(self.positions[slot]) };
            self.positions[slot] = created;
        }
        Ok(())
    }

    /// Plays a move, legal or not, as the core does.
    fn play(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let position = self.any(bytes)?;
        let (action, notation) = (number(bytes)?, line(bytes)?);
        let mut core = mirror(position);
        // SAFETY: the position is NULL or valid, and so are the texts.
        unsafe {
            if bytes.arbitrary()? {
                // The n-th legal move rather than any number, which is hardly ever legal.
                let legal =
                    array(bytes, |out, cap, len| petteia_position_legal_actions(position, out, cap, len))?;
                let action = match legal.as_deref() {
                    Some(legal @ [_, ..]) => legal[action as usize % legal.len()],
                    _ => action,
                };
                text(bytes, |out, cap, len| petteia_position_notation(position, action, out, cap, len))?;
                let legal = result(false, |out| petteia_position_is_legal(position, action, out));
                let played = status(petteia_position_play(position, action));
                assert_eq!(legal.unwrap_or(false), played);
                let expected = core.as_mut().is_some_and(|core| {
                    with_position!(core, core => {
                        core.move_of(action as usize).is_some_and(|m| core.play(m).is_ok())
                    })
                });
                assert_eq!(played, expected);
            } else {
                let played = status(petteia_position_play_notation(position, notation.as_ptr()));
                let given = notation.to_str().unwrap_or("\u{fffd}");
                let expected = core.as_mut().is_some_and(|core| {
                    with_position!(core, core => {
                        given.parse().is_ok_and(|m| core.play(m).is_ok())
                    })
                });
                assert_eq!(played, expected);
                result(7, |out| petteia_position_action(position, notation.as_ptr(), out));
            }
        }
        assert_eq!(mirror(position), core);
        Ok(())
    }

    /// Reads everything there is to know about a position.
    fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let (position, other) = (self.any(bytes)?, self.any(bytes)?);
        let (player, name) = (number(bytes)?, line(bytes)?);
        // SAFETY: the positions are NULL or valid, and so are the texts and results.
        unsafe {
            text(bytes, |out, cap, len| petteia_position_drawing(position, out, cap, len))?;
            text(bytes, |out, cap, len| petteia_position_svg(position, out, cap, len))?;
            text(bytes, |out, cap, len| petteia_position_player_name(position, player, out, cap, len))?;
            text(bytes, |out, cap, len| petteia_position_parameters(position, out, cap, len))?;
            result(7, |out| petteia_position_parameter(position, name.as_ptr(), out));
            result(7, |out| petteia_position_num_actions(position, out));
            let over = result(false, |out| petteia_position_is_over(position, out));
            let game = result(7, |out| petteia_position_game(position, out));
            let core = mirror(position);
            assert_eq!(over, core.as_ref().map(|core| with_position!(core, core => core.is_over())));
            assert_eq!(game, core.as_ref().map(|core| core.game() as c_uint));
            let equal = result(false, |out| petteia_position_equal(position, other, out));
            assert_eq!(equal, core.zip(mirror(other)).map(|(core, other)| core == other));
            let [hash, second] = [position, other].map(|it| result(7, |out| petteia_position_hash(it, out)));
            assert!(equal != Some(true) || hash == second);
            let [key, second] =
                [position, other].map(|it| result([7_u64; 2], |out| petteia_position_key(it, out.cast())));
            assert!(key.is_none() || equal != Some(true) || key == second);
            let cells = array(bytes, |out, cap, len| petteia_position_cells(position, out, cap, len))?;
            assert_eq!(cells.is_some(), game.is_some());
            // Games and their parameters, which exist or not.
            text(bytes, |out, cap, len| petteia_game_name(player, out, cap, len))?;
            result(7, |out| petteia_game_from_name(name.as_ptr(), out));
            let count = result(7, |out| petteia_game_parameter_count(player, out)).unwrap_or(0);
            let index = number(bytes)? as usize;
            let mut parameter = std::mem::MaybeUninit::uninit();
            assert_eq!(status(petteia_game_parameter(player, index, parameter.as_mut_ptr())), index < count);
            assert!(!petteia_status_message(player).is_null());
        }
        Ok(())
    }

    /// Counts, plays out and solves, within limits.
    fn count(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let position = self.any(bytes)?;
        let large =
            mirror(position).is_some_and(|core| with_position!(core, core => core.num_actions() > 64));
        let (depth, seed) = (bytes.int_in_range(0..=2)?, bytes.arbitrary::<u8>()?.into());
        let mut options = filled(petteia_solve_options_defaults);
        options.size = *bytes.choose(&[options.size, options.size, options.size, 0, 12, 1 << 20])?;
        options.node_limit = bytes.int_in_range(1..=200)?;
        options.time_limit = *bytes.choose(&[0.0, 10.0, -1.0, f64::NAN, f64::INFINITY])?;
        options.table_bytes = bytes.int_in_range(1..=1 << 14)?;
        options.one_best = bytes.arbitrary()?;
        options.empties_to_winner = bytes.arbitrary()?;
        // SAFETY: the position is NULL or valid, and so are the options and results.
        unsafe {
            let count = result(7, |out| petteia_position_perft(position, depth, null(), out));
            let counting = petteia_perft_options {
                table_bytes: options.table_bytes,
                ..filled(petteia_perft_options_defaults)
            };
            let again = result(7, |out| petteia_position_perft(position, depth, &counting, out));
            assert_eq!(count, again);
            let games = if large { 1 } else { 3 };
            let mut tally = petteia_tally { first_wins: 0, second_wins: 0, draws: 0, plies: 0 };
            let playing = petteia_playouts_options {
                first: bytes.arbitrary()?,
                seed,
                ..filled(petteia_playouts_options_defaults)
            };
            if status(petteia_position_playouts(position, games, &playing, &mut tally)) {
                assert_eq!(tally.first_wins + tally.second_wins + tally.draws, games);
            }
            let solved = result(null_mut(), |out| petteia_solve(position, &options, out));
            let solution = solved.unwrap_or(null_mut());
            let best = array(bytes, |out, cap, len| petteia_solution_best_actions(solution, out, cap, len))?;
            array(bytes, |out, cap, len| petteia_solution_line(solution, out, cap, len))?;
            let legal =
                array(bytes, |out, cap, len| petteia_position_legal_actions(position, out, cap, len))?;
            assert!(best.iter().flatten().all(|action| legal.iter().flatten().any(|legal| legal == action)));
            petteia_solution_free(solution);
            think(position, &options, seed, &legal.unwrap_or_default());
        }
        Ok(())
    }

    /// Steps a vector with arrays of exactly its size.
    fn step(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let position = self.any(bytes)?;
        let [lane, illegal] = [number(bytes)?, number(bytes)?];
        let seed = bytes.arbitrary::<u8>()?.into();
        let lanes = bytes.int_in_range(0..=3)?;
        // SAFETY: handles are NULL or valid, and the arrays have the promised sizes.
        unsafe {
            if self.vector.is_null() || bytes.ratio(1, 4)? {
                let made =
                    result(null_mut(), |out| petteia_vector_new(position, lanes, seed, 1, illegal, out));
                if let Some(made) = made {
                    petteia_vector_free(self.vector);
                    self.vector = made;
                }
            }
            let mut sizes =
                petteia_vector_sizes { num_envs: 0, planes: 0, rows: 0, columns: 0, num_actions: 0 };
            status(petteia_vector_get_sizes(self.vector, &mut sizes));
            let lanes = sizes.num_envs;
            let mut observations = vec![9; lanes * sizes.planes * sizes.rows * sizes.columns];
            let mut action_mask = vec![9; lanes * sizes.num_actions];
            let (mut turns, mut rewards, mut terminated) =
                (vec![9; lanes], vec![9.0; 2 * lanes], vec![9; lanes]);
            let arrays = petteia_vector_arrays {
                observations: observations.as_mut_ptr(),
                action_mask: action_mask.as_mut_ptr(),
                turns: turns.as_mut_ptr(),
                rewards: rewards.as_mut_ptr(),
                terminated: if bytes.ratio(1, 16)? { null_mut() } else { terminated.as_mut_ptr() },
            };
            let mut actions = vec![0; lanes];
            for action in &mut actions {
                *action = bytes.arbitrary::<i8>()?.into();
            }
            match bytes.int_in_range(0..=5)? {
                0 => status(petteia_vector_step(self.vector, actions.as_ptr(), &arrays)),
                1 => {
                    status(petteia_vector_random_actions(self.vector, actions.as_mut_ptr()))
                        && status(petteia_vector_step(self.vector, actions.as_ptr(), &arrays))
                }
                2 => {
                    let mut tally = petteia_tally { first_wins: 0, second_wins: 0, draws: 0, plies: 0 };
                    status(petteia_vector_rollout(self.vector, 3, &arrays, &mut tally))
                }
                3 => status(petteia_vector_set_position(self.vector, lane as usize, position)),
                4 => status(petteia_vector_seed(self.vector, seed)),
                _ => status(petteia_vector_reset(self.vector, &arrays)),
            };
            if status(petteia_vector_show(self.vector, &arrays)) {
                assert!(observations.iter().chain(&action_mask).chain(&terminated).all(|&byte| byte <= 1));
                assert!(turns.iter().all(|turn| (-1..=1).contains(turn)));
            }
            let copy = result(null_mut(), |out| petteia_vector_position(self.vector, lane as usize, out));
            petteia_position_free(copy.unwrap_or(null_mut()));
        }
        Ok(())
    }

    /// The document's functions of TicTac.
    fn tictac(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let position = self.any(bytes)?;
        let [a, b, c] = [number(bytes)?, number(bytes)?, number(bytes)?];
        let size = bytes.arbitrary_len::<u8>()?.min(80);
        let record = bytes.bytes(size)?;
        let start = if size == 0 { null() } else { record.as_ptr().cast() };
        // SAFETY: handles are NULL or valid, and so are the bytes and results.
        unsafe {
            let m = petteia_tictac_move { number: a, player: b, square: c };
            if let Some(line) = text(bytes, |out, cap, len| petteia_tictac_format_move(&m, out, cap, len))? {
                let mut read = petteia_tictac_move { number: 0, player: 0, square: 0 };
                assert!(status(petteia_tictac_parse_move(line.as_ptr().cast(), line.len(), &mut read)));
                assert_eq!((read.number, read.player, read.square), (a, b, c));
            }
            let mut read = petteia_tictac_move { number: 99, player: 99, square: 99 };
            let parsed = status(petteia_tictac_parse_move(start, size, &mut read));
            assert_eq!(parsed, read.number != 99);
            text(bytes, |out, cap, len| petteia_tictac_verdict_line(a, out, cap, len))?;
            result(7, |out| petteia_tictac_exit_code(a, out));
            let mut owner = petteia_player::PETTEIA_NOBODY;
            status(petteia_tictac_get(position, a, &mut owner));
            let mut verdict = petteia_tictac_verdict::PETTEIA_TICTAC_NEW_GAME;
            assert!(status(petteia_tictac_evaluate(start, size, &mut verdict)));
            if self.evaluator.is_null() {
                self.evaluator = result(null_mut(), |out| petteia_tictac_evaluator_new(out)).expect("memory");
            }
            let mut pushed = petteia_tictac_verdict::PETTEIA_TICTAC_NEW_GAME;
            assert!(status(petteia_tictac_evaluator_push(self.evaluator, start, size)));
            assert!(status(petteia_tictac_evaluator_verdict(self.evaluator, &mut pushed)));
            let decided = result(false, |out| petteia_tictac_evaluator_is_decided(self.evaluator, out));
            assert!(decided == Some(false) || pushed as u32 >= 6);
        }
        Ok(())
    }

    /// The document's functions of the other games, mostly with a position of the wrong one.
    fn one_game(&mut self, bytes: &mut Bytes<'_>) -> Result<()> {
        let position = self.any(bytes)?;
        let [a, b, c, d] = [number(bytes)?, number(bytes)?, number(bytes)?, number(bytes)?];
        let (set, word) = (bytes.arbitrary::<u64>()?, line(bytes)?);
        let mut owner = petteia_player::PETTEIA_NOBODY;
        let word = word.as_ptr();
        // SAFETY: handles are NULL or valid, and so are the texts and results.
        unsafe {
            status(petteia_breakdown_get(position, a, b, &mut owner));
            status(petteia_reversi_get(position, a, b, &mut owner));
            let (mut width, mut height) = (0, 0);
            status(petteia_reversi_size(position, &mut width, &mut height));
            let tiles = result(7, |out| petteia_reversi_tiles(position, a, out));
            let count = result(7, |out| petteia_reversi_count(position, a, out));
            assert_eq!(tiles.map(u64::count_ones), count);
            let legal = result(7, |out| petteia_reversi_legal(position, out));
            let gained = result(7, |out| petteia_reversi_find_move(position, a, b, out));
            let played = status(petteia_reversi_play_move(position, a, b));
            assert_eq!(played, gained.is_some_and(|gained| gained != 0));
            assert!(!played || legal.is_some_and(|legal| legal >> (8 * b + a) & 1 == 1));
            let board = result(7, |out| petteia_reversi_all_positions(a, b, out));
            let (own, opponent) =
                (set & board.unwrap_or(!0), !set & board.unwrap_or(!0) & bytes.arbitrary::<u64>()?);
            let moves = petteia_reversi_moves(own, opponent, a, b);
            assert!(board.is_some() || moves == 0);
            for square in 0..64 {
                let flips = petteia_reversi_flips(square, own, opponent);
                let on_board = board.is_some_and(|board| board >> square & 1 == 1);
                assert_eq!(moves >> square & 1 == 1, on_board && flips != 0);
            }
            result(7, |out| petteia_reversi_center_positions(a, b, out));
            let squares = text(bytes, |out, cap, len| petteia_reversi_set_text(set, out, cap, len))?;
            assert_eq!(squares.map(|text| text.matches('{').count() as u32), Some(1 + set.count_ones()));
            text(bytes, |out, cap, len| petteia_reversi_move_text(a, b, set, out, cap, len))?;

            result(7, |out| petteia_quarto_piece(a, b, c, d, out));
            text(bytes, |out, cap, len| petteia_quarto_piece_code(a, out, cap, len))?;
            text(bytes, |out, cap, len| petteia_quarto_square_name(a, out, cap, len))?;
            result(7, |out| petteia_quarto_parse_piece(word, out));
            result(7, |out| petteia_quarto_parse_square(word, out));
            result(false, |out| petteia_quarto_is_on_first_diagonal(a, out));
            result(false, |out| petteia_quarto_is_on_second_diagonal(a, out));
            result(7, |out| petteia_quarto_unused_piece(position, word, out));
            result(7, |out| petteia_quarto_empty_square(position, word, out));
            result(77, |out| petteia_quarto_get(position, a, out));
            result(77, |out| petteia_quarto_hand(position, out));
            result(7, |out| petteia_quarto_unused_pieces(position, out));
            let empty = result(7, |out| petteia_quarto_empty_squares(position, out));
            result(false, |out| petteia_quarto_is_winning(position, a, b, out));
            let winning = result(7, |out| petteia_quarto_winning_squares(position, a, out)).unwrap_or(0);
            assert_eq!(winning & !empty.unwrap_or(0), 0);
            result(7, |out| petteia_quarto_bad_pieces(position, out));
            text(bytes, |out, cap, len| petteia_quarto_pool_drawing(position, out, cap, len))?;
            if self.myopic.is_null() {
                self.myopic = result(null_mut(), |out| petteia_quarto_myopic_new(a, out)).expect("memory");
            }
            result(77, |out| petteia_quarto_myopic_select_piece(self.myopic, position, out));
            result(77, |out| petteia_quarto_myopic_select_square(self.myopic, position, a, out));
        }
        Ok(())
    }
}

/// Reads a record, and writes it back.
fn records(bytes: &mut Bytes<'_>) -> Result<()> {
    let line = line(bytes)?;
    let digits = |c: char| c.is_ascii_digit();
    // Large boards take long.
    if line.to_string_lossy().split(|c| !digits(c)).any(|word| word.len() > 2) {
        return Ok(());
    }
    // SAFETY: the text and all results are valid, and both positions are freed.
    unsafe {
        let start = result(null_mut(), |out| petteia_record_start(line.as_ptr(), out));
        let last = result(null_mut(), |out| petteia_record_last(line.as_ptr(), out));
        let actions = array(bytes, |out, cap, len| petteia_record_actions(line.as_ptr(), out, cap, len))?;
        assert_eq!((start.is_some(), last.is_some()), (actions.is_some(), actions.is_some()));
        if let (Some(start), Some(last), Some(actions)) = (start, last, actions) {
            let (first, count) = (actions.as_ptr(), actions.len());
            let written =
                text(bytes, |out, cap, len| petteia_record_format(start, first, count, out, cap, len))?;
            // Headers, a newline, and a start that goes without saying are left out.
            let read = line.to_str().expect("it has been read");
            let written = written.expect("what was read can be written");
            assert!(
                written == read || read.starts_with('[') || read.ends_with('\n') || read.contains(" from ")
            );
            petteia_position_free(start);
            petteia_position_free(last);
        }
    }
    Ok(())
}

/// Texts that some functions take.
const WORDS: [&str; 16] = [
    "",
    "tictac",
    "breakdown",
    "reversi",
    "quarto",
    "X",
    "4 5 2 2",
    "8 8",
    "width",
    "SBCH",
    "B2",
    "|0",
    "d3",
    "breakdown 4 5 2 2: |0 -2 !",
    "reversi 4 4: b2 b3 c2 c3",
    "quarto: SBCH A1 TEQO",
];

/// Returns one of these, or any text without NUL, UTF-8 or not.
fn line(bytes: &mut Bytes<'_>) -> Result<CString> {
    match bytes.arbitrary::<u8>()? {
        place @ 0..=63 => Ok(CString::new(WORDS[usize::from(place) % WORDS.len()]).expect("no NUL")),
        length => {
            let some = bytes.bytes(usize::from(length - 64).min(bytes.len()))?;
            Ok(CString::new(some.split(|byte| *byte == 0).next().unwrap_or_default()).expect("no NUL"))
        }
    }
}

/// Returns the core's position with the text of one of C's.
fn mirror(position: *const petteia_position) -> Option<AnyPosition> {
    let (mut game, mut len) = (0, 0);
    // SAFETY: the position is NULL or valid, and the buffer has the size that it is said to have.
    let text = unsafe {
        if petteia_position_game(position, &mut game) != PETTEIA_OK {
            return None;
        }
        assert_eq!(petteia_position_text(position, null_mut(), 0, &mut len), PETTEIA_OK);
        let mut text = vec![0; len + 1];
        assert_eq!(petteia_position_text(position, text.as_mut_ptr().cast(), len + 1, &mut len), PETTEIA_OK);
        text
    };
    let text = std::str::from_utf8(&text[..len]).expect("a text is UTF-8");
    Some(AnyPosition::parse(Game::ALL[game as usize], text).expect("a text is that of a position"))
}

/// Estimates, analyses and lets a player choose, with the limits of a solver.
///
/// # Safety
///
/// The position is NULL or valid.
unsafe fn think(position: *const petteia_position, given: &petteia_solve_options, seed: u64, legal: &[u32]) {
    let estimate = petteia_estimate { win: 7.0, draw: 7.0, loss: 7.0, difference: 7.0, has_difference: 7 };
    let options = petteia_analysis_options {
        node_limit: given.node_limit,
        time_limit: given.time_limit,
        depth: given.one_best as u32 % 3,
        lines: 2,
        ..filled(petteia_analysis_options_defaults)
    };
    let actions = [7; PETTEIA_LINE_LENGTH];
    let mut line = petteia_line { estimate, exact: 7, value: 7, length: 7, actions };
    let mut analysis = petteia_analysis { nodes: 7, seconds: 7.0, depth: 7 };
    let choice = petteia_choice { action: 7, exact: 7, value: 7, has_estimate: 7, estimate };
    let names = [c"random", c"myopic", c"mcts:5", c"perfect:50", c"alphabeta:nodes=50", c"level:3"];
    let name = names[seed as usize % names.len()];
    // SAFETY: the position is NULL or valid, and so are the options and results.
    unsafe {
        let looked = result(estimate, |out| petteia_position_evaluate(position, out));
        assert_eq!(looked.is_some(), !legal.is_empty());
        let (before, mut len) = (line, 7);
        if status(petteia_position_analyse(position, &options, &mut line, 1, &mut len, &mut analysis)) {
            assert!(len >= 1 && len <= legal.len().min(2) && legal.contains(&line.actions[0]));
        } else {
            assert_eq!((line, len, analysis.nodes), (before, 7, 7));
        }
        let bot = result(null_mut(), |out| petteia_bot_new(name.as_ptr(), seed, out)).expect("a player");
        let chosen = result(choice, |out| petteia_bot_choose(bot, position, null(), out));
        assert_eq!(chosen.map(|choice| legal.contains(&choice.action)), looked.map(|_| true));
        petteia_bot_free(bot);
        let searching = petteia_mcts_options {
            simulations: given.node_limit.min(20),
            time_limit: given.time_limit,
            ..filled(petteia_mcts_options_defaults)
        };
        let branch = petteia_branch { action: 7, exact: 7, visits: 7, value: 7.0 };
        let (mut first, mut tree, mut len) = (branch, petteia_tree { best: branch, simulations: 7 }, 7);
        if status(petteia_position_mcts(position, &searching, &mut first, 1, &mut len, &mut tree)) {
            assert_eq!((len, first.action), (legal.len(), legal[0]));
            assert!(legal.contains(&tree.best.action) && tree.simulations <= 20);
        } else {
            assert_eq!((first, len, tree.simulations), (branch, 7, 7));
        }
        // Games of a few moves.
        let playing = petteia_match_options { max_plies: 3, ..filled(petteia_match_options_defaults) };
        let none = petteia_score { as_first: [7; 3], as_second: [7; 3] };
        let score =
            result(none, |out| petteia_match(name.as_ptr(), c"random".as_ptr(), position, 2, &playing, out));
        assert!(score.is_none_or(|score| score.as_first.iter().chain(&score.as_second).sum::<u64>() == 2));
        let playing =
            petteia_selfplay_options { max_plies: 3, seed, ..filled(petteia_selfplay_options_defaults) };
        let mut received = 0_u64;
        let user = (&raw mut received).cast();
        let played = status(petteia_selfplay(name.as_ptr(), position, 2, &playing, Some(receive), user));
        // Where the game is over there is nothing to play.
        let can_be_played = !position.is_null() && !legal.is_empty();
        assert_eq!((played, received), (can_be_played, if can_be_played { 2 } else { 0 }));
    }
}

/// Counts the games of self-play.
///
/// # Safety
///
/// `user` points to the number, and `game` is a game.
unsafe extern "C" fn receive(game: *const petteia_played_game, user: *mut c_void) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        assert!((*game).number == *user.cast::<u64>() && (*game).plies <= 3);
        *user.cast::<u64>() += 1;
    }
    false
}

/// Returns options with their defaults.
fn filled<O>(fill: unsafe extern "C" fn(*mut O, usize) -> petteia_status) -> O {
    let mut options = std::mem::MaybeUninit::uninit();
    // SAFETY: there is room for the options, which the call fills.
    unsafe {
        assert_eq!(fill(options.as_mut_ptr(), size_of::<O>()), PETTEIA_OK);
        options.assume_init()
    }
}

/// Returns whether a call succeeded. A failed one has a message, and none panics.
fn status(status: petteia_status) -> bool {
    if status == PETTEIA_OK {
        return true;
    }
    assert_ne!(status, PETTEIA_PANIC);
    let mut len = 0;
    // SAFETY: only the length is asked for.
    assert_eq!(unsafe { petteia_last_error(null_mut(), 0, &mut len) }, PETTEIA_OK);
    assert!(len > 0);
    false
}

/// Calls a function with a place for its result, which a failed call leaves alone; with none, the call fails.
fn result<T: Copy + PartialEq + Debug>(before: T, call: impl Fn(*mut T) -> petteia_status) -> Option<T> {
    assert!(!status(call(null_mut())));
    let mut place = before;
    if status(call(&mut place)) {
        return Some(place);
    }
    assert_eq!(place, before);
    None
}

/// Calls a function that writes an array: for its length, for all of it, and for part of it.
fn array<T: Copy + Default + PartialEq + Debug>(
    bytes: &mut Bytes<'_>,
    call: impl Fn(*mut T, usize, *mut usize) -> petteia_status,
) -> Result<Option<Vec<T>>> {
    let mut len = usize::MAX;
    assert!(!status(call(null_mut(), 1, &mut len)));
    if !status(call(null_mut(), 0, &mut len)) {
        assert_eq!(len, usize::MAX);
        return Ok(None);
    }
    let mut whole = vec![T::default(); len];
    assert!(status(call(whole.as_mut_ptr(), len, &mut len)));
    let cap = bytes.int_in_range(0..=len)?;
    let mut part = vec![T::default(); cap];
    let mut again = 0;
    assert!(status(call(part.as_mut_ptr(), cap, &mut again)));
    assert_eq!((again, &part[..]), (len, &whole[..cap]));
    Ok(Some(whole))
}

/// Calls a function that writes a text: for its length, for all of it, and for part of it.
fn text(
    bytes: &mut Bytes<'_>,
    call: impl Fn(*mut c_char, usize, *mut usize) -> petteia_status,
) -> Result<Option<String>> {
    let mut len = usize::MAX;
    assert!(!status(call(null_mut(), 1, &mut len)));
    if !status(call(null_mut(), 0, &mut len)) {
        assert_eq!(len, usize::MAX);
        return Ok(None);
    }
    let filled = |cap: usize| {
        let (mut buf, mut again) = (vec![1_u8; cap], 0);
        assert!(status(call(buf.as_mut_ptr().cast(), cap, &mut again)));
        assert_eq!(again, len);
        let end = buf.iter().position(|byte| *byte == 0);
        end.map(|end| String::from_utf8(buf[..end].to_vec()).expect("a text is UTF-8, cut or not"))
    };
    let whole = filled(len + 1).expect("a text ends with NUL");
    let cap = bytes.int_in_range(0..=len + 1)?;
    let part = filled(cap);
    assert_eq!(part.is_some(), cap > 0);
    // A character that does not fit is left out.
    assert!(part.is_none_or(|part| whole.starts_with(&part) && part.len() + 4 >= cap.min(len)));
    Ok(Some(whole))
}

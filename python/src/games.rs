//! The four positions.

use petteia::any::{AnyPosition, Game};
use petteia::tictac::Mark;
use petteia::with_position;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::Integer::{self, Small};
use crate::arguments::{Given, number_in, size, type_error};
use crate::errors::OrRaise;
use crate::position::{Class, Wrap, position_class};

position_class! {
    /// A position of TicTac: tic-tac-toe, in which either player may begin.
    ///
    /// Squares are written row first: B2 is the middle. Actions are 0 to 8, row by row.
    ///
    /// >>> game = petteia.TicTac().play("B2").play("A1")
    /// >>> game.text
    /// 'O__/_X_/___ X'
    /// >>> print(game)
    ///    1   2   3
    /// A  O |   |
    ///   ---+---+---
    /// B    | X |
    ///   ---+---+---
    /// C    |   |
    /// <BLANKLINE>
    ///
    /// An observation has two planes of 3 by 3.
    TicTac {
        #[new]
        #[pyo3(signature = (first=Given(None)), text_signature = "(first='X')")]
        fn new(first: Given<'_>) -> PyResult<Self> {
            let first = first.text_or("X")?.parse::<Mark>().or_raise()?;
            Ok(TicTac(petteia::TicTac::new(first)))
        }

        /// The mark of the player who began, X or O.
        #[getter]
        fn first(&self) -> &'static str {
            self.0.marks()[0].name()
        }

        /// The squares of the lines that won, as (row, column), row by row; empty if nobody has won.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_squares().map(|square| (square.row(), square.column())).collect()
        }
    }
}

position_class! {
    /// A position of Breakdown: sticks dropped into an upright board, and squares of one colour that win.
    ///
    /// |4 drops a stick upright into column 4, -B a lying one with its left end in column 11, ! breaks all sticks down.
    /// Columns are 0-9, A-Z, a-z, then numbers from 62. Actions are upright by column, lying by column, then !.
    ///
    /// >>> petteia.Breakdown().play("|0").play("-2").text
    /// '..../..../..../*.../*.oo b 2 2'
    ///
    /// An observation has two planes of height by width.
    Breakdown {
        #[new]
        #[pyo3(signature = (width=Small(4), height=Small(5), stick=Small(2), square=Small(2)))]
        #[pyo3(text_signature = "(width=4, height=5, stick=2, square=2)")]
        fn new(width: Integer, height: Integer, stick: Integer, square: Integer) -> PyResult<Self> {
            let (width, height) = (size("width", width)?, size("height", height)?);
            let (stick, square) = (size("stick", stick)?, size("square", square)?);
            Ok(Breakdown(petteia::Breakdown::new(width, height, stick, square).or_raise()?))
        }

        /// The number of columns.
        #[getter]
        fn width(&self) -> u32 {
            self.0.width()
        }

        /// The number of rows.
        #[getter]
        fn height(&self) -> u32 {
            self.0.height()
        }

        /// The length of a stick.
        #[getter]
        fn stick(&self) -> u32 {
            self.0.stick()
        }

        /// The side of the square that wins.
        #[getter]
        fn square(&self) -> u32 {
            self.0.square()
        }

        /// The cells of the squares that are complete, as (row, column), row by row; empty if there are none.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_cells().into_iter().map(|pos| (pos.r as usize, pos.c as usize)).collect()
        }
    }
}

position_class! {
    /// A position of Reversi on a board of 2 to 8 by 2 to 8 squares, with its opening phase on the four centre squares.
    ///
    /// Squares are written column first: d3 is column 3, row 2. Actions go row by row. Who cannot move is skipped.
    ///
    /// >>> game = petteia.Reversi(4, 4)
    /// >>> for square in ["b2", "c2", "c3", "b3"]:
    /// ...     game = game.play(square)
    /// >>> print(game, end="")
    /// ____
    /// _DL_
    /// _LD_
    /// ____
    /// >>> game.moves
    /// ['c1', 'd2', 'a3', 'b4']
    ///
    /// An observation has two planes of height by width.
    Reversi {
        #[new]
        #[pyo3(signature = (width=Small(8), height=Small(8)), text_signature = "(width=8, height=8)")]
        fn new(width: Integer, height: Integer) -> PyResult<Self> {
            let side = |what, given| number_in(what, given, 2..=8).map(|side| side as usize);
            let (width, height) = (side("width", width)?, side("height", height)?);
            Ok(Reversi(petteia::Reversi::new(width, height).or_raise()?))
        }

        /// The number of columns.
        #[getter]
        fn width(&self) -> usize {
            self.0.width()
        }

        /// The number of rows.
        #[getter]
        fn height(&self) -> usize {
            self.0.height()
        }
    }
}

position_class! {
    /// A position of Quarto, in which the opponent selects the piece that you place.
    ///
    /// A ply selects a piece by its code (action 0 for SBCH to 15 for TEQO) or places it on a square, row first (action
    /// 16 for A1 to 31 for D4). Player 1 selects first; who places selects next.
    ///
    /// >>> game = petteia.Quarto().play("SBCH").play("A1").play("TEQO")
    /// >>> game.text
    /// '0.../..../..../.... f 1'
    /// >>> game.hand
    /// 'TEQO'
    ///
    /// An observation has ten planes of 4 by 4: occupied, tall, sepia, square, solid, then the same five of the piece in
    /// hand, each all over its plane. In the array an empty square is -1, a piece its number.
    Quarto {
        #[new]
        fn new() -> Self {
            Quarto(petteia::Quarto::new())
        }

        /// The code of the piece that was selected and is to be placed, or None.
        #[getter]
        fn hand(&self) -> Option<String> {
            self.0.hand().map(|piece| piece.to_string())
        }

        /// The squares of the lines that won, as (row, column), row by row; empty if nobody has won.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_squares().map(|square| (square.v() as usize, square.h() as usize)).collect()
        }
    }
}

/// Reads a position of any game.
pub fn any_position(given: &Bound<'_, PyAny>) -> PyResult<AnyPosition> {
    let games = [any::<TicTac>, any::<Breakdown>, any::<Reversi>, any::<Quarto>];
    let position = games.iter().find_map(|read| read(given));
    position.ok_or_else(|| type_error("a position of petteia", given))
}

fn any<C: Class>(given: &Bound<'_, PyAny>) -> Option<AnyPosition>
where
    AnyPosition: From<C::Position>,
{
    given.cast::<C>().ok().map(|position| position.get().position().clone().into())
}

/// Returns the position that a game starts from, made by its class.
pub fn start(py: Python<'_>, game: Game, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<AnyPosition> {
    let class = match game {
        Game::TicTac => py.get_type::<TicTac>(),
        Game::Breakdown => py.get_type::<Breakdown>(),
        Game::Reversi => py.get_type::<Reversi>(),
        Game::Quarto => py.get_type::<Quarto>(),
    };
    any_position(&class.call((), parameters)?)
}

/// Returns a position of any game as its class.
pub fn wrap(py: Python<'_>, position: AnyPosition) -> PyResult<Py<PyAny>> {
    with_position!(position, position => Wrap::wrap(position, py))
}

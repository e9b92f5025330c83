//! The Python bindings: the extension module `petteia._petteia`, which the package in python/petteia re-exports.
//!
//! `position` binds the positions of all games at once, through the core's traits; `own` turns a Python object into a
//! position. Each game has a file with its class and its document's types. Long calls go through `work`, which
//! releases the GIL and checks for signals.

mod analysis;
mod arguments;
mod arrays;
mod breakdown;
mod command;
mod enums;
mod errors;
mod evaluator;
mod fork;
mod games;
mod outcome;
mod own;
mod perft;
mod playouts;
mod position;
mod quarto;
mod record;
mod reversi;
mod search;
mod selfplay;
mod starts;
mod tictac;
mod vector;
mod work;

/// The class of each game's positions.
mod classes {
    pub use crate::breakdown::Breakdown;
    pub use crate::quarto::Quarto;
    pub use crate::reversi::Reversi;
    pub use crate::tictac::TicTac;
}

/// The engines behind petteia's Python package; import petteia instead.
#[pyo3::pymodule(gil_used = false)]
mod _petteia {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        analysis::{
            Memory, alphabeta_name, analyse, analysis_text, bot_choose, bot_name, bot_names, estimate,
            estimate_text, explain, level_name,
        },
        arguments::{count_threads, whole},
        command::{command, is_document_name},
        errors::{IllegalMove, InvalidMove, ParseError},
        evaluator::{most_leaves, play_batched, puct, search_options},
        games::{declarations, longest_game},
        outcome::Outcome,
        own::after,
        perft::perft,
        playouts::{Tally, playouts},
        quarto::{MyopicChoice, quarto_board_text, quarto_is_winning, quarto_pool_text},
        record::Record,
        search::{contest, max_score, mcts, score, solve},
        selfplay::Selfplay,
        starts::{check_starts, drawn_start, starts},
        tictac::{evaluate, evaluate_many, parse_move},
        vector::VectorEnv,
        work::{Stop, check_stop},
    };

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        crate::errors::add_fields(py)?;
        crate::fork::register(module)?;
        macro_rules! add_classes {
            ([$($game:ident)*]) => {
                $(module.add(stringify!($game), py.get_type::<crate::classes::$game>())?;)*
            };
        }
        petteia::games!([add_classes]);
        // The documents share class names; here each is prefixed with its game.
        module.add("TicTacMove", py.get_type::<crate::tictac::Move>())?;
        module.add("BreakdownBoard", py.get_type::<crate::breakdown::Board>())?;
        module.add("BreakdownGame", py.get_type::<crate::breakdown::Game>())?;
        module.add("ReversiBoard", py.get_type::<crate::reversi::Board>())?;
        module.add("ReversiModel", py.get_type::<crate::reversi::Model>())?;
        module.add("ReversiMove", py.get_type::<crate::reversi::Move>())?;
        module.add("PositionSet", py.get_type::<crate::reversi::PositionSet>())
    }
}

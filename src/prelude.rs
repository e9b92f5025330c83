//! What nearly every program needs: the traits, so that their methods can be called, and the types that all games
//! share.
//!
//! ```
//! use petteia::prelude::*;
//! ```

pub use crate::engine::Engine;
pub use crate::moves::Moves;
pub use crate::observe::Observe;
pub use crate::parameters::Declared;
pub use crate::position::{Actions, Outcome, Player, Position, Symmetry};
pub use crate::svg::Draw;

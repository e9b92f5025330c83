//! Counts the full Quarto boards that are a draw: `cargo run --release --example drawn_boards`.

use std::time::Instant;

use petteia::quarto::drawn_boards;

fn main() {
    let start = Instant::now();
    println!("{} drawn boards, {:.3} s", drawn_boards(), start.elapsed().as_secs_f64());
}

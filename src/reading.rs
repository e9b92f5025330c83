//! Reading from streams piece by piece.

use std::io::{self, BufRead, ErrorKind};

/// Waits for more bytes and hands them to `use_some`, which tells how many it used up and what it made of them.
///
/// There are none at the end of the input. A signal that interrupts the wait is no error.
pub(crate) fn take<T>(
    input: &mut (impl BufRead + ?Sized),
    use_some: impl FnOnce(&[u8]) -> (usize, T),
) -> io::Result<T> {
    loop {
        match input.fill_buf() {
            Ok(bytes) => {
                let (used, result) = use_some(bytes);
                input.consume(used);
                return Ok(result);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

//! Incremental reading from streams.

use std::io::{self, BufRead, ErrorKind};

/// Waits for more bytes and passes them to `use_some`, which returns how many it consumed and its result.
///
/// At the end of the input there are none. A signal that interrupts the wait is not an error.
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

//! The programs of the documents read any input to its end without a panic, and leave with one of their statuses.

use std::ffi::OsString;

use arbitrary::Result;
use petteia::cli::{Io, run};

use super::{Bytes, number, with_bytes};

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| {
        let arguments = arguments(bytes)?;
        let input = bytes.bytes(bytes.len())?;
        let ran = play(&arguments, input);
        assert!(ran.0 <= 2, "{arguments:?} left with {}", ran.0);
        // What is wrong is said on stderr, and only then.
        let silent = ["move-check", "game-check"].contains(&arguments[0].as_str());
        assert!(silent || (ran.0 == 0) == ran.2.is_empty(), "{arguments:?}: {ran:?}");
        assert_eq!(play(&arguments, input), ran);
        Ok(())
    });
}

/// Returns a program and its arguments, most of them good.
fn arguments(bytes: &mut Bytes<'_>) -> Result<Vec<String>> {
    let mut arguments = vec![];
    match bytes.int_in_range(0..=4)? {
        0 => arguments.push("move-check".into()),
        1 => arguments.push("game-check".into()),
        2 => {
            arguments.push("breakdown".into());
            for option in ["-w", "-h", "-k", "-q"] {
                arguments.push(option.into());
                arguments.push(number(bytes)?.min(99).to_string());
            }
            arguments.push(bytes.choose(&["-m", "-b", "-x"])?.to_string());
        }
        3 => {
            arguments.push("reversi".into());
            for _ in 0..2 {
                arguments.push(number(bytes)?.to_string());
            }
        }
        _ => {
            arguments.push("quarto".into());
            for _ in 0..2 {
                arguments.push(bytes.choose(&["h", "m"])?.to_string());
            }
            arguments.push(number(bytes)?.to_string());
        }
    }
    Ok(arguments)
}

/// Returns the status, the output and the complaints of a program.
fn play(arguments: &[String], input: &[u8]) -> (u8, Vec<u8>, Vec<u8>) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let words = ["petteia"].into_iter().chain(arguments.iter().map(String::as_str)).map(OsString::from);
    let status = run(words, &mut Io::new(input, &mut output, &mut errors));
    (status, output, errors)
}

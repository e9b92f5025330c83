//! Helpers of several tests; none of them uses all.

#![allow(dead_code)]

use std::io::Read;

use serde_json::Value;

/// Reads the test vectors of a game; their key `about` explains the others.
pub fn vectors(game: &str) -> Value {
    let path = format!("{}/tests/data/{game}.json.gz", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(&path).expect(&path);
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect(&path);
    serde_json::from_str(&text).expect(&path)
}

/// Returns the elements of a list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Returns a string.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Returns a number.
pub fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

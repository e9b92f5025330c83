//! What several tests share; none of them uses all of it.

#![allow(dead_code)]

use std::io::Read;

use serde_json::Value;

/// Reads one of the files of test vectors; its key `about` says what the rest means.
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

/// Returns a text.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Returns a number.
pub fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

//! Replays the corpora of the fuzz targets, without libFuzzer.

#[path = "../fuzz/src/lib.rs"]
mod laws;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files of a folder of `fuzz/`, in order.
fn files(folder: &str) -> BTreeSet<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder);
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_corpus_keeps_its_law() {
    for (name, law) in laws::LAWS {
        let corpus = files(&format!("corpus/{name}"));
        assert!(!corpus.is_empty(), "fuzz/corpus/{name} is empty");
        for file in corpus {
            // Shown when the law fails.
            println!("{}", file.display());
            law(&fs::read(&file).unwrap());
        }
    }
}

#[test]
fn every_law_has_a_target_and_a_corpus() {
    let stems = |folder: &str| -> BTreeSet<String> {
        let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
        files(folder).iter().map(stem).collect()
    };
    let names: BTreeSet<String> = laws::LAWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(stems("fuzz_targets"), names);
    assert_eq!(stems("corpus"), names);
}

//! C programs that use the libraries: compiled without warnings as C99, C11 and C++17, linked with the shared and the
//! static library, and run plainly, with sanitizers and under valgrind.

#[path = "common/c.rs"]
mod c;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A language, with its compiler and options.
type Language = (&'static str, &'static str, &'static [&'static str]);

/// The languages of programs in C.
const LANGUAGES: [Language; 3] = [
    ("c99", "cc", &["-std=c99", "-x", "c"]),
    ("c11", "cc", &["-std=c11", "-x", "c"]),
    ("c++17", "c++", &["-std=c++17", "-x", "c++"]),
];

/// The languages of programs in C++.
const CPP: [Language; 2] =
    [("c++17", "c++", &["-std=c++17", "-x", "c++"]), ("c++20", "c++", &["-std=c++20", "-x", "c++"])];

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// How a program is compiled and run.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Plain,
    Sanitized,
    Valgrind,
}

/// The exit code with which sanitizers and valgrind report an error.
const FAULT: &str = "86";

/// A compiled program and the command line that runs it.
struct Program {
    words: Vec<PathBuf>,
}

impl Program {
    /// Runs the program, whether it succeeds or not.
    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(arguments);
        command.env("LD_LIBRARY_PATH", c::installed());
        command.env("ASAN_OPTIONS", format!("exitcode={FAULT}:detect_leaks=1"));
        command.env("UBSAN_OPTIONS", format!("exitcode={FAULT}:print_stacktrace=1"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        // The program may end before it has read all its input.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
        child.wait_with_output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    /// Runs the program, which must succeed, and returns its output.
    fn succeed(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        let (out, err) = texts(&output);
        assert!(
            output.status.success() && err.is_empty(),
            "{:?}: {}\n{out}\n{err}",
            self.words,
            output.status
        );
        out
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Compiles a source file.
fn compile(source: &Path, program: &Path, language: Language, library: &str, options: &[&str]) {
    let (_, compiler, standard) = language;
    let mut command = Command::new(compiler);
    command.args(standard).args(WARNINGS).args(options);
    for folder in ["include", "include/breakdown", "tests/c"] {
        command.arg("-I").arg(c::root().join(folder));
    }
    command.arg(source).args(["-x", "none", "-o"]).arg(program).arg(c::installed().join(library));
    c::run(command.args(["-lpthread", "-ldl", "-lm"]));
}

/// Compiles a program in every language against both libraries, and checks each in the given modes.
///
/// Programs run under valgrind in one of the languages, since the library is always the same.
fn in_every_way(source: &str, modes: &[Mode], check: impl Fn(&Program)) {
    let path = c::root().join(source);
    let folder = c::folder(&source.replace('/', "-"));
    let languages: &[Language] = if source.ends_with(".cpp") { &CPP } else { &LANGUAGES };
    for (number, &language) in languages.iter().enumerate() {
        let name = language.0;
        for library in ["libpetteia.so", "libpetteia.a"] {
            if modes.contains(&Mode::Plain) {
                let program = folder.join(format!("{name}-{library}"));
                compile(&path, &program, language, library, &["-O2"]);
                check(&Program { words: vec![program] });
            }
            if modes.contains(&Mode::Sanitized) {
                let program = folder.join(format!("{name}-{library}-sanitized"));
                let options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
                compile(&path, &program, language, library, &options);
                check(&Program { words: vec![program] });
            }
            if modes.contains(&Mode::Valgrind) && number == 1 {
                let program = folder.join(format!("{name}-{library}-valgrind"));
                compile(&path, &program, language, library, &["-g"]);
                check(&Program { words: valgrind(&program) });
            }
        }
    }
}

/// Returns the command line that runs a program under valgrind.
fn valgrind(program: &Path) -> Vec<PathBuf> {
    let leaks = ["--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all"];
    let fault = format!("--error-exitcode={FAULT}");
    let known = format!("--suppressions={}", c::installed().join("../share/petteia/valgrind.supp").display());
    let words = ["valgrind", "--quiet", &fault, &known].into_iter().chain(leaks).map(PathBuf::from);
    words.chain([program.to_owned()]).collect()
}

const ALL: [Mode; 3] = [Mode::Plain, Mode::Sanitized, Mode::Valgrind];

/// Runs a test program of `tests/c` in every way; its last line reports that its checks passed.
fn passes(name: &str, modes: &[Mode]) {
    let file = if name.contains('.') { name.to_owned() } else { format!("{name}.c") };
    in_every_way(&format!("tests/c/{file}"), modes, |program| {
        let out = program.succeed(&[], "");
        assert!(out.ends_with("checks passed\n"), "{out}");
    });
}

#[test]
fn evidence() {
    passes("evidence", &ALL);
}

#[test]
fn memory() {
    passes("memory", &ALL);
}

#[test]
fn handler() {
    passes("handler", &ALL);
}

#[test]
fn position() {
    passes("position", &ALL);
}

#[test]
fn kit() {
    passes("kit", &ALL);
}

#[test]
fn games() {
    passes("games", &ALL);
}

#[test]
fn nulls() {
    passes("nulls", &ALL);
}

#[test]
fn solve() {
    passes("solve", &ALL);
}

#[test]
fn analysis() {
    passes("analysis", &ALL);
}

#[test]
fn calls() {
    passes("calls", &ALL);
}

#[test]
fn cpp() {
    passes("cpp.cpp", &ALL);
}

#[test]
fn vector() {
    passes("vector", &ALL);
}

#[test]
fn threads() {
    passes("threads", &ALL);
}

#[test]
fn limits() {
    // It limits its own memory, and sanitizers and valgrind need more.
    passes("limits", &[Mode::Plain]);
}

/// The linker's way to let a program's functions stand before those of the C library.
const WRAPPED: [&str; 8] = [
    "-g",
    "-DWRAPPED",
    "-Wl,--wrap=malloc,--wrap=calloc",
    "-Wl,--wrap=realloc,--wrap=free",
    "-Wl,--wrap=aligned_alloc,--wrap=posix_memalign",
    "-Wl,--wrap=memalign",
    "-fno-builtin",
    "-Wno-unused-function",
];

#[test]
fn failing() {
    let (path, folder) = (c::root().join("tests/c/failing.c"), c::folder("failing"));
    let check = |words: Vec<PathBuf>, arguments: &[&str]| {
        let out = Program { words }.succeed(arguments, "");
        assert!(out.ends_with("checks passed\n"), "{out}");
    };
    for (language, library) in [(LANGUAGES[0], "libpetteia.so"), (LANGUAGES[2], "libpetteia.a")] {
        let program = folder.join(library);
        compile(&path, &program, language, library, &["-O2"]);
        check(vec![program.clone()], &[]);
        check(vec![program], &["limit"]);
    }
    // Sanitizers and valgrind have allocators of their own, of which each call is seen in the static library.
    let program = folder.join("sanitized");
    let sanitized = [&WRAPPED[..], &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
    compile(&path, &program, LANGUAGES[1], "libpetteia.a", &sanitized);
    check(vec![program], &["short"]);
    let program = folder.join("valgrind");
    compile(&path, &program, LANGUAGES[1], "libpetteia.a", &WRAPPED);
    check(valgrind(&program), &["tiny"]);
}

#[test]
fn errors_without_a_handler_exit() {
    let messages = [
        "board_new: invalid width 0: expected 1 or more",
        "new_game: invalid board type 9: expected MATRIX or BITS",
        "board_show: b is NULL",
        "board_get: no cell at row 3, column 0: expected a row below 3 and a column below 3",
        "board_set: no cell at row 0, column 3: expected a row below 3 and a column below 3",
        "board_set: invalid cell 3: expected EMPTY, BLACK or WHITE",
        "drop_stick: g is NULL",
        "breakdown: g is NULL",
        "game_outcome: g is NULL",
        "game_free: invalid board type 2: expected MATRIX or BITS",
    ];
    // The program exits without freeing its memory, which sanitizers and valgrind would report as a leak.
    in_every_way("tests/c/exits.c", &[Mode::Plain], |program| {
        for (number, message) in messages.iter().enumerate() {
            let output = program.run(&[&number.to_string()], "");
            assert_eq!(output.status.code(), Some(1), "{message}");
            assert_eq!(texts(&output), ("before".to_owned(), format!("{message}\n")));
        }
    });
}

#[test]
fn board_show_keeps_the_order() {
    let empty = "  012\n\n0 ...\n1 ...\n";
    let two = "  012\n\n0 *..\n1 ..o\n";
    let labels = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz??";
    let wide = format!("  {labels}\n\n0 {}\n", ".".repeat(64));
    let before = format!("first\n{empty}second, with no newline:");
    let after = format!("{two}fourth\n{wide}fifth\n");
    let file = c::folder("order").join("redirected");
    in_every_way("tests/c/order.c", &ALL, |program| {
        assert_eq!(program.succeed(&[], ""), format!("{before}{after}"));
        let _ = fs::remove_file(&file);
        assert_eq!(program.succeed(&[&file.to_string_lossy()], ""), before);
        assert_eq!(c::read(&file), format!("third, in a file\n{after}"));
    });
}

#[test]
fn no_null_is_forgotten() {
    for (header, program) in [("petteia.h", "nulls.c"), ("breakdown.h", "handler.c")] {
        let source = c::read(Path::new("tests/c").join(program));
        for (function, parameters) in c::declarations(header) {
            let called = source.matches(&format!("{function}(")).count();
            let pointers = parameters.split(',').filter(|parameter| parameter.contains('*')).count();
            assert!(called >= pointers, "{function} in tests/c/{program}");
        }
    }
}

#[test]
fn no_function_is_forgotten_where_memory_is_missing() {
    let source = c::read("tests/c/failing.c");
    for function in ["petteia.h", "breakdown.h"].into_iter().flat_map(c::declared) {
        // Its call, not only a function here that is named after it. A board's place is made without the library's memory.
        let named = |before: &str| before.ends_with(|last: char| last == '_' || last.is_ascii_alphanumeric());
        let call = format!("{function}(");
        let calls = source.match_indices(&call).filter(|&(at, _)| !named(&source[..at]));
        assert!(calls.count() > 0, "{function} in tests/c/failing.c");
    }
}

#[test]
fn both_headers_in_either_order() {
    let folder = c::folder("both");
    for (name, order) in [("one", ["petteia.h", "breakdown.h"]), ("two", ["breakdown.h", "petteia.h"])] {
        let source = folder.join(format!("{name}.c"));
        let [first, second] = order;
        let twice =
            format!("#include <{first}>\n#include <{second}>\n#include \"pos.h\"\n#include \"board.h\"\n");
        // A name that the course's header leaves to the program.
        let main = "int type = 0;\nint main(void) { return type; }\n";
        fs::write(&source, twice + main).expect("a writable folder");
        for language in LANGUAGES {
            compile(&source, &folder.join("program"), language, "libpetteia.so", &[]);
        }
    }
}

#[test]
fn a_program_of_the_course_needs_no_more_than_it_says() {
    // cc -Iinclude/breakdown prog.c -L... -lpetteia
    let program = c::folder("course").join("evidence");
    let mut command = Command::new("cc");
    command.args(["-Wall", "-Wextra", "-Werror", "-Iinclude/breakdown", "tests/c/evidence.c", "-o"]);
    command.arg(&program).arg("-L").arg(c::installed()).arg("-lpetteia").current_dir(c::root());
    c::run(&mut command);
    Program { words: vec![program] }.succeed(&[], "");
}

#[test]
fn example_breakdown() {
    in_every_way("examples/c/breakdown.c", &ALL, |program| {
        let out = program.succeed(&[], "|0\n-2\nx\n-9\n\n|1\n");
        assert!(out.starts_with("  0123\n\n0 ....\n1 ....\n2 ....\n3 ....\n4 ....\nBlack: \n"), "{out}");
        assert_eq!(out.matches("That is not a legal move.").count(), 3);
        assert!(out.ends_with("3 **..\n4 **oo\n\nBlack wins!\n"), "{out}");
        assert_eq!(program.succeed(&["2", "2", "3", "2"], ""), "  01\n\n0 ..\n1 ..\n\nIt is a draw.\n");
        let ended = program.run(&[], "|0\n");
        assert_eq!((ended.status.code(), texts(&ended).1.as_str()), (Some(1), "the game is not over\n"));
    });
    let lines = c::read("examples/c/breakdown.c").lines().count();
    assert!(lines < 80, "{lines} lines");
}

#[test]
fn example_reversi() {
    in_every_way("examples/c/reversi.c", &ALL, |program| {
        assert_eq!(program.succeed(&["4", "4"], ""), "LDDD\nLLDD\nLDLD\nDDLL\ndark 9, light 7\n");
        let refused = program.run(&["9", "4"], "");
        assert_eq!(refused.status.code(), Some(1));
        assert_eq!(texts(&refused).1, "reversi: invalid width 9: expected 2 to 8\n");
    });
}

#[test]
fn example_quarto() {
    in_every_way("examples/c/quarto.c", &ALL, |program| {
        let out = program.succeed(&[], "");
        assert!(out.contains("D1   wins 100.0 %\n") && out.contains("D3   wins 100.0 %\n"), "{out}");
        assert_eq!(out.matches("wins").count(), 7);
    });
}

#[test]
fn example_engine() {
    in_every_way("examples/c/engine.c", &ALL, |program| {
        // On 4 by 4, where players are skipped in many lines, the values are known: Light wins by 3 tiles, or by 8.
        for (start, value) in [("____/_DD_/_LL_/____ D", -3), ("____/_LD_/_DL_/____ D", -8)] {
            let solved = program.succeed(&["16", start], "");
            assert!(solved.contains(&format!(", value {}, ", value - 10_000)), "{solved}");
        }
        let game = program.succeed(&["2"], "");
        let record = game.lines().next().expect("moves");
        assert!(record.starts_with("d4 e4 d5 e5 ") && game.lines().count() == 1, "{game}");
        let refused = program.run(&["0"], "");
        assert_eq!(texts(&refused).1, "engine: invalid depth 0: expected 1 to 60\n");
        let refused = program.run(&["3", "____"], "");
        assert!(texts(&refused).1.starts_with("engine: invalid reversi position \"____\""));
    });
    let lines = c::read("examples/c/engine.c").lines().count();
    assert!(lines < 160, "{lines} lines");
}

#[test]
fn example_match() {
    in_every_way("examples/c/match.cpp", &ALL, |program| {
        let out = program.succeed(&["myopic", "random", "tictac", "20"], "");
        assert!(out.starts_with("myopic against random, 20 games of tictac: "), "{out}");
        let refused = program.run(&["clever", "random"], "");
        assert_eq!(refused.status.code(), Some(1));
        assert!(texts(&refused).1.starts_with("match: invalid player \"clever\": expected random, myopic"));
    });
}

#[test]
fn example_tictac() {
    in_every_way("examples/c/tictac.c", &ALL, |program| {
        let record = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
        assert_eq!(program.succeed(&[], record), "Game over: X wins.\n");
        assert_eq!(program.succeed(&[], ""), "Game in progress: New game.\n");
        let invalid = program.run(&[], "1 X B2\n2 O B2\n");
        assert_eq!((invalid.status.code(), texts(&invalid).0.as_str()), (Some(2), "Invalid move.\n"));
    });
}

#[test]
fn the_guide_tells_the_truth_in_cpp() {
    let guide = c::read("docs/c.md");
    let code = guide.split_once("```cpp\n").and_then(|(_, rest)| rest.split_once("```\n"));
    let source = c::folder("readme-cpp").join("readme.cpp");
    fs::write(&source, code.expect("an example").0).expect("a writable folder");
    in_every_way(&source.to_string_lossy(), &[Mode::Plain, Mode::Sanitized], |program| {
        let out = program.succeed(&[], "");
        assert!(out.ends_with("20 games, most of them won: 1\n") && out.lines().count() == 5, "{out}");
    });
}

#[test]
fn the_readme_tells_the_truth() {
    let readme = c::read("README.md");
    let section = readme.split_once("## In C\n").expect("a section on C").1;
    let code =
        section.split_once("```c\n").and_then(|(_, rest)| rest.split_once("```\n")).expect("an example").0;
    let printed = section.split_once("```text\n").and_then(|(_, rest)| rest.split_once("```\n"));
    let source = c::folder("readme").join("readme.c");
    fs::write(&source, code).expect("a writable folder");
    in_every_way(&source.to_string_lossy(), &ALL, |program| {
        assert_eq!(program.succeed(&[], ""), printed.expect("its output").0);
    });
}

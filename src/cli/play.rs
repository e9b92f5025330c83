//! The page in the browser: its files are part of the command, which serves them to this machine.

use std::net::TcpListener;
use std::process::Stdio;
use std::thread;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command};

use super::arguments::{flag, number, value};
use super::server::{File, Server};
use super::{Failure, Io, Program};
use crate::any::{AnyPosition, Game};

pub(super) const PROGRAM: Program = Program { name: "play", executable: None, describe, run };

/// Lists files of the folder `static`, which is a link to that of the Python package.
macro_rules! files {
    ($($name:literal)*) => {
        [$(File::new($name, include_bytes!(concat!("static/", $name)))),*]
    };
}

/// The files of the page.
static FILES: [File; 24] = files! {
    "board.js"
    "computers.js"
    "games.js"
    "icon-192.png"
    "icon-512.png"
    "icon.svg"
    "index.html"
    "main.js"
    "manifest.webmanifest"
    "package.json"
    "petteia.d.ts"
    "petteia.js"
    "petteia.wasm"
    "petteia.wasm.txt"
    "puzzles/breakdown.json"
    "puzzles/quarto.json"
    "puzzles/reversi.json"
    "puzzles/tictac.json"
    "reversi.weights"
    "service.js"
    "style.css"
    "thinker.js"
    "view.js"
    "worker.js"
};

fn describe(command: Command) -> Command {
    let games = PossibleValuesParser::new(Game::ALL.iter().map(|game| game.name()));
    command
        .about("Opens the games in the browser, as a page that it serves until Ctrl-C")
        .arg(Arg::new("game").value_name("GAME").value_parser(games).help("The game to open"))
        .arg(
            Arg::new("size")
                .value_name("SIZE")
                .num_args(0..)
                .help("The game's parameters as in a record, such as the width and the height"),
        )
        .arg(
            number("port", "The port (any free one)", 0..=u16::MAX)
                .long("port")
                .default_value("0")
                .hide_default_value(true),
        )
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("ADDRESS")
                .value_parser(NonEmptyStringValueParser::new())
                .default_value("127.0.0.1")
                .hide_default_value(true)
                .help("The address to listen on (127.0.0.1: this machine only)"),
        )
        .arg(flag("no-browser", "Only prints the address of the page"))
        .after_help("Example:\n  petteia play reversi 6 6 --no-browser --port 8000")
}

fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let (host, port): (String, u16) = (value(matches, "host"), value(matches, "port"));
    let fragment = fragment(matches)?;
    let listener = TcpListener::bind((host.as_str(), port)).map_err(|error| {
        let error = error.to_string();
        let reason = error.split(" (os error").next().unwrap_or_default();
        Failure::Complaint(format!("cannot serve on {host} port {port}: {reason}"))
    })?;
    let name = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let address = format!("http://{name}:{}/{fragment}", listener.local_addr()?.port());
    // From here on connections wait until they are answered.
    #[cfg(unix)]
    {
        let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 0, always)?;
    }
    writeln!(io.output, "petteia: playing at {address} (Ctrl-C to stop)")?;
    io.output.flush()?;
    if !matches.get_flag("no-browser") {
        thread::spawn(move || open(&address));
    }
    Server::new(&FILES, host).run(&listener)
}

/// Returns the part of the page's address that names a game: a record with _ for its spaces.
fn fragment(matches: &ArgMatches) -> Result<String, Failure> {
    let Some(name) = matches.get_one::<String>("game") else {
        return Ok(String::new());
    };
    let sizes: Vec<&str> =
        matches.get_many::<String>("size").into_iter().flatten().map(String::as_str).collect();
    if sizes.is_empty() {
        return Ok(format!("#{name}"));
    }
    AnyPosition::start(name.parse()?, &sizes.join(" "))
        .map_err(|error| Failure::Complaint(error.to_string()))?;
    Ok(format!("#{name}_{}:", sizes.join("_")))
}

/// Opens an address in the browser, if the system has a command for that.
fn open(address: &str) {
    let commands: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else {
        &[&["xdg-open"], &["x-www-browser"], &["firefox"], &["chromium"], &["google-chrome"]]
    };
    for command in commands {
        let mut child = std::process::Command::new(command[0]);
        child
            .args(&command[1..])
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if child.status().is_ok_and(|status| status.success()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Adds the files in a folder, by their paths from it, with `before` in front.
    fn walk(folder: &Path, before: &str, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = format!("{before}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), names);
            } else {
                names.push(name);
            }
        }
    }

    #[test]
    fn all_files_of_the_folder_are_served() {
        let mut names = Vec::new();
        walk(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/static")), "", &mut names);
        names.sort();
        let listed: Vec<&str> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(listed, names, "the list of files in src/cli/play.rs");
    }
}

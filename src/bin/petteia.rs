//! The `petteia` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    petteia::cli::main(std::env::args_os()).into()
}

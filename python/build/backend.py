"""The build backend: it builds the C library, copies it into the package, and calls maturin."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def _missing() -> str | None:
    """Return what is missing for a build, if anything is."""
    found = re.search(r'^rust-version = "([0-9.]+)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    needed = found[1] if found else "1.85"
    if shutil.which("cargo") is None:
        own = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "bin"
        if any((own / name).is_file() for name in ("cargo", "cargo.exe")):
            return f"cargo is not on PATH: expected {own} there, where it is installed"
        return f"cargo is not installed: expected cargo {needed} or later on PATH, which comes with Rust"
    asked = subprocess.run(["cargo", "--version"], capture_output=True, text=True)
    version = re.match(r"cargo (\d+)\.(\d+)", asked.stdout)
    if version is None:
        said = (asked.stderr + asked.stdout).strip().partition("\n")[0] or f"exit status {asked.returncode}"
        return f"cargo does not work ({said}): expected cargo {needed} or later"
    if [int(part) for part in version.groups()] < [int(part) for part in needed.split(".")[:2]]:
        return f"{asked.stdout.split(' (')[0].strip()} is too old: expected cargo {needed} or later"
    # Rust links with it, unless it is told of another linker.
    told = any(name.endswith("_LINKER") or name.endswith("RUSTFLAGS") for name in os.environ)
    if os.name == "posix" and not told and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        return "a C compiler is not installed: expected cc on PATH, with which Rust links"
    return None


# Every build begins by importing this. Without cargo, maturin would first download a Rust of its own.
if missing := _missing():
    sys.exit(f"petteia is built from source here, and {missing}.")

import maturin  # noqa: E402
from maturin import (  # noqa: E402, F401 (hooks that need no changes)
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

PACKAGE = ROOT / "python" / "petteia"

# A Python build must not touch what a plain cargo build puts into target/release.
os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target" / "python"))


def _library_name() -> str:
    names = {"win32": "petteia.dll", "darwin": "libpetteia.dylib"}
    return names.get(sys.platform, "libpetteia.so")


def _add_c_library() -> None:
    headers = ROOT / "include"
    if not (headers / "petteia.h").is_file():
        raise FileNotFoundError(f"{headers / 'petteia.h'} is missing: the wheel includes the C headers")
    command = ["cargo", "rustc", "--release", "--lib", "--package", "petteia"]
    command += ["--no-default-features", "--features", "capi", "--manifest-path", str(ROOT / "Cargo.toml")]
    command += ["--locked"] if (ROOT / "Cargo.lock").is_file() else []
    # The library's own memory, whatever flags the environment or the folder's configuration set.
    subprocess.run([*command, "--", "--cfg", "petteia_c_library"], check=True)
    for folder in (PACKAGE / "include", PACKAGE / "lib"):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(headers, PACKAGE / "include")
    (PACKAGE / "lib").mkdir()
    built = Path(os.environ["CARGO_TARGET_DIR"]) / "release" / _library_name()
    shutil.copy2(built, PACKAGE / "lib")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build a wheel with the C library."""
    _add_c_library()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Build an editable wheel; the C library is in the package that it points to."""
    _add_c_library()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)

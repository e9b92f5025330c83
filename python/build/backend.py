"""The build backend: it builds the C library, copies it into the package, and calls maturin."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401 (hooks that need no changes)
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent.parent
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

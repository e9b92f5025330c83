"""The C library included in the package: where its headers are, and how to link with it."""

import os


def _folder(name: str) -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def get_include() -> str:
    """Return the folder of the C headers, petteia.h and breakdown.h, for a compiler's -I."""
    return _folder("include")


def get_library_dir() -> str:
    """Return the folder of the C library, for a linker's -L and for its rpath."""
    return _folder("lib")

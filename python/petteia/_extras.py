"""What to say where a library is missing that an extra brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import in it what an extra of petteia brings: whoever has it not is told how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{missing.name} is not installed: pip install 'petteia[{name}]'", name=missing.name
        ) from None

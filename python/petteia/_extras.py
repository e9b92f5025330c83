"""Errors for missing optional dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Make failed imports in the block name the extra of petteia to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{missing.name} is not installed: pip install 'petteia[{name}]'", name=missing.name
        ) from None

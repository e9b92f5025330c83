"""Examples in docstrings, for mkdocstrings: a session of Python becomes a block of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

SESSION = re.compile(r"^>>> .*?(?=\n\n(?!>>>)|\Z)", re.MULTILINE | re.DOTALL)


class Sessions(griffe.Extension):
    """Marks the sessions in all docstrings."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Mark those of one object."""
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = SESSION.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)

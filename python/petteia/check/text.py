"""Text that comes from a submission, as it is shown."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

from .rules import Finding

# Control characters other than newline and tab, marks that change the direction of text, halves of
# surrogates, and what XML does not allow.
_UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def plain(text: str) -> str:
    """Return a text with what a terminal or page would act on, and not show, as escapes."""
    return _UNSEEN.sub(lambda found: _escape(ord(found[0])), text)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def plain_finding(finding: Finding) -> Finding:
    """Return a finding with all its texts as they are shown."""
    texts: dict[str, Any] = {field.name: getattr(finding, field.name) for field in fields(finding)}
    shown = {name: plain(text) for name, text in texts.items() if isinstance(text, str)}
    return replace(finding, **{**texts, **shown})

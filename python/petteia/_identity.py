"""What tells a bot of your own from others, the same in every run, so that a job can be resumed."""

from __future__ import annotations

import dataclasses
import re
from functools import partial
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""What the usual repr of an object holds, and no two runs have in common."""


def identity(bot: Any, what: str = "bot") -> str:
    """Return the qualified name of a bot's class or function, its name if it has one, and its parameters.

    An evaluator with a name is known by that alone: it learns.

    Parameters are the fields of a dataclass, a named tuple or an attrs class, or a repr that the class itself
    has. Raises ValueError, which says what to do, if these have no text that lasts. Fields that do not count
    for equality (compare=False) are left out; with a name, so is everything that has no such text.
    """
    if what == "evaluator" and isinstance(getattr(bot, "name", None), str):
        return str(bot.name)
    if _is_named_code(bot):
        return _qualified(bot)
    name = getattr(bot, "name", None)
    words = [_qualified(type(bot))]
    if isinstance(name, str):
        words.append(repr(name))
    try:
        words.append(_lasting(bot) if isinstance(bot, partial) else _parameters(bot))
    except _Fleeting as error:
        if not isinstance(name, str):
            raise ValueError(
                f"invalid {what} of class {words[0]}: {error} is another in each run, so these games could "
                f"never be resumed; expected {'an' if what == 'evaluator' else 'a'} {what} with a name, or a "
                "dataclass of fields with lasting reprs"
            ) from None
    return " ".join(word for word in words if word)


class _Fleeting(Exception):
    """A value whose text is another in each run."""


def _is_named_code(value: Any) -> bool:
    return callable(value) and isinstance(getattr(value, "__qualname__", None), str)


def _qualified(code: Any) -> str:
    return f"{code.__module__}.{code.__qualname__}"


def _fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of a dataclass, a named tuple or an attrs class, or None."""
    kind: Any = type(value)
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.compare]
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        names = list(kind._fields)
    elif hasattr(kind, "__attrs_attrs__"):
        names = [field.name for field in kind.__attrs_attrs__ if field.eq]
    else:
        return None
    return {name: getattr(value, name) for name in names}


def _parameters(bot: Any) -> str:
    # petteia's own bots that take functions tell what they were made of.
    fields = getattr(bot, "_made_of", None) or _fields(bot)
    if fields is not None:
        return f"({', '.join(f'{name}={_lasting(value)}' for name, value in fields.items())})"
    usual: Any = object.__repr__
    if type(bot).__repr__ is usual:
        return ""
    return _checked(repr(bot))


def _lasting(value: Any) -> str:
    """Return the text of a parameter."""
    if _is_named_code(value):
        return _qualified(value)
    if isinstance(value, partial):
        return f"partial({_lasting(value.func)}, {_lasting(value.args)}, {_lasting(value.keywords)})"
    fields = _fields(value)
    if fields is not None:
        return f"{_qualified(type(value))}{_lasting(fields)}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_lasting(key)}: {_lasting(item)}' for key, item in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_lasting, value))}]"
    if isinstance(value, (set, frozenset)):
        # Their order is another in each run.
        return f"{{{', '.join(sorted(map(_lasting, value)))}}}"
    return _checked(repr(value))


def _checked(text: str) -> str:
    if ADDRESS.search(text):
        raise _Fleeting(text)
    return text

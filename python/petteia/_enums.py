"""The base class of the package's enumerations."""

import enum
from typing import NoReturn


class Enum(enum.IntEnum):
    """An integer that prints as its name on every version of Python, and whose repr evaluates to itself."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        expected = ", ".join(f"{cls.__name__}.{member.name}" for member in cls)
        raise ValueError(f"invalid {cls.__name__} {value!r:.60}: expected {expected}")

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

"""The base class of the package's enumerations."""

import enum


class Enum(enum.IntEnum):
    """An integer that prints as its name on every version of Python, and whose repr evaluates to itself."""

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

"""What the package's enumerations have in common."""

import enum


class Enum(enum.IntEnum):
    """An integer with a name: its repr rebuilds it, and it prints as its name on every version of Python."""

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

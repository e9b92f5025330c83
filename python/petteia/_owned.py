"""Files that belong to one job at a time."""

from __future__ import annotations

import os
import stat
import sys
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Owned:
    """A file that is locked until it is closed, and grows by pieces that are written whole or not at all.

    The lock is the kernel's: a process that is killed does not keep it.
    """

    def __init__(self, path: Path, place: Path) -> None:
        """Open or create the file.

        Raises BlockingIOError, which says that the place is in use, if another job has locked it; ValueError
        if it is not a regular file; and OSError if it cannot be opened or locked.
        """
        self._path = path
        self._file = open(path, "a+b", buffering=0, opener=_open)  # noqa: SIM115
        try:
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                raise ValueError(f"{path} is not a regular file: expected a file, or the name of a new one")
            try:
                _lock(self._file.fileno())
            except BlockingIOError:
                raise BlockingIOError(
                    f"{place} is in use: another job is writing to it; "
                    "wait until that has ended, or choose another place"
                ) from None
            except OSError as error:
                raise OSError(error.errno, f"cannot be locked: {error.strerror}", str(path)) from error
            self._file.seek(0)
            self.content = self._file.read()
            """What was in the file when it was opened."""
        except BaseException:
            self._file.close()
            raise
        self._size = len(self.content)
        _owned.add(self)

    def cut(self, size: int) -> None:
        """Remove what comes after so many bytes."""
        self._file.truncate(size)
        self._size = size

    def append(self, content: bytes) -> None:
        """Write at the end of the file."""
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
        except BaseException as error:
            # Remove what was written in part, which works on a full disk too.
            self._file.truncate(self._size)
            if isinstance(error, OSError):
                raise OSError(error.errno, error.strerror, str(self._path)) from error
            raise
        self._size += len(content)

    def sync(self) -> None:
        """Make what was written survive a crash of the machine, not just of the program."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from error

    def close(self) -> None:
        """Close the file, which unlocks it."""
        self._file.close()


def _open(name: str, flags: int) -> int:
    # Without this flag, opening a named pipe or a device may wait for ever.
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        """Lock a byte that files do not reach, since nobody can read a locked one."""
        os.lseek(file, (1 << 31) - 2, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _lock(file: int) -> None:
        """Lock a file, or raise BlockingIOError."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_owned: weakref.WeakSet[Owned] = weakref.WeakSet()


def _disown() -> None:
    """Close the files in a forked process, such as a worker: it would keep the lock of a killed owner."""
    for file in list(_owned):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)

"""Compiling the sources under test, linked with the kit's drivers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .rooms import Bounds, Room, Sandbox, current
from .rules import Unusable
from .sandbox import files

DRIVERS = Path(__file__).parent / "drivers"
GIVEN = Path(__file__).parent / "given"
# Shifts into the sign bit are left out: every compiler of the courses defines them.
SANITIZE = (
    "-fsanitize=address,undefined",
    "-fno-sanitize=shift-base",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)

COMPILING = Bounds(seconds=60.0, megabytes=2048, output=64 << 20, idle=20.0, patience=300.0)
"""What a compiler may use: the code under test decides how much that is."""


@dataclass(frozen=True)
class Compilers:
    """Which compilers to use, with which flags."""

    cc: str = "cc"
    cxx: str = "c++"
    cflags: tuple[str, ...] = ("-Wall", "-g", "-O0")
    cxxflags: tuple[str, ...] = ("-Wall", "-g", "-std=c++11")
    sanitize: bool = True


# What older compilers accepted, and newer ones take for errors.
OLD_C = (
    "-std=gnu17",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
)


class Builder:
    """Compiles a submission's sources in one language, as the course does or, if that fails, nearly so."""

    def __init__(self, compilers: Compilers, cxx: bool, flags: Sequence[str], remarks: list[str]) -> None:
        usual, flags = ("c++", [*compilers.cxxflags, *flags]) if cxx else ("cc", [*compilers.cflags, *flags])
        compiler = compilers.cxx if cxx else compilers.cc
        self.cxx = cxx
        self.remarks = remarks
        later = [("-std=c++17",)] if cxx else [OLD_C]
        self.ways = [[compiler, *flags], *([compiler, *flags, *more] for more in later)]
        other = "clang++" if cxx else "clang"
        if compiler == usual and shutil.which(other):
            self.ways += [[other, *flags], *([other, *flags, *more] for more in later)]

    def build(
        self,
        drivers: Sequence[Path],
        files: Sequence[Path],
        output: Path,
        flags: Sequence[str] = (),
        libraries: Sequence[str] = (),
        petteia: bool = False,
    ) -> None:
        """Compile and link drivers with sources, without their main functions, or raise Unusable."""
        first: Unusable | None = None
        for way in list(self.ways):
            command = [*way, *flags]
            try:
                inputs: list[Path | str] = list(drivers)
                if drivers and any(map(has_main, files)):
                    compile([*command, "-c"], drivers, output.with_suffix(".o"))
                    inputs = [output.with_suffix(".o")]
                    command.append("-Dmain=main_of_its_own")
                # Libraries come after what needs them.
                ends = [*libraries, *(() if self.cxx else ("-lm",))]
                compile(command, [*inputs, *files, *ends], output, petteia)
            except Unusable as reason:
                first = first or reason
                continue
            if way is not self.ways[0]:
                self.remarks.append(f"{self.ways[0][0]} does not take it, but this does: {shlex.join(way)}")
                self.ways = [way]
            return
        assert first
        raise first


def compile(
    command: Sequence[str], inputs: Sequence[str | Path], output: Path, petteia: bool = False
) -> None:
    """Compile and link in the current sandbox, or raise Unusable with the compiler's first errors.

    A source is compiled once, however many programs it is part of. Only with petteia, the result may be
    linked with petteia's library.
    """
    words = [*shlex.split(command[0]), *command[1:]]
    found = shutil.which(words[0])
    if found is None:
        raise Unusable(f"compiler {words[0]!r} not found: install it, or choose another with --cc or --cxx")
    known = current().objects
    parts: list[str] = []
    for each in map(str, inputs):
        key = (*words, each)
        if "-c" not in words and each.endswith(COMPILED):
            if key not in known:
                made = str(output.with_name(f"{len(known)}.o"))
                run_tool([found, *words[1:], "-c", "-o", made, each], words[0], petteia)
                known[key] = made
            each = known[key]
        parts.append(each)
    run_tool([found, *words[1:], "-o", str(output), *parts], words[0], petteia)


COMPILED = (".c", ".cc", ".cpp", ".cxx", ".C")


BESIDE = re.compile(r"(^|[/_.-])(tests?|evidence|build|cmake-build.*|__macosx|node_modules)([/_.-]|$)", re.I)
"""Files and folders beside a submission's sources: tests, and what was built."""


class Folder:
    """A submission's folder: where its files are, in whatever layout."""

    def __init__(self, path: str, names: Mapping[str, str], given: Sequence[Path] = ()) -> None:
        self.shown = path.rstrip("/") or "/"
        self.root = Path(path).resolve()
        self.names = names
        self.given = given
        """Folders of the course's files, for those that are not among the submission's."""
        self.files = [
            file
            for file in sorted(self.root.rglob("*"), key=lambda file: (len(file.parts), file))
            if file.is_file() and not BESIDE.search(str(file.relative_to(self.root)))
            if not any(part.startswith(".") for part in file.relative_to(self.root).parts)
        ]

    def find(self, name: str) -> Path | None:
        """Return the file that stands for a name of the document, or None."""
        if name in self.names:
            mapped = self.root / self.names[name]
            if not mapped.is_file():
                raise Unusable(f"{self.shown} has no {self.names[name]}, which --map names for {name}")
            return mapped
        for file in self.files:
            if file.name == name:
                return file
        return next((file for file in self.files if file.name.lower() == name.lower()), None)

    def need(self, names: Sequence[str]) -> list[Path]:
        """Return the files that stand for names, or raise Unusable with all that are missing."""
        found = [self.find(name) or self._given(name) for name in names]
        missing = [name for name, file in zip(names, found) if file is None]
        if missing:
            raise Unusable(f"{self.shown} has no {', '.join(missing)}")
        return [file for file in found if file]

    def _given(self, name: str) -> Path | None:
        return next((folder / name for folder in self.given if (folder / name).is_file()), None)

    def beside(self, files: Sequence[Path], suffixes: Sequence[str]) -> list[Path]:
        """Return the other sources without main functions in the folders of some files."""
        folders = {file.parent for file in files}
        return [
            file
            for file in self.files
            if file.parent in folders and file.suffix in suffixes and file not in files and not has_main(file)
        ]

    def includes(self, shims: Path | None = None) -> list[str]:
        """Return the options for its headers, and for those given that it does not have."""
        headers = [file.parent for file in self.files if file.suffix in (".h", ".hpp", ".hxx", ".hh")]
        given = [
            place
            for place in self.given
            if any(file.suffix in (".h", ".hxx") and not self.find(file.name) for file in place.iterdir())
        ]
        places = list(dict.fromkeys([*([shims] if shims else []), *headers, self.root, *given]))
        return [f"-I{place}" for place in places]

    def shown_includes(self) -> list[str]:
        """Return the same options as the user would write them."""
        places = dict.fromkeys(option[2:] for option in self.includes())
        return [f"-I{self.show(Path(place))}" for place in places]

    def shims(self, place: Path) -> Path | None:
        """Write headers of the document's names that include those that stand for them."""
        renamed = {name: file for name, file in self.names.items() if Path(name).suffix in (".h", ".hxx")}
        for name, file in renamed.items():
            place.mkdir(exist_ok=True)
            (place / name).write_text(f'#include "{self.root / file}"\n')
        return place if renamed else None

    def flags(self) -> list[str]:
        """Return the definitions and libraries that its Makefile or CMakeLists.txt names."""
        text = ""
        for name in ("Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"):
            if (self.root / name).is_file():
                text += (self.root / name).read_text(errors="replace") + "\n"
        found = re.findall(r"(?<=[\s=\"'])-(?:D\w[\w=]*|std=\w[\w+]*|pthread)(?=[\s\"')]|$)", text)
        return list(dict.fromkeys(found))

    def namespace(self, files: Sequence[str]) -> str:
        """Return the namespace that one of its headers puts its classes in, or an empty string."""
        for name in files:
            file = self.find(name)
            found = file and re.search(
                r"^\s*namespace\s+([A-Za-z]\w*)\s*\{", file.read_text(errors="replace"), re.M
            )
            if found:
                return found[1]
        return ""

    def show(self, file: Path) -> str:
        """Return a path as the user would write it."""
        if file == self.root:
            return shlex.quote(self.shown)
        inside = file.is_relative_to(self.root)
        return shlex.quote(f"{self.shown}/{file.relative_to(self.root)}" if inside else str(file))


def with_includes(folder: Folder, source: Path, suffixes: Sequence[str]) -> list[Path]:
    """Return a source with those that belong to the headers that it includes, and that those include."""
    found, waiting = [source], [source]
    while waiting:
        text = waiting.pop().read_text(errors="replace")
        for header in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
            stem = Path(header).stem
            for file in folder.files:
                mine = file.stem == stem and file.suffix in (*suffixes, ".h", ".hpp", ".hxx", ".hh")
                if mine and file not in found and not (file.suffix in suffixes and has_main(file)):
                    found.append(file)
                    waiting.append(file)
    return [file for file in found if file.suffix in suffixes]


def make(folder: Folder, work: Path, names: Sequence[str]) -> dict[str, Path]:
    """Build a copy with its Makefile or CMakeLists.txt, and return the programs of some names."""
    script = 'cp -R . "$1" && cd "$1" && '
    if any((folder.root / name).is_file() for name in ("Makefile", "makefile", "GNUmakefile")):
        script += "make"
    elif (folder.root / "CMakeLists.txt").is_file():
        script += "cmake -S . -B . && cmake --build ."
    else:
        return {}
    # The folder is shown in its place, and only the work folder can be written to.
    place = work / "made"
    run_tool(["/bin/sh", "-c", f"cd {shlex.quote(str(folder.root))} && {script}", "sh", str(place)], "make")
    look = f'for name in {" ".join(names)}; do find "$1" -name "$name" -type f -perm -u+x | head -n 1; done'
    found = run_tool(["/bin/sh", "-c", look, "sh", str(place)], "find")
    return {Path(line).name: Path(line) for line in found.splitlines()}


def run_tool(command: Sequence[str], what: str, petteia: bool = False) -> str:
    """Run a compiler or another tool in the current sandbox, or raise Unusable with its first errors."""
    room = Room(current(), writable=True, petteia=petteia)
    try:
        with files(2) as (nothing, told):
            room.start(command, [nothing, told, told], COMPILING)
            ended = room.end()
            said = os.pread(told, 1 << 20, 0).decode(errors="replace")
    finally:
        room.close()
    if ended.why in ("seconds", "idle", "patience"):
        raise Unusable(f"{what} did not finish within {COMPILING.seconds:g} s")
    if ended.why:
        raise Unusable(f"{what} used too much: {COMPILING.megabytes} MB of memory are allowed")
    if ended.code:
        errors = said.splitlines()
        lines = [line for line in errors if re.search(r"error|undefined|multiple|limit", line, re.I)]
        raise Unusable("it does not compile:\n" + "\n".join((lines or errors)[:8]))
    return said


@dataclass(frozen=True)
class Shown:
    """What a shell printed, and its exit code."""

    stdout: str
    stderr: str
    code: int


def shell(script: str, sandbox: Sandbox, given: Mapping[str, str], petteia: bool = False) -> Shown:
    """Run a script in a sandbox, in an empty folder that has some files."""
    place = Path(tempfile.mkdtemp(dir=sandbox.given))
    place.chmod(0o755)
    for name, text in given.items():
        (place / name).write_text(text, errors="backslashreplace")
    room = Room(sandbox, writable=True, petteia=petteia)
    work = shlex.quote(str(sandbox.work / place.name))
    script = f"mkdir {work} && cd {work} && cp {shlex.quote(str(place))}/* . && {script}"
    try:
        with files(3) as (nothing, out, err):
            # Sanitizers reserve far more than they use.
            bounds = replace(COMPILING, address_space=False, seconds=20.0)
            room.start(["/bin/sh", "-c", script], [nothing, out, err], bounds)
            ended = room.end()
            texts = [os.pread(each, 1 << 20, 0).decode(errors="replace") for each in (out, err)]
    finally:
        room.close()
        shutil.rmtree(place, ignore_errors=True)
    return Shown(texts[0], texts[1], ended.code)


def has_main(path: Path) -> bool:
    """Return whether a source has a main function, outside comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
    return re.search(r"\bmain\s*\(", text) is not None

"""The steps of the site's build that MkDocs does not have: where its pages come from, besides docs/.

- The repository's other documents (README.md, CHANGELOG.md and so on) are pages, and so are the sources that
  a page links to, so that no link leaves the site.
- The reference of Python is a list of names for mkdocstrings; those of C and of the command are the manual
  pages, which petteia's tests make from the headers and from the help; that of JavaScript comes from TypeDoc,
  that of Rust from rustdoc.
- `boards` code blocks are shown as pictures, and `<!-- chart: NAME -->` is replaced by a chart: pictures.py,
  charts.py.
"""

from __future__ import annotations

import importlib
import posixpath
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "website"))
charts, pictures, reference = (importlib.import_module(name) for name in ("charts", "pictures", "reference"))

# Documents beside docs/, and the pages that they become.
DOCUMENTS = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security.md",
}
RUSTDOC = ROOT / "target" / "doc"
TYPEDOC = ROOT / "target" / "site" / "javascript.md"
PAGE = ROOT / "python" / "petteia" / "web" / "static"
# What lets the search work from a disk, where browsers start no workers.
SHIM = "assets/javascripts/iframe-worker.js"
MODULES = ROOT / "website" / "node_modules"

LANGUAGES = {
    ".c": "c", ".h": "c", ".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".rs": "rust", ".toml": "toml",
    ".sh": "sh", ".js": "js", ".ts": "ts", ".json": "json", ".yml": "yaml",
}  # fmt: skip
LINK = re.compile(r"(\]\(|\bsrc=\"|\bsrcset=\"|\bhref=\")([^)\"\s#]*)(#[^)\"\s]*)?(?=[)\"])")
FENCE = re.compile(r"^(`{3,}).*?^\1`*$", re.MULTILINE | re.DOTALL)

# From the page to the document that it was made of.
origins: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add what cannot be written in YAML."""
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = [
        {"name": "boards", "class": "boards", "format": pictures.boards}
    ]
    config.nav = list(filled(config.nav or []))
    return config


def filled(nav: list[Any]) -> Iterator[Any]:
    """Yield the entries of a menu, with the pages of a folder in place of `FOLDER/*`."""
    for entry in nav:
        (title, value) = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(value, list):
            yield {title: list(filled(value))}
        elif value.endswith("/*"):
            yield from ({name: path} for path, (name, _) in reference.pages(value[:-2]).items())
        else:
            yield entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    origins.clear()
    origins.update({file.src_uri: f"docs/{file.src_uri}" for file in files.documentation_pages()})

    def add(uri: str, **of: Any) -> None:
        if not files.get_file_from_path(uri):
            files.append(File.generated(config, uri, **of))

    for document, uri in DOCUMENTS.items():
        add(uri, content=(ROOT / document).read_text())
        origins[uri] = document
    for uri, (_, text) in reference.pages().items():
        add(uri, content=text)
    if not TYPEDOC.exists():
        raise PluginError(f"{TYPEDOC.relative_to(ROOT)} is missing: `make site` makes it")
    add("reference/javascript.md", content=reference.javascript(TYPEDOC.read_text()))
    for folder, where in ((RUSTDOC, "rust"), (PAGE, "play")):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != ".lock":
                add(f"{where}/{path.relative_to(folder).as_posix()}", abs_src_path=str(path))
    add(SHIM, abs_src_path=str(MODULES / "iframe-worker" / "shim" / "index.js"))
    add("assets/icon.svg", content=(PAGE / "icon.svg").read_text())
    sources = sorted({path for page in origins for path in linked_sources(files, page)})
    while sources:
        path = sources.pop()
        text, more = source(path)
        add(source_page(path), content=text)
        file = files.get_file_from_path(source_page(path))
        if file:
            file.inclusion = InclusionLevel.NOT_IN_NAV
        sources += [name for name in more if not files.get_file_from_path(source_page(name))]
    return files


def linked_sources(files: Files, page: str) -> Iterator[str]:
    """Yield the files and folders of the repository that a page links to and that are no pages."""
    file = files.get_file_from_path(page)
    assert file is not None
    text = FENCE.sub("", file.content_string)
    for _, target, _ in LINK.findall(text):
        path = in_repository(target, page)
        if path and page_of(path) is None:
            if not (ROOT / path).exists():
                raise PluginError(f"{origins[page]} links to {target}, which does not exist")
            yield path


def in_repository(target: str, page: str) -> str | None:
    """Return the path in the repository to which a link leads, unless it leads elsewhere."""
    if not target or ":" in target or page not in origins:
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(origins[page]), target))


def page_of(path: str) -> str | None:
    """Return where a file of the repository is on the site as itself."""
    if path in DOCUMENTS:
        return DOCUMENTS[path]
    if path == "docs":
        return "index.md"
    if path.startswith("docs/") and not path.startswith(("docs/man", "docs/completions")):
        return path.removeprefix("docs/")
    return None


def source_page(path: str) -> str:
    """Return the page that shows a file or a folder."""
    return f"source/{path}.md"


def source(path: str) -> tuple[str, list[str]]:
    """Return the page that shows a file or a folder, and the files that it links to."""
    kept = subprocess.run(
        ["git", "ls-files", "--", path], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n"
    if (ROOT / path).is_dir():
        texts = [name for name in kept if Path(name).suffix in LANGUAGES]
        at = posixpath.dirname(source_page(path))
        lines = [f"- [{name}]({posixpath.relpath(source_page(name), at)})\n" for name in texts]
        return head + "".join(lines), texts
    text = (ROOT / path).read_text()
    return f"{head}``````{LANGUAGES.get(Path(path).suffix, 'text')}\n{text.rstrip()}\n``````\n", []


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links into the repository into links on the site, and draw the charts."""
    uri = page.file.src_uri

    def link(found: re.Match[str]) -> str:
        path = in_repository(found[2], uri)
        if path is None:
            return found[0]
        target = page_of(path) or source_page(path)
        here = posixpath.dirname(uri)
        # Markdown's links are to sources; HTML's stay as they are.
        if not found[1].startswith("]"):
            target = target.removesuffix(".md") + ".html" if target.endswith(".md") else target
        return f"{found[1]}{posixpath.relpath(target, here or '.')}{found[3] or ''}"

    markdown = outside_code(markdown, lambda text: LINK.sub(link, text))
    return re.sub(
        r"^<!-- chart: (\S+) -->$", lambda found: charts.chart(found[1], ROOT), markdown, flags=re.MULTILINE
    )


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change a text except for its blocks of code."""
    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(text[last:])])

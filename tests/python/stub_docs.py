"""Keep the docstrings of python/petteia/_petteia.pyi equal to those of the module, from python/src.

`python tests/python/stub_docs.py` writes them into the stub; the test only compares.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from petteia import _petteia

STUB = Path(__file__).resolve().parent.parent.parent / "python" / "petteia" / "_petteia.pyi"


def documented(body: list[ast.stmt], owner: object) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, str]]:
    """Yield the classes and functions of a stub with their docstrings at run time, if they have any."""
    for node in body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        # The stub declares once what all positions share; the docstrings are the same in every game.
        shared = node.name == "_Position"
        found = _petteia.TicTac if shared else inspect.getattr_static(owner, node.name)
        found = getattr(found, "__func__", found)
        is_setter = any(isinstance(decorator, ast.Attribute) for decorator in node.decorator_list)
        special = node.name.startswith("__")
        if not (shared or is_setter or special) and found.__doc__:
            yield node, inspect.cleandoc(found.__doc__)
        if isinstance(node, ast.ClassDef):
            yield from documented(node.body, found)


def outdated() -> list[str]:
    """Return the names whose docstring in the stub is missing or different."""
    tree = ast.parse(STUB.read_text())
    return [node.name for node, doc in documented(tree.body, _petteia) if ast.get_docstring(node) != doc]


def write() -> None:
    """Write all docstrings into the stub, the last first, so that earlier line numbers stay valid."""
    lines = STUB.read_text().splitlines()
    for node, doc in reversed(list(documented(ast.parse(STUB.read_text()).body, _petteia))):
        indent, raw = " " * (node.col_offset + 4), "r" if "\\" in doc else ""
        text = [(indent + line).rstrip() for line in f'{raw}"""{doc}'.splitlines()]
        text[-1:] = [text[-1] + '"""'] if len(text) == 1 else [text[-1], f'{indent}"""']
        first = node.body[0]
        if ast.get_docstring(node) is not None:
            assert first.end_lineno is not None
            lines[first.lineno - 1 : first.end_lineno] = text
        elif isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            # The body is an ellipsis at the end of the signature.
            lines[first.lineno - 1] = lines[first.lineno - 1].removesuffix(" ...")
            lines[first.lineno : first.lineno] = text
        else:
            place = first.lineno - 1 - len(getattr(first, "decorator_list", []))
            lines[place:place] = text
    STUB.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
    sys.exit(1 if outdated() else 0)

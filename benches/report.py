#!/usr/bin/env python3
"""Runs the benches and writes docs/benchmarks.md.

    report.py core     the engines against their baselines in one run (make bench)
    report.py search   the solvers, with bars scaled to this machine (make bench)
    report.py peers    against other libraries, installed into a throw-away virtual environment (make bench-peers)

Each call replaces its own part of the page and leaves the other as it was.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BUILD = ROOT / "target" / "benches"
PEERS = ["open_spiel==2.0.2", "rust-reversi==1.4.4"]

HEAD = """# Benchmarks

Figures of one run on one machine; the ratio beside them is what counts, since petteia and its baseline took turns in the
same run. `make bench` and `make bench-peers` make this page.
"""


def build_baseline() -> Path:
    """Compiles the plain perft program that ties figures of different machines together."""
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / "perft_baseline"
    source = ROOT / "benches" / "perft_baseline.c"
    subprocess.run(["cc", "-O3", "-march=native", str(source), "-o", str(program)], check=True)
    return program


def run_bench(name: str) -> list[dict]:
    """Runs one of the Rust benches and returns its measurements."""
    command = ["cargo", "bench", "--quiet", "--locked", "--bench", name, "--", str(build_baseline())]
    result = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def figure(value: float, unit: str = "") -> str:
    """Writes a figure with three digits and a prefix."""
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g} {prefix} {unit}".rstrip()
    return f"{value:.3g} {unit}".rstrip()


def table(rows: list[list[str]]) -> str:
    """Lays rows out as a Markdown table; the first is the head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return "\n".join(lines) + "\n"


def core() -> str:
    rows = [["what", "petteia", "baseline", "its figure", "ratio", "bar"]]
    for row in run_bench("core"):
        asked = f"{row['asked']:g}" if row["asked"] else ""
        rows.append(
            [
                row["what"],
                figure(row["figure"], row["unit"]),
                row["baseline"],
                figure(row["baseline_figure"]),
                f"{row['ratio']:.3g}",
                asked,
            ]
        )
    return "## Engines\n\n`make bench`, one thread, the plain release build.\n\n" + table(rows)


def search() -> str:
    rows = [["what", "seconds", "nodes", "nodes/s", "at most"]]
    for row in run_bench("search"):
        seconds, bar = (f"{row[key]:.3g}" for key in ("seconds", "bar"))
        rows.append([row["what"], seconds, figure(row["nodes"]), figure(row["nodes_per_second"]), bar])
    text = "## Solvers\n\n`make bench`, one thread, processor seconds. What they may take at most is scaled to this machine by\n"
    return text + "perft_baseline.c, measured in the same run.\n\n" + table(rows)


def run_peer(python: Path, name: str) -> list[dict]:
    script = ROOT / "benches" / f"peer_{name}.py"
    result = subprocess.run([str(python), str(script)], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def peers() -> str:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS]
        subprocess.run(pip, check=True)
        measured = [row for name in ("openspiel", "rust_reversi") for row in run_peer(python, name)]
    own = {row["what"]: row["figure"] for row in run_bench("core")}
    asked = {"othello": 200.0}
    ours = {"othello": "Reversi 8x8 random playouts", "tic_tac_toe": "TicTac random playouts"}
    rows = [["what", "petteia", "peer", "its figure", "ratio", "bar"]]
    for row in measured:
        what = ours[row["game"]]
        ratio = own[what] / row["per_s"]
        wanted = f"{asked[row['game']]:g}" if row["game"] in asked and "inside" in row["what"] else ""
        rows.append(
            [
                what,
                figure(own[what], "games/s"),
                f"{row['peer']}, {row['what']}",
                figure(row["per_s"], "games/s"),
                f"{ratio:.3g}",
                wanted,
            ]
        )
    text = "## Peers\n\n`make bench-peers`, one thread each. Games of Othello start after the opening, petteia's before it:\n"
    return text + "four plies more.\n\n" + table(rows)


def write(part: str, text: str) -> None:
    """Puts a part on the page in place of its former self."""
    parts = {"core": "", "search": "", "peers": ""}
    if PAGE.exists():
        for name in parts:
            found = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", PAGE.read_text(), re.S)
            parts[name] = found.group(1) if found else ""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {date.today().isoformat()}"
    parts[part] = f"{text}\nMeasured on {machine}.\n"
    bodies = [f"<!-- {name} -->\n{body}<!-- end -->\n" for name, body in parts.items() if body]
    PAGE.write_text(HEAD + "\n" + "\n".join(bodies))


def main() -> int:
    runs = {"core": core, "search": search, "peers": peers}
    if len(sys.argv) != 2 or sys.argv[1] not in runs:
        print("usage: report.py core|search|peers", file=sys.stderr)
        return 1
    text = runs[sys.argv[1]]()
    print(text)
    write(sys.argv[1], text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Run the benches and write docs/benchmarks.md.

    report.py core     the engines against their baselines (make bench)
    report.py capi     the cost of calls from C, against Rust and hand-written C (make bench)
    report.py search [QUARTO.c]
                       the solvers, with bars scaled to this machine (make bench), and another Quarto
                       solver if the path of its source is given (make bench QUARTO=...)
    report.py peers    the engines against other libraries (make bench-peers)
    report.py python   the Python module against other Python modules (make bench-peers)
    report.py vector   batches of games against other libraries (make bench-peers)
    report.py learning
                       search and self-play with an evaluator (make bench-peers)
    report.py page     the page in a browser (make bench-page, after make test)
    report.py cluster  processes and a Dask cluster on this machine (make bench-cluster, after make test)
    report.py check    the conformance kit (make bench-check, after make test)

Other libraries are installed into a temporary virtual environment. Each call replaces only its own section
of the page.
"""

import json
import math
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
BATCH_PEERS = ["pgx==2.6.0", "jax==0.10.2", "envpool==1.2.5"]

HEAD = """# Benchmarks

Figures of one run on one machine. The ratios matter more than the figures, since petteia and its baseline
took turns in the same run; the bar is the target. `make bench`, `make bench-peers`, `make bench-page`,
`make bench-cluster` and `make bench-check` write this page.

<!-- chart: speed -->
"""


def build_baseline() -> Path:
    """Compile the plain perft program that makes figures of different machines comparable."""
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / "perft_baseline"
    source = ROOT / "benches" / "perft_baseline.c"
    subprocess.run(["cc", "-O3", "-march=native", str(source), "-o", str(program)], check=True)
    return program


def build_capi() -> list[Path]:
    """Compile the programs that call the shared library from C."""
    subprocess.run(["cargo", "build", "--quiet", "--release", "--lib", "--locked"], cwd=ROOT, check=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    library = ROOT / "target" / "release"
    programs = []
    for source in ("benches/capi.c", "examples/c/engine.c", "benches/engine_by_hand.c"):
        program = BUILD / Path(source).stem
        command = ["cc", "-std=c99", "-O2", "-I", str(ROOT / "include")]
        command += [str(ROOT / source), "-o", str(program)]
        command += ["-L", str(library), "-lpetteia", f"-Wl,-rpath,{library}"]
        subprocess.run(command, check=True)
        programs.append(program)
    return programs


def run_bench(name: str, *programs: Path) -> list[dict]:
    """Run a Rust bench with the C programs it is compared with, and return its measurements."""
    command = ["cargo", "bench", "--quiet", "--locked", "--bench", name, "--", *map(str, programs)]
    result = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def run_core() -> list[dict]:
    """Run the benches of the engines and return their measurements."""
    return run_bench("core", build_baseline())


def figure(value: float, unit: str = "") -> str:
    """Format a figure with three digits and an SI prefix."""
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g} {prefix} {unit}".rstrip()
    return f"{value:.3g} {unit}".rstrip()


def table(rows: list[list[str]]) -> str:
    """Format rows as a Markdown table; the first is the header."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return "\n".join(lines) + "\n"


def core() -> str:
    rows = [["what", "petteia", "baseline", "its figure", "ratio", "bar"]]
    for row in run_core():
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


def capi() -> str:
    rows = [["what", "through C", "baseline", "its figure", "difference", "ratio", "bar"]]
    for row in run_bench("capi", *build_capi()):
        ours, theirs = row["figure"], row["baseline_figure"]
        more, times = f"{ours - theirs:.1f} ns", f"{ours / theirs:.2f}"
        rows.append(
            [row["what"], f"{ours:.1f} ns", row["baseline"], f"{theirs:.1f} ns", more, times, row["asked"]]
        )
    text = "## From C\n\n`make bench`, one thread, the shared library of the plain release build. "
    text += "Figures are per call; an\nempty call into a shared library (`make_pos`) costs about as "
    text += "much as board_get.\n\n"
    return text + table(rows)


def build_quarto_peer(source: str) -> Path:
    """Compile another Quarto solver to compare with."""
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / "quarto_peer"
    subprocess.run(["cc", "-O2", "-march=native", "-w", source, "-o", str(program)], check=True)
    return program


def search(*sources: str) -> str:
    rows = [["what", "seconds", "nodes", "nodes/s", "bar", "bar / seconds", "peer", "ratio"]]
    for row in run_bench("search", build_baseline(), *map(build_quarto_peer, sources)):
        seconds, bar, sooner = (
            f"{value:.3g}" for value in (row["seconds"], row["bar"], row["bar"] / row["seconds"])
        )
        peer = [f"{row['peer']:.3g}", f"{row['seconds'] / row['peer']:.2f}"] if row["peer"] else ["", ""]
        rows.append(
            [row["what"], seconds, figure(row["nodes"]), figure(row["nodes_per_second"]), bar, sooner, *peer]
        )
    text = "## Perft and solving\n\n`make bench`, one thread, processor seconds. The bar is scaled to this "
    text += "machine by perft_baseline.c,\nmeasured in the same run. "
    if sources:
        name = Path(sources[0]).name
        text += f"For Quarto the peer is {name}, which took turns with petteia; both are\n"
        text += "wall-clock times, best of three. A ratio below 1 is in petteia's favour.\n\n"
    else:
        text += "No other Quarto solver was given to compare with.\n\n"
    return text + table(rows)


def make_environment(folder: str, packages: list[str]) -> Path:
    """Create a virtual environment with these packages and return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = Path(folder) / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run(pip, check=True)
    return python


def run_peer(python: Path, name: str) -> list[dict]:
    script = ROOT / "benches" / f"peer_{name}.py"
    result = subprocess.run([str(python), str(script)], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def peers() -> str:
    with tempfile.TemporaryDirectory() as folder:
        python = make_environment(folder, PEERS)
        measured = [row for name in ("openspiel", "rust_reversi") for row in run_peer(python, name)]
    own = {row["what"]: row["figure"] for row in run_core()}
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
    text = "## Peers\n\n`make bench-peers`, one thread each. The peers' Othello games start after the "
    return text + "opening; petteia's include\nit and are four plies longer.\n\n" + table(rows)


def python() -> str:
    with tempfile.TemporaryDirectory() as folder:
        python = make_environment(folder, [str(ROOT), *PEERS])
        script = ROOT / "benches" / "python.py"
        result = subprocess.run([str(python), str(script)], check=True, stdout=subprocess.PIPE, text=True)
    measured = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    own = {row["what"]: row["figure"] for row in run_core()}
    rows = [["what", "petteia", "compared with", "its figure", "ratio", "bar"]]
    for row in measured:
        # The rate of the Rust engine, which Python should reach, is known only here.
        baseline = row["baseline_figure"] or own[row["what"]]
        ratio = row["figure"] / baseline if row["more_is_better"] else baseline / row["figure"]
        rows.append(
            [
                row["what"],
                figure(row["figure"], row["unit"]),
                row["baseline"],
                figure(baseline, row["unit"]),
                f"{ratio:.3g}",
                f"{row['asked']:g}",
            ]
        )
    text = "## Python\n\n`make bench-peers`: calls from Python, one thread. A ratio above 1 is in petteia's "
    return text + "favour.\n\n" + table(rows)


def learning_text(measured: list[dict]) -> str:
    """Return the section on search and self-play with an evaluator."""
    rows = [["what", "petteia", "compared with", "its figure", "ratio", "bar"]]
    for row in measured:
        other, unit = row["other"], row["unit"]
        is_share = other <= 1
        shown = f"{100 * other:.1f} %" if is_share else figure(other, unit)
        ratio = "" if is_share else f"{row['figure'] / other:.3g}"
        bar = row["bar"] or ""
        if is_share:
            bar = f"at least {100 * bar:g} %"
        rows.append([row["what"], figure(row["figure"], unit), row["compared"], shown, ratio, str(bar)])
    text = "## Learning\n\n`make bench-peers`: search and self-play with an evaluator, on one core. "
    text += "Simulations that end at\nexact values need no leaf. OpenSpiel's tree search is in Python, and "
    text += "has the same net, one position a call.\n\n"
    return text + table(rows)


def learning() -> str:
    with tempfile.TemporaryDirectory() as folder:
        python = make_environment(folder, [str(ROOT), *PEERS])
        script = ROOT / "benches" / "learning.py"
        result = subprocess.run([str(python), str(script)], check=True, stdout=subprocess.PIPE, text=True)
    return learning_text([json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")])


def page() -> str:
    load = os.getloadavg()[0]
    script = ROOT / "benches" / "page.py"
    result = subprocess.run([sys.executable, str(script)], check=True, stdout=subprocess.PIPE, text=True)
    *games, files = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    rows = [["what", "moves", "click", "bar", "its work", "bar", "first paint", "bar", "first move", "bar"]]
    for row in games:
        start, moves = row["what"].rstrip(":"), str(row["moves"])
        # The largest board of the page has a bar of its own.
        click, work = ("50", "") if "64 64" in start else ("20", "8 ms")
        times = [f"{row['shown']:.1f} ms", f"{click} ms", f"{row['work']:.1f} ms", work]
        first = [f"{row['paint']:.0f} ms", "200 ms", f"{row['ready']:.0f} ms", "300 ms"]
        rows.append([start, moves, *times, *first])
    text = f"## The page\n\n`make bench-page`: medians in Chromium, over loopback, at a load of {load:.1f}: "
    text += "from a click to the frame\nthat shows the move, and the work of the click's handler; from the "
    text += "address to the first paint, and until a move\ncan be made. Until then "
    text += f"{files['bytes'] / 1000:.1f} kB are fetched, compressed (bar: 350).\n\n"
    return text + table(rows)


def cluster() -> str:
    load = os.getloadavg()[0]
    script = ROOT / "benches" / "cluster.py"
    result = subprocess.run([sys.executable, str(script)], check=True, stdout=subprocess.PIPE, text=True)
    rows = [["what", "figure", "compared with", "ratio", "bar"]]
    for line in result.stdout.splitlines():
        row = json.loads(line)
        rows.append([row["what"], row["figure"], row["compared"], f"{row['ratio']:.3g}", row["bar"]])
    text = f"## Clusters\n\n`make bench-cluster`, at a load of {load:.1f}. Games written are per core, in "
    text += "processor seconds; the others are\nwall-clock times, best of four, on a machine shared with "
    text += "other work.\n\n"
    return text + table(rows)


def check() -> str:
    load = os.getloadavg()[0]
    script = ROOT / "benches" / "check.py"
    result = subprocess.run([sys.executable, str(script)], check=True, stdout=subprocess.PIPE, text=True)
    calls, *told = [json.loads(line) for line in result.stdout.splitlines()]
    zoo = [row for row in told if "what" in row]
    classes = [["a class of 200", "minutes on two cores", "bar"]]
    for row in told:
        if "class" in row:
            bar = {"quarto": "15", "tictac": "5", "reversi": "5"}.get(row["class"], "")
            classes.append([row["class"], f"{200 * row['each'] / 60 / 2:.1f}", bar])
    rows = [["mistakes in", "number", "mean time to the first failure", "longest"]]
    every = [second for row in zoo for second in row["seconds"]]
    for what, seconds in [*((row["what"], row["seconds"]) for row in zoo), ("all", every)]:
        mean = sum(seconds) / len(seconds)
        rows.append([what, str(len(seconds)), f"{mean:.2f} s", f"{max(seconds):.2f} s"])
    text = f"## The conformance kit\n\n`make bench-check`, at a load of {load:.1f}: 200 games per rule, "
    text += "shrinking included (bar: a mean of 2 s). A correct\nBreakdown library in a separate process "
    text += f"is called {calls['per_s']:,.0f} times a second (bar: 20,000).\n\n"
    text += table(rows)
    text += "\nClasses made from the zoo, half of them right: half the processor time of 200, measured "
    text += "with ten, in the sandbox,\nbuilding included, 100 games per rule, as `--class` plays.\n\n"
    return text + table(classes)


def bars(figures: list[tuple[str, float]]) -> str:
    """Draw figures as bars on a logarithmic scale, eight characters to a power of ten."""
    least = min(figure for _, figure in figures)
    width = max(len(name) for name, _ in figures)
    lines = []
    for name, value in figures:
        length = 2 + round(8 * math.log10(value / least))
        lines.append(f"{name:{width}}  {'█' * length} {figure(value)}")
    return "```text\n" + "\n".join(lines) + "\n```\n"


def measure_vector(python: Path) -> list[dict]:
    """Run the benches of batches with an interpreter that has petteia and the peers."""
    script = ROOT / "benches" / "vector.py"
    command = [str(python), str(script), str(build_baseline())]
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    own = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return own + [row for name in ("pgx", "envpool") for row in run_peer(python, name)]


def vector_text(measured: list[dict]) -> str:
    """Return the section on batches."""
    own = {
        (row["what"], row["threads"]): row["per_s"]
        for row in measured
        if row.get("threads") and "what" in row
    }
    memory = {row["what"]: row["bytes_per_env"] for row in measured if "bytes_per_env" in row}
    baseline = next(row["per_s"] for row in measured if row.get("what") == "baseline")
    ours = {"othello": "Reversi 8x8", "tic_tac_toe": "TicTac"}
    asked = {("othello", "pgx"): 80, ("othello", "envpool"): 300}
    asked |= {("tic_tac_toe", "pgx"): 10, ("tic_tac_toe", "envpool"): 200}
    rows = [["what", "threads", "petteia", "compared with", "its figure", "ratio", "bar"]]
    charts = {
        what: [(f"petteia, {threads} thread(s)", own[what, threads]) for threads in (2, 1)] for what in memory
    }
    for row in measured:
        if "peer" in row:
            what, threads = ours[row["game"]], row["threads"]
            value, bar = own[what, threads], asked[row["game"], row["peer"].split()[0]]
            ratio = f"{value / row['per_s']:.3g}"
            rows.append(
                [
                    what,
                    str(threads),
                    figure(value, "moves/s"),
                    row["peer"],
                    figure(row["per_s"]),
                    ratio,
                    str(bar),
                ]
            )
            charts[what].append((row["peer"], row["per_s"]))
    for what in ("Quarto", "Breakdown 7x6, k 2, q 3"):
        # The target is ten million moves for every hundred million leaves that the baseline counts.
        value, wanted = own[what, 1], baseline / 10
        rows.append([what, "1", figure(value, "moves/s"), "a tenth of perft_baseline.c", figure(wanted)])
        rows[-1] += [f"{value / wanted:.3g}", "1"]
    for row in measured:
        if "started" in row:
            value, usual = row["per_s"], row["usual_per_s"]
            rows.append(
                [f"{row['started']}, start= and max_plies=", "1", figure(value, "moves/s"), "without"]
            )
            rows[-1] += [figure(usual), f"{value / usual:.3g}", "0.95"]
    for what in memory:
        value, one = own[what, 2], own[what, 1]
        rows.append(
            [what, "2", figure(value, "moves/s"), "one thread", figure(one), f"{value / one:.3g}", "1.7"]
        )
    text = """## Batches

`make bench-peers`: 8,192 games stepped from Python with `random_actions()`; every step writes observations
and masks. Peers run at their best batch size and choose random actions too; for EnvPool only the steps are
timed. Steps that only reset a game do not count as moves.

"""
    text += table(rows)
    text += "\nMoves per second, on a logarithmic scale:\n"
    for what, figures in charts.items():
        text += f"\n{what}\n\n{bars(figures)}"
    text += "\nMemory per game, without its arrays: "
    return text + ", ".join(f"{what} {value:.0f} bytes" for what, value in memory.items()) + ".\n"


def vector() -> str:
    with tempfile.TemporaryDirectory() as folder:
        return vector_text(measure_vector(make_environment(folder, [str(ROOT), *BATCH_PEERS])))


def write(part: str, text: str) -> None:
    """Replace a section of the page."""
    names = ("core", "capi", "search", "peers", "python", "vector", "learning", "page", "cluster", "check")
    parts = dict.fromkeys(names, "")
    if PAGE.exists():
        for name in parts:
            found = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", PAGE.read_text(), re.S)
            parts[name] = found.group(1) if found else ""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {date.today().isoformat()}"
    parts[part] = f"{text}\nMeasured on {machine}.\n"
    bodies = [f"<!-- {name} -->\n{body}<!-- end -->\n" for name, body in parts.items() if body]
    PAGE.write_text(HEAD + "\n" + "\n".join(bodies))


def main() -> int:
    runs = {"core": core, "capi": capi, "search": search, "peers": peers, "python": python}
    runs |= {"vector": vector, "learning": learning, "page": page, "cluster": cluster, "check": check}
    most = 3 if sys.argv[1:2] == ["search"] else 2
    if not 2 <= len(sys.argv) <= most or sys.argv[1] not in runs:
        print(f"usage: report.py {'|'.join(runs)}, or report.py search QUARTO.c", file=sys.stderr)
        return 1
    text = runs[sys.argv[1]](*sys.argv[2:])
    print(text)
    write(sys.argv[1], text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

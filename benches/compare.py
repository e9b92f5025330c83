"""Compare the engines of two checkouts, as for a change that is proposed.

python benches/compare.py OTHER [ROUNDS]

OTHER is a checkout of the version to compare with. The benches of the engines of both take turns, three
rounds unless ROUNDS says otherwise; the table has the best figure of each, as Markdown. Timings are noisy: a
difference of some percent means nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from report import ROOT, build_baseline, figure, table


def measured(folder: Path, program: Path) -> dict[str, tuple[float, str]]:
    """Run the bench of a checkout and return its figures with their units."""
    command = ["cargo", "bench", "--quiet", "--locked", "--bench", "core", "--", str(program)]
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {row["what"]: (row["figure"], row["unit"]) for row in rows}


def main() -> None:
    """Print the comparison."""
    other = Path(sys.argv[1])
    program = build_baseline()
    best: dict[Path, dict[str, tuple[float, str]]] = {other: {}, ROOT: {}}
    for _ in range(int(sys.argv[2]) if sys.argv[2:] else 3):
        for folder, known in best.items():
            for what, found in measured(folder, program).items():
                known[what] = max(found, known.get(what, found))
    rows = [["what", "before", "after", "change"]]
    for what, (after, unit) in best[ROOT].items():
        before, _ = best[other].get(what, (0.0, unit))
        change = f"{(after / before - 1) * 100:+.1f} %" if before else "new"
        rows.append([what, figure(before, unit) if before else "", figure(after, unit), change])
    print(table(rows), end="")


if __name__ == "__main__":
    main()

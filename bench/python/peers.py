"""The package beside what Python people use for the same: CPU time of each peer's best idiom.

python bench/python/peers.py [--turns N] [--lines N] [--command PATH] [--chapter docs/python.md] [--chart docs/python.svg]
python bench/python/peers.py --wall ...    the time that passes instead, where all may use all cores

Each row is one task over generated data. All peers give the same answer, or the run ends. They take turns, the
least time of each counts, and the table has quotients to the package's, which a busy machine changes
less than times. Peers that are not installed are left out, and named. `--command` is a `rhawk` to run the same
programs. `--chapter` puts the table and the line above it into the chapter, in place of the last.
"""

import argparse
import csv
import gzip
import importlib
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import riverhawk as rh
from turns import cpu_time, elapsed, least_times

PEERS = ["polars", "pandas", "pyarrow", "duckdb", "orjson"]
OURS = "riverhawk"
THEIRS = "the command"
Idiom = Callable[[], Any]


def optional(name: str) -> Any:
    try:
        module = importlib.import_module(name)
        if name == "pyarrow":
            importlib.import_module("pyarrow.csv")
            importlib.import_module("pyarrow.json")
        return module
    except ImportError:
        return None


def make_data(directory: Path, lines: int) -> None:
    rng = random.Random(7)
    words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath"]
    with (
        (directory / "log").open("w") as log,
        (directory / "mixed").open("w", encoding="utf-8") as mixed,
        (directory / "orders.csv").open("w") as orders,
        (directory / "events.jsonl").open("w") as events,
    ):
        orders.write("id,item,city,price,count\n")
        for number in range(lines):
            word, other = rng.choice(words), rng.choice(words)
            count, price = rng.randrange(1000), rng.randrange(100_000) / 4
            log.write(f"{word} {count} the quick brown {other} jumps over {number}\n")
            mixed.write(f"{word} {'größe' if number % 3 else 'size'} {count} 茶 {other}\n")
            orders.write(f'{number},"{word}, {other}",{other},{price},{count}\n')
            events.write(
                json.dumps({"id": number, "kind": word, "size": count, "tags": [other]}) + "\n"
            )
    with gzip.open(directory / "log.gz", "wb", 6) as packed:
        packed.write((directory / "log").read_bytes())


def tasks(at: Path, jobs: int, command: str | None) -> dict[str, dict[str, Idiom | None]]:
    pl, pd, pa, duckdb, orjson = (optional(name) for name in PEERS)
    log, mixed, packed = str(at / "log"), str(at / "mixed"), str(at / "log.gz")
    orders, events, copy = str(at / "orders.csv"), str(at / "events.jsonl"), str(at / "copy")
    Path(copy).write_bytes(Path(log).read_bytes())

    def program(text: str, path: str, **options: Any) -> Idiom:
        compiled = rh.compile(text)
        return lambda: compiled.run(
            files=path, keep_variables=False, jobs=jobs, **options
        ).text.strip()

    def by_command(*arguments: str) -> Idiom | None:
        run = [command or "", "--jobs", str(jobs), *arguments]
        return command and (
            lambda: subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
        )

    def length(records: Callable[[], Any], cut: int = 0) -> Idiom:
        def run() -> str:
            count = total = 0
            for record in records():
                count += 1
                total += len(record)
            return f"{count} {total - cut * count}"

        return run

    def split_sum(rows: Callable[[], Any]) -> Idiom:
        return lambda: str(sum(int(row[1]) for row in rows()))

    def counted(pairs: Any) -> str:
        return " ".join(f"{key}:{count}" for key, count in sorted(pairs))

    def rh_counted() -> str:
        done = grouped.run(files=log, jobs=jobs)
        return counted(done.variables["n"].items())

    grouped = rh.compile("{ n[$1]++ }")
    spaced: dict[str, Any] = {"header": None, "sep": " "}
    names = [f"column_{n}" for n in range(1, 10)]
    arrow_log = pa and {
        "read_options": pa.csv.ReadOptions(column_names=names),
        "parse_options": pa.csv.ParseOptions(delimiter=" "),
    }
    sql_log = f"read_csv('{log}', delim=' ', header=false)"

    def csv_select() -> str:
        with open(orders, newline="") as file:
            return f"{sum(float(r['price']) for r in csv.DictReader(file) if r['city'] == 'cedar'):.2f}"

    def jsonl_select(loads: Callable[[Any], Any], mode: str) -> Idiom:
        def run() -> str:
            with open(events, mode) as file:
                found = (loads(line) for line in file)
                return str(sum(e["size"] for e in found if e["kind"] == "cedar"))

        return run

    def filtered(lines: Callable[[], Any]) -> Idiom:
        pattern = re.compile(r"(amber|cedar) [0-9]*7 ")
        return lambda: str(sum(1 for line in lines() if pattern.search(line)))

    def swapped(text: str) -> str:
        one, other = ("quick", "quiet") if "quick" in text else ("quiet", "quick")
        return text.replace(one, other)

    def replaced_by_reading() -> str:
        text = Path(copy).read_text()
        Path(copy).write_text(swapped(text))
        return "written"

    def replaced() -> str:
        return "written" if rh.edit_file(copy, swapped, atomic=False) else "the same"

    def arrow_sum(table: Any) -> str:
        chosen = table.filter(pa.compute.equal(table["city"], "cedar"))
        return f"{pa.compute.sum(chosen['price']).as_py():.2f}"

    if pa:
        importlib.import_module("pyarrow.compute")
    lengths = "{ n += length } END { print NR, n }"
    chosen = '@"city" == "cedar" { n += @"price" } END { printf "%.2f\\n", n }'
    chosen_events = '@"kind" == "cedar" { n += @"size" } END { print n }'
    matching = "/(amber|cedar) [0-9]*7 / { n++ } END { print n }"
    # Of a peer that is missing, nothing is measured.
    return {
        "lines and their lengths, ASCII": {
            OURS: program(lengths, log),
            THEIRS: by_command(lengths, log),
            "rh.records": length(lambda: rh.records(log)),
            "open": length(lambda: open(log), 1),
        },
        "the same, mixed": {
            OURS: program(lengths, mixed),
            THEIRS: by_command(lengths, mixed),
            "rh.records": length(lambda: rh.records(mixed)),
            "open": length(lambda: open(mixed, encoding="utf-8"), 1),
        },
        "sum of a field": {
            OURS: program("{ n += $2 } END { print n }", log),
            THEIRS: by_command("{ n += $2 } END { print n }", log),
            "rh.fields": split_sum(lambda: rh.fields(log)),
            "open, split": split_sum(lambda: map(str.split, open(log))),
            "polars": pl and (
                lambda: str(
                    pl.scan_csv(log, separator=" ", has_header=False)
                    .select(pl.nth(1).sum()).collect().item()
                )
            ),
            "pandas": pd and (lambda: str(pd.read_csv(log, usecols=[1], **spaced)[1].sum())),
            "pyarrow": pa and (
                lambda: str(pa.compute.sum(pa.csv.read_csv(log, **arrow_log)["column_2"]).as_py())
            ),
            "duckdb": duckdb and (
                lambda: str(duckdb.sql(f"SELECT sum(column1) FROM {sql_log}").fetchall()[0][0])
            ),
        },
        "count by group": {
            OURS: rh_counted,
            "open, Counter": lambda: counted(
                Counter(line.split(None, 1)[0] for line in open(log)).items()
            ),
            "polars": pl and (
                lambda: counted(
                    pl.scan_csv(log, separator=" ", has_header=False)
                    .group_by(pl.nth(0)).len().collect().iter_rows()
                )
            ),
            "pandas": pd and (
                lambda: counted(pd.read_csv(log, usecols=[0], **spaced)[0].value_counts().items())
            ),
            "duckdb": duckdb and (
                lambda: counted(
                    duckdb.sql(f"SELECT column0, count(*) FROM {sql_log} GROUP BY 1").fetchall()
                )
            ),
        },
        "CSV: select and sum": {
            OURS: program(chosen, orders, input_format="csv", header=True),
            THEIRS: by_command("--csv", "--header", chosen, orders),
            "rh.table, pyarrow": pa and (
                lambda: arrow_sum(pa.table(rh.table(orders, columns=["city", "price"])))
            ),
            "csv": csv_select,
            "polars": pl and (
                lambda: "{:.2f}".format(
                    pl.scan_csv(orders).filter(pl.col("city") == "cedar")
                    .select(pl.col("price").sum()).collect().item()
                )
            ),
            "pandas": pd and (
                lambda: "{:.2f}".format(
                    pd.read_csv(orders, usecols=["city", "price"])
                    .query("city == 'cedar'")["price"].sum()
                )
            ),
            "pyarrow": pa and (lambda: arrow_sum(pa.csv.read_csv(orders))),
            "duckdb": duckdb and (
                lambda: "{:.2f}".format(
                    duckdb.sql(f"SELECT sum(price) FROM '{orders}' WHERE city = 'cedar'")
                    .fetchall()[0][0]
                )
            ),
        },
        "JSON Lines: select and sum": {
            OURS: program(chosen_events, events, input_format="jsonl"),
            THEIRS: by_command("--jsonl", chosen_events, events),
            "json": jsonl_select(json.loads, "r"),
            "orjson": orjson and jsonl_select(orjson.loads, "rb"),
            "polars": pl and (
                lambda: str(
                    pl.scan_ndjson(events).filter(pl.col("kind") == "cedar")
                    .select(pl.col("size").sum()).collect().item()
                )
            ),
            "duckdb": duckdb and (
                lambda: str(
                    duckdb.sql(f"SELECT sum(size) FROM '{events}' WHERE kind = 'cedar'")
                    .fetchall()[0][0]
                )
            ),
        },
        "lines of a gzip file": {
            OURS: program(lengths, packed),
            THEIRS: by_command(lengths, packed),
            "rh.records": length(lambda: rh.records(packed)),
            "gzip.open": length(lambda: gzip.open(packed, "rt"), 1),
        },
        "lines with a pattern": {
            OURS: program(matching, log),
            THEIRS: by_command(matching, log),
            "open, re": filtered(lambda: open(log)),
            "rh.records, re": filtered(lambda: rh.records(log)),
        },
        "replace in a file": {
            OURS: replaced,
            "read, write": replaced_by_reading,
        },
    }  # fmt: skip


def measure(
    name: str, idioms: dict[str, Idiom | None], turns: int, clock: Callable[[], float]
) -> dict[str, float]:
    peers = {peer: run for peer, run in idioms.items() if run}
    answers = {peer: run() for peer, run in peers.items()}
    if len(set(answers.values())) != 1:
        sys.exit(f"{name}: the answers differ: {answers}")
    return least_times(peers, turns, clock)


def markdown(results: dict[str, dict[str, float]]) -> str:
    rows = ["| | milliseconds | times as long |", "|---|---|---|"]
    for name, best in results.items():
        ours = best[OURS]
        others = sorted((t / ours, peer) for peer, t in best.items() if peer != OURS)
        shown = ", ".join(f"{peer} {quotient:.2g}" for quotient, peer in others)
        rows.append(f"| {name} | {ours * 1000:.3g} | {shown} |")
    return "\n".join(rows)


def conditions(what: str, lines: int, turns: int) -> str:
    """What was measured, for the line above the table."""
    versions = [f"CPython {platform.python_version()}"]
    for name in PEERS:
        if module := optional(name):
            versions.append(f"{name} {module.__version__}")
    return f"{what} for {lines:,} lines, the least of {turns} turns ({', '.join(versions)})."


def chart(results: dict[str, dict[str, float]]) -> str:
    """Bars of the quotients, on a logarithmic scale from a fourth to a hundred times."""
    import math

    left, width, bar, gap = 230, 420, 13, 20
    at, parts = 30, []

    def place(quotient: float) -> float:
        position = (math.log10(quotient) - math.log10(0.25)) / (2 - math.log10(0.25))
        return left + width * min(max(position, 0.005), 1)

    def text(x: float, y: float, words: str, more: str = "") -> None:
        parts.append(f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>')

    begin = at
    for name, best in results.items():
        text(8, at, name, 'font-weight="bold"')
        at += 6
        for peer, seconds in sorted(best.items(), key=lambda item: item[1]):
            quotient = seconds / best[OURS]
            fill = "#2f6f8f" if peer == OURS or peer.startswith("rh.") else "#b8b8b8"
            text(left - 8, at + bar - 3, peer, 'text-anchor="end"')
            length = place(quotient) - left
            parts.append(
                f'<rect x="{left}" y="{at}" width="{length:.1f}" height="{bar - 2}" fill="{fill}"/>'
            )
            text(left + length + 5, at + bar - 3, f"{quotient:.1f}")
            at += bar
        at += gap
    for tick in (1, 10, 100):
        x = place(tick)
        parts.insert(
            0, f'<line x1="{x:.0f}" y1="{begin - 16}" x2="{x:.0f}" y2="{at - gap}" stroke="#ddd"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{at}" '
        'font-family="sans-serif" font-size="11">'
        f'<rect width="720" height="{at}" fill="white"/>' + "".join(parts) + "</svg>\n"
    )


def put(chapter: Path, name: str, text: str) -> None:
    """Puts the text between the chapter's marks, or after its last ones."""
    whole = chapter.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", "<!-- end -->"
    if begin not in whole:
        before, _, after = whole.rpartition(end)
        whole = f"{before}{end}\n\n{begin}{end}{after}"
    before, _, rest = whole.partition(begin)
    _, _, after = rest.partition(end)
    chapter.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--lines", type=int, default=300_000)
    options.add_argument("--wall", action="store_true")
    options.add_argument("--command")
    options.add_argument("--chapter", type=Path)
    options.add_argument("--chart", type=Path)
    chosen = options.parse_args()
    missing = [name for name in PEERS if optional(name) is None]
    if missing:
        print(f"left out, since they are not installed: {', '.join(missing)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as directory:
        make_data(Path(directory), chosen.lines)
        all_tasks = tasks(Path(directory), 0 if chosen.wall else 1, chosen.command)
        if chosen.wall:
            # Only of those is it the question.
            all_tasks = {name: peers for name, peers in all_tasks.items() if "polars" in peers}
        clock = elapsed if chosen.wall else cpu_time
        results = {
            name: measure(name, idioms, chosen.turns, clock) for name, idioms in all_tasks.items()
        }
    cores = len(os.sched_getaffinity(0))
    what = f"The time that passes, on {cores} cores," if chosen.wall else "CPU time"
    text = f"{conditions(what, chosen.lines, chosen.turns)}\n\n{markdown(results)}"
    print(text)
    if chosen.chapter:
        name = "bench/python/peers.py" + (" --wall" if chosen.wall else "")
        put(chosen.chapter, name, text)
    if chosen.chart:
        chosen.chart.write_text(chart(results), encoding="utf-8")


if __name__ == "__main__":
    main()

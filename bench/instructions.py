"""The instructions that a run takes of Sextant's worker, counted by callgrind. Unlike
seconds, they are nearly the same on every machine, however busy it is; what the kernel
does is not in them."""
import re
import shutil
import subprocess
import sys

# Callgrind makes the worker some fifty times slower.
START_S = 300
RUNS_S = 600
# Two at a time, and some before, which fill the caches.
AT_A_TIME, WARM = 2, 20
LISTED = 40  # functions, with those that they call

WORKER = """#!/bin/sh
case "$1" in
serve) exec {folder}/sextant-supervisor "$@" ;;
worker) exec valgrind --tool=callgrind --callgrind-out-file={folder}/counts \\
    --log-file={folder}/callgrind.log {program} "$@" ;;
*) exec {program} "$@" ;;
esac
"""


def counting_program(program):
    """A `sextant` whose worker is counted, in a folder from which the supervisor finds
    it and its own files."""
    folder = program.with_name("counting")
    if not shutil.which("valgrind"):
        sys.exit("bench: --instructions needs valgrind")
    folder.mkdir(exist_ok=True)
    shutil.copy2(program.with_name("sextant-supervisor"), folder)
    path = folder / "sextant"
    path.write_text(WORKER.format(folder=folder, program=program.resolve()))
    path.chmod(0o755)
    return path


def instructions_a_run(bench, runs):
    folder = bench.options.program.parent
    (worker,) = bench.workers()
    bench.load(AT_A_TIME, WARM, RUNS_S)
    for command, measured in (("--zero", 0), (f"--dump=after-{runs}-runs", runs)):
        if measured:
            bench.load(AT_A_TIME, measured, RUNS_S)
        subprocess.run(["callgrind_control", command, str(worker)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    bench.stop_server()
    (counts,) = folder.glob("counts.*")
    total = int(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.M).group(1))
    bench.row("instructions of a run", f"{total / runs / 1e6:.1f} million", "",
              f"{runs} runs, without the kernel's")
    listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", counts], check=True,
                            capture_output=True, text=True).stdout
    own = {}
    for count, function in re.findall(r"^ *([\d,]+) .*?(src/\S+\.[ch]:\w+)", listed, re.M):
        own.setdefault(function, int(count.replace(",", "")) / total)
    for function, share in list(own.items())[:LISTED]:
        print(f"  {share:6.1%}  {function}")

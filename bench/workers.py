"""Compares two workers with one. Each worker gets a small share of a core, so that what
they share (PostgreSQL, the client, the model) is not the bottleneck, and the result
shows whether the workers slow each other down."""
import os
import pathlib
import sys
import time

PERIOD_US = 20000
GROUPS = pathlib.Path("/sys/fs/cgroup")


class Share:
    """Limits a process to a share of a core. It counts the CPU time used, so that the
    process runs at once while it is below its share."""

    def __init__(self, pid, share):
        unified = (GROUPS / "cgroup.controllers").exists()
        self.root = GROUPS if unified else GROUPS / "cpu"
        self.pid, self.group = pid, self.root / f"sextant-bench-{pid}"
        quota = int(PERIOD_US * share)
        try:
            self.group.mkdir()
            if unified:
                (self.group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
            else:
                (self.group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
                (self.group / "cpu.cfs_quota_us").write_text(str(quota))
            (self.group / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            sys.exit(f"bench: --workers needs root and the cpu controller of cgroups: {error}")

    def end(self):
        (self.root / "cgroup.procs").write_text(str(self.pid))
        self.group.rmdir()


def two_beside_one(bench, share, runs):
    """The rows of the table: the same load on one worker and on two."""
    seen = {}
    for workers in (1, 2):
        bench.start_server(WORKERS=workers)
        bench.load(32, 100)
        shares = [Share(pid, share) for pid in bench.workers()]
        assert len(shares) == workers
        try:
            began, used = time.monotonic(), bench.busy_s()
            seen[workers] = bench.load(64, runs * workers, limit=600)
            seen[workers]["others"] = \
                (bench.busy_s() - used) / (time.monotonic() - began)
        finally:
            for one in shares:
                one.end()
        bench.stop_server()
    for workers, load in seen.items():
        bench.row(f"runs a second, {workers} worker{'s' * (workers > 1)} with "
                  f"{share * 100:.0f} % of a core each", f"{load['runs_per_s']:.1f}", "",
                  f"{load['server_cpu_s_per_1000']:.2f} s of CPU a 1000 runs; PostgreSQL "
                  f"{load['others']:.2f} cores")
    bench.row("two workers beside one",
              f"{seen[2]['runs_per_s'] / seen[1]['runs_per_s']:.2f}", ">= 1.7")

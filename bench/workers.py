"""Two workers beside one, where cores allow: on a machine of few cores each worker
gets a small share of one, so that whatever they share (PostgreSQL, the client, the
model) is no limit, and what is seen is whether they hold each other up."""
import os
import signal
import threading
import time

PERIOD_S = 0.02


class Share(threading.Thread):
    """Has a process run for that share of the time alone."""

    def __init__(self, pid, share):
        super().__init__(daemon=True)
        self.pid, self.share, self.over = pid, share, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(PERIOD_S * self.share):
            os.kill(self.pid, signal.SIGSTOP)
            time.sleep(PERIOD_S * (1 - self.share))
            os.kill(self.pid, signal.SIGCONT)

    def end(self):
        self.over.set()
        self.join()


def two_beside_one(bench, share, runs):
    """(rows of the table): the same load at one worker and at two."""
    seen = {}
    for workers in (1, 2):
        bench.start_server(WORKERS=workers)
        bench.load(32, 100)
        shares = [Share(pid, share) for pid in bench.workers()]
        assert len(shares) == workers
        try:
            began, used = time.monotonic(), bench.busy_s()
            seen[workers] = bench.load(128, runs * workers, limit=600)
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

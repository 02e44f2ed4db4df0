#!/usr/bin/env python3
"""The benchmark: Sextant's processes under load, compared with the machine's limits.

    bench/run.py [--program build/sextant] [--tools ../shared/bench] [--quick]
    bench/run.py --workers    only compares two workers with one
    bench/run.py --files      only uploads and questions about files
    bench/run.py --bill       only what a run costs PostgreSQL, statement by statement
    bench/run.py --grown [N]  only how cost grows with a million messages, or N
    bench/run.py --hour [S]   only an hour (or S seconds) of load
    bench/run.py --otlp       only what the export of traces costs
    bench/run.py --protocols  only what the OpenAI façade, MCP and Trino queries cost
    bench/run.py --instructions  only the instructions of a run, function by function

It starts a private PostgreSQL, a deterministic model server and a server with one
worker, and prints a table. All of them listen on loopback, and this script stops them.
The table includes figures of other processes (PostgreSQL, the sandbox), because they
share the machine's cores."""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from arrivals import Arrivals
from bill import Bill, SETTINGS as BILL_SETTINGS
from files import measure as measure_files
from grown import hour, how_cost_grows
from idle import IdleStreams, begin_run, health_p99_ms
from instructions import START_S, counting_program, instructions_a_run
from otlp import otlp_cost
from protocols import protocol_cost, trino_cost
from python_start import PYTHON, python_start_ms
from workers import two_beside_one

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# A chat answers one question at a time, and the load client asks all of them first.
CHATS = 1000


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(url, token=None, body=None):
    head = {"Authorization": f"Bearer {token}"} if token else {}
    with urllib.request.urlopen(
            urllib.request.Request(url, data=body, headers=head), timeout=20) as r:
        return r.read().decode()


def wait_for(probe, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if probe():
                return
        except OSError:
            pass
        time.sleep(0.05)
    sys.exit(f"bench: {what} did not come up in {seconds} s")


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            words = task.read_text().split()
        except FileNotFoundError:  # it has just ended
            continue
        for child in words:
            found += [int(child), *children(int(child))]
    return found


def command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def cpu(pids):
    ticks = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_kb(pids):
    total = 0
    for pid in pids:
        try:
            total += int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
        except OSError:
            pass
    return total


class Postgres:
    """A private cluster, run by an unprivileged user if this script runs as root."""

    def __init__(self, folder, settings=()):
        self.bin = pathlib.Path(subprocess.run(
            ["pg_config", "--bindir"], capture_output=True, text=True).stdout.strip()
            or "/usr/lib/postgresql/15/bin")
        if not (self.bin / "initdb").exists():
            self.bin = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.folder, self.port = folder, free_port()
        self.as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] \
            if os.getuid() == 0 else []
        folder.mkdir()
        if self.as_user:
            shutil.chown(folder, "postgres", "postgres")
        self.run("initdb", "-D", folder, "-U", "sextant", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8")
        self.process = subprocess.Popen(
            [*self.as_user, self.bin / "postgres", "-D", folder, "-p", str(self.port),
             "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}",
             "-c", "max_connections=60", "-c", "jit=off",
             *(word for setting in settings for word in ("-c", setting))],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: subprocess.run(
            [self.bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0,
            20, "PostgreSQL")
        for name in ("sextant", "bench"):
            self.psql("postgres", f"create database {name}")

    def run(self, program, *args):
        subprocess.run([*self.as_user, self.bin / program, *map(str, args)], check=True,
                       stdout=subprocess.DEVNULL, cwd="/")

    def psql(self, database, text=None, file=None, **variables):
        args = ["-f", str(file)] if file else ["-c", text]
        args += [word for name, value in variables.items()
                 for word in ("-v", f"{name}={value}")]
        subprocess.run([self.bin / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                        str(self.port), "-U", "sextant", database, *args], check=True)

    def rows(self, database, query):
        """The rows of a query, as lists of text."""
        out = subprocess.run(
            [self.bin / "psql", "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
             "-p", str(self.port), "-U", "sextant", database, "-c", query],
            check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in out.splitlines()]

    def json(self, database, query):
        return json.loads("\n".join("\t".join(row) for row in self.rows(database, query)))

    def url(self, database):
        return f"postgresql://sextant@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def pids(self):
        return [self.process.pid, *children(self.process.pid)]

    def pgbench(self, seconds):
        self.run("pgbench", "-q", "-i", "-s", "1", "-h", "127.0.0.1", "-p", self.port, "-U",
                 "sextant", "postgres")
        out = subprocess.run(
            [self.bin / "pgbench", "-S", "-M", "prepared", "-c", "8", "-T", str(seconds), "-h",
             "127.0.0.1", "-p", str(self.port), "-U", "sextant", "postgres"],
            capture_output=True, text=True).stdout
        return float(re.search(r"tps = ([\d.]+)", out).group(1))

    def pgbench_list(self, seconds, clients):
        """Runs the chat list's statement without the server, with the planner settings
        of the server's connections."""
        owner = subprocess.run(
            [self.bin / "psql", "-XAt", "-h", "127.0.0.1", "-p", str(self.port), "-U", "sextant",
             "sextant", "-c", "select id from users where email = 'bench@example.com'"],
            capture_output=True, text=True).stdout.strip()
        out = subprocess.run(
            [self.bin / "pgbench", "-n", "-f", str(HERE / "list.sql"), "-D", f"owner={owner}",
             "-M", "prepared", "-c", str(clients), "-T", str(seconds), "-h", "127.0.0.1",
             "-p", str(self.port), "-U", "sextant", "sextant"],
            env={**os.environ, "PGOPTIONS": "-c random_page_cost=1.1"},
            capture_output=True, text=True).stdout
        return float(re.search(r"tps = ([\d.]+)", out).group(1))

    def connections(self):
        """The number of Sextant's connections to its own database."""
        return sum("sextant sextant" in command(pid) for pid in self.pids())

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


class Bench:
    here = HERE

    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sextant-bench-"))
        self.folder.chmod(0o755)
        self.stops = []
        self.rows, self.server = [], None
        self.figures = {}  # for `sextant capacity`

    def row(self, what, ours, goal="", beside=""):
        self.rows.append((what, ours, goal, beside))
        print(f"  {what}: {ours}" + (f"  [{beside}]" if beside else ""), flush=True)

    def tools(self):
        source = self.options.tools
        if not (source / "sseload.c").exists():
            sys.exit(f"bench: no load client at {source} (give --tools)")
        out = self.folder / "tools"
        shutil.copytree(source, out)
        subprocess.run(["chmod", "-R", "u+w", out], check=True)
        client = out / "sseload.c"
        client.write_text(re.sub(r"CHATS = \d+", f"CHATS = {CHATS}", client.read_text()))
        subprocess.run(["cc", "-O2", "-o", out / "sseload", client], check=True)
        subprocess.run(["make", "-s", "-C", out / "mock-llm"], check=True)
        return out

    def start_mock(self, tools):
        self.mock_port = free_port()
        mock = subprocess.Popen([tools / "mock-llm" / "mock-llm"], cwd=tools / "mock-llm",
                                env={**os.environ, "MOCK_PORT": str(self.mock_port)},
                                stderr=subprocess.DEVNULL)
        self.stops.append(lambda: (mock.terminate(), mock.wait(5)))
        wait_for(lambda: get(f"http://127.0.0.1:{self.mock_port}/__mock/stats"), 5, "the mock model")

    def mock(self, query):
        get(f"http://127.0.0.1:{self.mock_port}/__mock/config?{query}", body=b"")

    def sextant(self, *args):
        return subprocess.run([self.options.program, *map(str, args)], env=self.env, check=True,
                              capture_output=True, text=True).stdout.strip()

    def start_server(self, **settings):
        self.port = free_port()
        self.env = {"PATH": os.environ["PATH"], "SEXTANT_HOME": str(self.folder / "home"),
                    "DATABASE_URL": self.postgres.url("sextant"), "PORT": str(self.port),
                    "OPENAI_API_KEY": "bench", "SANDBOX_URL": "off", "RUNS_PER_USER": "0",
                    "OPENAI_BASE_URL": f"http://127.0.0.1:{self.mock_port}/v1",
                    "EMBEDDING_DEFAULT_PROVIDER": "lexical", "ACCESS_LOG": "true",
                    **settings}
        self.env = {name: str(value) for name, value in self.env.items() if value is not None}
        log = open(self.folder / "server.log", "ab")
        self.server = subprocess.Popen([self.options.program, "serve"], env=self.env,
                                       stdout=log, stderr=log)
        wait_for(lambda: get(f"http://127.0.0.1:{self.port}/readyz"),
                 START_S if self.options.instructions else 30, "sextant")

    def stop_server(self):
        if self.server:
            self.server.terminate()
            self.server.wait(40)
        self.server = None

    def seed(self):
        self.postgres.psql("bench", file=HERE / "source.sql")
        self.token = self.sextant("token", "--user", "bench@example.com", "--role",
                                  "contributor").split()[-1]
        self.sextant("connection", "add", "bench", self.postgres.url("bench"),
                     "--owner", "bench@example.com", "--allow-superuser")
        self.sextant("import", HERE / "model.osi.yaml", "--connection", "bench", "--owner",
                     "bench@example.com")
        self.postgres.psql("sextant", file=HERE / "seed.sql")

    def ours(self):
        return [self.server.pid, *children(self.server.pid)]

    def workers(self):
        return [pid for pid in self.ours() if " worker" in command(pid)]

    def busy_s(self):
        """The CPU seconds of PostgreSQL so far."""
        return cpu(self.postgres.pids())

    def load(self, concurrency, runs, limit=150):
        args = [self.load_client, "-p", self.port, "-c", concurrency, "-n", runs, "-t", self.token,
                "-T", limit]
        for pid in self.ours():
            args += ["-w", pid]
        before = cpu(self.postgres.pids())
        out = subprocess.run([str(a) for a in args], capture_output=True, text=True)
        result = json.loads(out.stdout or "{}")
        if not result or result["errors"]:
            sys.exit(f"bench: runs failed: {out.stdout}{out.stderr}")
        result["postgres_cpu_s_per_1000"] = (cpu(self.postgres.pids()) - before) / runs * 1000
        return result

    def check_model(self):
        stats = json.loads(get(f"http://127.0.0.1:{self.mock_port}/__mock/stats"))
        if stats["unmatched"]:
            sys.exit(f"bench: the model did not know {stats['unmatched']} requests")

    def lag(self):
        text = get(f"http://127.0.0.1:{self.port}/metrics")
        return float(re.search(r"^sextant_loop_lag_max_seconds (\S+)", text, re.M).group(1)) * 1000

    def journal_a_run(self):
        """Events, and KB of disk with the indexes, of a run."""
        text = get(f"http://127.0.0.1:{self.port}/metrics")
        count = {name: float(re.search(rf"^sextant_{name} (\S+)", text, re.M).group(1))
                 for name in ("journal_events_total", "journal_bytes_total", "runs_started_total")}
        runs = count["runs_started_total"]
        return {"events": count["journal_events_total"] / runs,
                "stored_kb": count["journal_bytes_total"] / runs / 1024}

    def wrk(self, url, seconds):
        out = subprocess.run(["wrk", "-t1", "-c64", f"-d{seconds}s", *url], capture_output=True,
                             text=True).stdout
        return float(re.search(r"Requests/sec:\s*([\d.]+)", out).group(1))

    def nginx(self):
        folder = self.folder / "nginx"
        (folder / "www").mkdir(parents=True)
        (folder / "www" / "1k").write_text("x" * 1024)
        port = free_port()
        (folder / "conf").write_text(
            f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error;\n"
            f"events {{ worker_connections 1024; }}\nhttp {{ access_log {folder}/access;\n"
            f"server {{ listen 127.0.0.1:{port}; root {folder}/www; }} }}\n")
        server = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "conf"],
                                  stderr=subprocess.DEVNULL)
        self.stops.append(lambda: (server.terminate(), server.wait(5)))
        url = f"http://127.0.0.1:{port}/1k"
        wait_for(lambda: get(url), 5, "nginx")
        return url

    def measure(self):
        quick = self.options.quick
        seconds = 3 if quick else 8
        self.figures["worker_mb"] = resident_kb(self.workers()) / 1024
        self.row("idle: supervisor and one worker", f"{resident_kb(self.ours()) / 1024:.1f} MB", "< 20 MB")
        self.row("machine: pgbench -S, 8 clients", f"{self.postgres.pgbench(seconds):.0f} /s")
        self.load(16, 100)
        at_zero = self.load(16, 300 if quick else 1000)
        self.row("CPU a 1000 runs, model latency 0", f"{at_zero['server_cpu_s_per_1000']:.2f} s", "<= 3 s",
                 f"PostgreSQL {at_zero['postgres_cpu_s_per_1000']:.2f} s, "
                 f"{at_zero['runs_per_s']:.0f} runs/s")
        p99 = Arrivals(self.port, self.token, 500 if quick else 1000).run(100)
        self.row("first event at 100 new runs a second, p99", f"{p99:.0f} ms", "< 50 ms",
                 "from the POST, with a connection of its own")
        self.mock("latency_ms=1000")
        burst = self.load(1000, 1000)
        self.row("memory a run, 1000 in flight at 1 s a call", f"{burst['rss_kb_per_run']:.1f} KB", "<= 48 KB")
        self.figures.update(worker_cpu_ms=at_zero["server_cpu_s_per_1000"],
                            postgres_cpu_ms=at_zero["postgres_cpu_s_per_1000"],
                            run_kb=burst["rss_kb_per_run"], **self.journal_a_run())
        self.row("first event in that burst, p99", f"{burst['first_event_ms']['p99']:.0f} ms", "< 250 ms")
        self.mock("latency_ms=0")
        nginx = self.wrk([self.nginx()], seconds)
        health = self.wrk([f"http://127.0.0.1:{self.port}/healthz"], seconds)
        self.row("/healthz, access log on", f"{health:.0f} /s", ">= 0.8 of nginx",
                 f"nginx 1 KB {nginx:.0f} /s: {health / nginx:.2f}")
        # As autovacuum does within a minute of the burst, for both measurements below.
        self.postgres.psql("sextant", "vacuum analyze")
        chats = self.wrk(["-H", f"Authorization: Bearer {self.token}",
                          f"http://127.0.0.1:{self.port}/api/data-agent/chats"], seconds)
        clients = self.postgres.connections()
        beside = self.postgres.pgbench_list(seconds, clients)
        self.row(f"chat list, {CHATS} chats of a user", f"{chats:.0f} /s", "7,524 /s, and >= 0.5 of pgbench",
                 f"pgbench -f, the same query, {clients} clients {beside:.0f} /s: "
                 f"{chats / beside:.2f}")
        start = python_start_ms(50 if quick else 200)
        if start:
            self.row("a warm Python run starts, p50", f"{start[0]:.1f} ms", "< 25 ms",
                     f"p99 {start[1]:.1f} ms; its answer {start[2]:.1f} ms")
        self.check_model()

    def idle_streams(self, n=10000, seconds=30):
        """Idle readers of one run whose model is silent; comments every 15 s."""
        self.mock("latency_ms=300000")
        message, stream = begin_run(self.port, self.token,
                                    "00000000-0000-4000-8000-000000000001")
        before = resident_kb(self.ours())
        streams = IdleStreams(self.port, f"/api/data-agent/messages/{message}/events",
                              self.token, n)
        try:
            time.sleep(3)
            began, used = time.monotonic(), cpu(self.ours())
            p99 = health_p99_ms(self.port, seconds)
            share = (cpu(self.ours()) - used) / (time.monotonic() - began)
            grown = resident_kb(self.ours()) - before
            if streams.cut:
                sys.exit(f"bench: {streams.cut} idle streams were cut")
        finally:
            streams.close()
            stream.close()
            self.mock("latency_ms=0")
        time.sleep(1)  # closing them takes turns of the loop, too
        self.figures["stream_kb"] = grown / n
        self.row(f"memory of {n} idle streams", f"{grown / 1024:.0f} MB", "< 100 MB",
                 f"{grown / n:.1f} KB each")
        self.row("… their CPU, comments every 15 s, with /healthz 100 times a second",
                 f"{share * 100:.1f} % of a core", "< 5 %")
        self.row("… and /healthz, p99", f"{p99:.1f} ms", "< 20 ms")

    def files(self):
        """Another server, with a sandbox of its own."""
        if not PYTHON.exists():
            return
        self.stop_server()
        self.start_server(SANDBOX_URL=None, SANDBOX_PYTHON=PYTHON)
        measure_files(self, resident_kb, self.options.quick)

    def bill(self):
        """What a run costs PostgreSQL, after 200 others."""
        runs = 200 if self.options.quick else 1000
        self.load(16, 200)
        self.postgres.psql("sextant", "vacuum analyze")
        bill = Bill(self.postgres)
        load = self.load(16, runs)
        print(bill.end(runs))
        self.row("CPU a 1000 runs, model latency 0", f"{load['server_cpu_s_per_1000']:.2f} s",
                 "<= 1.2 s", f"{load['runs_per_s']:.0f} runs/s")
        self.row("… of PostgreSQL", f"{load['postgres_cpu_s_per_1000']:.2f} s", "<= 3 s",
                 "with the questions that came before")

    def grown(self):
        self.postgres.psql("sextant", "create extension pg_stat_statements")
        how_cost_grows(self, self.options.grown)

    def counts(self):
        """Whether PostgreSQL has to count what statements cost."""
        return self.options.bill or self.options.grown

    def run(self):
        try:
            tools = self.tools()
            self.load_client = tools / "sseload"
            if self.options.instructions:
                self.options.program = counting_program(self.options.program)
                self.stops.append(lambda: shutil.rmtree(self.options.program.parent))
            self.start_mock(tools)
            self.postgres = Postgres(self.folder / "postgres",
                                     BILL_SETTINGS if self.counts() else ())
            self.stops.append(self.postgres.stop)
            self.start_server()
            self.seed()
            if self.options.workers:
                self.stop_server()
                two_beside_one(self, 0.1, 100 if self.options.quick else 600)
                return self.rows
            if self.options.files:
                self.files()
                return self.rows
            for option, measure in (
                    (self.options.bill, self.bill), (self.options.grown, self.grown),
                    (self.options.hour, lambda: hour(self, self.options.hour))):
                if option:
                    measure()
                    return self.rows
            if self.options.instructions:
                instructions_a_run(self, 40 if self.options.quick else 100)
                return self.rows
            if self.options.otlp:
                otlp_cost(self, 4 if self.options.quick else 12, 100 if self.options.quick else 200)
                return self.rows
            if self.options.protocols:
                quick = self.options.quick
                protocol_cost(self, 3 if quick else 9, 60 if quick else 100)
                trino_cost(self, 15 if quick else 40)
                return self.rows
            if not self.options.idle:
                self.measure()
            self.idle_streams()
            self.row("longest turn of the loop, in all of it", f"{self.lag():.1f} ms", "<= 50 ms")
            if not self.options.idle:
                self.files()
        finally:
            self.stop_server()
            for stop in reversed(self.stops):
                stop()
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.rows


def table(rows):
    lines = ["| measure | sextant | goal | beside |", "|---|---|---|---|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "sextant")
    parser.add_argument("--tools", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("SEXTANT_BENCH", ROOT.parent / "shared" / "bench")))
    parser.add_argument("--workers", action="store_true", help="two workers beside one")
    parser.add_argument("--files", action="store_true", help="uploaded files alone")
    parser.add_argument("--otlp", action="store_true", help="what the export of traces costs")
    parser.add_argument("--protocols", action="store_true",
                        help="what the OpenAI façade, MCP and Trino queries cost")
    parser.add_argument("--instructions", action="store_true",
                        help="the instructions of a run (needs valgrind)")
    parser.add_argument("--idle", action="store_true", help="idle streams alone")
    parser.add_argument("--bill", action="store_true", help="what a run costs PostgreSQL")
    parser.add_argument("--grown", type=int, nargs="?", const=1000000, metavar="N",
                        help="how cost grows with a million messages, or N")
    parser.add_argument("--hour", type=int, nargs="?", const=3600, metavar="S",
                        help="an hour of load, or S seconds")
    parser.add_argument("--quick", action="store_true", help="shorter, for a first look")
    parser.add_argument("--figures", type=pathlib.Path, help="a file for `sextant capacity`")
    options = parser.parse_args()
    bench = Bench(options)
    print("\n" + table(bench.run()))
    if options.figures:
        options.figures.write_text(json.dumps(bench.figures, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Uploaded files: what an upload costs the worker, and how long questions take, compared with
DuckDB itself. Needs the sandbox's Python environment."""
import concurrent.futures
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

import python_start

ROWS = 500_000
QUERY = ("select city, count(*) as n, sum(amount) as total from sales "
         "group by city order by total desc")
# As DuckDB's own command line runs it: a process that opens the file and reads it.
BESIDE = """
import time, sys, duckdb
began = time.perf_counter()
with duckdb.connect() as connection:
    connection.execute(sys.argv[2].replace("from sales", f"from read_csv('{sys.argv[1]}')"))
    rows = connection.fetchall()
print((time.perf_counter() - began) * 1000)
"""


def write_sales(path):
    cities = ["Austin", "Bern", "Kyiv", "Lima", "Oslo", "Quito", "Rome", "Ulm"]
    with open(path, "w") as out:
        out.write("id,city,day,amount,note\n")
        for n in range(ROWS):
            out.write(f"{n},{cities[n * 7 % 8]},2024-{n % 12 + 1:02}-{n % 28 + 1:02},"
                      f"{n % 9973}.{n % 100:02},order {n * 31 % 100003}\n")


def write_upload(path, size):
    """The same lines again and again."""
    block = "".join(f"{n:08},customer {n % 977:05},{n % 1000:06}.25,Street {n % 89:04}\n"
                    for n in range(20_000)).encode()
    with open(path, "wb") as out:
        out.write(b"id,name,amount,place\n")
        while out.tell() + len(block) < size:
            out.write(block)


class Client:
    def __init__(self, port, token):
        self.port, self.token = port, token

    def call(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request(method, path, body, {
                "Authorization": f"Bearer {self.token}", **(headers or {})})
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def post(self, path):
        with open(path, "rb") as file:
            return self.call("POST", f"/datasets?name={path.name}", file, {
                "Content-Type": "text/csv",
                "Content-Length": str(path.stat().st_size)})

    def await_sandbox(self, path):
        """Until it has loaded its packages, uploads are 503."""
        path.write_text("a\n1\n")
        end = time.monotonic() + 120
        while self.post(path)[0] != 201:
            if time.monotonic() > end:
                raise SystemExit("bench: the sandbox did not come up")
            time.sleep(0.5)

    def upload(self, path):
        status, answer = self.post(path)
        if status != 201:
            raise SystemExit(f"bench: upload of {path.name}: {status} {answer}")
        return answer["id"]

    def chat(self, dataset, message):
        """(ms of the answer, ms that the engine took)."""
        began = time.perf_counter()
        status, answer = self.call("POST", "/chat", json.dumps(
            {"dataset_id": dataset, "message": message}),
            {"Content-Type": "application/json"})
        took = (time.perf_counter() - began) * 1000
        if status != 200 or answer["status"] != "succeeded":
            raise SystemExit(f"bench: {message}: {status} {answer}")
        return took, answer["result"]["exec_time_ms"]


class Watch:
    """Samples the memory of the workers and asks /healthz, 100 times a second."""

    def __init__(self, port, resident_kb):
        self.port, self.resident_kb = port, resident_kb
        self.before = self.most = resident_kb()
        self.worst_ms, self.over = 0, threading.Event()
        self.thread = threading.Thread(target=self._look)

    def _look(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.over.wait(0.01):
            began = time.perf_counter()
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            self.worst_ms = max(self.worst_ms, (time.perf_counter() - began) * 1000)
            self.most = max(self.most, self.resident_kb())
        connection.close()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def beside_ms(path, times):
    """DuckDB alone on the file: the median of processes that read it."""
    return statistics.median(float(subprocess.run(
        [python_start.PYTHON, "-c", BESIDE, path, QUERY], check=True, text=True,
        capture_output=True).stdout) for _ in range(times))


def measure(bench, resident_kb, quick):
    """Adds rows to the table of `bench`, whose server has a sandbox. `resident_kb` takes
    process ids."""
    client = Client(bench.port, bench.token)
    times = 5 if quick else 15
    with tempfile.TemporaryDirectory(prefix="sextant-bench-") as folder:
        os.chmod(folder, 0o755)
        client.await_sandbox(pathlib.Path(folder) / "first.csv")
        large = pathlib.Path(folder) / "large.csv"
        write_upload(large, (25 if quick else 250) * 1_000_000)
        workers = bench.workers()
        with Watch(bench.port, lambda: resident_kb(workers)) as watch:
            client.upload(large)
        bench.row(f"upload of {large.stat().st_size // 1_000_000} MB: the worker's memory",
                  f"{(watch.most - watch.before) / 1024:.1f} MB", "< 8 MB")
        bench.row("… and /healthz, the slowest of 100 a second", f"{watch.worst_ms:.1f} ms",
                  "< 50 ms")
        large.unlink()
        sales = pathlib.Path(folder) / "sales.csv"
        write_sales(sales)
        dataset = client.upload(sales)
        for _ in range(3):
            client.chat(dataset, f"SQL: {QUERY}")
        ours = statistics.median(
            client.chat(dataset, f"SQL: {QUERY}")[0] for _ in range(times))
        alone = beside_ms(sales, 3 if quick else 7)
        bench.row(f"SQL: over {ROWS} rows, warm", f"{ours:.0f} ms", "<= 1.5 of DuckDB",
                  f"DuckDB reads the same file in {alone:.0f} ms: {ours / alone:.2f}")
    small = "SQL: select count(*) as n from sales where id < 10"
    seen = [client.chat(dataset, small) for _ in range(times * 4)]
    beyond = sorted(took - engine for took, engine in seen)
    bench.row("warm /chat with SQL: beyond the engine, p50",
              f"{statistics.median(beyond):.1f} ms", "< 30 ms",
              f"p90 {beyond[len(beyond) * 9 // 10]:.1f} ms; the engine "
              f"{statistics.median(engine for _, engine in seen):.0f} ms")
    began = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        took = list(pool.map(lambda _: client.chat(dataset, f"SQL: {QUERY}")[0],
                             range(10 * (2 if quick else 5))))
    bench.row("ten CSV chats at a time", f"{len(took)} answers, none failed", "",
              f"{len(took) / (time.perf_counter() - began):.1f} /s, the slowest "
              f"{max(took):.0f} ms")

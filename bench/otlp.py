"""What the export of traces costs: the CPU of the same runs with and without a
collector."""
import shutil
import statistics
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from protocols import cpu_ms


class Sink:
    """A collector that accepts everything and looks at nothing."""

    def __init__(self):
        self.bytes = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.bytes += len(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def otlp_cost(bench, pairs, runs):
    """Two servers, one of which exports, take turns: on a busy machine,
    runs that are a minute apart differ by more than what is measured."""
    sink, cpu, servers = Sink(), {False: [], True: []}, {}
    home = bench.folder / "home"
    bench.stop_server()
    try:
        for exports in (False, True):
            own = home if not exports else home.with_name("home-otlp")
            if exports:
                own.mkdir()
                for file in home.iterdir():
                    if file.is_file():
                        shutil.copy2(file, own)
            bench.start_server(SEXTANT_HOME=own, **(
                {"OTEL_EXPORTER_OTLP_ENDPOINT": sink.url} if exports else {}))
            servers[exports] = bench.server, bench.port
        for n in range(-1, pairs):  # the first one only warms up
            for exports in ((False, True) if n % 2 else (True, False)):
                bench.server, bench.port = servers[exports]
                before = cpu_ms(bench.workers())
                bench.load(16, runs)
                time.sleep(0.3)
                if n >= 0:
                    cpu[exports].append((cpu_ms(bench.workers()) - before) / runs)
    finally:
        for bench.server, bench.port in servers.values():
            bench.stop_server()
        sink.close()
    added = statistics.median((b / a - 1) * 100 for a, b in zip(cpu[False], cpu[True]))
    bench.row("CPU of the worker that the export of traces adds to a run", f"{added:+.1f} %",
              "< 3 %", f"median of {pairs} pairs of {runs} runs; without it "
              f"{statistics.median(cpu[False]):.2f} ms, with it "
              f"{statistics.median(cpu[True]):.2f} ms; single pairs " +
              " ".join(f"{(b / a - 1) * 100:+.1f}" for a, b in zip(cpu[False], cpu[True])) +
              f"; {sink.bytes / (pairs + 1) / runs / 1024:.1f} KB a run")

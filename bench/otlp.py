"""What the export of traces costs: the CPU of the same runs with and without a collector,
in alternating pairs, because the cores are shared."""
import statistics
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
    """(percent of the CPU of a run, bytes a run)"""
    sink, cpu = Sink(), {False: [], True: []}
    try:
        for n in range(2 * pairs):
            exports = n % 2 == 1
            bench.stop_server()
            bench.start_server(**({"OTEL_EXPORTER_OTLP_ENDPOINT": sink.url} if exports else {}))
            bench.load(16, 50)
            cpu[exports].append(bench.load(16, runs)["server_cpu_s_per_1000"])
    finally:
        bench.stop_server()
        sink.close()
    without, with_it = statistics.median(cpu[False]), statistics.median(cpu[True])
    bench.row("CPU of 1000 runs without and with a collector",
              f"{without:.2f} and {with_it:.2f} s ({(with_it / without - 1) * 100:+.1f} %)",
              "< 3 %", f"medians of {pairs} pairs: {cpu}; "
              f"{sink.bytes / pairs / (runs + 50) / 1024:.1f} KB a run")

"""A collector of OpenTelemetry traces. It reads each body with the official message
types, as a stranger would: unknown fields and wrong types are errors."""
import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest)

from sextant import wait_until

IDS = ("traceId", "spanId", "parentSpanId")


def with_base64_ids(value):
    """OTLP writes ids in hex, protobuf's own JSON in base64."""
    if isinstance(value, list):
        return [with_base64_ids(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in IDS
            else with_base64_ids(v) for k, v in value.items()}


def parse(body):
    return json_format.ParseDict(with_base64_ids(json.loads(body)),
                                 ExportTraceServiceRequest())


def plain(value):
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(v) for v in value.array_value.values]
    return getattr(value, kind)


def attributes(message):
    return {a.key: plain(a.value) for a in message.attributes}


class Span:
    def __init__(self, span):
        self.trace, self.id = span.trace_id.hex(), span.span_id.hex()
        self.parent = span.parent_span_id.hex()
        self.name, self.kind, self.status = span.name, span.kind, span.status.code
        self.began, self.ended = span.start_time_unix_nano, span.end_time_unix_nano
        self.attributes = attributes(span)
        assert len(span.trace_id) == 16 and len(span.span_id) == 8
        assert self.began <= self.ended

    def __repr__(self):
        return f"{self.name} {self.id} < {self.parent} {self.attributes}"


class Collector:
    """`answer` decides what a request gets: a function of the number of the request that
    returns (status, headers, body), or None to never answer."""

    def __init__(self):
        self.requests, self.errors, self.resources = [], [], []
        self.spans, self.raw = [], []
        self.answer = lambda n: (200, {}, b"{}")
        self.released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((self.path, dict(self.headers)))
                said = outer.answer(len(outer.requests))
                if said is None:
                    outer.released.wait(60)
                    self.close_connection = True
                    return
                status, headers, reply = said
                if status == 200:
                    outer.take(body)
                self.send_response(status)
                for name, value in {"Content-Type": "application/json",
                                    "Content-Length": len(reply), **headers}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, body):
        try:
            self.raw.append(body.decode())
            message = parse(body)
            for r in message.resource_spans:
                self.resources.append(attributes(r.resource))
                self.spans += [Span(s) for scope in r.scope_spans for s in scope.spans]
        except Exception as error:  # shown by `of`
            self.errors.append(error)

    def of(self, trace):
        """The spans of a trace, once its run and the request that asked are there."""
        def look():
            assert not self.errors, self.errors
            found = [s for s in self.spans if s.trace == trace]
            ended = {s.name.split()[0] for s in found}
            return found if {"invoke_agent", "POST"} <= ended else None
        return wait_until(look, what=f"the trace {trace}")

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

"""A receiver of webhooks: a real HTTP server that keeps what it gets, and fails on demand."""
import hashlib
import hmac
import http.server
import json
import threading


class Receiver:
    def __init__(self, host="127.0.0.1"):
        self.got, self.scripts, self.news = [], [], threading.Condition()
        self.server = http.server.ThreadingHTTPServer((host, 0), self._handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]
        self.url = f"http://{host}:{self.port}/hook"

    def _handler(receiver):  # pylint: disable=no-self-argument
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.news:
                    status, headers = (receiver.scripts.pop(0)
                                       if receiver.scripts else (204, {}))
                    receiver.got.append((self.path, dict(self.headers), body))
                    receiver.news.notify_all()
                if status is None:  # breaks the connection off
                    self.close_connection = True
                    self.connection.close()
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass
        return Handler

    def script(self, *replies):
        """Statuses of the next requests; None breaks the connection off."""
        self.scripts += [r if isinstance(r, tuple) else (r, {}) for r in replies]

    def wait(self, count, patience=60):
        with self.news:
            assert self.news.wait_for(lambda: len(self.got) >= count, patience), \
                f"{len(self.got)} of {count} webhooks came"
            return self.got[count - 1]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def verified(secret, headers, body):
    """The body, if its signature is right."""
    stamp, mac = (part.split("=", 1)[1] for part in
                  headers["X-Sextant-Signature"].split(","))
    right = hmac.new(secret.encode(), stamp.encode() + b"." + body,
                     hashlib.sha256).hexdigest()
    assert hmac.compare_digest(mac, right)
    return json.loads(body)

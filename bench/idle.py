"""Opens idle streams: many readers of one run whose model is silent, over plain
sockets."""
import json
import resource
import selectors
import socket
import threading
import time
import urllib.request


class IdleStreams:
    """Readers that receive everything and send nothing."""

    def __init__(self, port, path, token, n):
        self.sockets, self.bytes, self.cut, self.over = [], 0, 0, False
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        request = (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                   f"Authorization: Bearer {token}\r\n"
                   "Accept: text/event-stream\r\n\r\n").encode()
        self.selector = selectors.DefaultSelector()
        self.thread = threading.Thread(target=self.read, daemon=True)
        for _ in range(n):
            it = socket.create_connection(("127.0.0.1", port), timeout=60)
            it.sendall(request)
            it.setblocking(False)
            self.selector.register(it, selectors.EVENT_READ)
            self.sockets.append(it)
        self.thread.start()

    def read(self):
        while not self.over:
            for key, _ in self.selector.select(0.2):
                try:
                    got = key.fileobj.recv(65536)
                except BlockingIOError:
                    continue
                except OSError:
                    got = b""
                self.bytes += len(got)
                if not got:
                    self.cut += 1
                    self.selector.unregister(key.fileobj)

    def close(self):
        self.over = True
        self.thread.join()
        for it in self.sockets:
            it.close()
        self.selector.close()


def post(port, path, token, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}",
                 "Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=60)


def begin_run(port, token, chat):
    """Returns (the message id, the open stream)."""
    data = json.load(post(port, f"/api/data-agent/chats/{chat}/messages", token,
                          {"content": "Why is Houston underperforming?"}))["data"]
    message = data["assistantMessage"]["id"]
    return message, post(port, f"/api/data-agent/chats/{chat}/messages/{message}"
                               "/stream", token, {})


def health_p99_ms(port, seconds):
    """Measures consecutive requests, each on its own connection."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz",
                                    timeout=20) as answer:
            answer.read()
        times.append((time.monotonic() - began) * 1000)
        time.sleep(0.01)
    return sorted(times)[int(len(times) * 0.99)]

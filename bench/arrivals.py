"""Starts runs at a steady rate, whether or not earlier ones have ended, and measures
the time until the first event of each stream."""
import json
import selectors
import socket
import time

from idle import post

QUESTION = {"content": "Why is Houston underperforming?"}
CHATS = 1000


def chat(n):
    return f"00000000-0000-4000-8000-{n % CHATS + 1:012}"


class Arrivals:
    def __init__(self, port, token, runs):
        self.port, self.token = port, token
        self.waiting = {}  # socket: when its run was requested
        self.first_ms, self.completed, self.open = [], 0, 0
        self.selector = selectors.DefaultSelector()
        self.paths = [self.path(n) for n in range(runs)]

    def path(self, n):
        with post(self.port, f"/api/data-agent/chats/{chat(n)}/messages",
                  self.token, QUESTION) as answer:
            message = json.load(answer)["data"]["assistantMessage"]["id"]
        return f"/api/data-agent/chats/{chat(n)}/messages/{message}/stream"

    def begin(self, path):
        it = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.waiting[it] = time.monotonic()
        it.sendall((f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    f"Authorization: Bearer {self.token}\r\n"
                    "Content-Type: application/json\r\nContent-Length: 2\r\n"
                    "Connection: close\r\n\r\n{}").encode())
        it.setblocking(False)
        self.selector.register(it, selectors.EVENT_READ)
        self.open += 1

    def hear(self, it):
        got = it.recv(262144)
        if it in self.waiting and b"event: " in got:
            self.first_ms.append((time.monotonic() - self.waiting.pop(it)) * 1000)
        self.completed += got.count(b"event: message_complete")
        if not got:
            self.selector.unregister(it)
            it.close()
            self.open -= 1

    def run(self, a_second, limit_s=60):
        """The p99 of the first event in ms. Raises an error if a run did not complete."""
        began = time.monotonic()
        n = 0
        while n < len(self.paths) or self.open:
            due = began + n / a_second
            if n < len(self.paths) and time.monotonic() >= due:
                self.begin(self.paths[n])
                n += 1
                continue
            left = due - time.monotonic() if n < len(self.paths) else 0.2
            for key, _ in self.selector.select(max(left, 0)):
                self.hear(key.fileobj)
            if time.monotonic() - began > limit_s:
                break
        if self.completed != len(self.paths):
            raise SystemExit(f"bench: {self.completed} of {len(self.paths)} runs "
                             "at a steady rate completed")
        return sorted(self.first_ms)[int(len(self.first_ms) * 0.99)]

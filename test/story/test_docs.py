"""The API documentation: its first example works, it lists all errors, and it is a page
for readers."""
import gzip
import html.parser
import os
import re
import socket
import subprocess
import uuid
from urllib.parse import urlsplit

import pytest

from kit.client import Client
from sextant import ROOT, environment

API = (ROOT / "docs" / "api.md").read_text()


def test_the_first_lines_are_an_answer(demo):
    """Runs them unchanged in a shell, with the user's own values."""
    script = re.search(r"```sh\n(.*?)```", API, re.S)[1]
    assert len(script.splitlines()) == 10
    account = {"email": f"{uuid.uuid4().hex}@docs.org", "password": "good enough"}
    root = Client(demo.url, demo.token("root@docs.org", "admin"))
    root.post("/api/users", {**account, "roles": ["contributor"]}).data
    done = subprocess.run(
        ["sh", "-eu", "-c", script], capture_output=True, text=True, timeout=120,
        env=environment(URL=demo.url, EMAIL=account["email"],
                        PASSWORD=account["password"]))
    assert done.returncode == 0, done.stderr
    events, _, message = done.stdout.rpartition("\n\n")
    assert "event: message_start" in events
    assert events.rstrip().splitlines()[-3].startswith("event: message_")
    assert '"role":"assistant"' in message


def raw(url, request):
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port), timeout=60) as s:
        s.sendall(request)
        s.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: s.recv(65536), b""))


HOST = b"Host: a\r\n"


@pytest.mark.parametrize("request_,status,code", [
    (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n" + HOST, 414, "URI_TOO_LONG"),
    (b"POST / HTTP/1.1\r\nExpect: more\r\nContent-Length: 0\r\n" + HOST, 417,
     "EXPECTATION_FAILED"),
    (b"GET / HTTP/1.1\r\nX: " + b"x" * 17000 + b"\r\n" + HOST, 431,
     "HEADERS_TOO_LARGE"),
    (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 200 + HOST, 431, "HEADERS_TOO_LARGE"),
    (b"BREW / HTTP/1.1\r\n" + HOST, 501, "NOT_IMPLEMENTED"),
    (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n" + HOST, 501,
     "NOT_IMPLEMENTED"),
    (b"GET / HTTP/2.0\r\n" + HOST, 505, "HTTP_VERSION_NOT_SUPPORTED"),
    (b"GET / HTTP/1.1\r\n", 400, "VALIDATION_ERROR"),
    (b"TRACE / HTTP/1.1\r\n" + HOST, 405, "METHOD_NOT_ALLOWED")],
    ids=lambda v: v if isinstance(v, str) else "")
def test_what_is_refused_before_it_is_routed_is_described(service, request_,
                                                          status, code):
    answer = raw(service.url, request_ + b"\r\n").decode()
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert f'"code":"{code}"' in answer
    assert f"| {status} | `{code}` |" in API


class Page(html.parser.HTMLParser):
    """Checks that each tag is closed, and collects ids and links."""
    EMPTY = {"meta", "link", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


# Only without the page of `make docs-ui`.
PLAIN = pytest.mark.skipif((ROOT / "static" / "docs" / "index.html").exists(),
                           reason="the page for trying out is built")


@PLAIN
def test_the_description_is_a_page_of_its_own(service):
    reply = Client(service.url).get("/docs")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy
    text = reply.body.decode()
    page = Page(text)
    assert page.open == []
    assert not {"script", "link", "img"} & set(page.tags)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert len(inner) > 20 and inner <= set(page.ids)
    assert "<code>data_agent:read</code>" in text
    assert "GET /api/data-agent/chats/:chatId" in text
    assert 'id=&quot;' not in text and "\\|" not in text


@pytest.mark.parametrize("accept,html_", [
    (None, True), ("*/*", True), ("text/html,*/*;q=0.8", True),
    ("text/plain", False), ("text/markdown", False),
    ("text/plain, text/html", True)])
def test_who_asks_for_text_gets_markdown(service, accept, html_):
    reply = Client(service.url).request("GET", "/docs", headers={"Accept": accept})
    assert reply.status == 200
    assert reply.headers["content-type"].startswith(
        "text/html" if html_ else "text/plain")
    if not html_:
        assert reply.body.decode() == API


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
def test_the_description_is_compressed_for_who_takes_it_so(service, path):
    client = Client(service.url)
    plain = client.get(path)
    packed = client.request("GET", path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 4
    same = client.request("GET", path, headers={
        "Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]})
    assert (same.status, same.body) == (304, b"")


def test_every_test_that_the_page_of_cases_names_is_there():
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "cases.md").read_text()))
    folders = ("story", "unit", "sandbox")
    found = {name for folder in folders
             for path in (ROOT / "test" / folder).rglob("test_*.[cp]*")
             if path.suffix in (".c", ".py")
             for name in re.findall(r"^(?:def|static void) (test_\w+)", path.read_text(),
                                    re.M)}
    assert len(named) > 60 and named <= found, named - found

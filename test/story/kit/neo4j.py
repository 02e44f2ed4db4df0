"""A real Neo4j, from the packages that `make deps-check-all` fetches."""
import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

from sextant import ROOT, wait_until

LIBRARY = ROOT / "build" / "neo4j" / "lib"
PASSWORD = "graph-of-stories"
OPENS = [word for package in ("java.nio", "java.io", "sun.nio.ch",
                              "java.util.concurrent")
         for word in ("--add-opens", f"java.base/{package}=ALL-UNNAMED")]


def is_there():
    return any(LIBRARY.glob("neo4j-server-*.jar")) and shutil.which("java")


def free_ports(n):
    found = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [it.getsockname()[1] for it in found]
    for it in found:
        it.close()
    return ports


class Neo4j:
    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="sx-neo4j-"))
        for name in ("conf", "data", "logs", "plugins"):
            (self.home / name).mkdir()
        http, bolt = free_ports(2)
        self.url = f"http://127.0.0.1:{http}"
        (self.home / "conf" / "neo4j.conf").write_text(
            f"server.http.listen_address=127.0.0.1:{http}\n"
            f"server.bolt.listen_address=127.0.0.1:{bolt}\n"
            f"server.bolt.advertised_address=127.0.0.1:{bolt}\n"
            "server.https.enabled=false\n"
            "server.memory.pagecache.size=32m\n"
            "dbms.usage_report.enabled=false\n")
        self.process = None

    def start(self):
        log = (self.home / "logs" / "out.log").open("wb")
        self.process = subprocess.Popen(
            ["java", "-Xmx400m", "-cp", f"{LIBRARY}/*", *OPENS,
             "org.neo4j.server.CommunityEntryPoint", f"--home-dir={self.home}",
             f"--config-dir={self.home / 'conf'}"],
            cwd=self.home, stdout=log, stderr=log)
        wait_until(self.answers, 120, what="Neo4j")
        self.run("alter current user set password from 'neo4j' to $to",
                 database="system", password="neo4j", to=PASSWORD)
        return self

    def answers(self):
        assert self.process.poll() is None, \
            (self.home / "logs" / "out.log").read_text()
        try:
            return urllib.request.urlopen(self.url, timeout=5).status == 200
        except OSError:
            return False

    def run(self, cypher, database="neo4j", password=PASSWORD, **parameters):
        """The rows of a statement."""
        word = base64.b64encode(f"neo4j:{password}".encode()).decode()
        request = urllib.request.Request(
            f"{self.url}/db/{database}/query/v2",
            json.dumps({"statement": cypher, "parameters": parameters}).encode(),
            {"Content-Type": "application/json", "Accept": "application/json",
             "Authorization": f"Basic {word}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["data"]["values"]
        except urllib.error.HTTPError as e:
            raise AssertionError(e.read().decode()) from e

    def stand_still(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def remove(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

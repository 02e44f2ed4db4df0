"""A Trino server for tests: one process with the catalogs that a test names."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.request

from postgres import free_port
from sextant import wait_until

VERSION = "476"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
PROGRAM = CACHE / "sextant" / f"trino-server-{VERSION}"
JDK = 24
STARTS = 400  # seconds, on a busy machine


def java_home():
    """The folder of a JDK that is new enough, or None."""
    folders = [os.environ.get("JAVA_HOME"), *sorted(pathlib.Path("/usr/lib/jvm").glob("*"))]
    for folder in filter(None, folders):
        java = pathlib.Path(folder) / "bin" / "java"
        if not java.exists():
            continue
        told = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
        found = re.search(r'version "(\d+)', told)
        if found and int(found[1]) >= JDK:
            return str(folder)
    return None


def missing():
    """Why there is no Trino here; empty: there is one."""
    if not (PROGRAM / "bin" / "launcher").exists():
        return "no Trino (make deps-check-all fetches it)"
    return "" if java_home() else f"no JDK of version {JDK} or newer for Trino"


class Trino:
    more_config = ""

    def __init__(self, catalogs):
        self.catalogs = catalogs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trino-"))
        self.port = free_port()

    def write(self, name, text):
        path = self.folder / "etc" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def start(self):
        self.write("node.properties", f"node.environment=test\nnode.id=test\n"
                   f"node.data-dir={self.folder}/data\n"
                   "node.internal-address=127.0.0.1\n")
        self.write("jvm.config", "-server\n-Xmx1500M\n-XX:+UseSerialGC\n"
                   "-XX:+ExitOnOutOfMemoryError\n")
        self.write("config.properties", "coordinator=true\n"
                   "node-scheduler.include-coordinator=true\n"
                   f"http-server.http.port={self.port}\n"
                   f"discovery.uri=http://127.0.0.1:{self.port}\n"
                   "query.max-memory=600MB\n" + self.more_config)
        for name, text in self.catalogs.items():
            self.write(f"catalog/{name}.properties", text)
        home = java_home()
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            [PROGRAM / "bin" / "launcher", "run", "--etc-dir", self.folder / "etc",
             "--data-dir", self.folder / "data"],
            stdout=self.log, stderr=self.log, start_new_session=True,
            env={**os.environ, "JAVA_HOME": home,
                 "PATH": f"{home}/bin:{os.environ['PATH']}"})
        wait_until(self.is_up, STARTS, "Trino")
        for catalog in self.catalogs:  # the first queries are slow
            self.query(f"select count(*) from {catalog}.information_schema.tables")
        return self

    def is_up(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/info") as r:
                return not json.load(r)["starting"]
        except OSError:
            return False

    def url(self, catalog, schema=""):
        return (f"trino://ann@127.0.0.1:{self.port}/{catalog}/{schema}"
                "?sslmode=disable")

    def query(self, sql):
        """The rows of a query, without Sextant."""
        headers = {"X-Trino-User": "test", "X-Trino-Catalog": "tpch"}
        address, body, rows = f"http://127.0.0.1:{self.port}/v1/statement", sql.encode(), []
        while address:
            request = urllib.request.Request(address, body, headers)
            with urllib.request.urlopen(request) as r:
                page = json.load(r)
            assert "error" not in page, page["error"]["message"]
            rows += page.get("data", [])
            address, body = page.get("nextUri"), None
        return rows

    def remove(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class SecureTrino(Trino):
    """It answers over TLS, with passwords and JSON Web Tokens, and without them it refuses.
    `password`: that of ann. `public_key`: the PEM that verifies tokens."""

    def __init__(self, catalogs, password, public_key):
        super().__init__(catalogs)
        self.secure_port = free_port()
        self.certificate = self.folder / "certificate.pem"
        key, both = self.folder / "key.pem", self.folder / "both.pem"
        subprocess.run(
            ["openssl", "req", "-new", "-x509", "-nodes", "-days", "30", "-newkey",
             "rsa:2048", "-subj", "/CN=story", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", key, "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)
        both.write_text(key.read_text() + self.certificate.read_text())
        self.write("token.pem", public_key)
        self.write("passwords", f"ann:{hashed(password)}\n")
        self.write("password-authenticator.properties",
                   "password-authenticator.name=file\n"
                   f"file.password-file={self.folder}/etc/passwords\n")
        self.more_config = (
            "http-server.https.enabled=true\n"
            f"http-server.https.port={self.secure_port}\n"
            f"http-server.https.keystore.path={both}\n"
            "http-server.authentication.type=PASSWORD,JWT\n"
            f"http-server.authentication.jwt.key-file={self.folder}/etc/token.pem\n"
            "internal-communication.shared-secret=for-one-test\n")

    def query(self, sql):
        """There is no way without credentials."""

    def secure_url(self, secret, catalog, options="", host="127.0.0.1"):
        return (f"trino://ann:{secret}@{host}:{self.secure_port}/{catalog}"
                f"?sslrootcert={self.certificate}{options}")


def hashed(password, rounds=1000):
    """As Trino's password files have it: SHA-1, at least 1000 rounds."""
    salt = os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), salt, rounds)
    return f"{rounds}:{salt.hex()}:{key.hex()}"

"""A private PostgreSQL, reached over TCP with passwords: for source databases, and for a
system database that may be stopped."""
import contextlib
import csv
import ctypes
import glob
import io
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
from urllib.parse import quote

from sextant import alive, children, descendants, wait_until

# Characters that a URL must escape.
PASSWORD = "story @/:%pass word"
PR_SET_PDEATHSIG = 1
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def programs():
    """The folder of the newest PostgreSQL on this machine."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"),
                   key=lambda path: int(path.split("/")[4]))
    program = found[-1] if found else shutil.which("initdb")
    assert program, "no PostgreSQL: make deps"
    return os.path.dirname(program)


def free_port():
    """A port for programs that cannot bind port 0. It stays free while the program is
    down: the kernel assigns none of these ports."""
    least = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range"
                             ).read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(least // 2, least)
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


def end_with_us():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


class Postgres:
    def __init__(self, folder=None):
        """With the programs of that folder, or the machine's newest."""
        self.programs = folder or programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sx-pg-", dir="/tmp"))
        self.port, self.process = free_port(), None
        self.as_user = {}
        if os.geteuid() == 0:
            who = pwd.getpwnam("postgres")
            os.chown(self.folder, who.pw_uid, who.pw_gid)
            self.as_user = {"user": who.pw_uid, "group": who.pw_gid,
                            "extra_groups": []}
        subprocess.run(
            [f"{self.programs}/initdb", "-D", self.folder / "data", "-U",
             "owner", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
             "--auth-local=trust", "--auth-host=scram-sha-256"], check=True,
            stdout=subprocess.DEVNULL, cwd="/", env=ENVIRONMENT, **self.as_user)

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/postgres", "-D", self.folder / "data", "-k",
             self.folder, "-p", str(self.port), "-c",
             "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "jit=off"],
            cwd="/", env=ENVIRONMENT, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=end_with_us, **self.as_user)
        wait_until(lambda: self._psql("postgres", "select 1").returncode == 0,
                   what="PostgreSQL")
        return self

    def stop(self):
        """Stops at once, as in a crash; `start` starts it again."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)
        self.process = None

    def crash(self):
        """Kills the server and all its sessions with SIGKILL."""
        pids = [self.process.pid, *descendants(self.process.pid)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)  # so that nothing is forked meanwhile
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.process.wait(30)
        self.process = None
        wait_until(lambda: not any(alive(pid) for pid in pids), what="the crash")

    @contextlib.contextmanager
    def frozen(self):
        """A context in which it hangs: connections stay open, nothing is answered."""
        pids = [self.process.pid]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
            pids += [child for child in children(pid) if child not in pids]
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def remove(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what is in it --------------------------------------------------

    def _psql(self, database, sql):
        return subprocess.run(
            [f"{self.programs}/psql", "-X", "-q", "--csv", "-P", "null=\\N",
             "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port),
             "-U", "owner", "-d", database, "-f", "-"],
            input=sql.encode(), capture_output=True, check=False, timeout=120,
            env=ENVIRONMENT)

    def table(self, database, sql):
        """Headings and rows of a query as text; NULL is None."""
        done = self._psql(database, sql)
        assert done.returncode == 0, done.stderr.decode()
        return [[None if cell == "\\N" else cell for cell in row]
                for row in csv.reader(io.StringIO(done.stdout.decode()))]

    def psql(self, database, sql):
        """The rows alone."""
        return self.table(database, sql)[1:]

    def load(self, database, script):
        """Creates a database, and a role that may only read it."""
        self.psql("postgres", f"create database {database}")
        self.psql(database, script)
        self.make_role(f"{database}_reader")
        self.psql(database,
                  f"revoke all on database {database} from public;"
                  f"grant connect on database {database} to {database}_reader;"
                  "revoke all on schema public from public;"
                  f"grant usage on schema public to {database}_reader;"
                  f"grant select on all tables in schema public to "
                  f"{database}_reader;")

    def use_tls(self):
        """Enables TLS; returns the file of the self-signed certificate, which is valid only
        for 127.0.0.1."""
        key, certificate = self.folder / "server.key", self.folder / "server.crt"
        subprocess.run(
            ["openssl", "req", "-new", "-x509", "-nodes", "-days", "30",
             "-newkey", "rsa:2048", "-subj", "/CN=story", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", key,
             "-out", certificate], check=True, cwd="/", env=ENVIRONMENT,
            stderr=subprocess.DEVNULL, **self.as_user)
        key.chmod(0o600)
        for name, value in (("ssl_key_file", key), ("ssl_cert_file", certificate),
                            ("ssl", "on")):
            self.psql("postgres", f"alter system set {name} = '{value}'")
        self.psql("postgres", "select pg_reload_conf()")
        wait_until(lambda: self.psql("postgres", "show ssl") == [["on"]],
                   what="TLS")
        return certificate

    def make_role(self, name):
        self.psql("postgres", f"create role {name} login password '{PASSWORD}'")

    def make_database(self, name):
        """A role and its own database of the same name; the address."""
        self.make_role(name)
        self.psql("postgres", f"create database {name} owner {name}")
        return self.url(name, name)

    def url(self, database, user=None):
        """The address; for a loaded database, with its reader."""
        return (f"postgresql://{user or database + '_reader'}:"
                f"{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{database}")

    # ---- what it is doing -----------------------------------------------

    def busy(self, database, text):
        """Pids of sessions that run a query with that text."""
        return [row[0] for row in self.psql(
            "postgres", "select pid from pg_stat_activity where state = "
            f"'active' and datname = '{database}' and query like '%{text}%' "
            "and pid <> pg_backend_pid()")]

    def wait_busy(self, database, text):
        wait_until(lambda: self.busy(database, text), what=f"a query {text}")

    def wait_idle(self, database, text):
        wait_until(lambda: not self.busy(database, text),
                   what=f"the end of the query {text}")

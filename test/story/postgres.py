"""A PostgreSQL of the tests' own: sources that are asked about, and a system
database that may be stopped. Reached over TCP, with passwords."""
import csv
import io
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from places import find_postgres, free_port

PASSWORD = "story-password"


class Postgres:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sextant-pg-"))
        self.port = free_port()
        self.process = None
        self.as_user = {}
        if os.geteuid() == 0:
            who = pwd.getpwnam("postgres")
            self.as_user = {"user": who.pw_uid, "group": who.pw_gid,
                            "extra_groups": []}
            os.chown(self.folder, who.pw_uid, who.pw_gid)
        (self.folder / "password").write_text(PASSWORD)
        os.chmod(self.folder / "password", 0o644)
        self._run("initdb", "--no-sync", "--auth=scram-sha-256", "-U", "owner",
                  "-E", "UTF8", "--locale=C.UTF-8",
                  f"--pwfile={self.folder / 'password'}", "-D", self.data)

    @property
    def data(self):
        return str(self.folder / "data")

    def _run(self, program, *words):
        subprocess.run([find_postgres(program), *map(str, words)], check=True,
                       cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                       **self.as_user)

    def start(self):
        self._run("pg_ctl", "-w", "-D", self.data, "-l", self.folder / "log",
                  "-o", f"-c listen_addresses=127.0.0.1 -p {self.port} "
                        f"-k {self.folder} -c fsync=off -c max_connections=80",
                  "start")
        return self

    def stop(self, how="immediate"):
        self._run("pg_ctl", "-w", "-m", how, "-D", self.data, "stop")

    def close(self):
        try:
            self.stop()
        except subprocess.CalledProcessError:
            pass  # it is down already
        shutil.rmtree(self.folder, ignore_errors=True)

    def signal_postmaster(self, number):
        pid = int((Path(self.data) / "postmaster.pid").read_text().split()[0])
        os.kill(pid, number)
        return pid

    def url(self, database, user="owner"):
        return (f"postgresql://{user}:{PASSWORD}@127.0.0.1:{self.port}/"
                f"{database}")

    def psql(self, database, sql, **options):
        """Rows as lists of text; NULL is None."""
        done = subprocess.run(
            [find_postgres("psql"), "-X", "-q", "--csv", "-P", "null=\\N", "-v",
             "ON_ERROR_STOP=1", self.url(database), "-f", "-"],
            input=sql.encode(), capture_output=True, check=False, **options)
        assert done.returncode == 0, done.stderr.decode()
        rows = list(csv.reader(io.StringIO(done.stdout.decode())))
        return [[None if cell == "\\N" else cell for cell in row]
                for row in rows[1:]]

    def load(self, database, *files):
        """The files, in one psql; a script may make its own database."""
        words = [find_postgres("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        for name in files:
            words += ["-f", str(name)]
        done = subprocess.run([*words, self.url(database)], capture_output=True,
                              check=False)
        assert done.returncode == 0, done.stderr.decode()

    def make_reader(self, database, role):
        """A role that may only read, as a connection should have."""
        self.psql("postgres", f"create role {role} login password '{PASSWORD}'")
        self.psql(database,
                  f"grant usage on schema public to {role};"
                  f"grant select on all tables in schema public to {role};")

    def backends(self, database):
        """What the sessions of a database are doing."""
        return self.psql("postgres", "select pid, state, query from "
                                     "pg_stat_activity where datname = "
                                     f"'{database}'")


__all__ = ["Postgres", "PASSWORD", "signal"]

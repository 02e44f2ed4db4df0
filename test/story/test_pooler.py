"""A pooler in transaction mode in front of the database: two servers share three
connections, and nothing is lost."""
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import fixtures, players
from kit.client import check_stream
from postgres import PASSWORD, free_port
from sextant import wait_until

pytestmark = pytest.mark.long
QUESTION = "revenue by city in 2025"
POOLER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")


class Pooler:
    def __init__(self, source, database):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sx-pool-", dir="/tmp"))
        self.port = free_port()
        as_user = {}
        if os.geteuid() == 0:
            who = pwd.getpwnam("postgres")
            os.chown(self.folder, who.pw_uid, who.pw_gid)
            as_user = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
        settings = self.folder / "pooler.ini"
        settings.write_text(
            f"[databases]\n{database} = host=127.0.0.1 port={source.port} "
            f"dbname={database} user={database} password='{PASSWORD}'\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
            "unix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            "default_pool_size = 3\nmax_client_conn = 200\n")
        self.process = subprocess.Popen(
            [POOLER, "-q", settings], cwd="/", stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **as_user)

    def remove(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def pooled(source, aimock):
    if POOLER is None:
        pytest.skip("pgbouncer is not here")
    direct = source.make_database("pooled")
    pooler = Pooler(source, "pooled")
    try:
        server = fixtures.open_service(
            source, WORKERS=2, RUNS_PER_USER=0, LEASE_MS=5000, SANDBOX_URL="off",
            DATABASE_URL=direct.replace(f":{source.port}/", f":{pooler.port}/"),
            DATABASE_DIRECT_URL=direct, **fixtures.model_settings(aimock.url))
    except BaseException:
        pooler.remove()
        raise
    yield server
    server.remove()
    pooler.remove()


def asked(server, name):
    client = server.client(f"{name}@example.org")
    chat = client.new_chat(server.ontologies["retail"], "builtin")
    return client.ask(chat, QUESTION)


def sessions(source):
    return int(source.psql("postgres", "select count(*) from pg_stat_activity "
                           "where datname = 'pooled'")[0][0])


def test_many_questions_share_a_few_connections(pooled, source):
    wait_until(lambda: pooled.metric("notices_listening") == 2,
               what="both workers to hear")
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(lambda n: asked(pooled, f"pooled{n}"),
                                   range(24)))
    for answer in answers:
        check_stream(answer.events)
        assert answer.complete
    # Three of the pooler's, and each worker's own, on which it listens.
    wait_until(lambda: 2 < sessions(source) <= 2 + 3, what="few connections")
    assert not pooled.log_entries("prepared statement")


def test_a_run_is_followed_and_survives_its_worker(pooled, aimock, questions):
    aimock.play([
        {**players.says(players.EXPLAINER, QUESTION, "word " * 200),
         "chunkSize": 5, "latency": 40},
        *players.of_questions(questions["retail"].values())])
    client = pooled.client("pooled@example.org")
    stream, message = client.start(
        client.new_chat(pooled.ontologies["retail"], "openai"), QUESTION)
    stream.wait_for("message_chunk")
    for pid in pooled.workers():
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: pooled.healthy("/readyz"), what="other workers")
    events = client.follow(message).finish()
    check_stream(events)
    assert events[-1].type == "message_complete", events[-1].data
    assert "phase_restart" in [e.type for e in events]
    assert stream.finish() == events[:len(stream.events)]

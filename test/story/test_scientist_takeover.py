"""The scientist on two servers: the one that runs attempt 2 is killed with all of its
processes, and the other goes on with attempt 3. No attempt runs twice, and there is no
fourth."""
import os
import signal
import uuid

import pytest

from kit import fixtures
from kit.client import Client
from kit.server import Server, hand_on
from sextant import descendants, wait_until
from test_scientist import BAD, CODE, FIX, MEAN, QUESTION, decides, script

WAITS = "import time\ntime.sleep(100)"


@pytest.fixture
def servers(source, aimock):
    """Two servers on one database of their own."""
    name = f"two_{uuid.uuid4().hex[:8]}"
    source.make_role(name)
    source.psql("postgres", f"create database {name} owner {name}")
    settings = dict(RUNS_PER_USER=0, PYTHON_TIMEOUT_MS=120000,
                    JWT_SECRET="a secret of both of them " * 2, CREDENTIALS_KEY="c2" * 32,
                    DATABASE_URL=source.url(name, name),
                    **fixtures.model_settings(aimock.url))
    one = fixtures.open_service(source, **settings)
    two = Server(**settings)
    try:
        yield one, two.start(), lambda sql: source.psql(name, sql)
    finally:
        for server in (one, two):
            server.remove()


def kill(server):
    """The supervisor first, so that it starts nothing again."""
    own = [server.process.pid, *descendants(server.process.pid)]
    for pid in own:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    server.process.wait()


@pytest.mark.parametrize("third, ends", [(MEAN, "analysis"), (BAD[2], "error")])
def test_a_server_killed_in_attempt_2_another_takes_over(servers, play, aimock, third,
                                                         ends):
    one, two, look_in = servers
    token = one.token_of(f"{uuid.uuid4().hex[:12]}@example.org")
    here, there = (Client(server.url, token) for server in (one, two))
    play("retail", script(decides(), [BAD[0], WAITS, third]))
    chat = here.new_chat(one.ontologies["retail"], "openai", agent="scientist")
    stream, message = here.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "tool_start" and e.data["args"]["code"] == WAITS)
    kill(one)
    stream.leave()
    hand_on(look_in, message)

    def settled():
        found = there.message(chat, message)
        return found if found["status"] != "generating" else None
    told = wait_until(settled, what="the end of the run", seconds=90)
    assert told["status"] == "complete", told
    final = told["metadata"]["finalOutput"]
    assert final["output_type"] == ends
    tried = [a["code"] for a in final["failed_attempts"]]
    assert tried == [BAD[0], WAITS] + ([third] if ends == "error" else [])
    assert "interrupted" in final["failed_attempts"][1]["error"]
    assert len(aimock.prompts(CODE)) == 1 and len(aimock.prompts(FIX)) == 2
    attempts = look_in("select kind from run_artifacts where message_id = "
                       f"'{message}' and kind like 'attempt%' order by kind")
    assert [a for a, in attempts] in ([], ["attempt_1", "attempt_2", "attempt_3"])
    capsule = there.get(f"/runs/{message}").json
    assert capsule["status"] == ("failed" if ends == "error" else "succeeded")
    assert capsule["python_code"] == third

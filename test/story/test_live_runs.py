"""What admins see of runs in progress, and how they stop one."""
import pytest

from kit import players
from kit.client import check_stream

RUNS = "/api/admin/runs"
QUESTION = "revenue by city in 2025"


@pytest.fixture
def admin(service):
    return service.client("root@example.org", "admin")


@pytest.fixture
def under_way(service, play, retail, hold):
    """An answer of another user that does not end: (client, stream, id)."""
    words = " ".join(f"word{n}" for n in range(80))
    play("retail", [players.says(players.EXPLAINER, QUESTION, words)])
    held = hold(players.EXPLAINER, b"word0")
    eve = service.client("eve@example.org")
    stream, message = eve.start(eve.new_chat(retail, "openai"), QUESTION)
    stream.wait_for("message_chunk")
    yield eve, stream, message
    stream.leave()
    eve.cancel(message)
    held.released.set()
    eve.follow(message).finish()  # one answer of hers at a time


def of_message(page, message):
    return next(r for r in page.data["items"] if r["messageId"] == message)


def test_a_run_is_seen_with_what_it_does(admin, under_way):
    _, _, message = under_way
    run = of_message(admin.get(RUNS), message)
    assert run["phase"] == "explainer" and run["userEmail"] == "eve@example.org"
    assert run["owner"] and not run["orphaned"] and run["attempt"] == 1
    assert run["ageMs"] > 0 and not run["cancelRequested"]
    assert any("explainer_begin" in line and "awaits" in line
               for line in run["trail"]), run["trail"]
    assert QUESTION not in str(run), "what was asked is its owner's alone"


def test_a_run_is_stopped_and_that_is_noted(admin, under_way):
    eve, stream, message = under_way
    assert admin.post(f"{RUNS}/{message}/cancel").status == 200
    events = stream.finish()
    check_stream(events)
    assert events[-1].data["code"] == "CANCELLED"
    noted = admin.get("/api/admin/audit", action="run.cancelled").data["items"][0]
    assert noted["target"]["id"] == message
    assert noted["actor"]["email"] == "root@example.org"
    assert message not in [r["messageId"]
                           for r in admin.get(RUNS).data["items"]]

"""What answers cost: from the prices of the settings to metadata, traces, metrics and
limits."""
import pytest

from kit.fixtures import model_settings, open_service

QUESTION = "revenue by city in 2025"
INPUT, OUTPUT = 2.5, 10
PRICES = f"gpt-4o={INPUT}/1.25/{OUTPUT},gpt-4=30/60"


@pytest.fixture(scope="module")
def priced(source, aimock, play):
    play("retail")
    it = open_service(source, **model_settings(
        aimock.url, SANDBOX_URL="off", RUNS_PER_USER=0, MODEL_PRICES=PRICES))
    yield it
    it.remove()


@pytest.fixture(scope="module")
def answered(priced):
    client = priced.client("cost@example.org")
    chat = client.new_chat(priced.ontologies["retail"], "openai")
    answer = client.ask(chat, QUESTION)
    assert answer.complete
    return client, chat, answer


def cost_of(tokens):
    return (tokens["prompt"] * INPUT + tokens["completion"] * OUTPUT) / 1e6


def test_an_answer_says_what_it_cost(answered):
    _, _, answer = answered
    tokens = answer.metadata["tokensUsed"]
    assert tokens["cost"] == pytest.approx(cost_of(tokens), rel=1e-6) and tokens["cost"] > 0
    assert sum(e["cost"] for e in answer.of("llm_call_end")) == \
        pytest.approx(tokens["cost"])
    assert sum(e["tokensUsed"].get("cost", 0) for e in answer.of("token_update")) == \
        pytest.approx(tokens["cost"])


def test_traces_say_what_each_call_cost(answered):
    client, chat, answer = answered
    message = answer.of("message_complete")[0]["messageId"]
    traces = client.get(f"/api/data-agent/chats/{chat}/messages/{message}"
                        "/traces").data
    traces = traces.get("items", traces) if isinstance(traces, dict) else traces
    assert sum(t["cost"] for t in traces) == \
        pytest.approx(answer.metadata["tokensUsed"]["cost"])
    assert all(t["cachedTokens"] == 0 and t["reasoningTokens"] == 0 for t in traces)


def test_a_chat_and_a_day_have_sums(answered, priced):
    client, chat, answer = answered
    tokens = answer.metadata["tokensUsed"]
    usage = client.get(f"/api/data-agent/chats/{chat}/usage").data
    assert usage["tokens"] == tokens["total"] and usage["answers"] == 1
    assert usage["cost"] == pytest.approx(tokens["cost"])
    mine = client.get("/api/usage").data
    assert mine["costPerDay"] == 0 and "users" not in mine["used"]
    today = mine["used"]["days"][0]
    assert today["cost"] >= usage["cost"] * 0.999
    assert client.get("/api/admin/usage").status == 403
    admin = priced.client("boss@example.org", "admin").get("/api/admin/usage", days=1).data
    [row] = [u for u in admin["used"]["users"] if u["email"] == "cost@example.org"]
    assert row["cost"] == pytest.approx(today["cost"])
    stranger = priced.client("stranger@example.org")
    assert stranger.get(f"/api/data-agent/chats/{chat}/usage").status == 404


def test_metrics_count_the_cost(answered, priced):
    cost = answered[2].metadata["tokensUsed"]["cost"]
    assert priced.metric("model_cost_total", model="gpt-4o") == \
        pytest.approx(cost, rel=1e-3)


def test_a_model_without_a_price_has_no_cost(priced):
    client = priced.client("cost@example.org")
    answer = client.ask(client.new_chat(priced.ontologies["retail"], "anthropic"), QUESTION)
    assert answer.metadata["tokensUsed"]["total"] > 0
    assert "cost" not in answer.metadata["tokensUsed"]


def test_the_built_in_analyst_costs_nothing(priced):
    client = priced.client("cost@example.org")
    answer = client.ask(client.new_chat(priced.ontologies["retail"], "builtin"), QUESTION)
    assert answer.complete and "cost" not in answer.metadata["tokensUsed"]


@pytest.mark.parametrize("bad", ["gpt-4o", "gpt-4o=1", "gpt-4o=1/x", "gpt-4o=1/2/3/4"])
def test_malformed_prices_are_refused(home, bad):
    done = home.run("config", check=False, MODEL_PRICES=bad)
    assert done.returncode != 0 and "MODEL_PRICES" in done.stderr


def test_the_limits_of_a_run_and_of_a_day(priced, answered):
    """Last: it restarts the server."""
    priced.stop()
    priced.start(RUN_MAX_COST="0.000001", ANTHROPIC_BASE_URL=None, ANTHROPIC_API_KEY=None)
    client = priced.client("spender@example.org")
    chat = client.new_chat(priced.ontologies["retail"], "openai")
    [error] = client.ask(chat, QUESTION).of("message_error")
    assert error["code"] == "BUDGET" and "cost" in error["message"]

    priced.stop()
    priced.start(COST_PER_DAY="0.000001")
    client = priced.client("spender@example.org")
    chat = client.new_chat(priced.ontologies["retail"], "openai")
    _, message = client.new_message(chat, QUESTION)
    reply = client.stream("POST", f"/api/data-agent/chats/{chat}/messages/{message}/stream")
    assert reply.status == 429 and reply.code == "RATE_LIMITED"
    assert "cost limit for today" in reply.json["message"]
    assert reply.headers["ratelimit-policy"].startswith('"cost"')
    assert int(reply.headers["retry-after"]) > 0
    # the first run of a day begins, and ends once it has cost as much
    other = priced.client("frugal@example.org")
    answer = other.ask(other.new_chat(priced.ontologies["retail"], "openai"), QUESTION)
    [error] = answer.of("message_error")
    assert error["code"] == "BUDGET" and "cost limit for today" in error["message"]
    assert len(answer.of("llm_call_start")) == 1 and not answer.of("message_complete")
    warned = [e for e in priced.log_entries("MODEL_PRICES")] or \
        "MODEL_PRICES has no price for claude" in priced.log_text()
    assert warned

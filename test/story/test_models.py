"""The choice of the model: the chat's provider, the system default, the admin's settings,
and both URL forms of Azure."""
import json
import uuid

import pytest

from kit import players
from kit.fixtures import model_settings, open_service
from sextant import wait_until

TOPIC = "Tell me of sales"
AZURE = "gpt-4o-eu"


@pytest.fixture(scope="module")
def server(source, aimock):
    it = open_service(source, SANDBOX_URL="off", **model_settings(
        aimock.url, AZURE_OPENAI_API_KEY="azure-key",
        AZURE_OPENAI_ENDPOINT=aimock.url, AZURE_OPENAI_DEPLOYMENT=AZURE,
        AZURE_OPENAI_API_VERSION="2024-10-21"))
    yield it
    it.remove()


@pytest.fixture
def cat(server):
    return server.client("cat@example.org")


@pytest.fixture
def calls(play, aimock, server):
    """Asks in a new chat of that provider: the requests that its model got."""
    def calls(client, provider):
        play("retail", [
            *players.structured(
                players.PLANNER, TOPIC, "generate_plan",
                players.plan(TOPIC, [], complexity="conversational")),
            players.says(players.EXPLAINER, None, "So it is.")])
        aimock.forget()
        chat = client.new_chat(server.ontologies["retail"], provider)
        answer = client.ask(chat, TOPIC)
        assert answer.complete, answer.last
        found = aimock.journal()
        assert len(found) == 2
        models = {c["model"] for c in answer.of("llm_call_start")}
        return found, models, answer
    return calls


def providers(client):
    return {p["id"]: p for p in client.get("/api/llm/providers").data["providers"]}


def set_models(server, client, **configs):
    """Changes a setting as an admin, at another worker: it takes effect within 5 s."""
    text = json.dumps({"dataAgent": configs})
    server.psql(f"update system_settings set agent_configs = '{text}',"
                " version = version + 1")
    wait_until(lambda: all(providers(client)[name]["model"] == c["model"]
                           for name, c in configs.items()),
               what="the new models")


def test_providers_are_told_whole(cat):
    known = providers(cat)
    assert set(known) == {"openai", "anthropic", "azure", "builtin"}
    for one in known.values():
        assert set(one) == {"id", "type", "name", "model", "enabled", "isDefault"}
    assert known["azure"] == {
        "id": "azure", "type": "azure", "name": "Azure OpenAI", "model": AZURE,
        "enabled": True, "isDefault": False}
    assert [p["id"] for p in known.values() if p["isDefault"]] == ["openai"]


def test_azure_in_its_classic_form(cat, calls):
    found, models, answer = calls(cat, "azure")
    assert models == {AZURE}
    assert {c["provider"] for c in answer.of("llm_call_start")} == {"azure"}
    for entry in found:
        assert entry["path"].startswith(
            f"/openai/deployments/{AZURE}/chat/completions")
        assert entry["headers"]["api-key"]
        assert "authorization" not in entry["headers"]


def test_a_chat_without_a_provider_takes_the_systems_default(cat, calls):
    found, _, _ = calls(cat, None)
    assert {e["path"] for e in found} == {"/v1/chat/completions"}
    assert {e["body"]["model"] for e in found} == {"gpt-4o"}


def test_what_the_admin_puts_counts_for_the_next_message(server, cat, calls):
    admin = server.client("root@example.org", "admin")
    put = admin.request("PATCH", "/api/system-settings", {
        "agentConfigs": {"dataAgent": {"openai": {"model": "gpt-4.1",
                                                  "temperature": 0.3}}}})
    assert put.status == 200, put.body
    found, models, _ = calls(cat, "openai")
    assert models == {"gpt-4.1"}
    assert {(e["body"]["model"], e["body"]["temperature"])
            for e in found} == {("gpt-4.1", 0.3)}


def test_other_workers_hear_of_it_and_leave_out_what_a_model_refuses(
        server, cat, calls):
    """Settings may be older than the models they meet."""
    set_models(server, cat,
               openai={"model": "o3", "temperature": 0.3,
                       "reasoningLevel": "low"},
               anthropic={"model": "claude-sonnet-4-6", "temperature": 0.3,
                          "reasoningLevel": 2048},
               azure={"model": "gpt-4.1-eu", "temperature": 0.3,
                      "reasoningLevel": "high"})
    found, models, answer = calls(cat, "openai")
    assert models == {"o3"}
    for entry in found:
        body = entry["body"]
        assert (body["model"], body["reasoning_effort"]) == ("o3", "low")
        assert "temperature" not in body
    traces = cat.get(f"/api/data-agent/chats/{answer.chat_id}/messages/"
                     f"{answer.message_id}/traces").data
    assert [(t["model"], t["temperature"]) for t in traces] == [("o3", None)] * 2
    _, models, _ = calls(cat, "anthropic")
    assert models == {"claude-sonnet-4-6"}
    found, models, _ = calls(cat, "azure")
    for entry in found:
        assert entry["path"].startswith("/openai/deployments/gpt-4.1-eu/")
        assert entry["body"]["temperature"] == 0.3
        assert "reasoning_effort" not in entry["body"]
    server.psql("update system_settings set agent_configs = '{}'")
    wait_until(lambda: providers(cat)["openai"]["model"] == "gpt-4o",
               what="the operator's model")


@pytest.mark.parametrize("more", [
    {"AZURE_OPENAI_API_VERSION": "v1"},
    {"AZURE_OPENAI_ENDPOINT": "{}/openai/v1/"}])
def test_azure_in_its_v1_form(server, aimock, calls, more):
    server.stop()
    server.start(**{name: value.format(aimock.url)
                    for name, value in more.items()})
    found, models, _ = calls(server.client(f"{uuid.uuid4()}@example.org"), "azure")
    assert models == {AZURE}
    for entry in found:
        assert entry["path"] == "/openai/v1/chat/completions"
        assert entry["body"]["model"] == AZURE
        assert entry["headers"]["api-key"]

"""The OpenAI API over ordinary runs, judged by the official client and on the wire."""
import json

import openai
import pytest

from kit import players
from kit.wire import replies
from sextant import wait_until

QUESTION = "revenue by city in 2025"
PATH = "/v1/chat/completions"


@pytest.fixture
def client(service, ann):
    it = openai.OpenAI(base_url=service.url + "/v1", api_key=ann.token,
                       max_retries=0)
    yield it
    it.close()


@pytest.fixture
def ask(client, retail):
    def ask(*messages, **more):
        roles = ["user", "assistant"] * len(messages)
        return client.chat.completions.create(
            model=retail, messages=[{"role": role, "content": text} for role, text
                                    in zip(roles, messages)], **more)
    return ask


def body(model, *messages, **more):
    return {"model": model, "messages": list(messages) or
            [{"role": "user", "content": QUESTION}], **more}


def origin(answer):
    return answer.model_extra["sextant"]


def test_an_answer_is_that_of_the_chat(ann, ask, play):
    play("retail")
    answer = ask(QUESTION)
    at = origin(answer)
    message = ann.message(at["chat_id"], at["answer_id"])
    assert answer.choices[0].message.content == message["content"] != ""
    assert answer.choices[0].finish_reason == "stop"
    used = message["metadata"]["tokensUsed"]
    assert used["prompt"] > 0
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (
        used["prompt"], used["completion"])
    assert answer.usage.total_tokens == used["prompt"] + used["completion"]
    assert answer.id == "chatcmpl-" + at["answer_id"]


def test_a_stream_gives_the_same_text_and_the_phases(ask, ann, play):
    play("retail")
    chunks = list(ask(QUESTION, stream=True,
                      stream_options={"include_usage": True}))
    *parts, usage = chunks
    assert usage.choices == [] and usage.usage.total_tokens > 0
    assert all(part.usage is None for part in parts)
    text = "".join(part.choices[0].delta.content or "" for part in parts)
    at = origin(parts[-1])
    assert text == ann.message(at["chat_id"], at["answer_id"])["content"]
    assert parts[0].choices[0].delta.role == "assistant"
    assert [p.choices[0].finish_reason for p in parts[-2:]] == [None, "stop"]
    told = [(p.choices[0].delta.model_extra or {}).get("reasoning_content")
            for p in parts]
    assert told.count("Running queries and analyses\n") == 1


def test_without_include_usage_there_is_none(ask, play):
    play("retail")
    chunks = list(ask(QUESTION, stream=True))
    assert all(c.choices and "usage" not in c.model_fields_set for c in chunks)


def test_a_conversation_is_one_chat(ann, ask, play):
    play("retail")
    first = ask(QUESTION)
    text = first.choices[0].message.content
    second = ask(QUESTION, text, QUESTION)
    assert origin(second)["chat_id"] == origin(first)["chat_id"]
    edited = ask(QUESTION, text, QUESTION + " ")
    assert origin(edited)["chat_id"] == origin(first)["chat_id"]
    again = ask(QUESTION)
    assert origin(again)["chat_id"] != origin(first)["chat_id"]


def test_an_unknown_conversation_becomes_a_chat(ann, ask, play):
    play("retail")
    at = origin(ask("What is this?", "A shop.", "Since when?", "2024.", QUESTION))
    listed = ann.get(f"/api/data-agent/chats/{at['chat_id']}/messages",
                     pageSize=50).data["items"]
    texts = [m["content"] for m in sorted(listed, key=lambda m: m["createdAt"])]
    assert sorted(texts[:4]) == ["2024.", "A shop.", "Since when?",
                                 "What is this?"]
    by_id = {m["id"]: m for m in listed}
    walk, seen = by_id[at["answer_id"]], []
    while walk:
        seen.append(walk["content"])
        walk = by_id.get(walk["parentId"])
    assert seen[1:] == [QUESTION, "2024.", "Since when?", "A shop.",
                        "What is this?"]


def test_another_user_does_not_get_the_chat(service, bob, ask, retail, play):
    play("retail")
    first = ask(QUESTION)
    reply = bob.post(PATH, body(
        retail, {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": first.choices[0].message.content},
        {"role": "user", "content": QUESTION}))
    assert reply.status == 200
    assert reply.json["sextant"]["chat_id"] != origin(first)["chat_id"]


def test_parts_and_instructions(ann, retail, play):
    play("retail")
    reply = ann.post(PATH, body(
        retail, {"role": "system", "content": "Answer in verse."},
        {"role": "developer", "content": [{"type": "text", "text": "x"}]},
        {"role": "user", "content": [{"type": "text", "text": "revenue by city "},
                                     {"type": "text", "text": "in 2025"}]},
        temperature=0.1, max_tokens=5, seed=1, user="u", stop=None, tools=[],
        n=1, logprobs=False, response_format={"type": "text"}))
    assert reply.status == 200, reply.body
    at = reply.json["sextant"]
    messages = ann.get(f"/api/data-agent/chats/{at['chat_id']}/messages")
    assert QUESTION in [m["content"] for m in messages.data["items"]]


@pytest.mark.parametrize("more,param", [
    ({"n": 2}, "n"), ({"n": "1"}, "n"), ({"logprobs": True}, "logprobs"),
    ({"top_logprobs": 3}, "top_logprobs"),
    ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
    ({"tool_choice": "required"}, "tool_choice"),
    ({"functions": [{"name": "f"}]}, "functions"),
    ({"response_format": {"type": "json_object"}}, "response_format"),
    ({"modalities": ["text", "audio"]}, "modalities"),
    ({"audio": {"voice": "x"}}, "audio"), ({"stop": ["a"]}, "stop"),
    ({"logit_bias": {"1": 2}}, "logit_bias"),
    ({"stream": 1}, "stream"),
    ({"stream_options": {"include_usage": True}}, "stream_options"),
    ({"stream": True, "stream_options": 3}, "stream_options"),
    ({"model": ""}, "model"), ({"model": 3}, "model"), ({"model": "a\0b"}, None),
    ({"messages": []}, "messages"), ({"messages": "hello"}, "messages"),
    ({"messages": [1]}, "messages"), ({"messages": [{"role": "user"}]}, "messages"),
    ({"messages": [{"role": "user", "content": " "}]}, "messages"),
    ({"messages": [{"role": "user", "content": "a\0b"}]}, None),
    ({"messages": [{"role": "user", "content": "x" * 10001}]}, "messages"),
    ({"messages": [{"role": "tool", "content": "x"}]}, "messages"),
    ({"messages": [{"role": "user", "content": "x"},
                   {"role": "assistant", "content": "y"}]}, "messages"),
    ({"messages": [{"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": "data:,"}}]}]}, "messages"),
    ({"messages": [{"role": "user", "content": [
        {"type": "input_audio", "input_audio": {}}]}]}, "messages"),
    ({"messages": [{"role": "user", "content": "x"}] * 501}, "messages"),
    ({"messages": [{"role": "user", "content": "x"},
                   {"role": "assistant", "tool_calls": [{"id": "1"}]},
                   {"role": "user", "content": "x"}]}, "messages"),
], ids=str)
def test_what_there_is_not_is_an_error_in_their_form(ann, retail, more, param):
    reply = ann.post(PATH, {**body(retail), **more})
    assert reply.status == 400, reply.body
    assert set(reply.json) == {"error"}
    error = reply.json["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert error["param"] == param and error["message"]


def test_errors_have_the_classes_of_the_client(service, client, viewer, retail):
    def refused(kind, code, call):
        with pytest.raises(kind) as told:
            call()
        assert told.value.code == code

    def create(it, model=retail):
        return lambda: it.chat.completions.create(
            model=model, messages=[{"role": "user", "content": QUESTION}])

    refused(openai.NotFoundError, "model_not_found", create(client, "none"))
    refused(openai.NotFoundError, "model_not_found",
            lambda: client.models.retrieve("none"))
    refused(openai.NotFoundError, "not_found",
            lambda: client.embeddings.create(model=retail, input="x"))
    stranger = openai.OpenAI(base_url=service.url + "/v1", api_key="sk-x",
                             max_retries=0)
    refused(openai.AuthenticationError, "invalid_api_key", create(stranger))
    onlooker = openai.OpenAI(base_url=service.url + "/v1", api_key=viewer.token,
                             max_retries=0)
    refused(openai.PermissionDeniedError, "insufficient_permissions",
            create(onlooker))
    assert retail in [m.id for m in onlooker.models.list()] + [
        client.models.retrieve(retail).id, retail]


@pytest.mark.parametrize("data,status", [
    (b"{", 400), (b"[]", 400), (b"", 400), (b'{"a":1,"a":2}', 400)])
def test_a_body_that_is_no_object(ann, data, status):
    reply = ann.request("POST", PATH, data,
                        headers={"Content-Type": "application/json"})
    assert reply.status == status and set(reply.json) == {"error"}


@pytest.mark.parametrize("streams", [False, True])
def test_a_failed_run_is_an_error_and_not_repeated(ann, retail, models, play,
                                                   streams):
    play("retail")
    models.script(players.PLANNER, [replies(400, '{"error": "no such thing"}')])
    reply = ann.post(PATH, body(retail, stream=streams))
    models.forget()
    if streams:
        last = reply.body.strip().split(b"\n\n")[-1]
        error = json.loads(last.removeprefix(b"data: "))["error"]
        assert reply.status == 200 and b"[DONE]" not in reply.body
    else:
        error = reply.json["error"]
        assert reply.status == 503
        assert reply.headers["x-should-retry"] == "false"
    assert error["type"] == "server_error" and "no such thing" in error["message"]


def test_a_client_that_disconnects_cancels_the_run(ann, retail, hold, play):
    play("retail")
    held = hold(players.PLANNER)
    stream = ann.stream("POST", PATH, body(retail, stream=True))
    held.wait()
    chat = ann.get("/api/data-agent/chats").data["items"][0]["id"]
    stream.leave()

    def failed():
        items = ann.get(f"/api/data-agent/chats/{chat}/messages").data["items"]
        return [m for m in items if m["status"] == "failed"]
    answer = wait_until(failed, what="the cancelled answer")[0]
    assert answer["metadata"]["error"]["code"] == "CANCELLED"
    held.released.set()

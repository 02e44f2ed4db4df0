"""The integration cases of the API's specification, by name, and further cases of its
endpoints."""
import gzip
import socket
import threading
import urllib.parse
import uuid

import pytest

from kit.client import Client, Stream

CHATS = "/api/data-agent/chats"
NOBODY = "5b1c9e52-0f1d-4c7e-9a55-0c6f3b0e8d21"  # an id that does not exist


@pytest.fixture
def anyone(service):
    """A client without a token."""
    return Client(service.url)


@pytest.fixture
def newcomer(service):
    """A user who has no chats yet."""
    return service.client(f"{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def private_ontology(service, retail):
    """A private ontology of Ann."""
    service.token_of("ann@example.org")
    service.connect("hers", service.source_url, "--owner", "ann@example.org")
    return service.import_model(service.retail_model, "hers", "--name", "hers",
                                "--private", "--owner", "ann@example.org")


def test_a_response_carries_a_request_id(anyone):
    made = anyone.get("/healthz").headers["x-request-id"]
    assert made and made != anyone.get("/healthz").headers["x-request-id"]
    given = anyone.request("GET", "/healthz", headers={"X-Request-Id": "abc-1"})
    assert given.headers["x-request-id"] == "abc-1"
    mad = anyone.request("GET", "/healthz", headers={"X-Request-Id": "a b\"c"})
    assert mad.headers["x-request-id"] != "a b\"c"


def test_an_error_has_the_shape_of_the_contract(ann):
    reply = ann.get(f"{CHATS}/{NOBODY}")
    body = reply.json
    assert reply.headers["content-type"].startswith("application/json")
    assert body == {"statusCode": 404, "code": "NOT_FOUND",
                    "message": "Chat not found",
                    "requestId": reply.headers["x-request-id"]}


def test_a_compressed_body_is_415(ann, retail):
    for coding, status in (("gzip", 415), ("x", 415), ("identity", 201)):
        reply = ann.request("POST", CHATS, {"ontologyId": retail},
                            headers={"Content-Encoding": coding})
        assert reply.status == status
        if status == 415:
            assert reply.code == "UNSUPPORTED_MEDIA_TYPE"
            assert reply.headers["accept-encoding"] == "identity"


def test_an_unknown_address_or_method(ann):
    assert ann.get("/api/nothing").code == "NOT_FOUND"
    reply = ann.request("DELETE", CHATS)
    assert (reply.status, reply.code) == (405, "METHOD_NOT_ALLOWED")
    assert {m.strip() for m in reply.headers["allow"].split(",")} >= {"GET",
                                                                    "POST"}


class TestOpenAddresses:
    @pytest.mark.parametrize("path", ["/healthz", "/health", "/health/live"])
    def test_health_check_passes(self, anyone, path):
        assert anyone.get(path).status == 200

    @pytest.mark.parametrize("path", ["/readyz", "/health/ready"])
    def test_readiness_says_what_it_stands_on(self, anyone, path):
        reply = anyone.get(path)
        assert reply.status == 200 and reply.json["database"] == "up"

    def test_metrics_are_for_this_machine(self, anyone):
        text = anyone.get("/metrics").body.decode()
        assert "# TYPE sextant_runs_total counter" in text

    def test_a_page_says_what_runs_here(self, anyone):
        reply = anyone.get("/")
        assert reply.status == 200
        assert reply.headers["content-type"].startswith("text/html")
        assert b"Sextant" in reply.body

    @pytest.mark.parametrize("path,accept,status", [
        ("/agent", "*/*", 200), ("/agent/x", None, 200), ("/share/x", "*/*", 200),
        ("/settings/profile", "*/*", 200), ("/admin/users", "*/*", 200),
        ("/nothing", "text/plain, TEXT/HTML;q=0.5", 200),
        ("/nothing", "text/html;q=0, */*", 404), ("/nothing", "*/*", 404),
        ("/nothing", None, 404), ("/nothing.js", "text/html", 404),
        ("/api/nothing", "text/html", 404)])
    def test_the_page_is_where_the_contract_says(self, anyone, path, accept,
                                                 status):
        reply = anyone.request("GET", path, headers={"Accept": accept})
        kind = "text/html" if status == 200 else "application/json"
        assert reply.status == status
        assert reply.headers["content-type"].startswith(kind)

    @pytest.mark.parametrize("path", ["/../sql/001_core.sql", "/%2e%2e/sql",
                                      "/..%2fsql/001_core.sql", "/.git/config"])
    def test_no_path_leads_out_of_the_page_folder(self, anyone, path):
        assert anyone.get(path).status in (400, 404)


class TestGetChats:
    def test_401_if_not_authenticated(self, anyone):
        reply = anyone.get(CHATS)
        assert (reply.status, reply.code) == (401, "UNAUTHORIZED")

    def test_a_viewer_reads_his_own(self, viewer):
        assert viewer.get(CHATS).data["items"] == []

    def test_empty_list_when_no_chats(self, newcomer):
        data = newcomer.get(CHATS).data
        assert data == {"items": [], "pagination": {
            "page": 1, "pageSize": 20, "totalItems": 0, "totalPages": 0},
            "total": 0, "page": 1, "pageSize": 20, "totalPages": 0}

    def test_paginated_results(self, newcomer, retail):
        made = [newcomer.new_chat(retail, name=f"Chat {n}") for n in range(5)]
        seen = []
        for page in (1, 2, 3):
            data = newcomer.get(CHATS, page=page, pageSize=2).data
            assert data["pagination"] == {"page": page, "pageSize": 2,
                                          "totalItems": 5, "totalPages": 3}
            seen += [item["id"] for item in data["items"]]
        assert sorted(seen) == sorted(made) and len(set(seen)) == 5

    def test_a_page_past_the_end_is_empty_and_knows_the_total(self, newcomer,
                                                              retail):
        newcomer.new_chat(retail)
        data = newcomer.get(CHATS, page=9).data
        assert data["items"] == [] and data["total"] == 1
        data = newcomer.get("/api/ontologies", page=900).data
        assert data["items"] == [] and data["total"] >= 1

    def test_filter_by_owner_id_isolation(self, ann, bob, retail):
        hers = ann.new_chat(retail)
        data = bob.get(CHATS, pageSize=100).data
        assert hers not in [item["id"] for item in data["items"]]

    def test_an_admin_sees_his_own_alone_too(self, ann, service, retail):
        hers = ann.new_chat(retail)
        admin = service.client("root@example.org", "admin")
        assert admin.get(f"{CHATS}/{hers}").status == 404
        assert hers not in str(admin.get(CHATS, pageSize=100).body)

    def test_search_by_name(self, newcomer, retail):
        for name in ("Sales in May", "Stock 100%", "Ärger über Öl"):
            newcomer.new_chat(retail, name=name)
        def found(text):
            return [i["name"] for i in newcomer.get(CHATS, search=text).data["items"]]
        assert found("sales") == ["Sales in May"]
        assert found("%") == ["Stock 100%"]
        assert found("über") == ["Ärger über Öl"]
        assert found("nothing of that") == []

    def test_filter_by_ontology_id(self, newcomer, retail, chinook_ontology):
        one = newcomer.new_chat(retail)
        newcomer.new_chat(chinook_ontology)
        items = newcomer.get(CHATS, ontologyId=retail).data["items"]
        assert [item["id"] for item in items] == [one]
        assert items[0]["ontology"]["id"] == retail

    @pytest.mark.parametrize("key", ["updatedAt", "createdAt", "name"])
    def test_sort_by_updated_at_created_at_name(self, newcomer, retail, key):
        for name in ("b", "c", "a"):
            newcomer.new_chat(retail, name=name)
        def names(order):
            items = newcomer.get(CHATS, sortBy=key, sortOrder=order).data["items"]
            return [item["name"] for item in items]
        rising = ["a", "b", "c"] if key == "name" else ["b", "c", "a"]
        assert names("asc") == rising and names("desc") == rising[::-1]

    @pytest.mark.parametrize("query,field", [
        ({"page": 0}, "page"), ({"page": "x"}, "page"), ({"page": -1}, "page"),
        ({"pageSize": 101}, "pageSize"), ({"pageSize": 0}, "pageSize"),
        ({"sortBy": "ownerId"}, "sortBy"), ({"sortOrder": "up"}, "sortOrder"),
        ({"ontologyId": "not-a-uuid"}, "ontologyId"),
        ({"search": "x" * 256}, "search")])
    def test_validation_errors(self, ann, query, field):
        reply = ann.get(CHATS, **query)
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert reply.fields() == {field}

    @pytest.mark.parametrize("query", [
        "search=%ff", "search=%00", "search=%c3", "page=1&x=%ed%a0%80"])
    def test_a_query_that_is_no_text_is_400(self, ann, query):
        reply = ann.get(f"{CHATS}?{query}")
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")


class TestGetChat:
    def test_401_if_not_authenticated(self, anyone):
        assert anyone.get(f"{CHATS}/{NOBODY}").status == 401

    def test_200_with_chat_and_messages(self, ann, retail):
        chat = ann.new_chat(retail, "openai", name="With messages")
        asked, answered = ann.new_message(chat, "revenue by city in 2025")
        data = ann.get(f"{CHATS}/{chat}").data
        assert data["name"] == "With messages"
        assert data["llmProvider"] == "openai" and data["agent"] == "pipeline"
        assert data["ontology"]["id"] == data["ontologyId"] == retail
        assert data["ontology"]["status"] == "ready"
        assert data["ontology"]["datasetCount"] >= 5
        assert data["messageCount"] == 2
        assert [(m["id"], m["role"], m["status"]) for m in data["messages"]] == [
            (asked, "user", "complete"), (answered, "assistant", "generating")]

    def test_404_for_non_existent(self, ann):
        assert ann.get(f"{CHATS}/{NOBODY}").status == 404

    def test_404_for_other_users_chat(self, ann, bob, retail):
        assert bob.get(f"{CHATS}/{ann.new_chat(retail)}").status == 404

    @pytest.mark.parametrize("bad", ["1", "not-a-uuid", NOBODY + "0",
                                     NOBODY.replace("-", ""), "%00",
                                     "{" + NOBODY + "}"])
    def test_a_malformed_uuid_is_400(self, ann, bad):
        reply = ann.get(f"{CHATS}/{bad}")
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")


class TestPostChats:
    def test_401_if_not_authenticated(self, anyone, retail):
        assert anyone.post(CHATS, {"ontologyId": retail}).status == 401

    def test_403_for_viewer(self, viewer, retail):
        reply = viewer.post(CHATS, {"ontologyId": retail})
        assert (reply.status, reply.code) == (403, "FORBIDDEN")

    def test_201_with_created_chat(self, ann, retail):
        reply = ann.post(CHATS, {"ontologyId": retail, "name": " Sales  ",
                                 "unknown": [1]})
        assert reply.status == 201
        assert reply.data["name"] == "Sales"
        assert reply.data["llmProvider"] is None
        assert reply.data["createdAt"].endswith("Z")

    def test_a_chat_is_named_by_its_first_question(self, ann, play, retail):
        play("retail")
        chat = ann.new_chat(retail)
        assert ann.get(f"{CHATS}/{chat}").data["name"] == "New chat"
        question = ("Which stores had more than 450,000 dollars of completed "
                    "revenue in 2025?")
        name = "Which stores had more than 450,000 dollars of"
        ann.ask(chat, question)
        assert ann.get(f"{CHATS}/{chat}").data["name"] == name
        assert len(name) <= 50 and question.startswith(name + " ")

    @pytest.mark.parametrize("question,name", [
        ("Which stores had more than 450,000 dollars of revenue?",
         "Which stores had more than 450,000 dollars of"),
        ("x" * 60, "x" * 50), ("\u6771\u4eac" * 30, "\u6771\u4eac" * 25)])
    def test_it_is_named_when_that_is_asked_and_only_then(self, ann, retail,
                                                          question, name):
        chat = ann.new_chat(retail)
        for content in (question, "And in Houston?"):
            ann.post(f"{CHATS}/{chat}/messages", {"content": content})
            assert ann.get(f"{CHATS}/{chat}").data["name"] == name

    @pytest.mark.parametrize("body,field", [
        ({}, "ontologyId"), ({"ontologyId": "x"}, "ontologyId"),
        ({"ontologyId": 7}, "ontologyId"), ({"ontologyId": None}, "ontologyId"),
        ({"name": ""}, "name"), ({"name": "   "}, "name"),
        ({"name": "\u00a0\u3000"}, "name"),
        ({"name": "x" * 256}, "name"), ({"name": 5}, "name"),
        ({"llmProvider": "unheard"}, "llmProvider"),
        ({"llmProvider": 1}, "llmProvider"),
        ({"llmProvider": "azure"}, "llmProvider"),
        ({"agent": "wizard"}, "agent"), ({"agent": 1}, "agent")])
    def test_validation_errors_400(self, ann, retail, body, field):
        whole = body if field == "ontologyId" else {"ontologyId": retail, **body}
        reply = ann.post(CHATS, whole)
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert reply.fields() == {field}

    def test_all_that_is_wrong_is_told_at_once(self, ann):
        reply = ann.post(CHATS, {"name": "", "ontologyId": "x", "agent": "x"})
        assert reply.fields() == {"name", "ontologyId", "agent"}

    def test_404_for_non_existent_ontology(self, ann):
        assert ann.post(CHATS, {"ontologyId": NOBODY}).code == "NOT_FOUND"

    def test_400_if_ontology_not_ready(self, service, ann, retail):
        unready = str(uuid.uuid4())
        service.psql("insert into ontologies (id, owner_id, semantic_model_id,"
                     f" name, status, visibility) select '{unready}', owner_id,"
                     " semantic_model_id, 'unready', 'creating', 'shared'"
                     f" from ontologies where id = '{retail}'")
        reply = ann.post(CHATS, {"ontologyId": unready})
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")

    def test_a_private_ontology_is_not_found_by_others(self, ann, bob, service,
                                                       private_ontology):
        assert ann.post(CHATS, {"ontologyId": private_ontology}).status == 201
        reply = bob.post(CHATS, {"ontologyId": private_ontology})
        assert reply.status == 404
        admin = service.client("root@example.org", "admin")
        assert admin.post(CHATS, {"ontologyId": private_ontology}).status == 201


class TestBodies:
    def test_415_for_another_content_type(self, ann):
        for kind in ("text/plain", "application/x-www-form-urlencoded",
                     "application/jsonx", None):
            reply = ann.request("POST", CHATS, b"{}",
                                headers={"Content-Type": kind})
            assert (reply.status, reply.code) == (415, "UNSUPPORTED_MEDIA_TYPE")

    def test_a_content_type_may_name_its_charset(self, ann, retail):
        reply = ann.post(CHATS, {"ontologyId": retail}, headers={
            "Content-Type": "Application/JSON; charset=UTF-8"})
        assert reply.status == 201

    @pytest.mark.parametrize("body", [
        b"", b"{", b"[]", b"null", b"\"text\"", b"{\"a\":1}}", b"{'a':1}",
        b"{\"a\":1,}", b"\xef\xbb\xbf{}", b"{\"a\":\"\\ud800\"}",
        b"[" * 100000, b"{\"name\":\"\xff\"}", b"{\"a\":1,\"a\":2}"])
    def test_what_is_not_one_json_object_is_400(self, ann, body):
        reply = ann.request("POST", CHATS, body)
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")

    def test_413_over_one_mebibyte(self, ann):
        reply = ann.request("POST", CHATS, b"{\"x\":\"" + b"y" * (1 << 20) +
                            b"\"}")
        assert (reply.status, reply.code) == (413, "PAYLOAD_TOO_LARGE")


class TestPostMessages:
    def test_401_if_not_authenticated(self, anyone):
        assert anyone.post(f"{CHATS}/{NOBODY}/messages",
                           {"content": "x"}).status == 401

    def test_403_for_viewer(self, viewer):
        assert viewer.post(f"{CHATS}/{NOBODY}/messages",
                           {"content": "x"}).status == 403

    def test_201_with_message_pair_user_and_assistant_placeholder(self, ann,
                                                                  retail):
        chat = ann.new_chat(retail)
        reply = ann.post(f"{CHATS}/{chat}/messages", {"content": "  Why? "})
        assert reply.status == 201
        asked, answer = reply.data["userMessage"], reply.data["assistantMessage"]
        assert (asked["role"], asked["content"], asked["status"]) == (
            "user", "Why?", "complete")
        assert (answer["role"], answer["content"], answer["status"]) == (
            "assistant", "", "generating")
        assert asked["chatId"] == answer["chatId"] == chat

    @pytest.mark.parametrize("content", [
        "", "   \n", "x" * 10001, "ä" * 10001, 5, None, ["x"], {"a": 1}])
    def test_validation_errors_400_and_nothing_is_stored(self, ann, retail,
                                                         content):
        chat = ann.new_chat(retail)
        reply = ann.post(f"{CHATS}/{chat}/messages", {"content": content})
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert reply.fields() == {"content"}
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 0

    def test_10000_characters_count_as_characters(self, ann, retail):
        chat = ann.new_chat(retail)
        reply = ann.post(f"{CHATS}/{chat}/messages",
                         {"content": " " + "数" * 10000 + " "})
        assert reply.status == 201
        assert reply.data["userMessage"]["content"] == "数" * 10000

    @pytest.mark.parametrize("bytes_", [b"\xff\xfe", b"\xc3", b"\xed\xa0\x80",
                                        b"\xc0\x80", b"\xf4\x90\x80\x80"])
    def test_what_is_not_utf_8_is_400_and_nothing_is_stored(self, ann, retail,
                                                            bytes_):
        chat = ann.new_chat(retail)
        reply = ann.request("POST", f"{CHATS}/{chat}/messages",
                            b"{\"content\":\"why " + bytes_ + b"\"}")
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 0

    def test_a_nul_in_a_question_is_400(self, ann, retail):
        chat = ann.new_chat(retail)
        reply = ann.request("POST", f"{CHATS}/{chat}/messages",
                            b'{"content":"a\\u0000b"}')
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")

    def test_404_for_non_existent_chat(self, ann):
        assert ann.post(f"{CHATS}/{NOBODY}/messages",
                        {"content": "x"}).status == 404

    def test_404_for_other_users_chat(self, ann, bob, retail):
        chat = ann.new_chat(retail)
        assert bob.post(f"{CHATS}/{chat}/messages",
                        {"content": "x"}).status == 404
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 0


class TestGetMessages:
    def test_oldest_first_or_newest_first_in_pages(self, ann, retail):
        chat = ann.new_chat(retail)
        made = []
        for n in range(3):
            made += ann.new_message(chat, f"q{n}")
            ann.cancel(made[-1])
        path = f"{CHATS}/{chat}/messages"
        assert [m["id"] for m in ann.get(path).data["items"]] == made
        newest = ann.get(path, order="desc", pageSize=2)
        assert [m["id"] for m in newest.data["items"]] == made[:-3:-1]
        assert newest.data["pagination"]["totalItems"] == 6
        assert [m["id"] for m in ann.get(path, page=3, pageSize=2).data["items"]] \
            == made[4:]

    def test_404_for_other_users_chat(self, ann, bob, retail):
        assert bob.get(f"{CHATS}/{ann.new_chat(retail)}/messages").status == 404

    def test_a_wrong_order_is_400(self, ann, retail):
        reply = ann.get(f"{CHATS}/{ann.new_chat(retail)}/messages", order="up")
        assert reply.fields() == {"order"}


class TestStream:
    def path(self, chat, message):
        return f"{CHATS}/{chat}/messages/{message}/stream"

    def test_401_if_not_authenticated(self, anyone):
        assert anyone.post(self.path(NOBODY, NOBODY)).status == 401
        assert anyone.post(f"/api/data-agent/stream/{NOBODY}", {}).status == 401
        assert anyone.get(f"/api/data-agent/messages/{NOBODY}/events").status \
            == 401
        assert anyone.post(
            f"/api/data-agent/messages/{NOBODY}/cancel").status == 401

    def test_403_for_viewer(self, viewer):
        assert viewer.post(self.path(NOBODY, NOBODY)).status == 403
        assert viewer.post(f"/api/data-agent/stream/{NOBODY}", {}).status == 403
        assert viewer.post(
            f"/api/data-agent/messages/{NOBODY}/cancel").status == 403

    def test_sse_stream_starts_and_emits_message_start_and_message_complete(
            self, ann, play, retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        stream, message = ann.start(chat, "revenue by city in 2025")
        events = stream.finish()
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-cache"
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.body.startswith(b":"), "no comment came first"
        start = events[0].data
        assert events[0].type == "message_start"
        assert (start["messageId"], start["chatId"]) == (message, chat)
        assert isinstance(start["startedAt"], int)
        assert events[-1].type == "message_complete"
        stored = ann.message(chat, message)
        assert stored["status"] == "complete"
        assert stored["content"] == events[-1].data["content"]
        assert stored["metadata"] == events[-1].data["metadata"]

    def test_404_for_non_existent_chat_or_message(self, ann, bob, retail):
        chat = ann.new_chat(retail)
        other = ann.new_chat(retail)
        asked, message = ann.new_message(chat, "q")
        for chat_id, message_id in ((NOBODY, message), (chat, NOBODY),
                                    (other, message), (chat, asked)):
            assert ann.post(self.path(chat_id, message_id)).status == 404
        assert bob.post(self.path(chat, message)).status == 404
        assert ann.post(f"/api/data-agent/stream/{message}",
                        {"chatId": other, "question": "q"}).status == 404

    def test_400_for_malformed_ids(self, ann):
        for path in (self.path("x", NOBODY), self.path(NOBODY, "x"),
                     "/api/data-agent/messages/x/cancel"):
            assert ann.post(path).code == "VALIDATION_ERROR"
        assert ann.get("/api/data-agent/messages/x/events").code == \
            "VALIDATION_ERROR"

    def test_409_if_message_already_claimed(self, ann, play, retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        answer = ann.ask(chat, "revenue by city in 2025")
        reply = ann.post(self.path(chat, answer.message_id))
        assert (reply.status, reply.code) == (409, "CONFLICT")
        url = reply.json["details"]["eventsUrl"]
        again = ann.stream("GET", url)
        assert again.finish()[-1].data == answer.last.data

    def test_20_claims_at_once_are_one_run(self, service, ann, play, aimock,
                                           retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        _, message = ann.new_message(chat, "revenue by city in 2025")
        got, gate = [], threading.Barrier(25)
        def claim():
            gate.wait()
            got.append(ann.stream("POST", self.path(chat, message)))
        threads = [threading.Thread(target=claim) for _ in range(25)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        streams = [g for g in got if isinstance(g, Stream)]
        assert len(streams) == 1
        assert {g.status for g in got if not isinstance(g, Stream)} == {409}
        assert streams[0].finish()[-1].type == "message_complete"
        assert len(aimock.prompts("You are the Planner")) == 1
        rows = service.psql("select epoch, attempt from runs where message_id "
                            f"= '{message}'")
        assert rows == [["1", "1"]]

    def test_the_newer_address_makes_the_pair_if_the_message_is_new(
            self, ann, play, retail):
        play("retail")
        chat, message = ann.new_chat(retail, "openai"), str(uuid.uuid4())
        stream = ann.stream("POST", f"/api/data-agent/stream/{message}",
                            {"chatId": chat, "question": "top 5 products by "
                                                         "units sold"})
        assert stream.finish()[-1].data["messageId"] == message
        messages = ann.get(f"{CHATS}/{chat}/messages").data["items"]
        assert [m["role"] for m in messages] == ["user", "assistant"]
        assert messages[0]["content"] == "top 5 products by units sold"
        assert messages[1]["id"] == message

    def test_ids_in_capitals_are_told_in_lower_case(self, ann, retail):
        chat, message = ann.new_chat(retail.upper(), "builtin"), str(uuid.uuid4())
        stream = ann.stream("POST", f"/api/data-agent/stream/{message.upper()}",
                            {"chatId": chat.upper(),
                             "question": "top 5 products by units sold"})
        assert f'"messageId":"{message}","chatId":"{chat}"' in \
            str(stream.finish() and stream.body)

    def test_the_stored_question_wins(self, ann, play, retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        _, message = ann.new_message(chat, "top 5 products by units sold")
        stream = ann.stream("POST", f"/api/data-agent/stream/{message}",
                            {"chatId": chat, "question": "something else"})
        answer = stream.finish()[-1].data
        assert answer["metadata"]["plan"]["intent"] == \
            "top 5 products by units sold"
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2

    @pytest.mark.parametrize("body,field", [
        ({"question": "q"}, "chatId"), ({"chatId": NOBODY}, "question"),
        ({"chatId": NOBODY, "question": "x" * 10001}, "question"),
        ({"chatId": 1, "question": "q"}, "chatId")])
    def test_the_newer_address_checks_its_body(self, ann, body, field):
        reply = ann.post(f"/api/data-agent/stream/{uuid.uuid4()}", body)
        assert reply.code == "VALIDATION_ERROR" and reply.fields() == {field}


class TestOntologiesAndProviders:
    def test_ontologies_that_one_may_ask_about(self, ann, bob, viewer, retail,
                                               private_ontology):
        def ids(client):
            return [item["id"] for item in client.get(
                "/api/ontologies", pageSize=100).data["items"]]
        assert {retail, private_ontology} <= set(ids(ann))
        assert retail in ids(bob) and private_ontology not in ids(bob)
        assert retail in ids(viewer) and private_ontology not in ids(viewer)
        one = ann.get(f"/api/ontologies/{retail}").data
        assert one["status"] == "ready" and one["datasetCount"] >= 5
        assert bob.get(f"/api/ontologies/{private_ontology}").status == 404
        assert bob.get("/api/ontologies/x").code == "VALIDATION_ERROR"

    def test_providers_without_a_key_in_sight(self, ann):
        reply = ann.get("/api/llm/providers")
        providers = {p["id"]: p for p in reply.data["providers"]}
        assert set(providers) == {"openai", "anthropic", "azure", "builtin"}
        assert providers["openai"]["enabled"] and providers["builtin"]["enabled"]
        assert not providers["azure"]["enabled"]
        assert [p["id"] for p in reply.data["providers"] if p["isDefault"]] == \
            ["openai"]
        assert b"sk-" not in reply.body

    def test_what_can_be_set_for_a_model(self, ann):
        def knobs(**query):
            return ann.get("/api/llm/knobs?" + urllib.parse.urlencode(query)).data
        nothing = {"temperature": False, "reasoningLevels": [],
                   "reasoningTokens": False}
        assert knobs() == {"model": "gpt-4o", **nothing, "temperature": True}
        assert knobs(provider="openai", model="o3")["reasoningLevels"] == [
            "low", "medium", "high"]
        assert knobs(provider="anthropic", model="claude-sonnet-4-5") == {
            "model": "claude-sonnet-4-5", **nothing, "temperature": True,
            "reasoningTokens": True}
        assert knobs(provider="builtin") == {"model": "builtin", **nothing}
        for query, field in (("provider=bert", "provider"), ("model=a%20b", "model")):
            reply = ann.get(f"/api/llm/knobs?{query}")
            assert reply.status == 400 and reply.fields() == {field}


class TestTraces:
    @pytest.fixture
    def answered(self, ann, play, retail):
        play("retail")
        return ann.ask(ann.new_chat(retail, "openai"), "revenue by city in 2025")

    def path(self, answer):
        return (f"{CHATS}/{answer.chat_id}/messages/{answer.message_id}/traces")

    def test_every_model_call_left_one(self, ann, answered):
        reply = ann.get(self.path(answered))
        traces = reply.data
        assert reply.json["meta"]["timestamp"].endswith("Z")
        assert [t["callIndex"] for t in traces] == list(range(len(traces)))
        assert len(traces) == answered.metadata["llmCallCount"] == \
            len(answered.of("llm_call_end"))
        first = traces[0]
        assert (first["phase"], first["purpose"]) == ("planner",
                                                      "plan_generation")
        assert first["provider"] == "openai" and first["model"] == "gpt-4o"
        assert first["structuredOutput"] is True
        assert first["temperature"] is None
        assert [m["type"] for m in first["promptMessages"]] == ["system", "human"]
        assert (first["promptTokens"], first["completionTokens"],
                first["totalTokens"]) == (100, 50, 150)
        assert first["error"] is None
        tools = [t for t in traces if t["toolCalls"]]
        assert [c["name"] for c in tools[0]["toolCalls"]] == [
            "get_dataset_details", "get_relationships"]
        later = traces[traces.index(tools[0]) + 1]
        assert [m["type"] for m in later["promptMessages"]][-3:] == [
            "ai", "tool", "tool"]

    def test_no_trace_holds_a_key(self, ann, answered):
        assert b"sk-story" not in ann.get(self.path(answered)).body

    def test_another_users_are_403(self, bob, answered):
        assert bob.get(self.path(answered)).status == 403

    def test_of_a_message_that_is_not_there_404(self, ann, answered):
        assert ann.get(f"{CHATS}/{answered.chat_id}/messages/{NOBODY}/traces"
                       ).status == 404


class TestHttp:
    def test_two_requests_on_one_connection(self, service, ann):
        with socket.create_connection((ann.host, ann.port)) as s:
            s.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
                      b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
                      b"Connection: close\r\n\r\n")
            got = b""
            while piece := s.recv(65536):
                got += piece
        assert got.count(b"HTTP/1.1 200 ") == 2

    def test_an_absolute_address_is_answered_here_whatever_it_names(self, ann):
        with socket.create_connection((ann.host, ann.port)) as s:
            s.sendall(b"GET http://elsewhere.test/healthz HTTP/1.1\r\n"
                      b"Host: a\r\nConnection: close\r\n\r\n")
            got = b""
            while piece := s.recv(65536):
                got += piece
        assert got.startswith(b"HTTP/1.1 200 ") and got.endswith(b'{"status":"ok"}')

    @pytest.mark.parametrize("raw", [
        b"GET /healthz\r\n\r\n", b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /healthz HTTP/3.7\r\nHost: a\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n"])
    def test_a_malformed_request_is_refused_and_cut(self, ann, raw):
        with socket.create_connection((ann.host, ann.port)) as s:
            s.settimeout(30)
            s.sendall(raw)
            got = b""
            while piece := s.recv(65536):
                got += piece
        assert got == b"" or got.startswith((b"HTTP/1.1 400", b"HTTP/1.1 505",
                                             b"HTTP/1.0 400")), got[:100]


class TestCompression:
    GZIP = {"Accept-Encoding": "gzip, deflate, br"}

    @pytest.fixture
    def full(self, service, ann, retail):
        """A chat whose messages are as large as one says."""
        def fill(size):
            chat = ann.new_chat(retail)
            _, message = ann.new_message(chat, "q")
            ann.cancel(message)
            service.psql("update data_chat_messages set metadata = "
                         "json_build_object('plan', repeat('a long text ', "
                         f"{size // 12})) where id = '{message}'")
            return f"{CHATS}/{chat}"
        return fill

    @pytest.mark.parametrize("size", [2000, 50000, 3000000])
    def test_large_answers_are_smaller(self, ann, full, size):
        path = full(size)
        plain = ann.get(path)
        packed = ann.request("GET", path, headers=self.GZIP)
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
        assert packed.headers["content-type"] == "application/json"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 3
        refused = ann.request("GET", path,
                              headers={"Accept-Encoding": "gzip;q=0, br"})
        assert refused.body == plain.body

    def test_a_tag_is_weak_in_another_coding_and_still_good(self, ann, full):
        path = full(2000)
        strong = ann.get(path).headers["etag"]
        weak = ann.request("GET", path, headers=self.GZIP).headers["etag"]
        assert weak == f"W/{strong}"
        for tag in (strong, weak):
            reply = ann.request("GET", path, headers={"If-None-Match": tag,
                                                      **self.GZIP})
            assert (reply.status, reply.body) == (304, b"")
        reply = ann.request("PATCH", path, {"name": "By its tag"},
                            headers={"If-Match": weak})
        assert reply.status == 200

    def test_what_is_small_or_a_stream_goes_as_it_is(self, ann, retail):
        chat = ann.new_chat(retail, "builtin")
        for path in ("/api/auth/me", "/healthz"):
            reply = ann.request("GET", path, headers=self.GZIP)
            assert "content-encoding" not in reply.headers
        _, message = ann.new_message(chat, "revenue by city in 2025")
        stream = ann.stream("POST", f"{CHATS}/{chat}/messages/{message}/stream",
                            headers=self.GZIP)
        assert "content-encoding" not in stream.headers
        assert stream.finish()[-1].type == "message_complete"

    def test_what_holds_a_token_goes_as_it_is(self, service, ann):
        account = {"email": f"{uuid.uuid4()}@zip.org", "password": "good enough",
                   "displayName": "x" * 255, "roles": ["admin"]}
        service.client("root@zip.org", "admin").post("/api/users", account).data
        reply = Client(service.url).request("POST", "/api/auth/login", account,
                                            headers=self.GZIP)
        assert reply.status == 200 and len(reply.body) > 1024
        assert "content-encoding" not in reply.headers
        assert "vary" not in reply.headers

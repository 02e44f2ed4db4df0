"""Chats: search, rename, remove, branch, rate. Cases of the API's specification have its
names."""
import threading
import uuid

import pytest

from kit.client import Client, Stream

CHATS = "/api/data-agent/chats"
MESSAGES = "/api/data-agent/messages"
NOBODY = str(uuid.uuid4())
QUESTION = "revenue by city in 2025"
OTHER = "only for online orders"


@pytest.fixture
def anyone(service):
    return Client(service.url)


@pytest.fixture
def newcomer(service):
    """A user who has no chats yet."""
    return service.client(f"{uuid.uuid4().hex[:12]}@example.org")


@pytest.fixture
def answered(ann, play, retail):
    play("retail")
    return ann.ask(ann.new_chat(retail, "openai"), QUESTION)


def patch(client, chat, body, **headers):
    return client.request("PATCH", f"{CHATS}/{chat}", body,
                          {k.replace("_", "-"): v for k, v in headers.items()})


def delete(client, chat):
    return client.request("DELETE", f"{CHATS}/{chat}")


class TestPlaces:
    """Pinned and archived chats."""
    @pytest.fixture
    def three(self, newcomer, retail):
        return [newcomer.new_chat(retail, name=name) for name in "abc"]

    def names(self, client, **query):
        data = client.get(CHATS, sortBy="name", sortOrder="asc", **query).data
        assert data["total"] == len(data["items"])
        return "".join(item["name"] for item in data["items"])

    def test_a_pinned_chat_is_found_by_its_pin_and_stays_where_it_was(
            self, newcomer, three):
        before = newcomer.get(f"{CHATS}/{three[0]}").data
        chat = newcomer.request("PATCH", f"{CHATS}/{three[0]}",
                                {"pinned": True}).data
        assert (chat["pinned"], chat["archived"]) == (True, False)
        assert chat["updatedAt"] == before["updatedAt"]
        assert self.names(newcomer) == "abc"
        assert self.names(newcomer, pinned="true") == "a"
        assert self.names(newcomer, pinned="false") == "bc"
        newcomer.request("PATCH", f"{CHATS}/{three[0]}", {"pinned": False})
        assert self.names(newcomer, pinned="true") == ""

    def test_an_archived_chat_comes_back_with_a_message(self, newcomer, three):
        path = f"{CHATS}/{three[1]}"
        newcomer.request("PATCH", path, {"pinned": True})
        chat = newcomer.request("PATCH", path, {"archived": True}).data
        assert (chat["pinned"], chat["archived"]) == (False, True)
        assert self.names(newcomer) == "ac"
        assert self.names(newcomer, archived="true") == "b"
        assert self.names(newcomer, search="b") == "b"
        newcomer.new_message(three[1], "again")
        assert self.names(newcomer) == "abc"
        assert self.names(newcomer, archived="true") == ""

    @pytest.mark.parametrize("query", [{"archived": "1"}, {"pinned": ""}])
    def test_other_words_are_400(self, newcomer, query):
        reply = newcomer.get(CHATS, **query)
        assert reply.status == 400, reply.json
        assert reply.json["details"][0]["field"] in query


class TestSearch:
    @pytest.fixture
    def chats(self, newcomer, retail):
        asked = {"Sales in May": "What did the café in São Paulo sell?",
                 "Stock 100%": "It's \"net revenue\" by region, isn't it?",
                 "Ärger_über Öl": "Why is revenue net of returns falling?"}
        for name, question in asked.items():
            newcomer.new_message(newcomer.new_chat(retail, name=name), question)
        return newcomer

    def found(self, client, text):
        data = client.get(CHATS, search=text, sortBy="name",
                          sortOrder="asc").data
        assert data["total"] == len(data["items"])
        return [item["name"] for item in data["items"]]

    @pytest.mark.parametrize("text,names", [
        ("sales", ["Sales in May"]), ("über", ["Ärger_über Öl"]),
        ("paulo", ["Sales in May"]), ("CAFÉ", ["Sales in May"]),
        ("reven", ["Stock 100%", "Ärger_über Öl"]),
        ("revenue region", ["Stock 100%"]),
        ('"net revenue"', ["Stock 100%"]),
        ('"revenue net"', ["Ärger_über Öl"]),
        ("revenue nothing", [])])
    def test_in_names_and_in_messages(self, chats, text, names):
        assert self.found(chats, text) == names

    @pytest.mark.parametrize("text,names", [
        ("%", ["Stock 100%"]), ("_", ["Ärger_über Öl"]), ("\\", []), ("'", []),
        ('"', []), ("' & !", []), ("a | b:*", []), ("')) or 1=1 --", []),
        ("isn't", ["Stock 100%"]), ("(", []), ("<->", []), ("&", [])])
    def test_signs_have_no_meaning(self, chats, text, names):
        assert self.found(chats, text) == names

    def test_a_match_is_shown_with_its_words(self, chats):
        item, = chats.get(CHATS, search="paulo").data["items"]
        first = chats.get(f"{CHATS}/{item['id']}").data["messages"][0]
        assert item["match"] == {"messageId": first["id"],
                                 "text": "What did the café in São Paulo sell?"}
        item, = chats.get(CHATS, search="sales").data["items"]
        assert "match" not in item  # only its name has the word

    def test_nobody_finds_what_others_wrote(self, chats, bob):
        assert "São" not in str(bob.get(CHATS, search="paulo").data)
        assert bob.get(CHATS, search="falling returns").data["items"] == []


class TestPatch:
    def test_401_if_not_authenticated(self, anyone):
        assert patch(anyone, NOBODY, {"name": "x"}).status == 401

    def test_403_for_viewer(self, viewer):
        assert patch(viewer, NOBODY, {"name": "x"}).status == 403

    def test_200_with_updated_chat(self, ann, retail):
        chat = ann.new_chat(retail, name="before")
        before = ann.get(f"{CHATS}/{chat}").data
        told = patch(ann, chat, {"name": " after ", "llmProvider": "openai"}).data
        assert (told["name"], told["llmProvider"]) == ("after", "openai")
        assert told["updatedAt"] >= before["updatedAt"]
        assert ann.get(f"{CHATS}/{chat}").data == {**told, "messages": []}
        assert patch(ann, chat, {"llmProvider": None}).data["llmProvider"] is None
        assert patch(ann, chat, {}).data["name"] == "after"

    def test_a_name_of_ones_own_stays_when_a_question_is_answered(
            self, ann, play, retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        patch(ann, chat, {"name": "Mine"})
        assert ann.ask(chat, QUESTION).complete
        assert ann.get(f"{CHATS}/{chat}").data["name"] == "Mine"

    def test_404_for_non_existent_and_for_other_users_chat(self, ann, bob,
                                                           retail):
        assert patch(ann, NOBODY, {"name": "x"}).status == 404
        chat = ann.new_chat(retail, name="hers")
        assert patch(bob, chat, {"name": "x"}).status == 404
        assert ann.get(f"{CHATS}/{chat}").data["name"] == "hers"

    @pytest.mark.parametrize("body,field", [
        ({"name": ""}, "name"), ({"name": "  "}, "name"), ({"name": None}, "name"),
        ({"name": "x" * 256}, "name"), ({"name": 5}, "name"),
        ({"llmProvider": "gpt"}, "llmProvider"), ({"llmProvider": 1}, "llmProvider"),
        ({"llmProvider": "azure"}, "llmProvider")])
    def test_validation_errors_400(self, ann, retail, body, field):
        chat = ann.new_chat(retail, name="kept")
        reply = patch(ann, chat, {"name": "other", **body})
        assert (reply.status, reply.fields()) == (400, {field})
        assert ann.get(f"{CHATS}/{chat}").data["name"] == "kept"

    def test_if_match_keeps_two_tabs_from_overwriting_each_other(self, ann,
                                                                 retail):
        chat = ann.new_chat(retail, name="first")
        tag = ann.get(f"{CHATS}/{chat}").headers["etag"]
        assert tag.startswith('"')
        done = patch(ann, chat, {"name": "second"}, If_Match=tag)
        assert done.status == 200 and done.headers["etag"] != tag
        late = patch(ann, chat, {"name": "third"}, If_Match=tag)
        assert (late.status, late.code) == (409, "CONFLICT")
        assert ann.get(f"{CHATS}/{chat}").data["name"] == "second"
        assert patch(ann, chat, {"name": "third"}, If_Match="*").status == 200
        assert patch(ann, chat, {"name": "x"}, If_Match='"1"').status == 409


class TestDelete:
    def test_401_if_not_authenticated(self, anyone):
        assert delete(anyone, NOBODY).status == 401
        assert anyone.post(f"{CHATS}/{NOBODY}/restore").status == 401

    def test_403_for_viewer(self, viewer):
        assert delete(viewer, NOBODY).status == 403
        assert viewer.post(f"{CHATS}/{NOBODY}/restore").status == 403

    def test_204_on_success_and_hidden_at_once(self, ann, retail):
        chat = ann.new_chat(retail)
        _, message = ann.new_message(chat, "a question nobody streams")
        reply = delete(ann, chat)
        assert (reply.status, reply.body) == (204, b"")
        for path in (f"{CHATS}/{chat}", f"{CHATS}/{chat}/messages",
                     f"{MESSAGES}/{message}", f"{MESSAGES}/{message}/events"):
            assert ann.get(path).status == 404
        assert ann.post(f"{CHATS}/{chat}/messages/{message}/stream").status == 404
        assert chat not in str(ann.get(CHATS, search="nobody streams").body)
        assert delete(ann, chat).status == 404

    def test_404_for_non_existent_and_for_other_users_chat(self, ann, bob,
                                                           retail):
        assert delete(ann, NOBODY).status == 404
        chat = ann.new_chat(retail)
        assert delete(bob, chat).status == 404
        assert ann.get(f"{CHATS}/{chat}").status == 200

    def test_it_leaves_an_audit_event(self, service, ann, retail):
        chat = ann.new_chat(retail, name="secret plans")
        delete(ann, chat)
        ann.post(f"{CHATS}/{chat}/restore")
        rows = service.psql("select action, target_type, details from "
                            f"audit_events where target = '{chat}' order by id")
        assert rows == [["chat.deleted", "chat", "{}"],
                        ["chat.restored", "chat", "{}"]]

    def test_restored_within_a_minute_it_is_as_it_was(self, ann, bob, answered):
        chat = answered.chat_id
        before = ann.get(f"{CHATS}/{chat}").data
        delete(ann, chat)
        assert bob.post(f"{CHATS}/{chat}/restore").status == 404
        told = ann.post(f"{CHATS}/{chat}/restore").data
        # Not `messages: []` of a chat that has some.
        assert told == {k: v for k, v in before.items() if k != "messages"}
        assert ann.get(f"{CHATS}/{chat}").data == before
        assert ann.post(f"{CHATS}/{chat}/restore").status == 404

    def test_the_lists_total_counts_what_is_shown(self, newcomer, retail):
        def told(**page):
            data = newcomer.get(CHATS, **page).data
            return data["total"], len(data["items"])
        assert told() == (0, 0)
        chats = [newcomer.new_chat(retail) for _ in range(3)]
        assert told() == (3, 3)
        assert told(pageSize=2, page=2) == (3, 1)
        assert told(page=9) == (3, 0)
        delete(newcomer, chats[0])
        delete(newcomer, chats[1])
        assert told() == (1, 1)
        newcomer.post(f"{CHATS}/{chats[0]}/restore")
        assert told() == (2, 2)

    def test_cascades_message_deletion(self, source, aimock, questions):
        """In a server without other data."""
        from kit import players
        from kit.fixtures import model_settings, open_service
        from sextant import wait_until
        aimock.play(players.of_questions(questions["retail"].values()))
        from kit.server import look_now
        service = open_service(source, SANDBOX_URL="off",
                               **model_settings(aimock.url))
        try:
            ann = service.client("ann@example.org")
            chat = ann.new_chat(service.ontologies["retail"], "openai")
            answer = ann.ask(chat, QUESTION)
            delete(ann, chat)
            service.psql("update data_chats set deleted_at = deleted_at - "
                         "interval '1 minute'")
            assert ann.post(f"{CHATS}/{chat}/restore").status == 404
            look_now(service.psql)
            wait_until(lambda: service.psql(
                "select count(*) from data_chats") == [["0"]])
            for table in ("data_chat_messages", "runs", "run_events",
                          "run_artifacts", "llm_traces"):
                assert service.psql(f"select count(*) from {table}") == [["0"]]
            assert ann.follow(answer.message_id).status == 404
        finally:
            service.remove()


class TestIdempotencyKey:
    def post(self, client, chat, key, content="why?", **more):
        return client.post(f"{CHATS}/{chat}/messages",
                           {"content": content, **more},
                           headers={"Idempotency-Key": key})

    def test_the_same_key_and_body_is_one_pair(self, ann, retail):
        chat = ann.new_chat(retail)
        first = self.post(ann, chat, "k-1")
        again = self.post(ann, chat, "k-1")
        assert first.status == again.status == 201
        assert again.data == first.data
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2
        ann.cancel(first.data["assistantMessage"]["id"])
        assert self.post(ann, chat, "k-2").data != first.data

    def test_the_same_key_with_another_body_is_409(self, ann, retail):
        chat = ann.new_chat(retail)
        self.post(ann, chat, "k")
        for reply in (self.post(ann, chat, "k", "how?"),
                      self.post(ann, chat, "k", parentId=None)):
            assert (reply.status, reply.code) == (409, "CONFLICT")
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2

    def test_it_holds_for_one_chat(self, ann, retail):
        one, other = ann.new_chat(retail), ann.new_chat(retail)
        assert self.post(ann, one, "k").data != self.post(ann, other, "k").data

    def test_ten_at_once_are_one_pair(self, ann, retail):
        chat, got, gate = ann.new_chat(retail), [], threading.Barrier(10)
        def post():
            gate.wait()
            got.append(self.post(ann, chat, "at once"))
        threads = [threading.Thread(target=post) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {reply.status for reply in got} == {201}
        assert len({str(reply.data) for reply in got}) == 1
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2

    @pytest.mark.parametrize("key", ["x" * 256, "caf\xe9", "a\tb"])
    def test_a_key_that_cannot_be_one_is_400(self, ann, retail, key):
        reply = self.post(ann, ann.new_chat(retail), key)
        assert reply.fields() == {"Idempotency-Key"}


class TestBranches:
    def messages(self, client, chat):
        return {m["id"]: m for m in
                client.get(f"{CHATS}/{chat}/messages").data["items"]}

    def ask(self, client, chat, content, cancel=True, **more):
        """Cancels the answer, so that the chat accepts the next question."""
        data = client.post(f"{CHATS}/{chat}/messages",
                           {"content": content, **more}).data
        if cancel:
            client.cancel(data["assistantMessage"]["id"])
        return data["userMessage"], data["assistantMessage"]

    def test_messages_follow_one_another(self, ann, retail):
        chat = ann.new_chat(retail)
        q1, a1 = self.ask(ann, chat, "one")
        q2, a2 = self.ask(ann, chat, "two")
        assert (q1["parentId"], a1["parentId"]) == (None, q1["id"])
        assert (q2["parentId"], a2["parentId"]) == (a1["id"], q2["id"])
        told = self.messages(ann, chat)
        assert [told[m["id"]]["parentId"] for m in (q1, a1, q2, a2)] == \
            [None, q1["id"], a1["id"], q2["id"]]
        assert all(m["branches"] == [m["id"]] for m in told.values())

    def test_a_parent_makes_a_branch(self, ann, retail):
        chat = ann.new_chat(retail)
        q1, a1 = self.ask(ann, chat, "one")
        q2, a2 = self.ask(ann, chat, "two")
        q2b, _ = self.ask(ann, chat, "two, asked otherwise", parentId=a1["id"])
        q1b, _ = self.ask(ann, chat, "one, asked otherwise", parentId=None)
        told = self.messages(ann, chat)
        assert told[q2["id"]]["branches"] == told[q2b["id"]]["branches"] == \
            [q2["id"], q2b["id"]]
        assert told[q1["id"]]["branches"] == [q1["id"], q1b["id"]]
        assert told[a2["id"]]["branches"] == [a2["id"]]

    def test_a_parent_is_an_answer_of_the_chat(self, ann, retail):
        chat, other = ann.new_chat(retail), ann.new_chat(retail)
        q1, _ = self.ask(ann, chat, "one")
        _, elsewhere = self.ask(ann, other, "one")
        path = f"{CHATS}/{chat}/messages"
        for parent in (NOBODY, q1["id"], elsewhere["id"]):
            assert ann.post(path, {"content": "x",
                                   "parentId": parent}).status == 404
        for parent in ("x", 5, [], ""):
            reply = ann.post(path, {"content": "x", "parentId": parent})
            assert reply.fields() == {"parentId"}
        assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2

    def test_a_run_reads_the_branch_it_answers_in(self, ann, play, aimock,
                                                  retail):
        play("retail")
        chat = ann.new_chat(retail, "openai")
        first = ann.ask(chat, "top 5 products by units sold")
        other = ann.ask(chat, OTHER)
        assert other.complete
        aimock.forget()
        _, place = self.ask(ann, chat, QUESTION, cancel=False,
                            parentId=first.message_id)
        stream = ann.stream("POST", f"{CHATS}/{chat}/messages/{place['id']}/stream")
        assert stream.finish()[-1].type == "message_complete"
        (_, user, _), = aimock.prompts("You are the Planner")[:1]
        assert "top 5 products by units sold" in user
        assert OTHER not in user

    def test_regenerate_answers_the_same_question_again(self, ann, answered):
        path = f"{MESSAGES}/{answered.message_id}/regenerate"
        made = ann.post(path, {"llmProvider": "builtin"})
        assert made.status == 201
        asked, place = made.data["userMessage"], made.data["assistantMessage"]
        assert (asked["content"], place["status"]) == (QUESTION, "generating")
        assert place["parentId"] == asked["id"]
        again = ann.stream("POST", f"{CHATS}/{answered.chat_id}/messages/"
                                   f"{place['id']}/stream").finish()[-1]
        assert again.type == "message_complete"
        told = self.messages(ann, answered.chat_id)
        assert len(told) == 3
        assert told[place["id"]]["branches"] == [answered.message_id, place["id"]]
        traces = ann.get(f"{CHATS}/{answered.chat_id}/messages/{place['id']}"
                         "/traces").data
        assert {t["provider"] for t in traces} == {"builtin"}
        assert ann.get(f"{CHATS}/{answered.chat_id}").data["llmProvider"] == \
            "openai"
        assert ann.get(f"{CHATS}/{answered.chat_id}").data["messageCount"] == 3

    def test_regenerate_wants_an_answer_that_is_there(self, ann, bob, viewer,
                                                      anyone, retail, answered):
        chat = ann.new_chat(retail)
        asked, place = self.ask(ann, chat, "one", cancel=False)
        assert ann.post(f"{MESSAGES}/{place['id']}/regenerate").status == 409
        assert ann.post(f"{MESSAGES}/{asked['id']}/regenerate").status == 404
        assert ann.post(f"{MESSAGES}/x/regenerate").status == 400
        path = f"{MESSAGES}/{answered.message_id}/regenerate"
        assert ann.post(path, {"llmProvider": "no"}).fields() == {"llmProvider"}
        assert bob.post(path).status == 404
        assert viewer.post(path).status == 403
        assert anyone.post(path).status == 401


class TestFeedback:
    def path(self, message):
        return f"{MESSAGES}/{message}/feedback"

    def test_it_is_told_with_the_message(self, ann, answered):
        path = self.path(answered.message_id)
        told = ann.post(path, {"rating": "up", "reason": " just right "}).data
        assert (told["rating"], told["reason"]) == ("up", "just right")
        stored = ann.message(answered.chat_id, answered.message_id)["feedback"]
        assert stored == {"rating": "up", "reason": "just right",
                          "updatedAt": stored["updatedAt"]}
        ann.post(path, {"rating": "down"})
        opened = ann.get(f"{CHATS}/{answered.chat_id}").data["messages"]
        assert opened[-1]["feedback"]["rating"] == "down"
        assert opened[-1]["feedback"]["reason"] == ""
        assert ann.post(path, {"rating": None}).data["rating"] is None
        assert ann.get(f"{MESSAGES}/{answered.message_id}").data["feedback"] is None

    @pytest.mark.parametrize("body,field", [
        ({}, "rating"), ({"rating": "great"}, "rating"), ({"rating": 1}, "rating"),
        ({"rating": "up", "reason": 5}, "reason"),
        ({"rating": "up", "reason": "x" * 2001}, "reason")])
    def test_validation_errors_400(self, ann, answered, body, field):
        reply = ann.post(self.path(answered.message_id), body)
        assert (reply.status, reply.fields()) == (400, {field})

    def test_only_of_ones_own_answers(self, ann, bob, viewer, anyone, answered):
        body, path = {"rating": "up"}, self.path(answered.message_id)
        assert bob.post(path, body).status == 404
        assert viewer.post(path, body).status == 403
        assert anyone.post(path, body).status == 401
        asked = ann.get(f"{CHATS}/{answered.chat_id}").data["messages"][0]
        assert ann.post(self.path(asked["id"]), body).status == 404


class TestOneMessage:
    def test_it_has_everything(self, ann, answered):
        told = ann.get(f"{MESSAGES}/{answered.message_id}").data
        assert told == ann.message(answered.chat_id, answered.message_id)
        assert told["metadata"] == answered.metadata

    def test_404_for_non_existent_or_other_users(self, ann, bob, answered):
        assert ann.get(f"{MESSAGES}/{NOBODY}").status == 404
        assert bob.get(f"{MESSAGES}/{answered.message_id}").status == 404
        assert ann.get(f"{MESSAGES}/x").code == "VALIDATION_ERROR"

    def test_a_page_with_too_much_in_it_leaves_metadata_out(self, service, ann,
                                                            retail):
        chat = ann.new_chat(retail)
        made = []
        for n in range(3):
            made.append(ann.new_message(chat, f"q{n}")[1])
            ann.cancel(made[-1])
        service.psql("update data_chat_messages set status = 'complete', metadata ="
                     " json_build_object('plan', repeat('x', 3000000)) where "
                     f"chat_id = '{chat}' and role = 'assistant'")
        reply = ann.get(f"{CHATS}/{chat}/messages")
        told = [m["metadata"] for m in reply.data["items"] if m["metadata"]]
        assert len(told[0]["plan"]) == 3000000
        assert [t["deferred"] for t in told[1:]] == [True, True]
        assert told[1]["bytes"] > 3000000 and len(reply.body) < 4 << 20
        one = ann.get(f"{MESSAGES}/{made[2]}").data
        assert len(one["metadata"]["plan"]) == 3000000


def test_100_posts_of_a_new_message_id_are_one_run(service, ann, play, aimock,
                                                   retail):
    play("retail")
    chat, message = ann.new_chat(retail, "openai"), str(uuid.uuid4())
    got, gate = [], threading.Barrier(100)
    body = {"chatId": chat, "question": QUESTION}
    def post():
        gate.wait()
        got.append(ann.stream("POST", f"/api/data-agent/stream/{message}", body))
    threads = [threading.Thread(target=post) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    streams = [g for g in got if isinstance(g, Stream)]
    refused = [g for g in got if not isinstance(g, Stream)]
    assert len(streams) == 1
    assert {g.status for g in refused} == {409}, {g.body for g in refused}
    assert {g.json["details"]["eventsUrl"] for g in refused} == {
        f"/api/data-agent/messages/{message}/events"}
    assert streams[0].finish()[-1].type == "message_complete"
    assert len(aimock.prompts("You are the Planner")) == 1
    assert ann.get(f"{CHATS}/{chat}").data["messageCount"] == 2

"""Links to chats: what a link shows, and what it never shows."""
import json
import re
import uuid

import pytest

from kit.client import Client
from sextant import wait_until

CHATS = "/api/data-agent/chats"
SHARE = "/api/data-agent/share"
QUESTION = "revenue by city in 2025"
PIXEL = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture
def anyone(service):
    """A client without a token."""
    return Client(service.url)


@pytest.fixture
def answered(service, ann, play, retail):
    play("retail")
    answer = ann.ask(ann.new_chat(retail, "openai", name="For the board"), QUESTION)
    service.psql("insert into message_charts values "
                 f"('{answer.message_id}', 0, 1, 'image/png', '\\x{PIXEL.hex()}')")
    return answer


def share(client, chat, **how):
    return client.post(f"{CHATS}/{chat}/share", how or None)


def test_a_link_shows_question_answer_badge_lineage_and_charts(anyone, ann,
                                                               answered):
    made = share(ann, answered.chat_id)
    assert made.status == 201
    link = made.data
    assert re.fullmatch(r"[\w-]{43}", link["token"])
    assert link["url"] == f"/share/{link['token']}"
    reply = anyone.get(f"{SHARE}/{link['token']}")
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-robots-tag"] == "noindex"
    shown = reply.data
    assert shown["name"] == "For the board" and shown["expiresAt"] is None
    asked, answer = shown["messages"]
    assert (asked["role"], asked["content"]) == ("user", QUESTION)
    before, after = answer["content"].split("*The table is not shared.*")
    assert answer["role"] == "assistant" and "|" not in before + after
    assert answered.content.startswith(before.rstrip())
    assert answer["verification"] == {"status": "passed", "passed": True}
    assert answer["dataLineage"] == answered.metadata["dataLineage"]
    assert answer["steps"] is None
    assert [c["n"] for c in answer["charts"]] == [0]
    chart = anyone.get(f"{SHARE}/{link['token']}/messages/{answer['id']}/charts/0")
    assert (chart.status, chart.body) == (200, PIXEL)
    assert chart.headers["content-type"] == "image/png"
    assert chart.headers["cache-control"] == "no-store"
    assert chart.headers["x-content-type-options"] == "nosniff"


def test_what_an_answer_does_not_show_is_said_there_too(service, anyone, ann, answered):
    """Messages of the database and of checks may quote values: only links with rows show
    them."""
    said = {'Step 2: invalid input syntax for type integer: "Doe"': "Step 2 failed.",
            'Step 3: "Doe" is wrong;\nlong values were cut.': "Step 3 failed.",
            'Verification failed: names: "Doe" is\nno name': "Verification failed.",
            'Not verified. Verification could not run: no "Doe"': "Not verified."}
    said |= {plain: plain for plain in (
        "Step 1: only the first 3 rows were read; there are more.",
        "Step 1: long values were cut.", "Maximum revision attempts reached.")}
    service.psql("update data_chat_messages set metadata = jsonb_set(metadata::jsonb, "
                 "'{explainerOutput,caveats}', "
                 f"$j${json.dumps(list(said))}$j$)::json where id = '{answered.message_id}'")
    for how, caveats in ({}, said.values()), ({"includeSql": True}, said):
        token = share(ann, answered.chat_id, **how).data["token"]
        asked, answer = anyone.get(f"{SHARE}/{token}").data["messages"]
        assert (asked["caveats"], answer["caveats"]) == ([], list(caveats))


def test_what_it_never_shows(service, anyone, ann, answered):
    token = share(ann, answered.chat_id, includeSql=True).data["token"]
    body = anyone.get(f"{SHARE}/{token}").body.decode()
    me = service.psql("select id from users where email = 'ann@example.org'")[0][0]
    secret = ["ann@example.org", me, answered.chat_id, "toolCalls", "promptMessages",
              "You are the Planner", "tokensUsed", "discovery", "querySpecs",
              "connection", "joinPlan", "verificationReport"]
    assert [word for word in secret if word in body] == []
    wait_until(lambda: '"/api/data-agent/share/"' in service.log_text(),
               what="the request's line")
    assert token not in service.log_text()


def test_sql_and_rows_only_if_the_sharer_chose_so(anyone, ann, answered):
    token = share(ann, answered.chat_id).data["token"]
    rows = answered.metadata["stepResults"][0]["sqlResult"]
    hidden = anyone.get(f"{SHARE}/{token}").body.decode()
    assert rows["sql"] not in json.loads(hidden)["data"]["messages"][1].values()
    assert "select" not in hidden.lower() and "columnTypes" not in hidden
    token = share(ann, answered.chat_id, includeSql=True).data["token"]
    step, = anyone.get(f"{SHARE}/{token}").data["messages"][1]["steps"]
    assert (step["sql"], step["data"], step["rowCount"]) == (
        rows["sql"], rows["data"], rows["rowCount"])


def test_what_is_asked_later_is_not_in_it(anyone, ann, answered):
    token = share(ann, answered.chat_id).data["token"]
    later = ann.ask(answered.chat_id, "top 5 products by units sold")
    assert len(anyone.get(f"{SHARE}/{token}").data["messages"]) == 2
    assert anyone.get(f"{SHARE}/{token}/messages/{later.message_id}/charts/0"
                      ).status == 404
    token = share(ann, answered.chat_id, includeSql=True).data["token"]
    assert [m["content"] for m in anyone.get(f"{SHARE}/{token}").data["messages"]
            ] == [QUESTION, answered.content, "top 5 products by units sold",
                  later.content]


def test_a_link_has_the_names_that_other_clients_read(service, ann, answered):
    link = share(ann, answered.chat_id).data
    assert (link["shareToken"], link["shareUrl"], link["isActive"]) == (
        link["token"], link["url"], True)
    path = f"{CHATS}/{answered.chat_id}/share"
    at = ann.post(path, None, headers={"Origin": service.url}).data
    assert at["shareUrl"] == f"{service.url}/share/{at['token']}"
    assert ann.get(path).data["isActive"] is True


def test_a_chat_without_a_link_is_no_error_in_the_list(ann, bob, retail):
    chat = ann.new_chat(retail)
    path = f"{CHATS}/{chat}/shares"
    assert ann.get(path).data == []
    assert ann.get(f"{CHATS}/{chat}/share").status == 404
    assert bob.get(path).status == 404
    ann.ask(chat, QUESTION)
    share(ann, chat)
    assert ann.get(path).data == [ann.get(f"{CHATS}/{chat}/share").data]


def test_a_table_in_the_text_is_a_table_of_rows(service, anyone, ann, answered):
    service.psql("update data_chat_messages set content = "
                 "E'Dallas leads.\n\n| city | revenue |\n|---|---|\n| Dallas | 7 |'"
                 f" where id = '{answered.message_id}'")
    token = share(ann, answered.chat_id).data["token"]
    text = anyone.get(f"{SHARE}/{token}").data["messages"][1]["content"]
    assert text == "Dallas leads.\n\n\n*The table is not shared.*"
    token = share(ann, answered.chat_id, includeSql=True).data["token"]
    text = anyone.get(f"{SHARE}/{token}").data["messages"][1]["content"]
    assert "| Dallas | 7 |" in text


@pytest.mark.parametrize("field", ["expires", "expires_at", "includeRows", ""])
def test_a_field_that_does_not_exist_is_refused(ann, answered, field):
    reply = share(ann, answered.chat_id, **{field: True})
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert [d["field"] for d in reply.json["details"]] == [field]


def test_only_the_branch_that_was_shared(anyone, ann, retail):
    chat = ann.new_chat(retail, "builtin")
    ann.ask(chat, QUESTION)
    _, place = ann.new_message(chat, "how many orders?")
    ann.cancel(place)
    path = f"{CHATS}/{chat}/messages"
    ann.post(path, {"content": "another beginning", "parentId": None})
    token = share(ann, chat).data["token"]
    assert [m["content"] for m in anyone.get(f"{SHARE}/{token}").data["messages"]
            ] == ["another beginning"]
    assert place not in anyone.get(f"{SHARE}/{token}").body.decode()


def test_a_link_can_be_ended_and_replaced(service, anyone, ann, answered):
    path = f"{CHATS}/{answered.chat_id}/share"
    assert ann.get(path).status == 404
    first = share(ann, answered.chat_id).data["token"]
    second = share(ann, answered.chat_id, includeSql=True).data["token"]
    assert first != second and anyone.get(f"{SHARE}/{first}").status == 404
    told = ann.get(path).data
    assert told["includeSql"] is True and second not in str(told)
    assert service.psql("select count(*) from chat_shares where "
                        f"token_hash::text like '%{second}%'") == [["0"]]
    assert ann.request("DELETE", path).status == 204
    assert anyone.get(f"{SHARE}/{second}").status == 404
    assert ann.request("DELETE", path).status == ann.get(path).status == 404
    rows = service.psql("select action from audit_events where target = "
                        f"'{answered.chat_id}' order by id")
    assert rows == [["chat.shared"], ["chat.shared"], ["chat.unshared"]]


def test_it_ends_with_its_time_its_chat_and_its_user(service, anyone, ann,
                                                     answered, retail):
    chat = answered.chat_id
    link = share(ann, chat, expiresAt="2999-01-01T00:00:00+01:00").data
    assert link["expiresAt"] == "2998-12-31T23:00:00.000Z"
    url = f"{SHARE}/{link['token']}"
    assert anyone.get(url).status == 200
    service.psql("update chat_shares set expires_at = now()")
    assert ann.get(f"{CHATS}/{chat}/share").data["isActive"] is False
    assert anyone.get(url).status == 404
    url = f"{SHARE}/{share(ann, chat).data['token']}"
    ann.request("DELETE", f"{CHATS}/{chat}")
    assert anyone.get(url).status == 404
    ann.post(f"{CHATS}/{chat}/restore")
    assert anyone.get(url).status == 200
    leaver = service.client(f"{uuid.uuid4().hex[:12]}@example.org")
    mine = leaver.new_chat(retail)
    leaver.new_message(mine, "mine")
    url = f"{SHARE}/{share(leaver, mine).data['token']}"
    assert len(anyone.get(url).data["messages"]) == 1
    service.psql("update users set is_active = false where id = (select owner_id "
                 f"from data_chats where id = '{mine}')")
    assert anyone.get(url).status == 404


@pytest.mark.parametrize("token", ["x", "A" * 43, "A" * 42 + "%27",
                                   "A" * 5000])
def test_what_is_no_token_opens_nothing(anyone, token):
    assert anyone.get(f"{SHARE}/{token}").status == 404


@pytest.mark.parametrize("body,field", [
    ({"expiresAt": "tomorrow"}, "expiresAt"), ({"expiresAt": 5}, "expiresAt"),
    ({"expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
    ({"expiresAt": "infinity"}, "expiresAt"),
    ({"includeSql": "yes"}, "includeSql"), ({"includeSql": None}, "includeSql")])
def test_validation_errors_400(ann, answered, body, field):
    reply = share(ann, answered.chat_id, **body)
    assert (reply.status, reply.fields()) == (400, {field})


def test_only_ones_own_chats_with_something_in_them(ann, bob, viewer, anyone,
                                                    retail, answered):
    assert share(bob, answered.chat_id).status == 404
    assert share(viewer, answered.chat_id).status == 403
    assert share(anyone, answered.chat_id).status == 401
    assert share(ann, ann.new_chat(retail)).status == 409

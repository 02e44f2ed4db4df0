"""Boards: answers are pinned, arranged, and their queries run again."""
import json
import uuid

import pytest

PATH = "/api/data-agent/boards"
QUESTION = "How many stores are there in each city?"


def patch(client, path, body):
    return client.request("PATCH", path, body)


def delete(client, path):
    return client.request("DELETE", path)


@pytest.fixture
def own(service):
    """An ontology of Ann's that everyone may see."""
    service.token_of("ann@example.org")
    made = service.import_model(service.retail_model, "retail", "--name",
                                f"boards {uuid.uuid4()}", "--owner",
                                "ann@example.org")
    service.psql("update ontologies set visibility = 'shared' "
                 f"where id = '{made}'")
    return made


@pytest.fixture
def board(ann):
    made = ann.post(PATH, {"name": "Monday"})
    assert made.status == 201, made
    yield made.data
    delete(ann, f"{PATH}/{made.data['id']}")


def pin(client, board, ontology, question=QUESTION, **more):
    answer = client.ask(client.new_chat(ontology, "builtin"), question)
    assert answer.complete, answer.content
    return client.post(f"{PATH}/{board['id']}/cards",
                       {"messageId": answer.message_id, **more})


def rows(card):
    return json.loads(card["result"]["data"])


def test_an_answer_is_pinned_and_refreshed(service, ann, own, board):
    chart = {"mark": "bar", "x": "city", "y": "stores", "series": None}
    reply = pin(ann, board, own, chart=chart)
    assert reply.status == 201, reply
    card = reply.data
    assert (card["title"], card["question"]) == (QUESTION, QUESTION)
    assert card["chart"] == chart and card["width"] == 6
    assert card["state"] == "fresh" and card["period"] is None
    assert card["ontologyId"] == own and card["chatId"]
    before = rows(card)
    assert len(before) == card["result"]["rowCount"] > 1
    again = ann.post(f"{PATH}/{board['id']}/cards/{card['id']}/refresh")
    assert again.status == 200, again
    assert rows(again.data) == before
    assert again.data["rowsAt"] > card["rowsAt"]
    whole = ann.post(f"{PATH}/{board['id']}/refresh").data
    assert [c["id"] for c in whole["cards"]] == [card["id"]]
    assert whole["cards"][0]["rowsAt"] > again.data["rowsAt"]
    assert whole["cardCount"] == 1


def test_cards_are_arranged_and_removed(service, ann, own, board):
    ids = [pin(ann, board, own, title=t).data["id"] for t in "abc"]
    path = f"{PATH}/{board['id']}"
    changed = patch(ann, path, {"name": "Tuesday", "cards": [
        {"id": ids[2], "width": 12}, {"id": ids[0]}]}).data
    assert changed["name"] == "Tuesday"
    assert [(c["title"], c["width"]) for c in changed["cards"]] == [
        ("c", 12), ("a", 6), ("b", 6)]
    one = patch(ann, f"{path}/cards/{ids[0]}",
                    {"title": "A", "width": 4, "chart": None})
    assert (one.data["title"], one.data["width"]) == ("A", 4)
    assert delete(ann, f"{path}/cards/{ids[2]}").status == 204
    assert delete(ann, f"{path}/cards/{ids[2]}").status == 404
    assert [c["title"] for c in ann.get(path).data["cards"]] == ["A", "b"]
    assert delete(ann, path).status == 204
    assert ann.get(path).status == 404
    assert service.psql("select count(*) from audit_events where action = "
                        f"'board.deleted' and target = '{board['id']}'") == [["1"]]


def test_a_card_that_fails_keeps_its_rows(service, ann, own, board):
    card = pin(ann, board, own).data
    good = pin(ann, board, own).data
    service.psql("update board_cards set sql = 'select 1/(count(*) - "
                 f"count(*)) as n from stores' where id = '{card['id']}'")
    first, second = ann.post(f"{PATH}/{board['id']}/refresh").data["cards"]
    assert first["state"] == "failed"
    assert "division by zero" in first["problem"]
    assert rows(first) == rows(card) and first["rowsAt"] == card["rowsAt"]
    assert first["failedAt"] and second["state"] == "fresh"
    assert second["rowsAt"] > good["rowsAt"]


def test_a_query_that_writes_is_not_run(service, ann, own, board):
    card = pin(ann, board, own).data
    service.psql("update board_cards set sql = 'delete from stores' "
                 f"where id = '{card['id']}'")
    one = ann.post(f"{PATH}/{board['id']}/cards/{card['id']}/refresh").data
    assert one["state"] == "stale" and one["problem"]
    assert rows(one) == rows(card)


def test_a_model_change_makes_a_card_stale(service, ann, own, board):
    card = pin(ann, board, own).data
    service.psql("update ontologies set version = version + 1 "
                 f"where id = '{own}'")
    service.psql("update semantic_models set model = replace(model::text, "
                 "'\"stores\"', '\"shops\"')::json where id = (select "
                 f"semantic_model_id from ontologies where id = '{own}')")
    shown = ann.get(f"{PATH}/{board['id']}").data["cards"][0]
    assert shown["state"] == "stale", shown
    assert shown["problem"] and rows(shown) == rows(card)
    again = ann.post(f"{PATH}/{board['id']}/refresh").data["cards"][0]
    assert again["state"] == "stale" and again["rowsAt"] == card["rowsAt"]


def test_words_that_depend_on_the_day_show_their_period(service, ann, own,
                                                        board):
    card = pin(ann, board, own, question=f"{QUESTION} last month").data
    # its query has fixed dates, which are right in the month of the answer
    assert card["period"] == card["rowsAt"][:7]
    assert card["question"].endswith("last month")


def test_boards_are_private(ann, bob, own, board):
    card = pin(ann, board, own).data
    path = f"{PATH}/{board['id']}"
    assert bob.get(path).status == 404
    assert bob.post(f"{path}/refresh").status in (200, 404)
    assert patch(bob, path, {"name": "mine"}).status == 404
    assert delete(bob, path).status == 404
    assert delete(bob, f"{path}/cards/{card['id']}").status == 404
    assert bob.post(f"{path}/cards", {"messageId": card["messageId"]}
                    ).status == 404
    assert board["id"] not in [b["id"] for b in bob.get(PATH).data["items"]]
    assert ann.get(path).data["name"] == "Monday"


def test_there_are_bounds(service, ann, own, board):
    card = pin(ann, board, own).data
    service.psql("insert into board_cards (board_id, place, title, question, "
                 "sql, result, rows_at, checked_version) select "
                 f"'{board['id']}', n, 't', 'q', 'select 1', '{{}}', now(), 0 "
                 "from generate_series(2, 30) n")
    full = ann.post(f"{PATH}/{board['id']}/cards",
                    {"messageId": card["messageId"]})
    assert full.status == 409 and "30 cards" in full.json["message"]
    more = [ann.post(PATH, {"name": str(n)}) for n in range(50)]
    assert [m.status for m in more].count(409) >= 1
    for m in more:
        if m.status == 201:
            delete(ann, f"{PATH}/{m.data['id']}")


def test_what_is_malformed_is_refused(ann, own, board):
    path = f"{PATH}/{board['id']}/cards"
    for body in ({}, {"messageId": "x"},
                 {"messageId": str(uuid.uuid4()), "chart": {"mark": "pie"}},
                 {"messageId": str(uuid.uuid4()), "width": 13},
                 {"messageId": str(uuid.uuid4()), "title": ""}):
        assert ann.post(path, body).status == 400, body
    assert ann.post(path, {"messageId": str(uuid.uuid4())}).status == 404
    assert ann.post(PATH, {"name": " "}).status == 400
    for cards in ("x", [1], [{"id": "x"}], [{"id": str(uuid.uuid4()),
                                             "width": 1}]):
        assert patch(ann, f"{PATH}/{board['id']}",
                         {"cards": cards}).status == 400, cards


def test_a_viewer_may_look_only(service, own):
    viewer = service.client("vera@example.org", "viewer")
    assert viewer.get(PATH).status == 200
    assert viewer.post(PATH, {"name": "x"}).status == 403

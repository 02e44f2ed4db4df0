"""What users want remembered: seed 000's "User Preferences / Memory"."""
import uuid

import pytest

PREFERENCES = "/api/data-agent/preferences"


@pytest.fixture
def user(service):
    """A user of one's own: preferences are kept."""
    return service.client(f"{uuid.uuid4()}@example.org")


@pytest.fixture(scope="session")
def foreign(service, retail):
    """An ontology that only somebody else may see."""
    service.token_of("eve@example.org")
    return service.import_model(service.retail_model, "retail", "--name",
                                "hers alone", "--private", "--owner",
                                "eve@example.org")


def put(user, key, value, ontology=None, **more):
    body = {"key": key, "value": value, **more}
    if ontology:
        body["ontologyId"] = ontology
    return user.post(PREFERENCES, body)


def listed(user, **query):
    return [(p["ontologyId"], p["key"], p["value"])
            for p in user.get(PREFERENCES, **query).data]


# ---- the endpoints ---------------------------------------------------------


def test_a_preference_is_made_listed_changed_and_deleted(user, retail):
    reply = put(user, " default_time_window ", " last 12 months ")
    assert reply.status == 201
    made = reply.data
    assert set(made) == {"id", "userId", "ontologyId", "key", "value", "source",
                         "createdAt", "updatedAt"}
    assert (made["key"], made["value"], made["source"], made["ontologyId"]) == (
        "default_time_window", "last 12 months", "manual", None)
    listing = user.get(PREFERENCES).json
    assert listing == {"data": [made]}
    at = f"{PREFERENCES}/{made['id']}"
    changed = user.request("PATCH", at, {"value": "last 6 months"})
    assert changed.status == 200 and changed.data["value"] == "last 6 months"
    assert changed.data["id"] == made["id"]
    assert user.request("PUT", at, {"value": "2025"}).data["value"] == "2025"
    gone = user.request("DELETE", at)
    assert (gone.status, gone.body) == (204, b"")
    assert listed(user) == []
    assert user.request("DELETE", at).status == 404
    assert user.request("PATCH", at, {"value": "x"}).status == 404


def test_the_same_key_of_the_same_scope_is_replaced(user, retail):
    """Also where ontology_id is NULL, which a plain unique key would not see."""
    first = put(user, "grain", "monthly").data
    second = put(user, "grain", "weekly", source="auto_captured").data
    assert second["id"] == first["id"] and second["source"] == "auto_captured"
    put(user, "grain", "daily", retail)
    put(user, "grain", "hourly", retail.upper())
    assert listed(user) == [(None, "grain", "weekly"),
                            (retail, "grain", "hourly")]


def test_scopes_and_what_is_effective(user, retail):
    put(user, "grain", "monthly")
    put(user, "currency", "USD")
    put(user, "grain", "weekly", retail)
    everything = [(None, "currency", "USD"), (None, "grain", "monthly"),
                  (retail, "grain", "weekly")]
    assert listed(user) == listed(user, scope="all") == everything
    assert listed(user, scope="global") == everything[:2]
    assert listed(user, scope="ontology", ontologyId=retail) == everything[2:]
    assert listed(user, ontologyId=retail) == everything[2:]
    assert listed(user, scope="effective", ontologyId=retail) == [
        everything[0], everything[2]]


@pytest.mark.parametrize("query", [
    {"ontologyId": ""}, {"ontologyId": "x"}, {"scope": "ontology"},
    {"scope": "effective"}, {"scope": ""}, {"scope": "mine"}])
def test_a_listing_that_cannot_be_meant_is_400(user, query):
    reply = user.get(PREFERENCES, **query)
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.fields() <= {"ontologyId", "scope"}


@pytest.mark.parametrize("body,field", [
    ({"value": "v"}, "key"), ({"key": "", "value": "v"}, "key"),
    ({"key": "  ", "value": "v"}, "key"), ({"key": 7, "value": "v"}, "key"),
    ({"key": "k" * 256, "value": "v"}, "key"),
    ({"key": "a\nb", "value": "v"}, "key"),
    ({"key": "k"}, "value"), ({"key": "k", "value": " "}, "value"),
    ({"key": "k", "value": ["v"]}, "value"),
    ({"key": "k", "value": "v" * 2001}, "value"),
    ({"key": "k", "value": "v", "ontologyId": ""}, "ontologyId"),
    ({"key": "k", "value": "v", "ontologyId": "retail"}, "ontologyId"),
    ({"key": "k", "value": "v", "ontologyId": 5}, "ontologyId"),
    ({"key": "k", "value": "v", "source": "hacked"}, "source"),
    ({"key": "auto_capture_mode", "value": "always"}, "value"),
    ({"key": "auto_capture_mode", "value": "ASK"}, "value")])
def test_a_preference_that_may_not_be_is_refused(user, body, field):
    reply = user.post(PREFERENCES, body)
    assert (reply.status, reply.fields()) == (400, {field}), reply.body
    assert listed(user) == []


def test_lengths_are_counted_in_code_points(user):
    assert put(user, "é" * 255, "数" * 2000).status == 201
    at = f"{PREFERENCES}/{user.get(PREFERENCES).data[0]['id']}"
    assert user.request("PATCH", at, {"value": "数" * 2001}).status == 400


def test_there_is_a_most_of_them(user):
    for i in range(200):
        assert put(user, f"key {i}", "v").status == 201
    full = put(user, "one more", "v")
    assert (full.status, full.code) == (409, "CONFLICT")
    assert put(user, "key 7", "another").status == 201  # no more than before
    assert len(listed(user)) == 200


def test_an_ontology_of_somebody_else_is_404(user, foreign):
    gone = str(uuid.uuid4())
    put(user, "k", "v")
    for ontology in (foreign, gone):
        assert put(user, "k", "v", ontology).status == 404
        assert user.get(PREFERENCES, ontologyId=ontology).status == 404
        assert user.request("DELETE", PREFERENCES,
                            query={"ontologyId": ontology}).status == 404
    assert len(listed(user)) == 1


def test_preferences_are_their_owners_alone(user, bob, viewer):
    mine = put(user, "k", "v").data
    assert all(p["id"] != mine["id"] for p in bob.get(PREFERENCES).data)
    at = f"{PREFERENCES}/{mine['id']}"
    assert bob.request("PATCH", at, {"value": "x"}).status == 404
    assert bob.request("DELETE", at).status == 404
    assert viewer.get(PREFERENCES).status == 200
    assert put(viewer, "k", "v").status == 403
    assert viewer.request("DELETE", PREFERENCES).status == 403
    assert bob.request("PATCH", f"{PREFERENCES}/7", {"value": "x"}).status == 400


def clear(user, **query):
    return user.request("DELETE", PREFERENCES, query=query).status


def test_clearing_leaves_the_capture_mode(user, retail):
    put(user, "auto_capture_mode", "ask")
    put(user, "grain", "weekly")
    put(user, "grain", "daily", retail)
    assert clear(user, ontologyId=retail) == 204
    assert listed(user) == [(None, "auto_capture_mode", "ask"),
                            (None, "grain", "weekly")]
    assert clear(user) == 204
    assert listed(user) == [(None, "auto_capture_mode", "ask")]


@pytest.mark.parametrize("query", ["ontologyId=", "ontologyId=x", "ontologyId",
                                   "ontologyId=%ff", "ontologyid=",
                                   "ontology_id=7"])
def test_a_clearing_that_cannot_be_meant_clears_nothing(user, query):
    put(user, "grain", "weekly")
    reply = user.request("DELETE", f"{PREFERENCES}?{query}")
    assert reply.status == 400
    assert len(listed(user)) == 1


def test_the_capture_mode_takes_three_words_and_is_global(user, retail):
    made = put(user, "auto_capture_mode", "off").data
    at = f"{PREFERENCES}/{made['id']}"
    for word in ("auto", "ask", "off"):
        assert user.request("PATCH", at, {"value": word}).data["value"] == word
    refused = user.request("PATCH", at, {"value": "sometimes"})
    assert (refused.status, refused.fields()) == (400, {"value"})
    assert put(user, "auto_capture_mode", "off", retail).fields() == {"ontologyId"}

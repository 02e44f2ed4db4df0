"""Every route does what /openapi.json says: permissions, refused requests, and the form
of good answers."""

import json
import re
import subprocess
import uuid
from urllib.parse import unquote, urlsplit

import pytest

from kit import contract, csv
from kit.client import Client
from kit.places import STORY

# Other protocols have forms of their own: test_openai.py, test_mcp.py.
ALL = [o for o in contract.operations() if "Other protocols" not in o.told["tags"]]
CLOSED = [o for o in ALL if o.permission]
NAMED = [o for o in CLOSED if o.names]
WITH_BODY = [o for o in ALL if o.body_schema]


def each(operations):
    return pytest.mark.parametrize("operation", operations, ids=str)


# ---- valid requests ---------------------------------------------------------------

QUESTION = "revenue by city in 2025"

COUNT = "select count(*) as orders from orders"

# Valid bodies by operation; a function gets the world.
BODIES = {
    "chatsCreate": lambda w: {"ontologyId": w.ontology, "name": "By contract"},
    "chatsChange": {"name": "By another name"},
    "messagesCreate": {"content": QUESTION},
    "sharesMake": {"includeSql": True, "expiresAt": "2999-01-01T00:00:00Z"},
    "answersAgain": {"llmProvider": "builtin"},
    "answersRate": {"rating": "up", "reason": "as it should be"},
    "streamOfMessage": lambda w: {"chatId": w.new_chat(), "question": QUESTION},
    "chatAsk": lambda w: w.question_of_data(),
    "chatStream": lambda w: w.question_of_data(),
    "runsSubmit": lambda w: {"dataset_id": w.ontology, "query_type": "sql",
                             "sql": "select 1 as one"},
    "agenticExplore": lambda w: {"datasetId": w.ontology, "question": QUESTION},
    "reportWrite": {"question": QUESTION, "llmProvider": "builtin",
                    "explorationResults": {"summary": "It is one."}},
    # The bridge has its own stories (test_explorer_bridge.py): a good request waits for
    # a browser, and this one is refused.
    "explorerBridge": {"question": QUESTION, "llmProvider": "azure",
                       "schema": [{"name": "city", "type": "VARCHAR"}]},
    "toolCallback": {"toolCallId": str(uuid.UUID(int=7)), "success": False},
    "preferencesPut": {"key": "currency", "value": "euro"},
    "preferencesChange": {"value": "dollar"},
    "preferencesChange2": {"value": "yen"},
    "authLogin": lambda w: w.new_account(),
    "usersCreate": lambda w: {"email": f"{uuid.uuid4()}@contract.org"},
    "usersChange": {"displayName": "By contract"},
    "usersSetRoles": {"roles": ["viewer"]},
    "userSettingsReplace": {"theme": "dark"},
    "userSettingsMerge": {"profile": {"displayName": "By contract"}},
    "systemSettingsReplace": {"features": {"contract": True}},
    "systemSettingsMerge": {"features": {"contract": None}},
}


def new_connection(w):
    return {**w.address, "name": str(uuid.uuid4())}


SMALL_MODEL = """
name: small
datasets:
  - name: orders
    source: public.orders
    fields: [{name: order_id, expression: order_id}]
"""

BODIES |= {
    "ontologiesCreate": lambda w: {"name": "By contract",
                                   "semanticModelId": w.model},
    "semanticModelsCreate": lambda w: {
        "name": str(uuid.uuid4()), "connectionId": w.connection,
        "yaml": SMALL_MODEL},
    "semanticModelsValidate": {"yaml": SMALL_MODEL},
    "semanticModelsChange": {"description": "By contract"},
    # Without tables it calls no language model.
    "modelRunsStart": lambda w: {"name": str(uuid.uuid4()),
                                 "connectionId": w.new_connection(),
                                 "selectedSchemas": ["no such schema"]},
    "trustedAnswersAdd": lambda w: {
        "ontologyId": w.hers, "question": f"How many orders, \"{uuid.uuid4()}\"?",
        "sql": "select count(*) as orders from orders"},
    "trustedAnswersImport": lambda w: {
        "ontologyId": w.hers, "yaml": "questions: [{id: a, question: How many "
        "orders?, sql: select count(*) as orders from orders}]"},
    "modelEditsMake": {"version": 1, "edits": [
        {"op": "set", "kind": "model", "values": {"description": "By contract"}}]},
    "modelMetricPreview": {"expression": "count(orders.order_id)"},
    "modelRelationshipEvidence": {
        "from": "orders", "to": "stores", "fromColumns": ["store_id"],
        "toColumns": ["store_id"]},
    "sqlRun": lambda w: {"ontologyId": w.hers, "sql": COUNT},
    "sqlExplain": lambda w: {"ontologyId": w.hers, "sql": COUNT},
    "sqlExport": lambda w: {"ontologyId": w.hers, "sql": COUNT, "format": "csv"},
    "sqlQueriesAdd": lambda w: {"ontologyId": w.hers, "name": str(uuid.uuid4()),
                                "sql": COUNT},
    "sqlQueriesChange": {"sql": COUNT},
    "boardsAdd": lambda w: w.without_boards() or {"name": "By contract"},
    "boardsChange": {"name": "By another name"},
    "boardCardsPin": lambda w: w.without_boards() or {"messageId": w.answer},
    "boardCardsChange": {"width": 12},
    "schedulesAdd": lambda w: w.without_schedules() or {
        "ontologyId": w.hers, "question": QUESTION, "cron": "0 8 1 1 *"},
    "schedulesTimes": {"cron": "0 8 * * 1", "timeZone": "Europe/Berlin"},
    "schedulesChange": {"name": "By contract"},
    "connectionsCreate": new_connection,
    "connectionsTry": new_connection,
    "connectionsChange": {"description": "By contract"},
}

def hers(w):
    return {"ontologyId": w.hers}


# Queries of those operations that need one.
QUERIES = {"trustedAnswersExport": hers, "sqlQueriesList": hers, "sqlHistoryList": hers,
           "sqlHistoryClear": hers}


class World:
    """One owner with data, and other users who must not see it."""

    def __init__(self, service):
        self.service = service
        self.ontology = service.ontologies["retail"]
        self.owner = service.client("owner@contract.org")
        self.clients = {role: service.client(f"{role}@contract.org", role)
                        for role in contract.ROLES}
        self.answered = self.new_chat()
        self.answer = self.owner.ask(self.answered, QUESTION).message_id
        service.psql("insert into message_charts values "
                     f"('{self.answer}', 0, 1, 'image/png', '\\x89504e47')")
        at = urlsplit(service.source_url)
        self.address = {
            "host": at.hostname, "port": at.port, "databaseName": "retail",
            "username": at.username, "password": unquote(at.password)}
        self.hers = self.private_ontology()
        self.connection = self.new_connection()
        self.model = self.new_model()

    def shared(self):
        """A chat other than the one whose answer is read."""
        chat = self.new_message()
        token = self.owner.post(
            f"/api/data-agent/chats/{chat['chatId']}/share").data["token"]
        return {**chat, "token": token}

    def shared_answer(self):
        link = self.owner.post(f"/api/data-agent/chats/{self.answered}/share",
                               {"includeSql": True})
        return {"token": link.data["token"], "messageId": self.answer, "n": 0}

    def removed_chat(self):
        chat = self.new_chat()
        self.owner.request("DELETE", f"/api/data-agent/chats/{chat}")
        return chat

    def new_chat(self):
        return self.owner.new_chat(self.ontology, "builtin")

    def new_message(self):
        chat = self.new_chat()
        return {"chatId": chat,
                "messageId": self.owner.new_message(chat, QUESTION)[1]}

    def ended_message(self):
        """A separate chat, because answering again leaves it open."""
        ids = self.new_message()
        assert self.owner.cancel(ids["messageId"]).status == 200
        return ids

    def private_ontology(self):
        s = self.service
        s.connect("contract", s.source_url, "--owner", "owner@contract.org")
        return s.import_model(s.retail_model, "contract", "--name", "contract",
                              "--private", "--owner", "owner@contract.org")

    def new_connection(self):
        return self.owner.post("/api/connections",
                               new_connection(self)).data["id"]

    def new_model(self):
        return self.owner.post("/api/semantic-models", {
            "name": str(uuid.uuid4()), "connectionId": self.connection,
            "yaml": SMALL_MODEL}).data["id"]

    def ended_run(self):
        """An ended run, which uses no slot."""
        [[run]] = self.service.psql(
            "insert into semantic_model_runs (owner_id, connection_id, name,"
            " visibility, selected_schemas, selected_tables, status, error_code,"
            " error, process, lease_until, ended_at) select owner_id, id, 'ended',"
            " 'private', '{public}', '{}', 'failed', 'TIMEOUT', 'Too long.', 'x',"
            f" now(), now() from connections where id = '{self.connection}'"
            " returning id")
        return run

    def new_dataset(self, deleted="null"):
        """One without a sandbox."""
        [[dataset]] = self.service.psql(
            "insert into file_sets (owner_id, name, status, prompts, deleted_at)"
            f" select id, 'sales', 'ready', '[\"How many?\"]', {deleted} from users"
            " where email = 'owner@contract.org' returning id")
        table = {"name": "orders", "sheet": None, "rows": 1, "notes": [],
                 "columns": [{"name": "city", "type": "text", "nulls": 0,
                              "distinct": 1, "min": "Oslo", "max": "Oslo",
                              "samples": ["Oslo"]}], "sample": [["Oslo"]]}
        self.service.psql(
            "insert into files (file_set_id, place, name, format, bytes, sha256,"
            f" tables, rows) values ('{dataset}', 0, 'orders.csv', 'csv', 10,"
            f" 'aa', '{json.dumps([table])}', 1)")
        return dataset

    def question_of_data(self):
        return {"dataset_id": self.ontology, "message": "SQL: select 1 as one"}

    def new_thread(self):
        thread = str(uuid.uuid4())
        return self.owner.post("/chat", {**self.question_of_data(),
                                         "thread_id": thread}).json

    def new_ontology(self):
        return self.owner.post("/api/ontologies", {
            "name": "By contract", "semanticModelId": self.model}).data["id"]

    def new_preference(self):
        return self.owner.post("/api/data-agent/preferences", {
            "key": f"key {uuid.uuid4()}", "value": "x"}).data["id"]

    def new_trusted_answer(self):
        return self.owner.post("/api/data-agent/trusted-answers",
                               BODIES["trustedAnswersAdd"](self)).data["id"]

    def model_of_hers(self):
        return self.owner.get(f"/api/ontologies/{self.hers}").data["semanticModelId"]

    def removed_ontology(self):
        ontology = self.new_ontology()
        self.owner.request("DELETE", f"/api/ontologies/{ontology}")
        return ontology

    def new_saved_query(self):
        return self.owner.post("/api/sql/queries",
                               BODIES["sqlQueriesAdd"](self)).data["id"]

    def new_history(self):
        self.owner.post("/api/sql/run", BODIES["sqlRun"](self))
        return self.owner.get(
            f"/api/sql/history?ontologyId={self.hers}").data[0]["id"]

    def without_boards(self):
        """A user has few."""
        self.service.psql("delete from boards where owner_id in (select id from users"
                          " where email like '%@contract.org')")

    def without_schedules(self):
        self.service.psql("delete from schedules where owner_id in (select id from"
                          " users where email like '%@contract.org')")

    def new_card(self):
        self.without_boards()
        path = "/api/data-agent/boards"
        board = self.owner.post(path, {"name": "By contract"}).data["id"]
        card = self.owner.post(f"{path}/{board}/cards",
                               {"messageId": self.answer}).data["id"]
        return {"id": board, "cardId": card}

    def new_schedule(self):
        return self.owner.post("/api/data-agent/schedules",
                               BODIES["schedulesAdd"](self)).data["id"]

    def new_account(self):
        account = {"email": f"{uuid.uuid4()}@contract.org",
                   "password": "good enough"}
        self.clients["admin"].post("/api/users", account).data
        return account

    def headers(self, operation):
        """The other parts of a valid request."""
        if operation.id != "authRefresh":
            return None
        reply = Client(self.service.url).post("/api/auth/login",
                                              self.new_account())
        return {"Cookie": reply.headers["set-cookie"].split(";")[0]}

    def ids(self, operation):
        """The objects in the path: the owner's, created for this request if the request
        uses them up."""
        special = {
            "messagesCreate": lambda: {"chatId": self.new_chat()},
            "chatsRemove": lambda: {"chatId": self.new_chat()},
            "chatsRestore": lambda: {"chatId": self.removed_chat()},
            "sharesGet": self.shared,
            "sharesEnd": self.shared,
            "sharesOpen": self.shared_answer,
            "sharesChart": self.shared_answer,
            "exportsRead": lambda: {"messageId": self.answer, "stepId": 1},
            "answersChart": lambda: {"messageId": self.answer, "n": 0},
            "streamOfChat": self.new_message,
            "streamOfMessage": dict,  # a message that comes new
            "messagesCancel": self.new_message,
            "answersAgain": self.ended_message,
            "ontologiesRestore": lambda: {"id": self.removed_ontology()},
            "modelVersionsGet": lambda: {"id": self.new_model(), "version": 1},
            "modelMetricPreview": lambda: {"id": self.model_of_hers()},
            "modelRelationshipEvidence": lambda: {"id": self.model_of_hers()},
            "sqlHistoryRemove": lambda: {"id": self.new_history()},
            "datasetsRestore": lambda: {"id": self.new_dataset("now()")},
            "runsGet": lambda: {"id": self.new_thread()["run_id"]},
            "runsStatus": lambda: {"id": self.new_thread()["run_id"]},
            "runsExport": lambda: {"id": self.new_thread()["run_id"]},
            "threadsMessages": lambda: {"id": self.new_thread()["thread_id"]},
        }
        if operation.id in special:
            return special[operation.id]()
        if operation.path.startswith("/datasets/"):
            return {"id": self.new_dataset()}
        if operation.path.startswith("/api/users/"):
            return {"id": self.clients["admin"].post("/api/users", {
                "email": f"{uuid.uuid4()}@contract.org"}).data["id"]}
        if operation.path.startswith("/api/admin/runs/"):
            return {"id": self.answer}
        if operation.path.startswith("/api/connections/"):
            return {"id": self.new_connection(), "db": "retail",
                    "schema": "public", "table": "orders"}
        if operation.path.startswith("/api/semantic-models/runs/"):
            return {"id": self.ended_run()}
        if operation.path.startswith("/api/semantic-models/"):
            return {"id": self.new_model()}
        if operation.id == "ontologiesRemove":
            return {"id": self.new_ontology()}
        if "/ontologies/" in operation.path:
            return {"id": self.hers}
        if operation.path.startswith("/api/sql/queries/"):
            return {"id": self.new_saved_query()}
        if operation.path.startswith("/api/data-agent/boards/"):
            return self.new_card()
        if operation.path.startswith("/api/data-agent/schedules/"):
            return {"id": self.new_schedule()}
        if operation.path.startswith("/api/data-agent/preferences/"):
            return {"id": self.new_preference()}
        if operation.id == "trustedAnswersRemove":
            return {"id": self.new_trusted_answer()}
        return {"chatId": self.answered, "messageId": self.answer}

    def body(self, operation):
        if not operation.body_schema:
            return None
        body = BODIES[operation.id]
        return body(self) if callable(body) else dict(body)


@pytest.fixture(scope="module")
def world(service):
    return World(service)


def call(client, operation, path, body=None, **more):
    return client.request(operation.method, path, body, **more)


# ---- permissions ------------------------------------------------------------------

@each(CLOSED)
def test_without_a_token_it_is_401(service, operation):
    for token in (None, "x.y.z"):
        reply = call(Client(service.url, token), operation, operation.at({}))
        contract.judge_refusal(reply, 401)
        assert reply.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("role", contract.ROLES)
@each(CLOSED)
def test_the_matrix_says_who_may(world, operation, role):
    """With ids that do not exist: a permitted request gets as far as 404."""
    reply = call(world.clients[role], operation, operation.at({}),
                 world.body(operation))
    if role in contract.MATRIX[operation.permission]:
        assert reply.status not in (401, 403), reply.body
    else:
        contract.judge_refusal(reply, 403)


# ---- missing objects --------------------------------------------------------------

@each(NAMED)
def test_what_is_another_s_is_404(world, operation):
    ids, body = world.ids(operation), world.body(operation)
    others = ["contributor"]
    if operation.permission.startswith("data_agent:") and \
            operation.id != "trustedAnswersRemove" and \
            not operation.path.startswith("/datasets"):
        others.append("admin")  # chats are their owner's alone
    for role in others:
        if role not in contract.MATRIX[operation.permission]:
            continue
        reply = call(world.clients[role], operation, operation.at(ids), body)
        foreign_traces = operation.id == "tracesList"
        contract.judge_refusal(reply, 403 if foreign_traces else 404)


@each(NAMED)
def test_what_is_not_there_is_404(world, operation):
    body = world.body(operation)
    if operation.id == "streamOfMessage":
        body["chatId"] = str(uuid.uuid4())
    reply = call(may(world, operation), operation, operation.at({}), body)
    contract.judge_refusal(reply, 404)


# ---- malformed requests -----------------------------------------------------------

def may(world, operation):
    owner = not operation.permission or \
        "contributor" in contract.MATRIX[operation.permission]
    return world.owner if owner else world.clients["admin"]


@each(NAMED)
def test_a_malformed_id_is_400(world, operation):
    for name in operation.names:
        path = operation.at({**world.ids(operation), name: "not-a-uuid"})
        reply = call(may(world, operation), operation, path, world.body(operation))
        contract.judge_refusal(reply, 400)
        assert reply.fields() == {name}


@each(WITH_BODY)
def test_a_body_that_is_no_object_is_refused(world, operation):
    path = operation.at(world.ids(operation))
    client = may(world, operation)
    for body in (b"{", b"[]", b'"x"', b'{"a":1,"a":2}'):
        contract.judge_refusal(call(client, operation, path, body), 400)
    reply = call(client, operation, path, b"{}",
                 headers={"Content-Type": "text/plain"})
    contract.judge_refusal(reply, 415)
    reply = call(client, operation, path, b'{"x":"' + b"y" * (1 << 20) + b'"}')
    contract.judge_refusal(reply, 413)


@each(WITH_BODY)
def test_a_body_is_left_out_only_where_that_is_allowed(world, operation):
    """With neither bytes nor a media type: what curl -X PUT sends."""
    reply = call(may(world, operation), operation,
                 operation.at(world.ids(operation)))
    if operation.told["requestBody"]["required"]:
        contract.judge_refusal(reply, 400)
    else:
        contract.judge_answer(operation, reply)


@each(WITH_BODY)
def test_bytes_after_a_value_are_refused(world, operation):
    path = operation.at(world.ids(operation))
    good = json.dumps(world.body(operation)).encode()
    for bad in (good + b"\0", good + b"\0" + good, good + b"x",
                good[:-1] + b',"n":1\0}', good[:-1] + b',"n":true\0}'):
        contract.judge_refusal(call(may(world, operation), operation, path, bad),
                               400)


@each(WITH_BODY)
def test_a_field_of_a_wrong_type_is_named(world, operation):
    path = operation.at(world.ids(operation))
    for name, schema in operation.body_schema["properties"].items():
        value = contract.wrong_value(schema)
        if value is None:
            continue
        reply = call(may(world, operation), operation, path,
                     {**world.body(operation), name: value})
        contract.judge_refusal(reply, 400)
        assert any(f.split(".")[0] == name for f in reply.fields()), \
            f"{name} = {value!r}: {reply.fields()}"


# Requests that clients send by mistake.
ODD = (None, True, -1, 2 ** 63 - 1, 1e308, "", " ", "\u0001\u202e", "%s' --",
       "x" * 20000, "0000-00-00T00:00:00Z", [], [[None]], {"a": {"b": []}})


# These would leave settings of the whole server, or another answer in the shared chat.
@each([o for o in WITH_BODY if not o.id.startswith("systemSettings") and
       o.id != "answersAgain" and o.content and
       o.content[0] == "application/json"])
def test_odd_values_are_taken_or_told_to_be_wrong(world, operation):
    path, body = operation.at(world.ids(operation)), world.body(operation)
    client = may(world, operation)
    for name in operation.body_schema["properties"]:
        for value in ODD:
            reply = call(client, operation, path, {**body, name: value})
            if reply.status not in (200, 201):
                assert reply.status < 500, (name, value, reply.body[:600])
                contract.judge_refusal(reply, reply.status)


@each([o for o in CLOSED if o.parameters("query")])
def test_a_wrong_parameter_is_named(world, operation):
    path = operation.at(world.ids(operation))
    for name, schema in operation.parameters("query").items():
        free = schema.get("type") == "string" and not (
            set(schema) & {"enum", "format"})
        if free:
            continue
        reply = call(may(world, operation), operation, path,
                     query={name: "x y"})
        contract.judge_refusal(reply, 400)
        assert reply.fields() == {name}


@pytest.mark.parametrize("path", sorted({o.path for o in ALL}))
def test_another_method_is_405_and_told_which(world, path):
    taken = {o.method for o in ALL if o.path == path}
    wrong = next(m for m in ("DELETE", "PUT", "PATCH", "POST", "GET")
                 if m not in taken)
    operation = next(o for o in ALL if o.path == path)
    reply = world.owner.request(wrong, operation.at({}))
    contract.judge_refusal(reply, 405)
    allowed = {m.strip() for m in reply.headers["allow"].split(",")}
    assert allowed == taken | ({"HEAD"} if "GET" in taken else set())


# ---- the good case ----------------------------------------------------------------

# test_uploads.py and test_explorer_bridge.py have the others.
@each([o for o in ALL if o.id not in ("datasetsCreate", "explorerBridge", "explorerResume",
                                      "explorerCancel", "toolCallback")])
def test_a_good_request_gets_what_is_described(world, operation):
    client = may(world, operation) if operation.permission else \
        Client(world.service.url)
    body = world.body(operation)
    if body is not None:
        if operation.id != "sharesMake":  # which refuses unknown names
            body["unheardOf"] = [1]
    path = operation.at(world.ids(operation))
    if operation.id == "chatStream":
        judge_events(operation, call(client, operation, path, body))
    elif operation.content and operation.content[0] == "text/event-stream":
        judge_stream(operation, client.stream(operation.method, path, body))
    else:
        contract.judge_answer(operation, call(
            client, operation, path, body, headers=world.headers(operation),
            query=QUERIES.get(operation.id, lambda w: None)(world)))


def judge_stream(operation, stream):
    assert stream.status == 200, stream.body
    assert stream.headers["content-type"].split(";")[0] == "text/event-stream"
    events = stream.finish()
    assert events
    for event in events:
        contract.judge(event.data, operation.content[1])


def judge_events(operation, reply):
    """The CSV analyst's events have no ids, and its result is the whole answer."""
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"].split(";")[0] == "text/event-stream"
    events = csv.parse(reply.body)
    assert [kind for kind, _ in events[-2:]] == ["result", "done"]
    answer = {"$ref": "#/components/schemas/AnalystAnswer"}
    for kind, data in events:
        contract.judge(data, answer if kind == "result" else operation.content[1])


# ---- external validators -----------------------------------------------------------

@pytest.fixture(scope="module")
def document(service, tmp_path_factory):
    reply = Client(service.url).get("/openapi.json")
    assert reply.json == contract.document()
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    path.write_bytes(reply.body)
    return path


def tool(*words):
    done = subprocess.run(["node", *map(str, words)], cwd=STORY,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def paths_with_a_tag(client, world):
    chat = client.new_chat(world.ontology, "builtin")
    client.new_message(chat, QUESTION)
    return [f"/api/data-agent/chats/{chat}", "/api/user-settings",
            "/api/system-settings", "/openapi.json"]


def test_what_has_a_tag_is_sent_again_only_when_it_changed(world):
    client = world.clients["admin"]
    for path in paths_with_a_tag(client, world):
        first = client.get(path)
        tag = first.headers["etag"]
        for known in (tag, f"W/{tag}", "*", f'"a,b", W/"x" ,{tag}'):
            for method in ("GET", "HEAD"):
                again = client.request(method, path, headers={"If-None-Match": known})
                assert (again.status, again.body) == (304, b""), (path, known)
                assert again.headers["etag"] == tag
                assert again.headers["cache-control"] == first.headers["cache-control"]
                assert "content-type" not in again.headers
        for other in ('"nothing"', tag.strip('"'), tag[:-2] + '"', '"*"', '"a,*,b"'):
            again = client.request("GET", path, headers={"If-None-Match": other})
            assert (again.status, again.body) == (200, first.body), (path, other)


def test_a_rating_changes_what_is_shown_of_a_chat_but_not_its_version(world):
    client, path = world.owner, f"/api/data-agent/chats/{world.answered}"
    feedback = f"/api/data-agent/messages/{world.answer}/feedback"
    assert client.post(feedback, {"rating": None}).status == 200
    tag = client.get(path).headers["etag"]
    assert client.post(feedback, {"rating": "down"}).status == 200
    after = client.request("GET", path, headers={"If-None-Match": tag})
    assert after.status == 200 and after.headers["etag"] != tag
    for status in (200, 409):
        named = client.request("PATCH", path, {"name": "Rated"},
                               headers={"If-Match": tag})
        assert named.status == status


def test_what_is_told_to_one_user_is_kept_by_nobody(world):
    client = world.owner
    for path in (f"/api/data-agent/chats/{world.answered}", "/api/auth/me",
                 "/api/data-agent/chats", "/api/data-agent/chats/x"):
        assert client.get(path).headers["cache-control"] == "no-store", path
    refused = Client(world.service.url).get("/api/auth/me")
    assert (refused.status, refused.headers["cache-control"]) == (401, "no-store")


def test_the_docs_page_needs_nobody_else(service):
    client = Client(service.url)
    reply = client.get("/docs")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    asked = re.findall(r'(?:src|href)="([^"#]+)"', reply.body.decode())
    for path in set(asked) - {"/docs"}:
        assert path.startswith("/docs/") and client.get(path).status == 200


def test_redocly_accepts_the_description(document):
    # Of /semantic-models/runs/{id} and /semantic-models/{id}/yaml the names are
    # UUIDs, and literals go first.
    said = tool("node_modules/@redocly/cli/bin/cli.js", "lint", document,
                "--skip-rule=no-ambiguous-paths")
    assert "You have" not in said, said  # this many warnings


def test_swagger_parser_accepts_the_description(document):
    tool("-e", "import('@apidevtools/swagger-parser').then("
               "p => p.default.validate(process.argv[1]))"
               ".catch(e => { console.error(e.message); process.exit(1) })",
         document)


PROGRAM = """
import type { components, paths } from "./types";
type Event = components["schemas"]["StreamEvent"];
export function chunk(event: Event): number {
    if (event.type === "message_chunk") return event.chunk.length;
    if (event.type === "message_complete")
        return event.metadata?.stepResults?.[0]?.sqlResult?.rowCount ?? 0;
    // @ts-expect-error another event has no chunk
    return event.chunk;
}
type Page = paths["/api/data-agent/chats"]["get"]["responses"][200]["content"]["application/json"];
export const name = (page: Page): string | undefined => page.data.items[0]?.name;
// @ts-expect-error a status is one of a few words
export const status: components["schemas"]["MessageStatus"] = "perhaps";
"""


def make_types(document, folder):
    tool("node_modules/openapi-typescript/bin/cli.js", document, "-o",
         folder / "types.ts")
    return (folder / "types.ts").read_text()


def test_openapi_typescript_accepts_the_description(document, tmp_path):
    types = make_types(document, tmp_path)
    assert "MessageChunkEvent: {" in types and "chatsList: {" in types


@pytest.mark.long
def test_typescript_gets_types_worth_using(document, tmp_path):
    make_types(document, tmp_path)
    (tmp_path / "program.ts").write_text(PROGRAM)
    tool("node_modules/typescript/bin/tsc", "--noEmit", "--strict",
         "--moduleResolution", "node", "--target", "es2022",
         tmp_path / "program.ts")

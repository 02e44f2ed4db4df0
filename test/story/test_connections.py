"""Connections over HTTP: stored without showing the password, tested, changed, browsed,
removed."""
import subprocess
import uuid

import pytest

from postgres import PASSWORD
from sextant import PROGRAM, wait_until
from kit.server import Server

PATH = "/api/connections"


def name():
    return f"c {uuid.uuid4()}"


@pytest.fixture
def body(source):
    return {"name": name(), "host": "127.0.0.1", "port": source.port,
            "databaseName": "retail", "username": "retail_reader",
            "password": PASSWORD}


@pytest.fixture
def made(ann, body):
    return ann.post(PATH, body).data


@pytest.fixture(scope="module")
def odd(source):
    """A database whose names need care."""
    source.load("odd", '''
        create schema "Odd ""schema"" 😀";
        create table "Odd ""schema"" 😀"."it's ""a"" table?" (
            "Ünïque" int primary key, "select" text not null default 'x''y',
            "a b" numeric(12,2)[]);
        comment on table "Odd ""schema"" 😀"."it's ""a"" table?" is 'two
        lines';
        create table parts (d date) partition by range (d);
        create table parts_1 partition of parts for values from
            ('2025-01-01') to ('2026-01-01');
        create view seen as select 1 as one;
        grant usage on schema "Odd ""schema"" 😀" to public;''')
    return source


def change(client, connection, **what):
    return client.request("PATCH", f"{PATH}/{connection['id']}", what)


class TestKeeping:
    def test_what_went_in_comes_out_but_the_password(self, ann, service, body):
        reply = ann.post(PATH, {**body, "description": " of the shop "})
        assert PASSWORD.encode() not in reply.body
        data = reply.data
        assert data["hasCredential"] is True and data["useSsl"] is False
        assert data["description"] == "of the shop"
        assert data["visibility"] == "private" and data["dbType"] == "postgresql"
        assert data["options"] == {"sslMode": "disable", "shareRows": "all",
                                   "rootCertificates": None, "timeZone": "UTC"}
        assert data["lastTestResult"] is None
        assert ann.get(f"{PATH}/{data['id']}").data == data
        [[sealed]] = service.psql("select encode(password_sealed, 'hex') from"
                                  f" connections where id = '{data['id']}'")
        assert sealed and PASSWORD.encode().hex() not in sealed
        assert PASSWORD not in service.log_text()

    def test_a_time_zone_is_kept_as_the_tz_database_writes_it(self, ann, body):
        made = ann.post(PATH, {**body, "options": {"timeZone": "europe/berlin"}}).data
        assert made["options"]["timeZone"] == "Europe/Berlin"
        assert ann.post(f"{PATH}/{made['id']}/test").data["success"] is True
        kept = change(ann, made, description="same", options={"shareRows": "none"}).data
        assert kept["options"]["timeZone"] == "Europe/Berlin"
        assert change(ann, made, options={"timeZone": "Berlin"}).code == "VALIDATION_ERROR"
        assert change(ann, made, options={"timeZone": None}).data["options"]["timeZone"] == "UTC"

    def test_a_zone_that_the_source_does_not_know_fails_the_test(self, ann, body, service):
        made = ann.post(PATH, {**body, "options": {"timeZone": "Europe/Kyiv"}}).data
        service.psql("update connections set options = jsonb_set(options, '{timeZone}',"
                     f" '\"Mars/Olympus\"') where id = '{made['id']}'")
        tested = ann.post(f"{PATH}/{made['id']}/test").data
        assert tested["success"] is False and "Mars/Olympus" in tested["message"]

    def test_a_name_is_taken_once(self, ann, bob, body):
        assert ann.post(PATH, body).status == 201
        assert ann.post(PATH, body).code == "CONFLICT"
        assert bob.post(PATH, body).status == 201

    def test_only_shared_ones_are_seen_and_only_their_owner_changes_them(
            self, ann, bob, made):
        path = f"{PATH}/{made['id']}"
        assert bob.get(path).status == 404
        assert change(ann, made, visibility="shared").status == 200
        assert bob.get(path).data["username"] == "retail_reader"
        assert change(bob, made, name="mine").code == "FORBIDDEN"
        assert bob.request("DELETE", path).code == "FORBIDDEN"
        assert bob.post(f"{path}/test").code == "FORBIDDEN"

    def test_who_shares_and_who_ends_that_is_noted(self, ann, made, service):
        for visibility in ("shared", "shared", "private"):
            change(ann, made, visibility=visibility, description=visibility)
        assert service.psql(
            "select action, details->>'name' from audit_events where target ="
            f" '{made['id']}' order by id") == [
            ["connection.shared", made["name"]],
            ["connection.unshared", made["name"]]]

    @pytest.mark.parametrize("what, field", [
        ({"host": "/var/run/postgresql"}, "host"), ({"host": "a,b"}, "host"),
        ({"host": "a b"}, "host"), ({"host": ""}, "host"),
        ({"host": "@evil"}, "host"), ({"host": "::1%lo"}, "host"),
        ({"port": 0}, "port"), ({"port": 65536}, "port"),
        ({"port": "5432"}, "port"), ({"name": " "}, "name"),
        ({"databaseName": "x" * 64}, "databaseName"),
        ({"databaseName": None}, "databaseName"), ({"username": 7}, "username"),
        ({"password": 7}, "password"), ({"dbType": "oracle"}, "dbType"),
        ({"options": {"service": "x"}}, "options"),
        ({"options": {"sslMode": "prefer"}}, "options.sslMode"),
        ({"options": {"rootCertificates": "/etc/passwd"}},
         "options.rootCertificates"),
        *[({"options": {"timeZone": zone}}, "options.timeZone") for zone in (
            "Mars/Olympus", "+02", "UTC+2", "localtime", "posix/UTC", "../etc/passwd",
            "Europe/Berlin'", "x" * 65, 2, "", "CET-1CEST")],
        ({"useSsl": True, "options": {"sslMode": "disable"}}, "useSsl"),
        ({"visibility": "public"}, "visibility"),
    ])
    def test_what_is_wrong_is_named(self, ann, body, what, field):
        reply = ann.post(PATH, {**body, **what})
        assert reply.code == "VALIDATION_ERROR" and reply.fields() == {field}

    def test_a_password_goes_to_no_other_host(self, ann, made):
        reply = change(ann, made, host="elsewhere.example.org")
        assert reply.fields() == {"password"}
        assert change(ann, made, port=1).fields() == {"password"}
        assert change(ann, made, name=name(), useSsl=True).status == 200
        data = change(ann, made, host="elsewhere.example.org",
                      password=None).data
        assert data["hasCredential"] is False

    def test_one_with_models_stays(self, service, ann, body):
        connection = ann.post(PATH, body).data
        service.psql("insert into semantic_models (owner_id, connection_id, name,"
                     " source_text, model) select owner_id, id, name, '', '{}'"
                     f" from connections where id = '{connection['id']}'")
        path = f"{PATH}/{connection['id']}"
        reply = ann.request("DELETE", path)
        assert reply.code == "CONFLICT"
        assert reply.json["details"] == {"models": [connection["name"]]}
        service.psql("update semantic_models set deleted_at = now()"
                     f" where connection_id = '{connection['id']}'")
        assert ann.request("DELETE", path).status == 204
        assert ann.get(path).status == 404
        assert service.psql("select action from audit_events where target = "
                            f"'{connection['id']}'") == [["connection.deleted"]]


class TestTrying:
    def test_it_says_what_the_role_may_do(self, ann, made):
        data = ann.post(f"{PATH}/{made['id']}/test").data
        assert data["success"] is True and data["message"] == "Connected."
        assert data["rights"]["readableTables"] >= 5
        assert data["rights"]["writableTables"] == 0
        assert not data["rights"]["superuser"]
        now = ann.get(f"{PATH}/{made['id']}").data
        assert now["lastTestResult"] is True and now["lastTestedAt"]
        assert now["updatedAt"] == made["updatedAt"]

    @pytest.mark.parametrize("what, why", [
        ({"password": "wrong"}, "password authentication failed"),
        ({"databaseName": "nowhere"}, "nowhere"),
        ({"port": 1}, "refused"),
        ({"host": "no-such-host.invalid"}, "the host name is not known"),
        ({"options": {"sslMode": "require"}}, "SSL"),
        # Where clouds serve a machine's secrets; the last address is unused.
        ({"host": "169.254.255.255"}, "link-local"),
        ({"host": "2852061183"}, "link-local"),
        ({"host": "::ffff:169.254.255.255"}, "link-local"),
        ({"host": "fe80::1"}, "link-local"),
    ])
    def test_a_failure_has_its_reason(self, ann, body, what, why):
        data = ann.post(f"{PATH}/test", {**body, **what}).data
        assert data["success"] is False and data["rights"] is None
        assert why in data["message"], data["message"]
        assert PASSWORD not in data["message"]

    def test_a_superuser_is_refused_also_where_it_is_used(self, ann, source,
                                                          body):
        role = f"super_{uuid.uuid4().hex}"
        source.make_role(role)
        source.psql("postgres", f"alter role {role} superuser")
        body["username"] = role
        tried = ann.post(f"{PATH}/test", body).data
        assert tried["success"] is False and tried["rights"]["superuser"] is True
        made = ann.post(PATH, body).data
        reply = ann.get(f"{PATH}/{made['id']}/databases")
        assert reply.code == "BAD_GATEWAY"
        assert "superuser" in reply.json["message"]

    def test_a_role_that_may_write_is_warned_of(self, ann, source, body):
        role = f"writer_{uuid.uuid4().hex}"
        source.make_role(role)
        source.psql("retail", f"grant usage on schema public to {role};"
                    f"grant select, insert on orders to {role};"
                    f"grant connect on database retail to {role}")
        data = ann.post(f"{PATH}/test", {**body, "username": role}).data
        assert data["success"] is True and "may also write" in data["message"]
        assert data["rights"]["writableTables"] == 1


    def test_a_role_that_may_act_as_the_owner_is_warned_of(self, ann, source,
                                                           body):
        role = f"actor_{uuid.uuid4().hex}"
        source.make_role(role)
        source.psql("postgres", f"create database {role}")
        source.psql(role, "create function pay(text) returns text language sql"
                    " security definer as 'select $1'; create table t (a int);"
                    f"grant select on t to {role};"
                    f"grant connect on database {role} to {role}")
        own = {**body, "username": role, "databaseName": role}
        data = ann.post(f"{PATH}/test", own).data
        assert data["success"] is True and "SECURITY DEFINER" in data["message"]
        assert data["rights"]["definerFunctions"] == 1
        script = subprocess.run(
            [PROGRAM, "connection", "role", "x", role], check=True,
            capture_output=True, text=True).stdout.replace('"x"', role)
        source.psql(role, script[script.index("do $"):].replace("'x'",
                                                                f"'{role}'"))
        assert ann.post(f"{PATH}/test", own).data["message"] == "Connected."


class TestLooking:
    def items(self, client, connection, path, **query):
        return client.get(f"{PATH}/{connection['id']}/databases{path}",
                          **query).data["items"]

    def test_databases_schemas_tables_and_columns(self, ann, made):
        assert {"name": "retail", "comment": None} in self.items(ann, made, "")
        [schema] = self.items(ann, made, "/retail/schemas")
        assert schema["name"] == "public" and schema["tableCount"] >= 5
        path = "/retail/schemas/public/tables"
        tables = {t["name"]: t for t in self.items(ann, made, path)}
        assert tables["orders"]["type"] == "table"
        assert tables["orders"]["readable"] is True
        columns = self.items(ann, made, f"{path}/orders/columns")
        assert [c["position"] for c in columns] == list(
            range(1, len(columns) + 1))
        [key] = [c for c in columns if c["isPrimaryKey"]]
        assert key["nullable"] is False

    def test_names_that_need_care(self, ann, odd, body):
        from urllib.parse import quote
        made = ann.post(PATH, {**body, "databaseName": "odd",
                               "username": "odd_reader"}).data
        schema = 'Odd "schema" 😀'
        assert schema in [s["name"] for s in
                          self.items(ann, made, "/odd/schemas")]
        path = f"/odd/schemas/{quote(schema, safe='')}/tables"
        [table] = self.items(ann, made, path)
        assert table["name"] == "it's \"a\" table?"
        assert table["readable"] is False and "\n" in table["comment"]
        columns = self.items(
            ann, made, f"{path}/{quote(table['name'], safe='')}/columns")
        assert [(c["name"], c["dataType"], c["defaultValue"]) for c in columns] \
            == [("Ünïque", "integer", None), ("select", "text", "'x''y'::text"),
                ("a b", "numeric(12,2)[]", None)]
        public = self.items(ann, made, "/odd/schemas/public/tables")
        assert {t["name"]: t["type"] for t in public} == {
            "parts": "partitioned table", "seen": "view"}
        assert self.items(ann, made, "/odd/schemas/x';--/tables") == []

    def test_pages_and_search(self, ann, made):
        path = f"{PATH}/{made['id']}/databases/retail/schemas/public/tables"
        page = ann.get(path, pageSize=2, page=2).data
        assert len(page["items"]) == 2
        assert page["pagination"]["totalItems"] == page["total"] >= 5
        found = ann.get(path, search="ORDER").data["items"]
        assert {"orders", "order_items"} == {t["name"] for t in found}

    def test_another_database_of_the_server(self, ann, odd, source, body):
        source.psql("postgres", "grant connect on database odd to retail_reader")
        made = ann.post(PATH, body).data
        assert self.items(ann, made, "/odd/schemas")
        reply = ann.get(f"{PATH}/{made['id']}/databases/postgresx/schemas")
        assert reply.code == "BAD_GATEWAY"
        assert "postgresx" in reply.json["message"]


def test_the_printed_role_may_read_and_nothing_else(source, ann, body):
    role = f"printed_{uuid.uuid4().hex[:8]}"
    script = subprocess.run(
        [PROGRAM, "connection", "role", role, "retail", "public"], check=True,
        capture_output=True, text=True).stdout
    source.psql("retail", script)
    source.psql("retail", f"alter role {role} password '{PASSWORD}'")
    data = ann.post(f"{PATH}/test", {**body, "username": role}).data
    assert data["message"] == "Connected." and data["success"]
    assert data["rights"]["readableTables"] >= 5


# ---- a private server: keys and hosts --------------------------------------------

@pytest.mark.long
def test_keys_change_and_hosts_are_kept_to(source, body):
    old, new = "11" * 32, "22" * 32
    server = Server(SANDBOX_URL="off", CREDENTIALS_KEY=old)
    try:
        client = server.start().client()
        made = client.post(PATH, body).data
        path = f"{PATH}/{made['id']}"
        assert client.post(f"{path}/test").data["success"]
        server.stop()
        server.settings["CREDENTIALS_KEY"] = new
        server.start(CREDENTIALS_KEY_PREVIOUS=old)
        client.url = server.url
        client = server.client()
        assert client.post(f"{path}/test").data["success"]
        done = server.run("connection", "reseal", CREDENTIALS_KEY_PREVIOUS=old)
        assert done.stdout == "1 passwords were encrypted with the new key.\n"
        server.stop()
        server.start(CONNECTION_HOSTS="db.example.org,10.0.0.0/8")
        client = server.client()
        refused = client.post(f"{path}/test").data
        assert "not allowed" in refused["message"]
        assert "CONNECTION_HOSTS" in client.get(
            f"{path}/databases").json["message"]
        assert client.post(PATH, {**body, "name": "x"}).fields() == {"host"}
        assert client.post(PATH, {**body, "name": "y",
                                  "host": "DB.example.org"}).status == 201
        server.stop()
        server.start()
        assert server.client().post(f"{path}/test").data["success"]
    finally:
        server.remove()

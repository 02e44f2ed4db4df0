"""Access: signing in, sessions, users, settings, the audit."""
import json
import os
import pty
import subprocess
import termios
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import contract, tokens
from kit.client import Client
from kit.server import Server
from sextant import PROGRAM, environment, wait_until

LOGIN, REFRESH, SESSION, LOGOUT, ME = (
    f"/api/auth/{word}" for word in ("login", "refresh", "session", "logout", "me"))
COOKIE = "sextant_refresh"


@pytest.fixture(scope="module")
def house():
    """A private server that trusts proxies on this machine, so that a story can send
    requests from any address."""
    it = Server(SANDBOX_URL="off", TRUSTED_PROXIES="127.0.0.0/8,::1",
                ADMIN_EMAIL="root@house.org",
                CORS_ORIGINS="https://page.example")
    it.start()
    yield it
    it.remove()


class Visitor(Client):
    """A client with an address and a cookie jar."""

    def __init__(self, url, token=None):
        super().__init__(url, token)
        self.address, self.cookie = f"2001:db8:{uuid.uuid4().hex[:4]}::1", None

    def request(self, method, path, body=None, headers=None, **more):
        sent = {"X-Forwarded-For": self.address, **(headers or {})}
        if self.cookie:
            sent.setdefault("Cookie", f"{COOKIE}={self.cookie}")
        reply = super().request(method, path, body, sent, **more)
        if "set-cookie" in reply.headers:
            self.cookie = reply.headers["set-cookie"].split(";")[0].split("=")[1]
        return reply

    def sign_in(self, email, password):
        reply = self.post(LOGIN, {"email": email, "password": password})
        if reply.status == 200:
            self.token = reply.data["accessToken"]
        return reply


@pytest.fixture
def visitor(house):
    return Visitor(house.url)


@pytest.fixture(scope="module")
def root(house):
    return Client(house.url, house.token("boss@house.org", "admin"))


@pytest.fixture
def account(root):
    """A new contributor's address, password and id."""
    email, password = f"{uuid.uuid4()}@house.org", "open sesame"
    user = root.post("/api/users", {"email": email, "password": password,
                                    "roles": ["contributor"]}).data
    return email, password, user["id"]


def age_tokens(house, seconds=60):
    house.psql("update refresh_tokens set rotated_at = rotated_at - "
               f"interval '{seconds} seconds', created_at = created_at - "
               f"interval '{seconds} seconds'")


# ---- signing in --------------------------------------------------------------


def test_a_user_signs_in_and_is_known(visitor, account):
    email, password, user_id = account
    reply = visitor.sign_in(email.upper(), password)
    assert set(reply.data) == {"accessToken", "expiresIn", "user"}
    assert reply.data["expiresIn"] == 900
    me = visitor.get(ME).data
    assert me == reply.data["user"]
    assert set(me) == {"id", "email", "displayName", "profileImageUrl", "roles",
                       "permissions", "isActive", "createdAt"}
    assert (me["id"], me["email"], me["isActive"]) == (user_id, email, True)
    assert me["roles"] == [{"name": "contributor"}]
    assert "data_agent:write" in me["permissions"]
    assert "users:read" not in me["permissions"]
    assert reply.headers["cache-control"] == "no-store"


def test_the_cookie_is_out_of_the_reach_of_scripts(house, visitor, account):
    kinds = {}
    for address in ("203.0.113.9", "127.0.0.1"):
        visitor.address = address
        reply = visitor.sign_in(*account[:2])
        parts = [p.strip() for p in reply.headers["set-cookie"].split(";")]
        assert parts[0].startswith(f"{COOKIE}=") and len(parts[0]) > 40
        kinds[address] = set(parts[1:])
    assert kinds["127.0.0.1"] == {"Path=/api/auth", "Max-Age=2592000",
                                  "HttpOnly", "SameSite=Strict"}
    assert kinds["203.0.113.9"] == kinds["127.0.0.1"] | {"Secure"}
    stored = house.psql("select encode(hash, 'hex') from refresh_tokens")
    assert visitor.cookie not in str(stored)


def test_wrong_and_unknown_look_the_same(house, visitor, account, root):
    email, password, _ = account
    external = f"{uuid.uuid4()}@house.org"
    root.post("/api/users", {"email": external}).data
    said = []
    for name, word in ((email, "wrong"), (external, "anything"),
                       (f"{uuid.uuid4()}@house.org", password)):
        reply = visitor.sign_in(name, word)
        said.append({k: v for k, v in reply.json.items() if k != "requestId"})
        assert reply.status == 401 and "set-cookie" not in reply.headers
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("body, fields", [
    ({}, {"email", "password"}), ({"email": "a@b.c"}, {"password"}),
    ({"email": "a@b.c", "password": ""}, {"password"}),
    ({"email": "a@b.c", "password": 7}, {"password"}),
    ({"email": "a@b.c", "password": "x" * 1025}, {"password"}),
    ({"email": "nobody", "password": "x"}, {"email"}),
    ({"email": ["a@b.c"], "password": "x"}, {"email"})], ids=str)
def test_what_is_no_sign_in_is_400(visitor, body, fields):
    reply = visitor.post(LOGIN, body)
    assert reply.status == 400 and reply.fields() == fields


def test_pages_of_other_sites_may_not_sign_in(house, visitor, account):
    ours = house.url.rstrip("/")
    body = {"email": account[0], "password": account[1]}
    for path in (LOGIN, REFRESH, SESSION, LOGOUT):
        for origin in ("https://evil.example", "null", ours + ".evil.example"):
            reply = visitor.post(path, body, headers={"Origin": origin})
            assert reply.status == 403, (path, origin)
    assert visitor.post(LOGIN, body, headers={"Origin": ours}).status == 200
    allowed = visitor.post(LOGIN, body, headers={"Origin": "https://page.example"})
    assert allowed.status == 200
    assert allowed.headers["access-control-allow-credentials"] == "true"
    allowed = visitor.request("GET", "/api/ontologies",
                              headers={"Origin": "https://page.example"})
    assert "access-control-allow-credentials" not in allowed.headers


def test_a_page_of_the_list_sends_and_reads_what_there_is(visitor):
    """Every header that the description names."""
    page = {"Origin": "https://page.example"}
    told = visitor.request("OPTIONS", "/api/data-agent/chats", headers={
        **page, "Access-Control-Request-Method": "POST"})
    named = {name.lower() for o in contract.operations()
             for name in o.parameters("header")}
    assert "if-match" in named
    assert told.status == 204 and named | {
        "authorization", "content-type", "traceparent"} <= set(
            told.headers["access-control-allow-headers"].lower().split(", "))
    told = visitor.request("GET", "/healthz", headers=page)
    assert {"etag", "retry-after", "x-request-id", "content-disposition"} <= set(
        told.headers["access-control-expose-headers"].lower().split(", "))


def test_an_account_is_shut_for_a_while_after_ten_failures(house, account):
    """Failures count from every address and in every process: the database has them."""
    email, password, _ = account
    statuses = []
    for _ in range(12):
        reply = Visitor(house.url).sign_in(email, "wrong")
        statuses.append(reply.status)
    assert statuses == [401] * 10 + [429] * 2
    assert 1 <= int(reply.headers["retry-after"]) <= 300
    assert reply.code == "RATE_LIMITED"
    assert Visitor(house.url).sign_in(email, password).status == 429
    (count,), = house.psql("select max(failures) from login_failures")
    assert int(count) >= 10


@pytest.mark.long
def test_an_address_has_so_many_failures_and_others_none_of_them(house, account):
    """Behind a trusted proxy, the right-most address that is not trusted counts, whatever
    the client wrote before it."""
    email, password, _ = account
    flood = Visitor(house.url)
    host = "2001:db8:f00d:1::"

    def fail(n):
        flood_headers = {"X-Forwarded-For": f"198.51.100.{n}, {host}{n:x}, "
                                            "127.0.0.1"}
        return flood.request("POST", LOGIN, {
            "email": f"{uuid.uuid4()}@house.org", "password": "x"},
            headers=flood_headers).status

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(fail, range(1, 106)))
    assert statuses.count(429) >= 5 and set(statuses) <= {401, 429}
    assert fail(200) == 429
    assert Visitor(house.url).sign_in(email, password).status == 200


def test_at_most_a_few_passwords_are_worked_on_at_once(house, account):
    """Further requests get 429 with Retry-After; other requests continue meanwhile."""
    email, password, _ = account
    ready = threading.Barrier(24)

    def sign_in(_):
        visitor = Visitor(house.url)
        ready.wait()
        reply = visitor.sign_in(f"{uuid.uuid4()}@house.org", "x")
        return reply.status, reply.headers.get("retry-after")

    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(sign_in, range(24)))
    assert {status for status, _ in answers} <= {401, 429}
    assert sum(status == 401 for status, _ in answers) >= 10
    assert all(after for status, after in answers if status == 429)
    assert Visitor(house.url).sign_in(email, password).status == 200


# ---- staying signed in ----------------------------------------------------------


def test_a_session_goes_on_with_a_new_token_each_time(visitor, account):
    visitor.sign_in(*account[:2])
    seen = {visitor.cookie}
    for _ in range(3):
        reply = visitor.post(REFRESH)
        assert set(reply.data) == {"accessToken", "expiresIn"}
        assert Client(f"http://{visitor.host}:{visitor.port}",
                      reply.data["accessToken"]).get(ME).status == 200
        seen.add(visitor.cookie)
    assert len(seen) == 4


def test_two_tabs_that_wake_at_once_both_live(house, visitor, account):
    visitor.sign_in(*account[:2])
    first = visitor.cookie
    cookies = []
    for _ in range(2):
        visitor.cookie = first
        assert visitor.post(REFRESH).status == 200
        cookies.append(visitor.cookie)
    assert len({first, *cookies}) == 3
    age_tokens(house)
    for cookie in cookies:
        visitor.cookie = cookie
        assert visitor.post(REFRESH).status == 200


def test_a_stolen_token_ends_the_whole_session(house, visitor, account, root):
    visitor.sign_in(*account[:2])
    stolen = visitor.cookie
    assert visitor.post(REFRESH).status == 200
    good = visitor.cookie
    age_tokens(house)
    visitor.cookie = stolen
    reply = visitor.post(REFRESH)
    assert reply.status == 401 and "Max-Age=0" in reply.headers["set-cookie"]
    visitor.cookie = good
    assert visitor.post(REFRESH).status == 401
    events = root.get("/api/admin/audit", action="session.reuse").data["items"]
    assert events[0]["actor"]["id"] == account[2]


def test_a_token_has_a_bounded_number_of_siblings(house, visitor, account):
    visitor.sign_in(*account[:2])
    first, statuses = visitor.cookie, []
    for _ in range(21):
        visitor.cookie = first
        statuses.append(visitor.post(REFRESH).status)
        # A slow machine's twenty seconds are not over.
        house.psql("update refresh_tokens set rotated_at = now() + interval '1 h',"
                   " created_at = now() + interval '1 h'")
    assert statuses[0] == 200 and statuses[-1] == 429


def test_sign_out_ends_the_session_and_may_be_repeated(visitor, account):
    visitor.sign_in(*account[:2])
    cookie = visitor.cookie
    for _ in range(2):
        reply = visitor.post(LOGOUT)
        assert reply.status == 204 and reply.body == b""
        assert "Max-Age=0" in reply.headers["set-cookie"]
    visitor.cookie = cookie
    assert visitor.post(REFRESH).status == 401


@pytest.mark.parametrize("cookie", ["", "x", "a" * 43, "a" * 5000, "../..", "%00"])
def test_what_is_no_refresh_token_is_401(visitor, cookie):
    visitor.cookie = cookie or None
    assert visitor.post(REFRESH).status == 401


NO_SESSION = {"signedIn": False, "accessToken": None, "expiresIn": None}


def test_a_page_learns_without_an_error_that_it_has_no_session(house, visitor,
                                                               account):
    reply = visitor.post(SESSION)
    assert reply.status == 200 and reply.data == NO_SESSION
    visitor.sign_in(*account[:2])
    first = visitor.cookie
    reply = visitor.post(SESSION)
    assert reply.status == 200 and reply.data["signedIn"]
    assert Client(house.url, reply.data["accessToken"]).get(ME).status == 200
    assert reply.data["expiresIn"] > 0 and visitor.cookie != first
    age_tokens(house)
    visitor.cookie = first  # stolen
    reply = visitor.post(SESSION)
    assert reply.status == 200 and reply.data == NO_SESSION
    assert "Max-Age=0" in reply.headers["set-cookie"]


def test_a_session_that_is_not_used_ends(house, visitor, account):
    visitor.sign_in(*account[:2])
    house.psql("update refresh_families set expires_at = now() - "
               f"interval '1 second' where user_id = '{account[2]}'")
    assert visitor.post(REFRESH).status == 401


# ---- users ------------------------------------------------------------------------


def test_an_admin_makes_lists_and_changes_users(root, visitor):
    email = f"{uuid.uuid4()}@house.org"
    made = root.post("/api/users", {"email": email, "displayName": " Zoë ",
                                    "password": "12345678"})
    assert made.status == 201
    user = made.data
    assert user["displayName"] == "Zoë" and user["hasPassword"]
    assert user["roles"] == [{"name": "viewer"}]
    page = root.get("/api/users", search=email[:13].upper(), pageSize=1).data
    assert page["items"] == [user] and page["total"] == 1
    path = f"/api/users/{user['id']}"
    other = f"{uuid.uuid4()}@house.org"
    changed = root.request("PATCH", path, {"email": other, "displayName": None,
                                           "password": "another one"}).data
    assert changed["email"] == other and changed["displayName"] is None
    assert visitor.sign_in(other, "12345678").status == 401
    assert visitor.sign_in(other, "another one").status == 200
    roles = root.request("PUT", f"{path}/roles", {
        "roles": ["Contributor", {"name": "contributor"}]}).data
    assert roles["roles"] == [{"name": "contributor"}]


def test_addresses_are_taken_once(root, account):
    assert root.post("/api/users", {"email": account[0].upper()}).status == 409
    other = root.post("/api/users", {"email": f"{uuid.uuid4()}@house.org"}).data
    reply = root.request("PATCH", f"/api/users/{other['id']}",
                         {"email": account[0]})
    assert reply.status == 409 and reply.code == "CONFLICT"


@pytest.mark.parametrize("body, field", [
    ({"email": "x"}, "email"), ({"email": "a b@c.d"}, "email"),
    ({"email": "a@b@c"}, "email"), ({"email": "a@b.c\n"}, None),
    ({"password": "short"}, "password"), ({"password": "x" * 1025}, "password"),
    ({"displayName": "x" * 256}, "displayName"), ({"roles": []}, "roles"),
    ({"roles": ["king"]}, "roles"), ({"roles": "admin"}, "roles"),
    ({"roles": ["viewer", 7]}, "roles")], ids=str)
def test_bad_users_are_400(root, body, field):
    reply = root.post("/api/users", {"email": f"{uuid.uuid4()}@house.org", **body})
    if field:
        assert reply.status == 400 and reply.fields() == {field}
    else:
        assert reply.status in (201, 409)


def test_the_last_active_admin_stays_one(house, root):
    boss = root.get(ME).data["id"]
    others = [u["id"] for u in root.get("/api/users", pageSize=100).data["items"]
              if {"name": "admin"} in u["roles"] and u["id"] != boss]
    for other in others:
        house.psql("update users set is_active = false where id = "
                   f"'{other}'")
    try:
        for method, path, body in (
                ("PATCH", f"/api/users/{boss}", {"isActive": False}),
                ("PUT", f"/api/users/{boss}/roles", {"roles": ["viewer"]})):
            reply = root.request(method, path, body)
            assert reply.status == 409 and reply.code == "CONFLICT"
        assert root.get(ME).status == 200
    finally:
        for other in others:
            house.psql(f"update users set is_active = true where id = '{other}'")


def test_of_two_admins_who_demote_each_other_one_stays(house, root):
    """Also when both do it at the same instant."""
    boss = root.get(ME).data["id"]
    for _ in range(3):
        pair = [root.post("/api/users", {
            "email": f"{uuid.uuid4()}@house.org", "roles": ["admin"]}).data["id"]
            for _ in range(2)]
        house.psql("update users set is_active = false where 'admin' = "
                   f"any (roles) and id not in ('{pair[0]}', '{pair[1]}')")
        try:
            with ThreadPoolExecutor(2) as pool:
                done = list(pool.map(lambda i: house.psql(
                    f"select change_user('{i}', null, null, null, null, "
                    f"'{{viewer}}', null, '')")[0][0], pair))
            assert sorted(done) == ["changed", "last admin"]
        finally:
            house.psql(f"update users set is_active = true where id = '{boss}' "
                       "or email like 'root@%'")
    wait_until(lambda: root.get(ME).status == 200, what="the boss")


def test_roles_take_effect_within_seconds(house, root, visitor, account):
    visitor.sign_in(*account[:2])
    assert visitor.get("/api/users").status == 403
    root.request("PUT", f"/api/users/{account[2]}/roles", {"roles": ["admin"]})
    assert visitor.get("/api/users").status == 200  # in this process at once
    house.psql(f"update users set roles = '{{viewer}}' where id = '{account[2]}'")
    wait_until(lambda: visitor.get("/api/users").status == 403,
               what="the end of a role")


def test_who_is_disabled_is_out_with_all_sessions(root, visitor, account):
    visitor.sign_in(*account[:2])
    path = f"/api/users/{account[2]}"
    assert root.request("PATCH", path, {"isActive": False}).data["isActive"] is False
    assert visitor.get(ME).status == 401
    assert visitor.post(REFRESH).status == 401
    reply = visitor.sign_in(*account[:2])
    assert reply.status == 401 and "disabled" in reply.json["message"]
    root.request("PATCH", path, {"isActive": True})
    assert visitor.sign_in(*account[:2]).status == 200


def test_a_new_password_ends_all_sessions(root, visitor, account):
    visitor.sign_in(*account[:2])
    root.request("PATCH", f"/api/users/{account[2]}", {"password": "quite another"})
    assert visitor.post(REFRESH).status == 401


# ---- the first admin, and the command line ----------------------------------------


def test_the_first_admin_s_password_is_said_once(house, visitor):
    lines = [line for line in house.log_text().splitlines()
             if line.startswith("The first admin is root@house.org")]
    assert len(lines) == 1
    password = lines[0].split(" the password ")[1].split()[0]
    reply = visitor.sign_in("root@house.org", password)
    assert reply.data["user"]["roles"] == [{"name": "admin"}]
    stored = house.psql("select password_hash from users where email = "
                        "'root@house.org'")[0][0]
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_accounts_from_the_command_line(house, visitor):
    def user(*words, line=""):
        return subprocess.run([PROGRAM, "user", *words], input=line, text=True,
                              capture_output=True, timeout=60,
                              env=environment(**house.settings))

    email = f"{uuid.uuid4()}@house.org"
    made = user("add", email, "--role", "contributor", "--name", "Cli",
                "--password-stdin", line="from a pipe\n")
    assert made.returncode == 0, made.stderr
    assert visitor.sign_in(email, "from a pipe").data["user"]["displayName"] == "Cli"
    again = user("add", email, "--password-stdin", line="from a pipe\n")
    assert again.returncode == 1 and "already" in again.stderr
    assert f"{email}\tcontributor\tactive" in user("list").stdout
    assert user("password", email, "--password-stdin",
                line="a new one\n").returncode == 0
    assert visitor.sign_in(email, "from a pipe").status == 401
    assert visitor.sign_in(email, "a new one").status == 200
    assert user("disable", email).returncode == 0
    assert visitor.sign_in(email, "a new one").status == 401
    assert f"{email}\tcontributor\tdisabled" in user("list").stdout
    assert user("enable", email).returncode == 0
    assert visitor.sign_in(email, "a new one").status == 200
    for words in (("add", "nobody"), ("list", "x"), (), ("remove", email),
                  ("add", email, "--role", "king")):
        assert user(*words, "--password-stdin", line="12345678").returncode == 2
    assert user("add", "a@b.c").returncode == 1  # no terminal to ask for a password
    assert user("passwd", "a@b.c", "--password-stdin",
                line="short").returncode == 1
    gone = user("disable", "nobody@house.org")
    assert gone.returncode == 1 and "there is no user" in gone.stderr


def test_a_password_is_asked_for_without_showing_it(house, visitor):
    email, password = f"{uuid.uuid4()}@house.org", "typed in the dark"
    ours, theirs = pty.openpty()
    try:
        asked = subprocess.Popen([PROGRAM, "user", "add", email], stdin=theirs,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=environment(**house.settings), text=True)
        for prompt in ("Password: ", "Again: "):
            said = ""
            while not said.endswith(prompt):
                said += asked.stderr.read(1)
            assert not termios.tcgetattr(theirs)[3] & termios.ECHO
            os.write(ours, f"{password}\n".encode())
        out, _ = asked.communicate(timeout=60)
        assert asked.returncode == 0 and len(out.strip()) == 36
        os.set_blocking(ours, False)
        try:
            shown = os.read(ours, 10000)
        except BlockingIOError:
            shown = b""
        assert password.encode() not in shown
        assert termios.tcgetattr(theirs)[3] & termios.ECHO
    finally:
        os.close(ours)
        os.close(theirs)
    assert visitor.sign_in(email, password).status == 200


# ---- settings -----------------------------------------------------------------------


def test_a_user_s_settings_merge_and_replace(visitor, account):
    visitor.sign_in(*account[:2])
    path = "/api/user-settings"
    fresh = visitor.get(path)
    assert fresh.data == {"theme": "system", "profile": {},
                          "defaultProvider": None, "notifications": {},
                          "version": 0, "updatedAt": None}

    def patch(body, status=200, **headers):
        reply = visitor.request("PATCH", path, body, headers=headers)
        assert reply.status == status, reply.body
        return reply

    patch({"theme": "dark", "profile": {"displayName": "Ann", "a": {"b": 1}},
           "notifications": {"mail": True}, "defaultProvider": "anthropic"})
    merged = patch({"profile": {"a": {"b": None, "c": [1]}}}).data
    assert merged["profile"] == {"displayName": "Ann", "a": {"c": [1]}}
    assert (merged["theme"], merged["version"]) == ("dark", 2)
    assert visitor.get(ME).data["displayName"] == "Ann"
    assert patch({"theme": "light"}, 409, **{"If-Match": '"1"'}).code == "CONFLICT"
    assert patch({"theme": "light"}, **{"If-Match": '"2"'}).headers["etag"] == '"3"'
    replaced = visitor.request("PUT", path, {"theme": "dark"}).data
    assert replaced["profile"] == {} and replaced["defaultProvider"] is None
    for body, field in (({"theme": "pink"}, "theme"), ({"theme": 7}, "theme"),
                        ({"defaultProvider": "x"}, "defaultProvider"),
                        ({"profile": []}, "profile"),
                        ({"profile": {"displayName": 7}}, "profile.displayName"),
                        ({"profile": {"profileImageUrl": "javascript:x"}},
                         "profile.profileImageUrl"),
                        ({"notifications": {"x": "y" * 9000}}, "notifications")):
        assert patch(body, 400).fields() == {field}


def test_settings_of_the_system_are_checked_against_the_models(root):
    path = "/api/system-settings"

    def put(configs, status=200, **more):
        reply = root.request("PUT", path, {
            "agentConfigs": {"dataAgent": configs}, **more})
        assert reply.status == status, reply.body
        return reply

    good = {"openai": {"model": "o3", "reasoningLevel": "high"},
            "anthropic": {"model": "claude-sonnet-4-5", "temperature": 0.7,
                          "reasoningLevel": 4096},
            "azure": {"model": "gpt-4o", "temperature": 0, "reasoningLevel": None},
            "builtin": {}}
    kept = put(good, features={"csv": True}).data
    assert kept["features"] == {"csv": True}
    assert kept["agentConfigs"]["dataAgent"] == {
        **good, "azure": {"model": "gpt-4o", "temperature": 0}}
    for provider, config, key, allowed in (
            ("openai", {"model": "gpt-4o", "reasoningLevel": "high"},
             "reasoningLevel", "no reasoning level"),
            ("openai", {"model": "o3", "reasoningLevel": "max"},
             "reasoningLevel", "low, medium, high"),
            ("openai", {"model": "o3", "temperature": 0.5}, "temperature",
             "does not support a temperature"),
            ("openai", {"model": "gpt-4o", "temperature": 2.1}, "temperature",
             "0 to 2"),
            ("openai", {"model": "gpt-4o", "temperature": "1"}, "temperature",
             "0 to 2"),
            ("openai", {"model": ""}, "model", "name"),
            ("openai", {"model": "a b"}, "model", "name"),
            ("anthropic", {"model": "claude-sonnet-4-5", "reasoningLevel": 1023},
             "reasoningLevel", "1024 to 128000"),
            ("anthropic", {"model": "claude-opus-4-7", "reasoningLevel": 4096},
             "reasoningLevel", "adaptive"),
            ("builtin", {"temperature": 1}, "temperature",
             "does not support a temperature"),
            ("builtin", {"model": "gpt-4o"}, "model", "no other models")):
        reply = put({provider: config}, 400)
        detail, = reply.json["details"]
        assert detail["field"] == f"agentConfigs.dataAgent.{provider}.{key}"
        assert allowed in detail["message"], detail
    seeds = root.request("PATCH", path, {"dataAgent": {
        "openai": {"model": "gpt-4.1", "reasoningLevel": None}}}).data
    assert seeds["agentConfigs"]["dataAgent"]["openai"] == {"model": "gpt-4.1"}
    assert seeds["agentConfigs"]["dataAgent"]["anthropic"] == good["anthropic"]


def test_of_two_admins_who_change_settings_the_second_is_told(root):
    path = "/api/system-settings"
    tag = root.get(path).headers["etag"]
    first = root.request("PATCH", path, {"features": {"a": True}},
                         headers={"If-Match": tag})
    second = root.request("PATCH", path, {"features": {"a": False}},
                          headers={"If-Match": tag})
    assert (first.status, second.status) == (200, 409)
    assert root.get(path).data["features"]["a"] is True
    for body in ({"features": {"a": "yes"}}, {"features": []},
                 {"agentConfigs": []}, {"dataAgent": "x"},
                 {"features": {str(n): True for n in range(101)}}):
        assert root.request("PUT", path, body).status == 400, body


# ---- the audit ----------------------------------------------------------------------


def test_the_audit_tells_who_did_what(root, account):
    boss = root.get(ME).data
    made, = root.get("/api/admin/audit", action="user.made",
                     actor=boss["email"], pageSize=1).data["items"]
    assert made["target"] == {"id": account[2], "type": "user"}
    assert made["actor"] == {"id": boss["id"], "email": boss["email"]}
    assert made["details"]["roles"] == ["contributor"] and made["requestId"]
    assert "password" not in json.dumps(made).lower()
    root.request("PATCH", f"/api/users/{account[2]}", {"isActive": False})
    newest = root.get("/api/admin/audit", action="user.").data["items"]
    assert [e["action"] for e in newest[:2]] == ["user.disabled", "user.made"]
    later = root.get("/api/admin/audit", **{"from": newest[0]["at"]}).data
    assert newest[0]["id"] in [e["id"] for e in later["items"]]
    before = root.get("/api/admin/audit", to=made["at"], actor=boss["id"]).data
    assert made["id"] not in [e["id"] for e in before["items"]]
    assert root.get("/api/admin/audit", page=1000).data["items"] == []
    for query in ({"from": "yesterday"}, {"to": "2026-02-30"},
                  {"actor": "x"}, {"action": "Robert'); drop"}):
        assert root.get("/api/admin/audit", **query).status == 400


def test_no_log_line_has_a_password_or_a_token(house, visitor, account):
    visitor.sign_in(*account[:2])
    visitor.post(REFRESH)
    said = house.log_text()
    assert account[1] not in said and visitor.cookie not in said
    assert visitor.token not in said and tokens.encode({"alg": "HS256"}) not in said

"""Valid and invalid tokens, and streams whose token expires."""
import hashlib
import hmac
import time
import uuid

import pytest

from kit import players, tokens
from kit.client import Client
from sextant import PATIENCE, wait_until

CHATS = "/api/data-agent/chats"
QUESTION = "revenue by city in 2025"
LEEWAY = 60


@pytest.fixture(scope="module")
def secret(service):
    service.token_of("ann@example.org")
    return (service.home / "jwt_secret").read_text().strip()


@pytest.fixture
def status_of(service):
    """Status of a request with that Authorization."""
    def status_of(token, scheme="Bearer "):
        reply = Client(service.url).request(
            "GET", CHATS, headers={"Authorization": f"{scheme}{token}"})
        assert reply.status == 200 or reply.code == "UNAUTHORIZED" or \
            reply.code == "FORBIDDEN"
        return reply.status
    return status_of


def test_a_good_token_of_an_unknown_user_makes_a_user(service, secret, status_of):
    claims = tokens.claims(roles=["contributor"])
    assert status_of(tokens.sign(secret, claims)) == 200
    rows = service.psql(f"select email, roles from users where id = "
                        f"'{claims['sub']}'")
    assert rows == [[claims["email"], "{contributor}"]]


def test_permissions_come_from_stored_roles_before_claims(service, secret):
    """A token cannot give more rights to a user in the database."""
    service.token_of("vera@example.org", "viewer")
    sub = service.psql("select id from users where email = 'vera@example.org'")
    claims = tokens.claims(sub=sub[0][0], roles=["admin"],
                           permissions=["data_agent:write"])
    client = Client(service.url, tokens.sign(secret, claims))
    assert client.get(CHATS).status == 200
    assert client.post(CHATS, {}).status == 403


def test_a_user_without_roles_has_the_claimed_permissions(service, secret):
    may = Client(service.url, tokens.sign(secret, tokens.claims(
        permissions=["data_agent:read"])))
    assert may.get(CHATS).status == 200
    assert may.post(CHATS, {}).status == 403
    not_ = Client(service.url, tokens.sign(secret, tokens.claims()))
    assert not_.get(CHATS).status == 403


def test_the_time_of_a_token_has_a_minute_of_leeway(secret, status_of):
    now = int(time.time())
    def of(**more):
        return status_of(tokens.sign(secret, tokens.claims(
            roles=["viewer"], **more)))
    assert of(exp=now - 5) == 200
    assert of(exp=now - 120) == 401
    assert of(nbf=now + 30) == 200
    assert of(nbf=now + 120) == 401


GOOD = dict(roles=["admin"])
NOW = int(time.time())


@pytest.mark.parametrize("claims", [
    dict(sub=None), dict(sub="ann"), dict(sub=7), dict(sub=""), dict(exp=None),
    dict(exp="tomorrow"), dict(exp="4102444800"), dict(nbf="now"),
    dict(iat="now"), dict(exp=True)], ids=str)
def test_claims_that_are_wrong_are_401(secret, status_of, claims):
    assert status_of(tokens.sign(secret, tokens.claims(**GOOD, **claims))) == 401


@pytest.mark.parametrize("header", [
    {"alg": "none"}, {"alg": "None"}, {"alg": "HS384"}, {"alg": "RS256"},
    {"alg": "hs256"}, {}, {"alg": ["HS256"]}, {"alg": "HS256", "crit": ["x"]},
    {"alg": "HS256", "typ": "at+jwt"}, {"alg": "HS256", "b64": False}], ids=str)
def test_headers_that_are_not_agreed_on_are_401(secret, status_of, header):
    assert status_of(tokens.sign(secret, tokens.claims(**GOOD), header)) == 401


def test_forged_tokens_are_401(secret, status_of):
    good = tokens.sign(secret, tokens.claims(**GOOD))
    head, body, mac = good.split(".")
    raised = tokens.encode({**tokens.decode(body), "sub": str(uuid.uuid4())})
    for bad in (
            tokens.sign("another secret", tokens.claims(**GOOD)),
            tokens.sign(secret, tokens.claims(**GOOD), algorithm=hashlib.sha512),
            f"{head}.{raised}.{mac}", f"{head}.{body}.", f"{head}.{body}",
            f"{head}.{body}.{mac}.", f"{head}.{body}.{mac}=", f".{body}.{mac}",
            f"{head}.{body}.{mac[:-2]}", f"{head}.{body}.{mac}A",
            f"{tokens.encode({'alg': 'none'})}.{body}.", "", ".", "..", "...",
            "x" * 5000, f"{head}.{body} .{mac}", f"{head}.{body}.{mac[:-1]}*",
            tokens.encode(b'{"alg":"HS256","alg":"none"}') + f".{body}.{mac}"):
        assert status_of(bad) == 401, bad[:100]
    assert status_of(good, scheme="Basic ") == 401
    assert status_of(good, scheme="") == 401
    assert status_of(good, scheme="bearer ") == 200


def test_claims_given_twice_are_401(secret, status_of):
    body = tokens.encode(
        f'{{"sub":"{uuid.uuid4()}","exp":{NOW + 3600},"exp":{NOW + 7200},'
        '"roles":["admin"]}'.encode())
    head = tokens.encode({"alg": "HS256", "typ": "JWT"})
    mac = hmac.new(secret.encode(), f"{head}.{body}".encode(),
                   hashlib.sha256).digest()
    assert status_of(f"{head}.{body}.{tokens.encode(mac)}") == 401


# ---- streams ---------------------------------------------------------------


@pytest.fixture
def brief(service, secret, retail, play, hold):
    """A run whose answer waits until `held` is released, and the stream of a token that
    expires soon: (claims, stream, id of the answer, held)."""
    def brief(leeway):
        play("retail")
        claims = tokens.claims(roles=["contributor"])
        user = Client(service.url, tokens.sign(secret, claims))
        for seconds in (3, 15, 60):  # a busy machine needs more than one try
            chat = user.new_chat(retail, "openai")
            _, message = user.new_message(chat, QUESTION)
            held = hold(players.EXPLAINER)
            claims["exp"] = int(time.time()) + seconds - leeway
            stream = Client(service.url, tokens.sign(secret, claims)).stream(
                "POST", f"{CHATS}/{chat}/messages/{message}/stream")
            if stream.status == 200 and time.time() < claims["exp"] + leeway:
                return claims, stream, message, held
            user.cancel(message)
            held.released.set()
        raise AssertionError("too slow for any token")
    return brief


def test_a_stream_closes_when_its_token_expires_and_the_run_goes_on(
        service, secret, brief):
    claims, stream, message, held = brief(LEEWAY)
    events = stream.finish(2 * PATIENCE)
    assert not {"message_complete", "message_error"} & {e.type for e in events}
    held.released.set()
    longer = Client(service.url, tokens.sign(
        secret, {**claims, "exp": int(time.time()) + 600}))
    rest = longer.follow(message, after=len(events)).finish()
    assert rest[-1].type == "message_complete"
    assert [e.id for e in [*events, *rest]] == list(range(1, rest[-1].id + 1))


def test_a_stream_ends_at_exp_and_not_with_the_leeway(brief):
    """The leeway is for clocks that differ, when a request comes."""
    claims, stream, _, held = brief(0)
    events = stream.finish(2 * PATIENCE)
    assert not {"message_complete", "message_error"} & {e.type for e in events}
    assert time.time() < claims["exp"] + LEEWAY
    held.released.set()


def test_who_is_disabled_is_cut_off_and_his_run_cancelled(service, retail, play,
                                                          hold):
    play("retail")
    held = hold(players.EXPLAINER)
    eve = service.client(f"{uuid.uuid4()}@example.org")
    root = service.client("root@example.org", "admin")
    stream, message = eve.start(eve.new_chat(retail, "openai"), QUESTION)
    stream.wait_for("phase_start")
    reply = root.request("PATCH", f"/api/users/{eve.get('/api/auth/me').data['id']}",
                         {"isActive": False})
    assert reply.status == 200
    assert stream.finish()[-1].type not in ("message_complete", "message_error")
    assert eve.get(CHATS).status == 401
    look = (f"select status, metadata->'error'->>'code' from data_chat_messages "
            f"where id = '{message}'")
    wait_until(lambda: service.psql(look) == [["failed", "CANCELLED"]],
               what="the end of the run")
    held.released.set()


@pytest.mark.long
def test_a_user_who_is_disabled_is_shut_out(service, secret):
    """Also without a notice to the process: roles are cached for seconds."""
    claims = tokens.claims(roles=["contributor"])
    client = Client(service.url, tokens.sign(secret, claims))
    assert client.get(CHATS).status == 200
    service.psql(f"update users set is_active = false where id = "
                 f"'{claims['sub']}'")
    wait_until(lambda: client.get(CHATS).status == 401,
               what="the end of a disabled user")


def test_a_command_ends_when_it_is_done(service):
    """It waits for flows of its own that have something to write, no others."""
    done = service.run("token", "--user", "quick@example.org", "--role", "viewer",
                       LOG_LEVEL="warn")
    assert "closed too early" not in done.stderr + done.stdout

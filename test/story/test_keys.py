"""Tokens of an identity provider: keys from a JWK Set or in PEM, and forged tokens."""
import hashlib
import hmac
import time

import pytest

from kit import tokens
from kit.client import Client
from kit.keys import JwkSet, Key
from kit.server import Server

ME = "/api/auth/me"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="module")
def keys(folder):
    return {kid: Key(folder, kid, kind, bits) for kid, kind, bits in (
        ("one", "RS256", 2048), ("two", "ES256", 0), ("new", "RS256", 2048),
        ("foreign", "RS256", 2048), ("weak", "RS256", 1024))}


@pytest.fixture(scope="module")
def jwk_set(keys):
    it = JwkSet(keys["one"], keys["two"], keys["weak"])
    yield it
    it.close()


@pytest.fixture(scope="module")
def guest(jwk_set):
    it = Server(SANDBOX_URL="off", JWT_JWKS_URL=jwk_set.url,
                JWT_ISSUER="https://idp.example", JWT_AUDIENCE="sextant",
                JWT_ROLES_CLAIM="realm_access.roles", JWT_EMAIL_CLAIM="mail",
                LOGIN_URL="https://idp.example/sign-in", LOGIN_NAME="Example")
    it.start()
    yield it
    it.remove()


def claims(**more):
    return tokens.claims(**{"iss": "https://idp.example", "aud": ["x", "sextant"],
                            "realm_access": {"roles": ["contributor", "king"]},
                            "email": None, **more})


def status(server, token):
    return Client(server.url, token).get(ME).status


def test_tokens_of_both_kinds_are_taken_and_mapped(guest, keys):
    for kid in ("one", "two"):
        told = claims(mail=f"{kid}@idp.example")
        me = Client(guest.url, keys[kid].sign(told)).get(ME).data
        assert me["id"] == told["sub"]
        assert me["email"] == f"{kid}@idp.example"
        assert me["roles"] == [{"name": "contributor"}]
    assert status(guest, keys["one"].sign(claims(), {"typ": "at+jwt"})) == 200
    assert status(guest, keys["two"].sign(claims(), {"kid": None})) == 200


def test_a_key_that_is_new_is_fetched_once(guest, keys, jwk_set):
    """Forged key ids do not make the server fetch the keys repeatedly."""
    jwk_set.keys.append(keys["new"])
    asked = jwk_set.asked
    assert status(guest, keys["new"].sign(claims())) == 200
    assert jwk_set.asked == asked + 1
    for n in range(5):
        token = keys["foreign"].sign(claims(), {"kid": f"forged {n}"})
        assert status(guest, token) == 401
    assert jwk_set.asked == asked + 1
    jwk_set.status = 500  # known keys stay valid
    assert status(guest, keys["one"].sign(claims())) == 200
    jwk_set.status = 200


def forged(keys):
    """Forged tokens, by name."""
    one, good = keys["one"], claims()
    head, body, mac = one.sign(good).split(".")
    signing = f"{tokens.encode({'alg': 'HS256', 'kid': 'one'})}.{body}"
    as_secret = hmac.new(one.pem.encode(), signing.encode(),
                         hashlib.sha256).digest()
    now = int(time.time())
    yield "another's key", keys["foreign"].sign(good, {"kid": "one"})
    yield "a key too weak", keys["weak"].sign(good)
    yield "a key it brings along", keys["foreign"].sign(
        good, {"kid": "one", "jwk": keys["foreign"].jwk})
    yield "a key it points at", keys["foreign"].sign(
        good, {"jku": "http://127.0.0.1:9/x", "x5u": "http://127.0.0.1:9/x"})
    yield "the public key as a secret", f"{signing}.{tokens.encode(as_secret)}"
    yield "none", f"{tokens.encode({'alg': 'none'})}.{body}."
    yield "no signature", f"{head}.{body}."
    yield "another kind than its key", one.sign(good, {"alg": "ES256"})
    yield "another hash", one.sign(good, {"alg": "RS512"})
    yield "another kid", one.sign(good, {"kid": "two"})
    yield "a path as kid", one.sign(good, {"kid": "../../../dev/null"})
    yield "SQL as kid", one.sign(good, {"kid": "x' union select 'x"})
    yield "a kid that is no text", one.sign(good, {"kid": ["one"]})
    yield "crit", one.sign(good, {"crit": ["exp"]})
    yield "no kid where two keys fit", one.sign(good, {"kid": None})
    yield "another body", f"{head}.{tokens.encode({**good, 'x': 1})}.{mac}"
    yield "padding", f"{head}.{body}.{mac}=="
    yield "expired", one.sign({**good, "exp": now - 61})
    yield "not yet", one.sign({**good, "nbf": now + 90})
    yield "of the future", one.sign({**good, "iat": now + 90})
    yield "exp as text", one.sign({**good, "exp": str(now + 900)})
    yield "another issuer", one.sign({**good, "iss": "https://evil.example"})
    yield "no issuer", one.sign({k: v for k, v in good.items() if k != "iss"})
    yield "another audience", one.sign({**good, "aud": ["x"]})
    yield "no UUID", one.sign({**good, "sub": "admin"})
    yield "a BOM", one.sign(b"\xef\xbb\xbf" + tokens.json.dumps(good).encode())
    yield "twice", one.sign(tokens.json.dumps(good)[:-1].encode() +
                            b',"sub":"00000000-0000-4000-8000-000000000000"}')


def test_no_forged_token_is_taken(guest, keys):
    taken = [name for name, token in forged(keys) if status(guest, token) != 401]
    assert taken == []


def test_nobody_signs_in_here_by_password(guest):
    client = Client(guest.url)
    body = {"email": "a@b.c", "password": "x"}
    reply = client.post("/api/auth/login", body)
    assert reply.status == 403 and "another" in reply.json["message"]
    assert client.post("/api/auth/refresh").status == 403
    assert client.post("/api/auth/logout").status == 204
    assert client.get("/api/auth/providers").data == {"providers": [
        {"name": "Example", "authUrl": "https://idp.example/sign-in"}]}
    assert "first admin" not in guest.log_text()
    done = guest.run("token", "--user", "a@b.c", "--role", "admin", check=False)
    assert done.returncode == 2 and "private key" in done.stderr


def test_a_server_without_provisioning_takes_those_it_knows(folder, keys):
    it = Server(SANDBOX_URL="off", JWT_PUBLIC_KEY=keys["two"].pem,
                JWT_AUTO_PROVISION="off")
    try:
        it.start()
        stranger = tokens.claims(roles=["admin"])
        assert status(it, keys["two"].sign(stranger)) == 401
        assert it.psql("select count(*) from users") == [["0"]]
        it.psql("insert into users (id, email) values "
                f"('{stranger['sub']}', 'known@example.org')")
        assert status(it, keys["two"].sign(stranger)) == 200
        assert status(it, keys["one"].sign(stranger)) == 401
    finally:
        it.remove()


@pytest.fixture(params=["nobody", "one that says: elsewhere"])
def no_keys(request, keys):
    """Without keys at the configured address. Those in the token would be valid."""
    if request.param == "nobody":
        yield "http://127.0.0.1:9/jwks.json"
        return
    there, here = JwkSet(keys["one"]), JwkSet(keys["one"])
    here.status, here.location = 302, there.url
    yield here.url
    assert here.asked and not there.asked
    here.close()
    there.close()


def test_while_no_key_is_known_it_is_503(keys, no_keys):
    it = Server(SANDBOX_URL="off", JWT_JWKS_URL=no_keys)
    try:
        it.start()
        for _ in range(3):  # requests during a fetch and after it
            reply = Client(it.url, keys["one"].sign(claims())).get(ME)
            assert reply.status == 503 and reply.headers["retry-after"]
        secret = "x" * 64  # and nothing else is taken in its place
        assert status(it, tokens.sign(secret, tokens.claims())) == 401
        assert status(it, tokens.sign("", tokens.claims())) == 401
        assert Client(it.url).get("/healthz").status == 200
    finally:
        it.remove()


def test_a_weak_key_is_refused_at_the_start(keys):
    for pem in (keys["weak"].pem, "nonsense"):
        it = Server(SANDBOX_URL="off", JWT_PUBLIC_KEY=pem)
        try:
            assert it.begin().wait(60) == 1
            assert "JWT_PUBLIC_KEY must be" in it.log_text()
        finally:
            it.remove()

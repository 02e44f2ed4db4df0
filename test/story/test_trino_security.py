"""A Trino cluster that asks for credentials: passwords and JSON Web Tokens over TLS, each
refusal with its reason, and no secret in a reply or a log."""
import time
from urllib.parse import quote

import pytest

import trino
from kit.keys import Key
from kit.server import Server

pytestmark = [pytest.mark.long,
              pytest.mark.skipif(bool(trino.missing()), reason=trino.missing())]

PASSWORD = "pass:w/rd @1"
MODEL = """semantic_model:
  - name: nations
    datasets:
      - name: nation
        source: tiny.nation
        fields:
          - {name: name, expression: name}
"""


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    return Key(tmp_path_factory.mktemp("keys"), "one")


def token(key, lifetime=3600):
    return key.sign({"sub": "ann", "exp": int(time.time()) + lifetime})


@pytest.fixture(scope="module")
def cluster(key):
    it = trino.SecureTrino({"tpch": "connector.name=tpch\n"}, PASSWORD, key.pem)
    try:
        yield it.start()
    finally:
        it.remove()


@pytest.fixture(scope="module")
def server(cluster):
    it = Server(SQL_QUERY_TIMEOUT_MS="40000")
    try:
        yield it.start()
    finally:
        it.remove()


@pytest.fixture
def answer(server, tmp_path):
    """Connects to the cluster, imports a model of one of its tables, and asks."""
    (tmp_path / "nations.yaml").write_text(MODEL)

    def ask(name, url):
        server.connect(name, url)
        server.run("import", tmp_path / "nations.yaml", "--connection", name, "--name", name)
        return server.run("ask", "number of nation", "--ontology", name).stdout
    return ask


def test_a_password(answer, cluster):
    url = cluster.secure_url(quote(PASSWORD, safe=""), "tpch")
    assert "25" in answer("by_password", url)


def test_a_token(answer, cluster, key):
    assert "25" in answer("by_token", cluster.secure_url(token(key), "tpch", "&auth=jwt"))


@pytest.fixture
def tested(server, cluster):
    """Tests a connection; what the server answers."""
    client = server.client()
    certificate = cluster.certificate.read_text()

    def test(password, trusted=True, port=cluster.secure_port, **options):
        options = {"schema": "tiny", "sslMode": "verify-full", **options}
        if trusted:
            options["rootCertificates"] = certificate
        reply = client.request("POST", "/api/connections/test", {
            "name": "c", "dbType": "trino", "host": "127.0.0.1", "port": port,
            "databaseName": "tpch", "username": "ann", "password": password,
            "useSsl": True, "options": options})
        assert password not in reply.body.decode()
        return reply.data
    return test


def test_the_right_password_is_accepted(tested):
    answer = tested(PASSWORD)
    assert answer["success"] and answer["serverVersion"] == trino.VERSION, answer


def test_a_wrong_password_is_refused(tested):
    answer = tested("wrong-password")
    assert not answer["success"] and "password" in answer["message"].lower(), answer


def test_a_token_that_has_expired_is_refused(tested, key):
    answer = tested(token(key, -60), authentication="jwt")
    assert not answer["success"] and "token" in answer["message"].lower(), answer


def test_a_token_of_another_key_is_refused(tested, tmp_path):
    answer = tested(token(Key(tmp_path, "other")), authentication="jwt")
    assert not answer["success"] and "token" in answer["message"].lower(), answer


def test_an_unknown_certificate_is_refused(tested):
    answer = tested(PASSWORD, trusted=False)
    assert not answer["success"] and "certificate" in answer["message"].lower(), answer


def test_a_cluster_without_tls_gets_no_password(tested, cluster):
    """Its plain port does not speak TLS."""
    answer = tested(PASSWORD, port=cluster.port)
    assert not answer["success"], answer


def test_no_secret_is_in_the_log(server, cluster):
    server.run("connection", "add", "wrong", cluster.secure_url("wrong-password", "tpch"),
               check=False)
    log = server.log_text()
    for secret in (PASSWORD, quote(PASSWORD, safe=""), "wrong-password", "eyJ"):
        assert secret not in log

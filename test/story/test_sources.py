"""Sources: how they are reached, and what happens when a connection changes. One
PostgreSQL, over TLS, has all databases."""
import shutil
from urllib.parse import quote

import pytest

from postgres import Postgres
from sextant import wait_until
from kit.fixtures import MODELS
from kit.server import Server

QUESTION = "revenue by city in 2025"


@pytest.fixture(scope="module")
def secure():
    it = Postgres().start()
    try:
        it.make_role("keeper")
        it.psql("postgres", "alter role keeper superuser")
        it.psql("postgres", "create database sextant owner keeper")
        it.certificate = it.use_tls()
        yield it
    finally:
        it.remove()


def verified(secure, database, user):
    return (f"{secure.url(database, user)}?sslmode=verify-full"
            f"&sslrootcert={quote(str(secure.certificate), safe='')}")


@pytest.fixture(scope="module")
def server(secure):
    it = Server(DATABASE_URL=verified(secure, "sextant", "keeper"),
                SANDBOX_URL="off")
    try:
        it.start()
        it.run("demo", "load")
        yield it
    finally:
        it.remove()


def ask(server):
    client = server.client()
    return client.ask(client.new_chat(server.ontology(server.token_of(
        "ann@example.org")), "builtin"), QUESTION)


def sessions(secure):
    """The sessions of the demo database, and whether they use TLS."""
    return {tuple(row) for row in secure.psql(
        "postgres", "select usename, ssl from pg_stat_activity join pg_stat_ssl"
        " using (pid) where datname = 'sextant_demo' and backend_type ="
        " 'client backend'")}


def make_reader(secure, name):
    secure.make_role(name)
    secure.psql("postgres", f"grant connect on database sextant_demo to {name}")
    secure.psql("sextant_demo", f"grant usage on schema public to {name};"
                f"grant select on all tables in schema public to {name}")


def rows(answer):
    return answer.metadata["stepResults"][0]["sqlResult"]["rowCount"]


def test_demo_data_lie_beside_the_tables_of_sextant(server, secure):
    """The reader connects as DATABASE_URL says, including the certificate."""
    answer = ask(server)
    assert answer.complete and rows(answer) == 12
    assert sessions(secure) == {("sextant_demo_reader", "t")}
    again = server.run("demo", "load")
    assert "loaded already" in again.stderr
    assert rows(ask(server)) == 12


def test_a_connection_that_another_process_changes_serves_the_next_question(
        server, secure):
    make_reader(secure, "another")
    assert rows(ask(server)) == 12
    server.run("connection", "add", "demo",
               verified(secure, "sextant_demo", "another"))
    assert rows(ask(server)) == 12
    wait_until(lambda: sessions(secure) == {("another", "t")},
               what="the end of the old connections")


@pytest.mark.parametrize("options, why", [
    ("sslmode=verify-full", "certificate verify failed"),
    ("sslmode=verify-ca&sslrootcert=system", "certificate verify failed"),
    ("sslmode=verify-full&sslrootcert=/nowhere.pem", "nowhere.pem"),
    ("sslmode=verify-full&sslrootcert=/etc/passwd", "does not contain PEM certificates"),
    ("sslrootcert=/nowhere.pem", "sslmode"),
    ("options=-c", "only these are known"),
])
def test_a_server_that_nobody_vouches_for_is_refused(server, secure, options, why):
    url = secure.url("sextant_demo", "keeper")
    done = server.run("connection", "add", "untrusted", f"{url}?{options}",
                      "--allow-superuser", check=False)
    assert done.returncode != 0
    assert why in done.stderr, done.stderr


def test_a_connection_that_is_replaced_tells_where_it_led(server, secure):
    make_reader(secure, "mover")
    said = [server.run("connection", "add", "moved",
                       verified(secure, database, "mover")).stdout
            for database in ("sextant_demo", "sextant_demo", "postgres")]
    assert ["is added" in text for text in said] == [True, False, False]
    assert ["is replaced" in text for text in said] == [False, True, True]
    assert [" its address was " in text for text in said] == [False, False, True]
    assert f":{secure.port}/sextant_demo; its models now read " \
           f"127.0.0.1:{secure.port}/postgres." in said[2]
    server.run("connection", "remove", "moved")


def test_the_certificates_travel_with_the_connection(server, secure):
    """The file is read once; the host must be the certificate's own."""
    copy = secure.folder / "copy.crt"
    shutil.copy(secure.certificate, copy)
    url = f"{secure.url('sextant_demo', 'third')}?sslmode=verify-full" \
          f"&sslrootcert={copy}"
    make_reader(secure, "third")
    server.run("connection", "add", "checked", url)
    elsewhere = server.run("connection", "add", "checked", url.replace(
        "@127.0.0.1:", "@localhost:"), check=False)
    assert 'does not match host name "localhost"' in elsewhere.stderr
    copy.unlink()
    server.import_model(MODELS["retail"], "checked")
    assert rows(ask(server)) == 12
    assert ("third", "t") in sessions(secure)

"""Model servers with TLS: row 29 of docs/reliability.md. A server with a wrong certificate
receives nothing."""
import ssl
import subprocess

import pytest

from kit import fixtures
from kit.client import check_stream
from kit.relay import Relay
from sextant import environment

pytestmark = pytest.mark.long
QUESTION = "revenue by city in 2025"


class TlsRelay(Relay):
    """Terminates TLS with a self-signed certificate and forwards in clear
    text."""

    def __init__(self, url, folder, name):
        key, self.certificate = folder / f"{name}.key", folder / f"{name}.pem"
        subprocess.run(
            ["openssl", "req", "-new", "-x509", "-nodes", "-days", "30", "-newkey",
             "rsa:2048", "-subj", "/CN=story", "-addext",
             f"subjectAltName=IP:{name}", "-keyout", key, "-out", self.certificate],
            check=True, env=environment(), stderr=subprocess.DEVNULL)
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(self.certificate, key)
        self.heard = 0  # bytes of a request
        super().__init__(url)

    def _serve(self, near):
        try:
            near = self.context.wrap_socket(near, server_side=True)
        except OSError:  # also ssl.SSLError: the client refused the certificate
            near.close()
            return
        super()._serve(near)

    def _hand_on(self, source, target, opened):
        if isinstance(source, ssl.SSLSocket):
            try:
                first = source.recv(65536)
                self.heard += len(first)
                target.sendall(first)
            except OSError:
                pass  # the rest sees it too
        super()._hand_on(source, target, opened)


@pytest.fixture(scope="module")
def relays(aimock, tmp_path_factory):
    """A trusted server, and one whose certificate is for another address."""
    folder = tmp_path_factory.mktemp("tls")
    found = [TlsRelay(aimock.url, folder, name) for name in ("127.0.0.1", "127.0.0.2")]
    yield found
    for relay in found:
        relay.close()


@pytest.fixture(scope="module")
def service(source, relays, tmp_path_factory):
    both = tmp_path_factory.mktemp("ca") / "ca.pem"
    both.write_text("".join(r.certificate.read_text() for r in relays))
    good, bad = (f"https://127.0.0.1:{r.port}" for r in relays)
    it = fixtures.open_service(source, SANDBOX_URL="off", CA_FILE=both,
                               **fixtures.model_settings(good, bad))
    yield it
    it.remove()


def test_a_model_behind_a_certificate_of_ours_answers(service, relays, play):
    play("retail")
    ann = service.client()
    answer = ann.ask(ann.new_chat(service.ontologies["retail"], "openai"), QUESTION)
    assert answer.complete, answer.last.data
    assert relays[0].heard


def test_one_with_a_wrong_certificate_hears_nothing(service, relays, play):
    play("retail")
    ann = service.client()
    answer = ann.ask(ann.new_chat(service.ontologies["retail"], "anthropic"),
                     QUESTION)
    check_stream(answer.events)
    assert answer.last.type == "message_error"
    assert answer.last.data["code"] == "MODEL_UNAVAILABLE"
    assert "certificate" not in str(answer.last.data), "that is the operator's"
    assert relays[1].heard == 0
    said = [line for line in service.log_entries("certificate")]
    assert said and len(said) <= 3, "told, and no storm of tries"

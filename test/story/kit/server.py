"""The server of most stories: sextant.Server with clients, models and connections."""
import json

import sextant
from prometheus_client.parser import text_string_to_metric_families
from sextant import alive, command_line, descendants, wait_until

from kit.client import Client


class Server(sextant.Server):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.tokens, self.ontologies = {}, {}

    def token_of(self, email, role="contributor"):
        if (email, role) not in self.tokens:
            self.tokens[email, role] = self.token(email, role)
        return self.tokens[email, role]

    def client(self, email="ann@example.org", role="contributor"):
        return Client(self.url, self.token_of(email, role))

    def connect(self, name, url, *more):
        self.run("connection", "add", name, url, *more)

    def import_model(self, path, connection, *more):
        """The id of the ontology."""
        done = self.run("import", path, "--connection", connection, *more)
        return done.stdout.split()[-1]

    def metric(self, name, **labels):
        """The sum of the samples with these labels."""
        text = Client(self.url).get("/metrics").body.decode()
        found = [sample.value
                 for family in text_string_to_metric_families(text)
                 for sample in family.samples
                 if sample.name == f"sextant_{name}" and
                 labels.items() <= sample.labels.items()]
        assert found or labels, f"no metric {name}:\n{text}"
        return sum(found)

    def healthy(self, path="/healthz"):
        try:
            return Client(self.url).get(path).status == 200
        except OSError:
            return False

    def wait_healthy(self, path="/healthz"):
        wait_until(lambda: self.healthy(path), what=path)

    def log_entries(self, wanted):
        """The lines of the log with that text, decoded."""
        return [json.loads(line) for line in self.log_text().splitlines()
                if wanted in line and line.startswith("{")]

    def sandbox(self):
        """Pid of the sandbox's server."""
        def look():
            for pid in descendants(self.process.pid):
                words = command_line(pid)
                if any(w.endswith("sandbox/server.py") for w in words) and \
                        "launch" not in words:
                    return pid
            return None
        return wait_until(look, what="the sandbox")


def look_now(psql):
    """Makes all workers look for runs to take over and for expired data."""
    psql("select pg_notify('sextant', 'free')")


def hand_on(psql, message):
    """Makes another process take the run over now. Leases are long, so that a busy machine
    keeps them, and the owner is dead."""
    psql("update runs set lease_until = now() - interval '1 second' where "
         f"message_id = '{message}' and ended_at is null")
    look_now(psql)


__all__ = ["Server", "alive", "descendants", "hand_on", "look_now", "wait_until"]

"""A large ontology in a system database with pgvector: PostgreSQL searches its
vectors, and the worker does not hold them."""
import importlib.util
import json
import pathlib
import random
import re
import zlib

import pytest

from kit import fixtures, wire as w
from kit.server import Server
from kit.wire import Wire
from postgres import Postgres

pytestmark = pytest.mark.long

DATASETS, NUMBERS = 5500, 1536
VECTORS = DATASETS * NUMBERS * 4  # bytes; more than 32 MB are large


@pytest.fixture(scope="module")
def postgres():
    found = importlib.util.find_spec("pgserver")
    if found is None:
        pytest.skip("no PostgreSQL with pgvector (test/pgvector.txt)")
    folder = pathlib.Path(found.origin).parent / "pginstall" / "bin"
    it = Postgres(str(folder)).start()
    it.make_database("large")
    it.psql("large", "create extension vector")
    yield it
    it.remove()


# Slices of one long row of numbers: quickly written, and some texts get the same,
# so that names decide which of them come first.
NUMBER = random.Random(1)
ROW = [str(NUMBER.randint(-9, 9)) for _ in range(12000)]


def vector_of(text):
    at = zlib.crc32(text.encode()) % (len(ROW) - NUMBERS)
    return "[" + ",".join(ROW[at:at + NUMBERS]) + "]"


def embeds(x):
    texts = json.loads(x.body)["input"]
    items = ",".join(f'{{"index":{n},"embedding":{vector_of(text)}}}'
                     for n, text in enumerate(texts))
    w.replies(200, '{"data":[' + items + '],"usage":{"prompt_tokens":8,'
                   '"total_tokens":8}}')(x)


@pytest.fixture(scope="module")
def large(postgres, tmp_path_factory):
    """A server, and the id of a large ontology."""
    wire = Wire("http://127.0.0.1:9")  # all that comes is in the script
    wire.script("text-embedding-3-small", [embeds] * DATASETS)
    settings = fixtures.model_settings(wire.url)
    del settings["EMBEDDING_DEFAULT_PROVIDER"]
    it = Server(DATABASE_URL=postgres.url("large", "large"), SANDBOX_URL="off",
                **settings)
    it.start()
    it.connect("large", postgres.url("large", "large"))
    model = tmp_path_factory.mktemp("large") / "large.osi.yaml"
    model.write_text("semantic_model:\n- name: large\n  datasets:\n" + "".join(
        f"  - {{name: d{n}, source: d{n}}}\n" for n in range(DATASETS)))
    it.ontologies["large"] = it.import_model(model, "large")
    yield it
    it.remove()
    wire.close()


def found(server):
    """The datasets that a question finds: names and scores."""
    client = server.client()
    chat = client.new_chat(server.ontologies["large"], "builtin")
    events = client.ask(chat, "How many rows has d17?").of("discovery_complete")
    return [(d["name"], d["score"]) for d in events[0]["matchedDatasets"]]


def held(server):
    """The private memory of the worker in bytes."""
    worker, = server.workers()
    status = pathlib.Path(f"/proc/{worker}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) * 1024


def test_pgvector_finds_what_the_worker_itself_finds_and_spares_its_memory(
        large, postgres):
    assert postgres.psql("large", "select count(elements), bool_and(elements[1] "
                         "is not null and cardinality(elements) = 1536) from "
                         "ontology_embeddings") == [[str(DATASETS), "t"]]
    by_pgvector, spared = found(large), held(large)
    assert len(by_pgvector) == 10 and by_pgvector[0][1] > 0
    # The administrator drops it, and another type gets its name: one question uses
    # words, then the worker reads the vectors.
    postgres.psql("large", "drop extension vector; create domain vector as text")
    by_words = found(large)
    assert by_words[0][0] == "d17"
    assert len(large.log_entries("datasets found by words")) == 1
    by_itself, loaded = found(large), held(large)
    assert [name for name, _ in by_itself] == [name for name, _ in by_pgvector]
    assert [score for _, score in by_itself] == pytest.approx(
        [score for _, score in by_pgvector], abs=2e-4)
    assert loaded - spared > VECTORS * 0.75
    # It comes back, and what was stored then still serves.
    postgres.psql("large", "drop domain vector; create extension vector")
    large.stop()
    large.start()
    assert found(large) == by_pgvector
    assert len(large.log_entries("datasets found by words")) == 1

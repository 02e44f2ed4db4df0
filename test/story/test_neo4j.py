"""Neo4j as the store of graphs: it finds what Sextant itself finds, it is filled when it
lacks something, and questions are answered without it when it fails."""
import json
import random
import threading
import zlib
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kit import fixtures, neo4j, wire as w
from kit.wire import Wire

pytestmark = pytest.mark.long

NUMBERS = 1536
QUESTIONS = ["revenue by city in 2025", "How many orders are there?",
             "top 5 products by revenue", "average price by category"]


@pytest.fixture(scope="module")
def graph():
    if not neo4j.is_there():
        pytest.skip("no Neo4j (make deps-check-all) or no java")
    it = neo4j.Neo4j().start()
    yield it
    it.remove()


def vector_of(text):
    number = random.Random(zlib.crc32(text.encode()))
    return [number.uniform(-1, 1) + (0.4 if n % 7 else 0) for n in range(NUMBERS)]


def embeds(x):
    texts = json.loads(x.body)["input"]
    items = [{"index": n, "embedding": vector_of(text)} for n, text in enumerate(texts)]
    w.replies(200, json.dumps({"data": items, "usage": {
        "prompt_tokens": 8, "total_tokens": 8}}))(x)


@pytest.fixture(scope="module")
def vectors(aimock):
    it = Wire(aimock.url)
    it.script("text-embedding-3-small", [embeds] * 1000)
    yield it
    it.close()


@pytest.fixture(scope="module")
def server(source, chinook_source, vectors):
    """A server with the ontologies of two databases; each test starts it as it needs it."""
    settings = fixtures.model_settings(vectors.url, SANDBOX_URL="off")
    del settings["EMBEDDING_DEFAULT_PROVIDER"]
    it = fixtures.open_service(source, **settings)
    it.connect("chinook", source.url("chinook"))
    it.ontologies["chinook"] = it.import_model(fixtures.MODELS["chinook"], "chinook")
    yield it
    it.remove()


def restart(server, url=None, password=neo4j.PASSWORD):
    server.stop()
    server.start(NEO4J_URI=url, NEO4J_PASSWORD=password)


def discovery(server, question, name="retail"):
    client = server.client()
    chat = client.new_chat(server.ontologies[name], "builtin")
    return client.ask(chat, question).of("discovery_complete")[0]


def found(server, question, name="retail", by="neo4j"):
    """The datasets of a question and their scores."""
    got = discovery(server, question, name)
    assert got.get("graphStore") == by, causes(server)
    return [(d["name"], pytest.approx(d["score"], abs=2e-4))
            for d in got["matchedDatasets"]]


@pytest.fixture(scope="module")
def known(server):
    """What Sextant finds by itself."""
    restart(server)
    return {(name, q): found(server, q, name, by=None)
            for name in ("retail", "chinook") for q in QUESTIONS}


@pytest.fixture
def filled(server, graph, known):
    restart(server, graph.url)
    for name in ("retail", "chinook"):  # a Neo4j that has just started is slow
        neo4j.wait_until(lambda: discovery(server, QUESTIONS[0], name)["graphStore"] ==
                         "neo4j", what="the graph")
    return server


def ours(graph, label="SextantDataset"):
    return graph.run(f"match (n:{label}) return count(n)")[0][0]


def test_neo4j_finds_the_same_datasets_with_the_same_scores(filled, known):
    for (name, question), datasets in known.items():
        assert found(filled, question, name) == datasets


def edges_of(server, name):
    """The edges between datasets, as the API tells them: pairs of names."""
    _, body = server.call(
        "GET", f"/api/ontologies/{server.ontologies[name]}/graph?fields=false",
        server.client().token)
    names = {n["id"]: n["name"] for n in body["data"]["nodes"]}
    return [(names[e["source"]], names[e["target"]]) for e in body["data"]["edges"]]


def distances(edges, start):
    """The lengths of the shortest paths of at most five edges."""
    lengths, due = {start: 0}, deque([start])
    while due:
        at = due.popleft()
        for pair in edges:
            for a, b in (pair, pair[::-1]):
                if a == at and b not in lengths and lengths[at] < 5:
                    lengths[b] = lengths[at] + 1
                    due.append(b)
    return lengths


@pytest.mark.parametrize("name", ["retail", "chinook"])
def test_its_graph_is_the_model_s_graph(filled, graph, name):
    ontology, edges = filled.ontologies[name], edges_of(filled, name)
    rows = graph.run("match (a:SextantDataset {ontology: $id})-[:RELATES_TO]->(b)"
                     " return a.name, b.name", id=ontology)
    assert sorted(map(tuple, rows)) == sorted(edges)
    start = edges[0][0]
    rows = graph.run(
        "match (a:Dataset {ontology: $id, name: $start}), (b:Dataset {ontology: $id})"
        " where a <> b match p = shortestPath((a)-[:RELATES_TO*..5]-(b))"
        " return b.name, length(p)", id=ontology, start=start)
    expected = distances(edges, start)
    expected.pop(start)
    assert dict(map(tuple, rows)) == expected
    yaml = graph.run("match (n:Dataset {ontology: $id, name: $start}) return n.yaml",
                     id=ontology, start=start)[0][0]
    assert f"name: {start}\n" in yaml and "fields:" in yaml


def test_other_clients_can_use_its_vector_index(filled, graph, known):
    graph.run("call db.awaitIndexes(60)")
    question = QUESTIONS[0]
    rows = graph.run("call db.index.vector.queryNodes('sextant_embedding_1536', 1,"
                     " $vector) yield node return node.name", vector=vector_of(question))
    best = max((known[name, question][0] for name in ("retail", "chinook")),
               key=lambda it: it[1].expected)
    assert rows == [[best[0]]]


def test_an_emptied_neo4j_is_filled_again(filled, graph, known):
    graph.run("match (n) detach delete n")
    assert found(filled, QUESTIONS[1]) == known["retail", QUESTIONS[1]]
    n = filled.call("GET", f"/api/ontologies/{filled.ontologies['retail']}",
                    filled.client().token)[1]["data"]["datasetCount"]
    assert ours(graph) == n


def test_half_a_graph_is_completed(filled, graph, known):
    id = filled.ontologies["chinook"]
    graph.run("match (o:SextantOntology {ontology: $id}) delete o", id=id)
    graph.run("match (n:SextantDataset {ontology: $id}) where n.position > 3"
              " detach delete n", id=id)
    assert found(filled, QUESTIONS[2], "chinook") == known["chinook", QUESTIONS[2]]


def test_nodes_of_another_application_stay_and_are_never_found(filled, graph, known):
    graph.run("unwind range(1, 500) as n create (:Dataset {name: 'theirs', position: n,"
              " ontology: $id, embedding: 'none'})", id=filled.ontologies["retail"])
    graph.run("match (n:SextantDataset) detach delete n")
    assert found(filled, QUESTIONS[3]) == known["retail", QUESTIONS[3]]
    assert graph.run("match (n:Dataset {name: 'theirs'}) return count(n)") == [[500]]
    graph.run("match (n:Dataset {name: 'theirs'}) delete n")


def test_a_deleted_ontology_leaves_neo4j(filled, graph):
    client = filled.client()
    _, body = filled.call("GET", f"/api/ontologies/{filled.ontologies['chinook']}",
                          client.token)
    model = body["data"]["semanticModelId"]
    admin = filled.token("root@example.org", "admin")
    status, body = filled.call("POST", "/api/ontologies", admin,
                               {"name": "second", "semanticModelId": model})
    assert status in (201, 202), body
    filled.ontologies["second"] = id = body["data"]["id"]
    client = filled.client("root@example.org", "admin")
    neo4j.wait_until(lambda: filled.call("GET", f"/api/ontologies/{id}", admin)[1][
        "data"]["status"] == "ready", what="the ontology")
    chat = client.new_chat(id, "builtin")
    got = client.ask(chat, QUESTIONS[0]).of("discovery_complete")[0]
    assert got["graphStore"] == "neo4j"
    assert graph.run("match (n:SextantDataset {ontology: $id}) return count(n) > 0",
                     id=id) == [[True]]
    assert filled.call("DELETE", f"/api/ontologies/{id}", admin)[0] in (200, 204)
    assert graph.run("match (n {ontology: $id}) return count(n)", id=id) == [[0]]


# ---- trouble ----------------------------------------------------------------


def causes(server):
    return [line["cause"] for line in server.log_entries("found without Neo4j")]


def test_a_neo4j_that_stands_still_costs_one_question_some_seconds(filled, graph, known):
    graph.stand_still()
    try:
        for _ in range(2):  # the second does not ask it
            assert found(filled, QUESTIONS[0], by="builtin") == \
                known["retail", QUESTIONS[0]]
    finally:
        graph.go_on()
    assert causes(filled)[-2:] == ["Neo4j did not answer in time",
                                   "Neo4j failed a moment ago"]
    neo4j.wait_until(lambda: discovery(filled, QUESTIONS[0])["graphStore"] == "neo4j",
                     what="Neo4j's return")


def test_a_wrong_password_is_named_and_not_shown(server, graph, known):
    restart(server, graph.url, "not the password")
    assert found(server, QUESTIONS[0], by="builtin") == known["retail", QUESTIONS[0]]
    assert causes(server)[-1] == "Neo4j refuses NEO4J_USER and NEO4J_PASSWORD"
    assert "not the password" not in server.log_text()


class Old(BaseHTTPRequestHandler):
    """A Neo4j without the Query API."""

    def do_POST(self):
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_an_old_neo4j_is_named(server, known):
    old = ThreadingHTTPServer(("127.0.0.1", 0), Old)
    threading.Thread(target=old.serve_forever, daemon=True).start()
    try:
        restart(server, f"http://127.0.0.1:{old.server_port}")
        assert found(server, QUESTIONS[0], by="builtin") == known["retail", QUESTIONS[0]]
        assert "Query API" in causes(server)[-1]
    finally:
        old.shutdown()
        old.server_close()


def test_an_address_of_bolt_is_refused_by_name(server):
    done = server.run("config", check=False, NEO4J_URI="bolt://127.0.0.1:7687")
    assert done.returncode != 0
    assert "NEO4J_URI" in done.stderr and "http://" in done.stderr

"""Shared fixtures of the stories: a source database, a model server, a server."""
import pytest

from postgres import Postgres
from sextant import ROOT

from kit import gold, players
from kit.aimock import Aimock
from kit.places import SHARED_DATA
from kit.server import Server
from kit.wire import Wire

DEMO = ROOT / "sql" / "demo"
MODELS = {"retail": DEMO / "retail.osi.yaml",
          "clinic": ROOT / "test" / "data" / "clinic.osi.yaml",
          "chinook": ROOT / "test" / "data" / "chinook.osi.yaml",
          "northwind": ROOT / "test" / "data" / "northwind.osi.yaml"}


@pytest.fixture(scope="session")
def source():
    """A PostgreSQL with the source databases."""
    postgres = Postgres().start()
    try:
        postgres.load("retail", (DEMO / "schema.sql").read_text() +
                      (DEMO / "data.sql").read_text())
        yield postgres
    finally:
        postgres.remove()


def load_sample(source, name):
    """A sample database, which may be missing on this machine."""
    script = SHARED_DATA / f"{name}.sql"
    if not script.exists():
        pytest.skip(f"{name}.sql is not in {SHARED_DATA} (SEXTANT_SHARED_DATA)")
    # Chinook's script begins with making and entering the database.
    source.load(name, script.read_text().rpartition(f"\\c {name};")[2])
    return source


@pytest.fixture(scope="session")
def chinook_source(source):
    return load_sample(source, "chinook")


@pytest.fixture(scope="session")
def northwind_source(source):
    return load_sample(source, "northwind")


@pytest.fixture(scope="session")
def clinic_source(source):
    source.load("clinic", (ROOT / "test" / "data" / "clinic.sql").read_text())
    return source


@pytest.fixture(scope="session")
def aimock():
    player = Aimock()
    yield player
    player.close()


@pytest.fixture(scope="session")
def questions(source):
    """The gold questions of both data sets, by name and id."""
    return {name: {q.id: q for q in gold.load(name, name, source)}
            for name in ("retail", "chinook")}


def model_settings(openai, anthropic=None, **more):
    """Settings of a server that uses the scripted models at those addresses: models that
    accept a temperature, and one of Anthropic that accepts no schema."""
    return {"OPENAI_BASE_URL": f"{openai}/v1", "OPENAI_API_KEY": "sk-story",
            "OPENAI_MODEL": "gpt-4o",
            "ANTHROPIC_MODEL": "claude-3-5-sonnet-20241022",
            "ANTHROPIC_BASE_URL": anthropic or openai,
            "ANTHROPIC_API_KEY": "sk-ant-story",
            "EMBEDDING_DEFAULT_PROVIDER": "lexical",
            "LLM_CALL_TIMEOUT_MS": 120000, **more}


def open_service(source, **settings):
    """A server with the demo data as a source."""
    it = Server(**settings)
    it.source_url, it.retail_model = source.url("retail"), MODELS["retail"]
    try:
        it.start()
        it.connect("retail", it.source_url)
        it.ontologies["retail"] = it.import_model(it.retail_model, "retail")
    except BaseException:
        it.remove()
        raise
    return it


@pytest.fixture(scope="session")
def models(aimock):
    """The proxy between that server and its models."""
    it = Wire(aimock.url)
    yield it
    it.close()


@pytest.fixture(scope="module")
def wire(aimock):
    """The proxy between a story's own server and its models."""
    it = Wire(aimock.url)
    yield it
    it.close()


@pytest.fixture(scope="session")
def service(source, models):
    """One server for all stories that do not damage it."""
    it = open_service(source, **model_settings(models.url))
    yield it
    it.remove()


@pytest.fixture
def hold(models):
    """Holds an answer of a model: see Held."""
    yield models.hold
    models.forget()


@pytest.fixture(scope="session")
def chinook_ontology(service, chinook_source):
    service.connect("chinook", chinook_source.url("chinook"))
    return service.import_model(MODELS["chinook"], "chinook")


@pytest.fixture(scope="session")
def northwind_ontology(service, northwind_source):
    service.connect("northwind", northwind_source.url("northwind"))
    return service.import_model(MODELS["northwind"], "northwind")


@pytest.fixture(scope="session")
def clinic_ontology(service, clinic_source):
    service.connect("clinic", clinic_source.url("clinic"))
    return service.import_model(MODELS["clinic"], "clinic")


@pytest.fixture(scope="session")
def retail(service):
    return service.ontologies["retail"]


@pytest.fixture
def ann(service):
    return service.client("ann@example.org")


@pytest.fixture
def bob(service):
    return service.client("bob@example.org")


@pytest.fixture
def viewer(service):
    return service.client("vera@example.org", "viewer")


@pytest.fixture(scope="session")
def play(aimock, questions):
    """Makes the model server answer the gold questions of a data set, after the story's
    own fixtures."""
    def play(name, own=()):
        wanted = (name, repr(own))
        if aimock.playing != wanted:
            gold_ones = players.of_questions(questions[name].values())
            aimock.play([*own, *gold_ones], wanted)
        else:
            aimock.forget()
        return questions[name]
    return play

"""From a fresh home: files are imported on the command line, and every agent says how many
rows there are per city, without a language model."""
import json
import subprocess

import pytest

from kit.server import Server
from sextant import ROOT, environment

AGENTS = ("pipeline", "react", "csv", "scientist", "explorer")
QUESTION = "how many rows per city"


def python_has_duckdb():
    python = environment().get("SANDBOX_PYTHON") or str(ROOT / "build/venv/bin/python3")
    return subprocess.run([python, "-c", "import duckdb"],
                          stderr=subprocess.DEVNULL).returncode == 0


pytestmark = pytest.mark.skipif(not python_has_duckdb(),
                                reason="this sandbox has no DuckDB")


@pytest.fixture(scope="module")
def home():
    it = Server()
    yield it
    it.remove()


def counted(rows):
    """Rows by city, of rows with a city and one number."""
    found = {}
    for row in rows:
        values = dict(row)
        city = values.pop(next(k for k in values if k.lower() in ("city", "category")))
        [number] = values.values()
        assert city not in found
        found[city] = int(number)
    return found


def ask(home, agent, question=QUESTION, check=True):
    done = home.run("ask", question, "--agent", agent, "--json", check=check)
    return json.loads(done.stdout)


def rows_of(answer):
    steps = answer["metadata"]["stepResults"]
    return json.loads(steps[0]["sqlResult"]["data"])


def bring(home, folder, **files):
    """Imports the texts as files of one dataset, the latest."""
    words = []
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
        words += ["--file", folder / f"{name}.csv"]
    home.run("import", *words)


def right(home, agent, wanted, question=QUESTION):
    answer = ask(home, agent, question)
    assert counted(rows_of(answer)) == wanted, answer
    report = answer["metadata"]["verificationReport"]
    if agent == "scientist":  # nothing checks what a program computes
        assert report["status"] == "skipped", report
        assert "not verified" in answer["content"]
    else:
        assert report["status"] == "passed", report


def test_every_agent_counts_the_rows_of_the_sample_file(home):
    sample = ROOT / "web/public/samples/stations.csv"
    lines = sample.read_text().splitlines()
    at = lines[0].split(",").index("city")
    wanted = {}
    for line in lines[1:]:
        city = line.split(",")[at]
        wanted[city] = wanted.get(city, 0) + 1
    home.run("import", "--file", sample)  # no server runs
    home.start()
    for agent in AGENTS:
        right(home, agent, wanted)


ODD = ("Ref. No,City,note\n1,Oslo,\"two\nlines\"\n2,\"San \"\"José\"\"\",x\n"
       "3,,y\n4,Oslo,z\n5,,w\n")


def test_names_and_values_that_need_care(home, tmp_path):
    bring(home, tmp_path, odd_one=ODD)
    for agent in AGENTS:
        right(home, agent, {"Oslo": 2, 'San "José"': 1, None: 2},
              "How many records are there in the file by city?")


SHOPS = "shop_id,city\n1,Oslo\n2,Rome\n3,Rome\n"
SALES = "sale_id,shop_id,amount\n1,1,5\n2,1,6\n3,2,7\n4,3,8\n"


def test_rows_of_several_files(home, tmp_path):
    bring(home, tmp_path, shops=SHOPS, sales=SALES)
    for agent in AGENTS:  # of the file that has cities
        right(home, agent, {"Oslo": 1, "Rome": 2})
    right(home, "csv", {"Oslo": 2, "Rome": 2}, "how many rows of sales per city")
    asked = json.dumps(ask(home, "csv", "how many rows", check=False))
    assert "Which" in asked and "sales" in asked and "shops" in asked

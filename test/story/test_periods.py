"""Which days a period has: the calendar's, unless the data end clearly earlier; dates in the
future never count. Every answer prints the first and the last day."""
import datetime
import json

import pytest

from kit import players
from kit.client import check_stream

CHECKS = players.python("""import json
print(json.dumps({"checks": [{"name": "rows", "passed": True,
 "severity": "fail", "message": "fine"}], "diagnosis": "",
 "recommendedTarget": None}))""")
QUESTION = "What did we take last month?"

MODEL = """
semantic_model:
  - name: takings
    datasets:
      - name: takings
        source: {schema}.takings
        primary_key: [id]
        fields:
          - {{name: id, expression: id, datatype: integer}}
          - {{name: taken_on, expression: taken_on, datatype: date, dimension: {{is_time: true}}}}
          - {{name: amount, expression: amount, datatype: decimal}}
    metrics:
      - {{name: total_amount, expression: sum(takings.amount)}}
"""


def month(today, back):
    """The first and the last day of the month `back` months before today's."""
    first = today.replace(day=1)
    for _ in range(back):
        first = (first - datetime.timedelta(days=1)).replace(day=1)
    after = (first + datetime.timedelta(days=32)).replace(day=1)
    return first, after - datetime.timedelta(days=1)


TODAY = datetime.datetime.now(datetime.timezone.utc).date()
LAST = month(TODAY, 1)
# Data up to today, and a date in the far future; data that end in the middle of a month.
KINDS = {
    "fresh": ([(LAST[0], 3), (LAST[1], 4), (TODAY, 50), (datetime.date(2199, 1, 1), 1000)],
              LAST, 7),
    "old": ([(datetime.date(2020, 4, 1), 1), (datetime.date(2020, 4, 30), 2),
             (datetime.date(2020, 5, 17), 40), (datetime.date(2199, 1, 1), 1000)],
            (datetime.date(2020, 4, 1), datetime.date(2020, 4, 30)), 3),
}


@pytest.fixture(scope="module", params=sorted(KINDS))
def takings(request, service, source, retail, tmp_path_factory):
    rows, days, total = KINDS[request.param]
    schema = "takings_" + request.param
    values = ", ".join(f"({n}, '{day}', {amount})" for n, (day, amount) in enumerate(rows))
    source.psql("retail", f"create schema {schema}; create table {schema}.takings (id int "
                f"primary key, taken_on date, amount numeric); insert into {schema}.takings "
                f"values {values}; grant usage on schema {schema} to public; "
                f"grant select on all tables in schema {schema} to public")
    path = tmp_path_factory.mktemp(schema) / "takings.yaml"
    path.write_text(MODEL.format(schema=schema))
    yield service.import_model(path, "retail"), schema, days, total
    source.psql("retail", f"drop schema {schema} cascade")


def days_of(answer, days):
    """Both days are in the text."""
    return all(day.isoformat() in answer.content for day in days)


def first_figure(answer):
    result = answer.metadata["stepResults"][0]["sqlResult"]
    return float(next(iter(json.loads(result["data"])[0].values())))


# ---- the built-in analyst -------------------------------------------------------


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_the_analyst_counts_last_month_from_today(ann, takings, agent):
    ontology, _, days, total = takings
    answer = ann.ask(ann.new_chat(ontology, "builtin", agent=agent), "total amount last month")
    check_stream(answer.events)
    assert first_figure(answer) == total and days_of(answer, days), answer.content
    moved = "so this is their last complete period" in answer.content
    assert moved == (days != LAST)


def test_the_latest_month_is_the_datas_own_up_to_today(ann, takings):
    ontology, _, days, _ = takings
    answer = ann.ask(ann.new_chat(ontology, "builtin"), "total amount in the latest month")
    first = TODAY.replace(day=1) if days == LAST else datetime.date(2020, 5, 1)
    assert first_figure(answer) in (50, 40, 54) and first.isoformat() in answer.content


# ---- language models --------------------------------------------------------------


def plays(schema, sql):
    return [
        *players.structured(players.PLANNER, QUESTION, "generate_plan", players.plan(
            QUESTION, [players.step(1, ["takings"])], timeWindow="last month",
            period={"from": LAST[0].isoformat(), "to": LAST[1].isoformat(), "unit": "month",
                    "relative": True, "field": "takings.taken_on", "moved": False})),
        *players.explores(QUESTION, ["takings"]),
        *players.structured(players.SQL_BUILDER, QUESTION, "generate_queries",
                            players.queries((1, sql, ["amount"]))),
        players.says(players.VERIFIER, QUESTION, CHECKS),
        players.says(players.EXPLAINER, QUESTION, "That is what we took.")]


def sum_of(schema, days):
    after = days[1] + datetime.timedelta(days=1)
    return (f"SELECT SUM(amount) AS amount FROM {schema}.takings WHERE taken_on >= "
            f"DATE '{days[0]}' AND taken_on < DATE '{after}'")


def test_a_plan_has_the_calendars_month_or_the_datas_last_complete_one(
        ann, takings, play, aimock):
    ontology, schema, days, total = takings
    play("retail", plays(schema, sum_of(schema, days)))
    answer = ann.ask(ann.new_chat(ontology, "openai"), QUESTION)
    check_stream(answer.events)
    period = answer.metadata["plan"]["period"]
    assert (period["from"], period["to"]) == tuple(day.isoformat() for day in days)
    assert period["moved"] == (days != LAST)
    assert first_figure(answer) == total
    assert "That is what we took." in answer.content and days_of(answer, days)
    assert days[0].isoformat() in answer.metadata["dataLineage"]["timeWindow"]
    checks = {c["name"]: c for c in answer.metadata["verificationReport"]["checks"]}
    assert checks["period_applied"]["passed"]
    prompt = aimock.prompts(players.PLANNER)[0][1]
    assert f"Today is {TODAY:%A}, {TODAY}" in prompt
    assert f"- last month: {LAST[0]} to {LAST[1]}" in prompt
    # The builder reads the days that were settled.
    assert days[0].isoformat() in aimock.prompts(players.SQL_BUILDER)[0][1]
    assert ("ends on 2020-05-17" in json.dumps(answer.metadata["plan"])) == (days != LAST)


def test_a_query_of_another_period_fails_the_check(ann, takings, play):
    ontology, schema, _, _ = takings
    other = (datetime.date(2001, 2, 1), datetime.date(2001, 2, 28))
    play("retail", plays(schema, sum_of(schema, other)))
    answer = ann.ask(ann.new_chat(ontology, "openai"), QUESTION)
    checks = {c["name"]: c for c in answer.metadata["verificationReport"]["checks"]}
    assert not checks["period_applied"]["passed"]
    assert answer.metadata["verificationReport"]["status"] == "failed"


def test_react_prints_the_days_of_its_query(ann, takings, play, aimock):
    ontology, schema, days, total = takings
    play("retail", [players.acts(QUESTION, ("query_database", {"sql": sum_of(schema, days)})),
                  players.reacts(QUESTION, "That is what we took.")])
    answer = ann.ask(ann.new_chat(ontology, "openai", agent="react"), QUESTION)
    check_stream(answer.events)
    assert f"Period: {days[0]} to {days[1]} (taken_on)." in answer.content
    assert f"{days[0]} to {days[1]}" in answer.metadata["dataLineage"]["timeWindow"]
    assert f"- last month: {LAST[0]} to {LAST[1]}" in aimock.prompts(players.REACT)[0][0]


# ---- time zones -------------------------------------------------------------------

# Their days differ at every moment, so at least one of them is not the day of UTC.
ZONES = {"Pacific/Kiritimati": 14, "Etc/GMT+12": -12}
ZONED = """
semantic_model:
  - name: zoned
    datasets:
      - name: takings
        source: {schema}.takings
        primary_key: [id]
        fields:
          - {{name: id, expression: id, datatype: integer}}
          - {{name: taken_at, expression: taken_at, datatype: timestamptz, dimension: {{is_time: true}}}}
          - {{name: amount, expression: amount, datatype: decimal}}
    metrics:
      - {{name: total_amount, expression: sum(takings.amount)}}
"""


@pytest.fixture(scope="module", params=sorted(ZONES))
def zoned(request, service, source, retail, tmp_path_factory):
    """Takings in the first and the last minutes of each day of a zone; each day has another
    amount."""
    zone, ahead = request.param, ZONES[request.param]
    schema = f"zoned_{'east' if ahead > 0 else 'west'}"
    today = (datetime.datetime.now(datetime.timezone.utc)
             + datetime.timedelta(hours=ahead)).date()
    rows = [f"({2 * n + late}, '{today + datetime.timedelta(days=n)} "
            f"{'23:50' if late else '00:10'}{ahead:+03d}', {10 ** (n + 3)})"
            for n in range(-2, 3) for late in (0, 1)]
    source.psql("retail", f"create schema {schema}; create table {schema}.takings (id int "
                f"primary key, taken_at timestamptz, amount numeric); insert into "
                f"{schema}.takings values {', '.join(rows)}; grant usage on schema {schema} "
                f"to public; grant select on all tables in schema {schema} to public")
    service.connect(schema, source.url("retail"), "--time-zone", zone.lower())
    path = tmp_path_factory.mktemp(schema) / "zoned.yaml"
    path.write_text(ZONED.format(schema=schema))
    yield service.import_model(path, schema), schema, zone, today
    source.psql("retail", f"drop schema {schema} cascade")


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_the_days_of_a_period_are_those_of_the_zone(ann, zoned, agent):
    ontology, _, _, today = zoned
    for words, day, amount in [("today", today, 2000),
                               ("yesterday", today - datetime.timedelta(days=1), 200)]:
        answer = ann.ask(ann.new_chat(ontology, "builtin", agent=agent), f"total amount {words}")
        check_stream(answer.events)
        assert first_figure(answer) == amount and day.isoformat() in answer.content, answer.content


def test_prompts_name_the_zone_and_cells_are_in_it(ann, zoned, aimock, play):
    ontology, schema, zone, today = zoned
    question = "When was the first taking?"
    sql = f"SELECT taken_at, current_date AS today FROM {schema}.takings WHERE id = 0"
    play("retail", [
        *players.structured(players.PLANNER, question, "generate_plan", players.plan(
            question, [players.step(1, ["takings"])])),
        *players.explores(question, ["takings"]),
        *players.structured(players.SQL_BUILDER, question, "generate_queries",
                            players.queries((1, sql, ["taken_at", "today"]))),
        players.says(players.VERIFIER, question, CHECKS),
        players.says(players.EXPLAINER, question, "That is when it was.")])
    answer = ann.ask(ann.new_chat(ontology, "openai"), question)
    row = json.loads(answer.metadata["stepResults"][0]["sqlResult"]["data"])[0]
    assert row == {"taken_at": f"{today} 00:10:00{ZONES[zone]:+03d}", "today": today.isoformat()}
    prompt = aimock.prompts(players.PLANNER)[0][1]
    assert f"Today is {today:%A}, {today}, in the time zone {zone}." in prompt
    file = ann.get(f"/api/data-agent/messages/{answer.message_id}/steps/1/export?format=csv")
    assert f"{today} 00:10:00{ZONES[zone]:+03d}" in file.body.decode()

"""The page in a browser, against the real server: web/story/. Screenshots go to
build-asan/results/page."""
import json
import os
import shutil
import subprocess
import threading
import uuid
from urllib.parse import unquote, urlsplit

import pytest

from kit import fixtures, players
from kit.client import Client
from kit.nginx import NGINX, Nginx
from kit.relay import Relay
from kit.wire import Held, passes, status
from sextant import ROOT, wait_until

WEB = ROOT / "web"
PASSWORD = "correct horse battery staple"
# If the machine's node is too old, make web has fetched one.
OURS = ROOT / "build" / "node" / "bin" / "node"
NODE = str(OURS) if OURS.exists() else "node"
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
SHOTS = ROOT / "build-asan" / "results" / "page"
PATIENCE = 900
QUESTION = "revenue by city in 2025"
PRICES = {"input": 2.5, "output": 10}  # of a million tokens

pytestmark = [
    pytest.mark.skipif(not (ROOT / "static" / "app" / "index.html").exists(),
                       reason="the page is not built: make web"),
    pytest.mark.skipif(not shutil.which("chromium"), reason="there is no chromium"),
]


def story(name, server, role="contributor", url=None, environment=None, **acts):
    """Runs web/story/NAME.mjs as a new user. A line "@act" calls that function, whose
    result goes back as a line of JSON."""
    email = f"{uuid.uuid4().hex[:8]}@example.org"
    admin = Client(server.url, server.token("root@example.org", "admin"))
    admin.post("/api/users", {"email": email, "password": PASSWORD,
                              "roles": [role]}).data
    process = subprocess.Popen(
        [NODE, f"story/{name}.mjs", url or server.url, email, PASSWORD, str(SHOTS)],
        cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "CHROMIUM": shutil.which("chromium"), **(environment or {})})
    end = threading.Timer(PATIENCE, process.kill)
    end.start()
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            if line.startswith("@"):
                process.stdin.write(json.dumps(acts[line[1:].strip()]()) + "\n")
                process.stdin.flush()
        assert process.wait() == 0, "".join(said)
    finally:
        end.cancel()
        process.kill()
        process.wait()
    return said


def test_one_signs_in_asks_and_sees_what_the_answer_stands_on(demo):
    story("main", demo, "admin")


@pytest.mark.long
@pytest.mark.skipif(not FIREFOX, reason="there is no Firefox")
def test_the_same_in_firefox(demo):
    story("main", demo, "admin", environment={"FIREFOX": FIREFOX})


# ---- with a scripted model that can be held in the middle of a word -------------


class Model:
    def __init__(self, wire):
        self.wire, self.held = wire, []

    def hold(self):
        """Holds the next answer after its first words."""
        self.held.append(self.wire.hold(players.EXPLAINER, b"stands first"))

    def release(self):
        for held in self.held:
            held.released.set()


def open_played(source, wire, **settings):
    return fixtures.open_service(
        source, SANDBOX_URL="off", RUNS_PER_USER=0, LLM_DEFAULT_PROVIDER="openai",
        MODEL_PRICES=f"gpt={PRICES['input']}/{PRICES['output']}",
        **fixtures.model_settings(wire.url, LLM_CALL_TIMEOUT_MS=300000), **settings)


@pytest.fixture(scope="module")
def played(source, wire):
    it = open_played(source, wire)
    yield it
    it.remove()


@pytest.fixture
def model(wire, play):
    wire.forget()
    play("retail")
    it = Model(wire)
    yield it
    it.release()
    wire.forget()


@pytest.mark.long
def test_an_answer_is_stopped_in_its_middle(played, model):
    story("stop", played, "admin", hold=model.hold)


@pytest.mark.long
def test_react_answers_with_the_tools_that_it_called(demo):
    story("react", demo)


@pytest.mark.long
def test_react_is_watched_while_it_works(played, model, wire, play, questions):
    asked = next(q for q in questions["retail"].values() if q.text == QUESTION)
    play("retail", [
        players.acts(QUESTION, ("query_database", {"sql": asked.sql}),
                     words="Let me look."),
        players.reacts(QUESTION, "**Dallas** sells most.")])

    def hold():
        """The reply after the first tool call."""
        model.held.append(Held())
        wire.script(players.REACT, [passes, model.held[-1]])

    story("reactLive", played, hold=hold, release=model.release)


@pytest.mark.long
def test_all_of_it_is_done_without_a_mouse(played, model):
    story("keyboard", played, hold=model.hold)


@pytest.mark.long
def test_another_model_answers_the_same_question(played, model):
    story("models", played, hold=model.hold)


@pytest.mark.long
@pytest.mark.skipif(NGINX is None, reason="nginx is not here")
def test_a_reload_misses_nothing_and_two_tabs_stay_in_step(played, model, tmp_path):
    """Behind nginx with the unchanged configuration."""
    nginx = Nginx(tmp_path, played.url)
    try:
        story("follow", played, url=nginx.url, hold=model.hold,
              release=model.release)
    finally:
        nginx.close()


@pytest.mark.long
def test_a_network_that_comes_back_finds_the_whole_answer(played, model):
    relay = Relay(played.url)

    def over():
        wait_until(lambda: played.psql(
            "select count(*) from data_chat_messages where status = 'generating'"
        ) == [["0"]], what="the end of the answer")

    try:
        story("network", played, url=f"http://127.0.0.1:{relay.port}", cut=relay.cut,
              hold=model.hold, release=model.release, over=over)
    finally:
        relay.close()


@pytest.mark.long
def test_a_token_that_runs_out_is_renewed_by_one_tab_at_a_time(source, wire, model):
    server = open_played(source, wire, ACCESS_TOKEN_LIFETIME=5)
    try:
        story("expiry", server, hold=model.hold, release=model.release)
    finally:
        server.remove()


@pytest.mark.long
def test_what_the_agent_asks_back_is_answered_in_its_card(played, model, play,
                                                          questions):
    asked = next(q for q in questions["retail"].values() if q.text == QUESTION)

    def ask_back():
        play("retail", players.structured(
            players.PLANNER, QUESTION, "generate_plan", players.plan(
                QUESTION, [players.step(1, asked.tables)], shouldClarify=True,
                clarificationQuestions=[{
                    "key": "time_window", "question": "Which period is meant?",
                    "assumption": "the last six months"}])))

    story("clarify", played, ask_back=ask_back)


@pytest.fixture
def newcomer(source):
    """The actions outside of the page for stories that connect a database."""
    at = urlsplit(source.url("retail"))
    relay = Relay(f"http://{at.hostname}:{at.port}")

    def database():
        return {"Name": f"live {uuid.uuid4().hex[:8]}", "Host": "127.0.0.1",
                "Port": relay.port, "Database": "retail",
                "User": unquote(at.username), "Password": unquote(at.password)}

    yield {"database": database, "shut": relay.shut, "reopen": relay.reopen}
    relay.close()


@pytest.mark.long
def test_from_a_database_to_a_model_of_it_to_an_answer(played, model, newcomer):
    story("wizard", played, **newcomer)


@pytest.mark.long
def test_what_an_admin_does_is_done_without_a_mouse(played, model, newcomer):
    story("office", played, "admin", hold=model.hold, **newcomer)


# Of the last answer: its first result was cut.
CUT = """
update data_chat_messages set metadata = jsonb_set(jsonb_set(jsonb_set(
           metadata::jsonb, '{stepResults,0,sqlResult,truncated}', 'true'),
           '{stepResults,0,sqlResult,rowCount}', '1000'),
           '{dataLineage,truncated}', 'true')::json
 where id = (select id from data_chat_messages where role = 'assistant'
              order by seq desc limit 1);
"""


@pytest.mark.long
def test_a_chart_is_looked_at_from_all_sides(demo):
    story("charts", demo, cut=lambda: demo.psql(CUT))


@pytest.mark.long
def test_each_page_is_seen_in_both_themes_and_three_widths(demo):
    story("looks", demo, "admin")


@pytest.mark.long
def test_nothing_moves_that_the_user_did_not_move(demo):
    for line in story("steady", demo):
        print(line, end="")


@pytest.mark.long
def test_a_chat_opens_soon_and_the_page_reacts(demo):
    for line in story("cold", demo):
        print(line, end="")


@pytest.mark.long
def test_one_sees_where_the_keyboard_is(demo):
    story("focus", demo, "admin")


@pytest.mark.long
def test_addresses_of_nothing_lead_back(demo):
    story("unknown", demo, "admin")


@pytest.mark.long
def test_the_calls_of_a_model_are_searched_and_read(played, model, wire):
    story("traces", played, refuse=lambda: wire.script(
        players.SQL_BUILDER, [status(400)]))


@pytest.mark.long
def test_an_answer_is_trusted_until_it_is_taken_back(demo):
    story("trusted", demo, "admin")


@pytest.mark.long
def test_what_answers_cost_is_shown(played, model):
    story("cost", played, "admin", prices=lambda: PRICES)


@pytest.mark.long
def test_a_question_is_seen_before_the_server_knows_of_it(demo):
    for line in story("feedback", demo):
        print(line, end="")


@pytest.mark.long
def test_typing_goes_on_beside_a_fast_stream(demo):
    for line in story("typing", demo):
        print(line, end="")


# The last question and answer of all, 500 times; and an answer of many rows.
LENGTHEN = """
create temp table pair as
    select a.chat_id, q.content as question, a.content, a.metadata
      from data_chat_messages a join data_chat_messages q on q.id = a.parent_id
     order by a.seq desc limit 1;
do $$
declare parent uuid; child uuid; it pair;
begin
    select * into it from pair;
    delete from data_chat_messages where chat_id = it.chat_id;
    update data_chats set message_count = 1000 where id = it.chat_id;
    for n in 1 .. 500 loop
        insert into data_chat_messages (chat_id, parent_id, role, content)
        values (it.chat_id, parent, 'user', it.question || ' #' || n)
        returning id into parent;
        insert into data_chat_messages (chat_id, parent_id, role, content, metadata)
        values (it.chat_id, parent, 'assistant', it.content, it.metadata)
        returning id into child;
        parent := child;
    end loop;
end $$;
with chat as (
        insert into data_chats (name, ontology_id, owner_id)
        select 'many rows', ontology_id, owner_id from data_chats
         where id = (select chat_id from pair)
        returning id),
    question as (
        insert into data_chat_messages (chat_id, role, content)
        select id, 'user', 'all of them' from chat returning id, chat_id),
    answer as (
    insert into data_chat_messages (chat_id, parent_id, role, content, metadata)
    select chat_id, id, 'assistant', 'Many rows.', json_build_object(
        'stepResults', json_build_array(json_build_object(
            'stepId', 1, 'description', 'All of them', 'sqlResult', json_build_object(
                'rowCount', 1000, 'truncated', true,
                'columns', json_build_array('a', 'b', 'status', 'at'),
                'columnTypes', json_build_array('int4', 'int4', 'text', 'date'),
                'sql', 'select a.order_id as a, b.order_id * 7 as b, a.status, '
                       'b.order_date as at from orders a cross join '
                       '(select * from orders limit 20) b',
                'data', (select json_agg(json_build_object(
                    'a', n, 'b', n * 7, 'status', 'shipped', 'at', '2025-01-01'))::text
                    from generate_series(1, 100) n)))))
      from question returning chat_id)
select (select chat_id from pair), (select chat_id from answer),
       (select id from data_chat_messages where chat_id = (select chat_id from pair)
         order by seq limit 1);
"""


@pytest.mark.long
def test_a_thousand_messages_and_ten_thousand_rows(demo):
    def lengthen():
        chat, wide, first = demo.psql(LENGTHEN)[-1]
        return {"chat": chat, "wide": wide, "first": first}

    for line in story("long", demo, lengthen=lengthen):
        print(line, end="")


@pytest.mark.long
def test_files_are_dropped_profiled_and_asked_about(demo):
    story("files", demo, "admin")


@pytest.mark.long
def test_a_person_writes_queries(demo):
    story("console", demo)


@pytest.mark.long
def test_a_file_is_explored_without_leaving_the_browser(demo):
    story("explore", demo)


def exploration(question):
    """A model that explores with all four tools, corrects itself, and reports."""
    marker = "You are a data analyst. You explore one table"
    by_town = "SELECT town, avg(paid) AS mean FROM t_parsed GROUP BY town"
    rounds = [
        ("profileData", {}),
        ("executeSQLQuery", {"query": "SELECT salary FROM t_parsed",
                             "reason": "A mistake"}),
        ("executeSQLQuery", {"query": by_town, "reason": "Mean by town"}),
        ("createVisualization", {
            "chartType": "bar", "sqlQuery": by_town, "title": "Paid by town",
            "reason": "To compare", "vegaLiteSpec": {"mark": "bar", "encoding": {
                "x": {"field": "town", "type": "nominal"},
                "y": {"field": "mean", "type": "quantitative"}}}}),
        ("validateAnalysis", {
            "finding": "What is paid differs by town",
            "relatedQuery": "SELECT town, avg(paid) FROM t_parsed "
                            "WHERE paid < 1000 GROUP BY town"})]
    replies = [{"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}]}
               for name, arguments in rounds]
    replies.append({"content": "Of two towns, one pays about twice as much."})
    return [{"match": {"systemMessage": marker, "userMessage": question, "turnIndex": n},
             "response": {**reply, "usage": players.USAGE}}
            for n, reply in enumerate(replies)] + [
        players.says("You are a data analyst. You write the report", None,
                     "# Report\n\nOne town pays more.")]


@pytest.mark.long
def test_a_model_explores_in_the_browser_with_all_four_tools(played, model, play):
    def set_up():
        play("retail", exploration("Which town pays more?"))

    story("exploreTools", played, play=set_up)


@pytest.mark.long
def test_the_csv_analyst_says_what_it_runs(demo):
    story("csv", demo, "admin")


STUDY = ("fig = [px.histogram(datasets['order_items'], x='quantity', "
         "title='Quantities <script>alert(1)</script>'), "
         "px.bar(x=['<a href=\"javascript:alert(1)\">a</a>'], y=[1])]\n"
         "result = float(datasets['order_items']['line_total'].mean())")


def scientist(codes):
    """A model that plans, writes these attempts one after the other, and explains."""
    def says(marker, words, **match):
        return {"match": {"systemMessage": marker, **match},
                "response": {"content": words, "usage": players.USAGE}}

    found = list(players.structured(
        "You are a data analysis planning assistant", None, "create_execution_plan",
        {"needs_code": True, "needs_evaluation": True, "needs_explanation": True,
         "reasoning": "It needs figures."}))
    for n, code in enumerate(codes):
        match = {"userMessage": f"attempt {n} of 3"} if n else {}
        found.append(says("who fixes broken Python code" if n else
                          "who writes Python code to answer questions", code, **match))
    return found + [says("who evaluates the results of code", "It is what it is."),
                    says("You are a data science communicator",
                         "The items are of the orders of the shop.")]


@pytest.mark.long
def test_the_scientist_fails_twice_then_draws(source, wire, play):
    server = fixtures.open_service(
        source, RUNS_PER_USER=0, LLM_DEFAULT_PROVIDER="openai",
        **fixtures.model_settings(wire.url))
    codes = ["result = dff.mean(",
             "result = datasets['order_items']['nope'].mean()", STUDY]

    def set_up():
        play("retail", scientist(codes))

    try:
        story("scientist", server, play=set_up)
    finally:
        server.remove()


@pytest.mark.long
def test_what_is_asked_next_and_where_chats_are_kept(demo):
    story("places", demo)


@pytest.mark.long
def test_the_model_of_the_data_is_corrected(demo):
    made = {"name": f"model {uuid.uuid4().hex[:6]}"}

    def own():
        """An ontology that belongs to the user of the page, who was made last."""
        [[email]] = demo.psql("select email from users where email like '%@example.org'"
                              " order by created_at desc limit 1")
        demo.run("import", ROOT / "sql/demo/retail.osi.yaml", "--connection", "demo",
                 "--name", made["name"], "--owner", email)
        [[made["id"], made["model"]]] = demo.psql(
            "select id, semantic_model_id from ontologies where name ="
            f" '{made['name']}'")
        return made

    def foreign():
        [[found]] = demo.psql("select id from ontologies where name = 'retail'"
                              " and visibility = 'shared' limit 1")
        return found

    def text():
        admin = Client(demo.url, demo.token("root@example.org", "admin"))
        return admin.get(f"/api/semantic-models/{made['model']}/yaml").body.decode()
    story("model", demo, own=own, text=text, foreign=foreign)


# ---- boards ----------------------------------------------------------------------


@pytest.mark.long
def test_answers_are_pinned_to_a_board_and_asked_on_a_schedule(demo):
    def due():
        """All schedules, and waits until they have run."""
        demo.psql("update schedules set next_at = now() - interval '1 second' "
                  "where state = 'active'")
        wait_until(lambda: demo.psql("select 1 from schedule_runs where state <> 'open'"),
                   120)

    story("boards", demo, due=due)

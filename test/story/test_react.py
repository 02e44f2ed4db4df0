"""The ReAct agent: the cases of seed 001's agent service and prompt builder, by
their names, and what its runs promise beyond them."""
import base64
import json

import pytest

from kit import fixtures, players
from kit.client import check_stream

QUESTION = "Revenue of the order items of orders by city of the stores?"
BY_CITY = """SELECT s.city, SUM(i.line_total) AS revenue FROM public.order_items i
JOIN public.orders o ON o.order_id = i.order_id
JOIN public.stores s ON s.store_id = o.store_id
GROUP BY s.city ORDER BY revenue DESC"""
ANSWER = "**Dallas** sells most."
QUERY = ("query_database", {"sql": BY_CITY})
TOOLS = ["query_database", "get_dataset_details", "get_sample_data", "run_python",
         "list_datasets"]


@pytest.fixture
def react(play, ann, retail):
    """Plays rounds, lists of tool calls, and then the answer; asks a new chat."""
    def react(*rounds, answer=ANSWER, question=QUESTION, chat=None,
              provider="openai", ontology=None):
        play("retail", [players.acts(question, *calls, turn=turn)
                       for turn, calls in enumerate(rounds)] +
             [players.reacts(question, answer)])
        chat = chat or ann.new_chat(ontology or retail, provider, agent="react")
        it = ann.ask(chat, question)
        check_stream(it.events)
        return it
    return react


def system_of(aimock, call=0):
    return aimock.prompts(players.REACT)[call][0]


def body_of(aimock, call):
    return aimock.prompts(players.REACT)[call][2]


# ---- agent service -------------------------------------------------------------


def test_vector_search_uses_top_k_of_10(ann, chinook_ontology, react):
    answer = react(ontology=chinook_ontology)
    found = answer.of("discovery_complete")[0]
    assert 1 <= len(found["matchedDatasets"]) <= 10


def test_falls_back_to_list_datasets_when_vector_search_returns_empty(react, aimock):
    answer = react([("list_datasets", {})], question="???")
    assert answer.complete
    assert "list_datasets to see all of them" in system_of(aimock)
    assert "order_items" in answer.of("tool_result")[0]["result"]


def test_fails_gracefully_when_ontology_has_no_datasets_at_all(service, react):
    service.psql(
        "with m as (insert into semantic_models (owner_id, connection_id, name,"
        " source_text, model) select owner_id, connection_id, 'bare ' ||"
        " gen_random_uuid(), '', json_build_object('format', 1, 'name', 'bare',"
        " 'datasets', '[]'::json, 'relationships', '[]'::json, 'metrics',"
        " '[]'::json) from semantic_models limit 1 returning id, owner_id)"
        " insert into ontologies (owner_id, semantic_model_id, name, status,"
        " visibility) select owner_id, id, 'bare_react', 'ready', 'shared' from m")
    bare = service.psql("select id from ontologies where name = 'bare_react'")[0][0]
    try:
        answer = react(ontology=bare)
        assert answer.last.data["code"] == "NO_DATASETS", answer.last.data
    finally:
        service.psql("delete from ontologies where name = 'bare_react'")


def test_sets_recursion_limit_to_30_on_agent_stream(react, aimock):
    """30 visits of two nodes are 15 rounds; the sixteenth is not begun."""
    answer = react(answer={"toolCalls": [{"name": "list_datasets",
                                          "arguments": "{}"}]})
    assert answer.last.type == "message_error"
    assert answer.last.data["code"] == "BUDGET", answer.last.data
    assert len(aimock.prompts(players.REACT)) == 15
    assert len(answer.of("tool_call")) == 15


def test_creates_5_tools_including_list_datasets(react, aimock):
    react()
    offered = [t["function"]["name"] for t in body_of(aimock, 0)["tools"]]
    assert sorted(offered) == sorted(TOOLS)


def test_fetches_relationships_for_relevant_datasets(react, aimock):
    react()
    system = system_of(aimock)
    assert "## Relationships (join hints)" in system
    assert "order_items.order_id -> orders.order_id" in system


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_matches_tool_results_by_tool_call_id(react, aimock, provider):
    names = ("stores", "products", "customers")
    answer = react([("get_dataset_details", {"datasetNames": [name]})
                    for name in names], provider=provider)
    assert answer.complete
    results = {e["toolCallId"]: e["result"] for e in answer.of("tool_result")}
    for call in answer.of("tool_call"):
        wanted = call["args"]["datasetNames"][0]
        assert f"name: {wanted}" in results[call["toolCallId"]]
    assert len(results) == 3


def test_persists_tool_call_results_in_metadata(react):
    answer = react([QUERY])
    call, = answer.metadata["toolCalls"]
    assert call["name"] == "query_database" and call["args"] == {"sql": BY_CITY}
    assert "| Dallas |" in call["result"] and "rows, " in call["result"]


def test_includes_conversation_history_with_tool_context(react, ann, retail, aimock):
    chat = ann.new_chat(retail, "openai", agent="react")
    react([QUERY], chat=chat)
    react(chat=chat, question="And the second?")
    system = system_of(aimock)
    talk = system[system.index("## Previous conversation"):]
    assert f"User: {QUESTION}" in talk and ANSWER in talk
    assert "query_database" in talk and "SUM(i.line_total)" in talk


def test_emits_the_events_of_the_seed_in_their_order(react):
    """message_start, tool_call, tool_result, text, token_update,
    message_complete."""
    types = react([QUERY], [("run_python", {"code": "print(1)"})]).types()
    first = [types.index(t) for t in ("message_start", "tool_call", "tool_result",
                                      "token_update", "text", "message_complete")]
    assert first == sorted(first)
    assert types.count("tool_call") == types.count("tool_result") == 2
    assert "phase_start" not in types and "tool_start" not in types


def test_token_update_has_no_phase(react):
    updates = react([QUERY]).of("token_update")
    assert all("phase" not in u for u in updates)
    assert updates[-1]["tokensUsed"]["total"] == 300


def test_handles_agent_errors_gracefully(react, models):
    """message_error, and the row says so."""
    answer = react(answer={"error": {"message": "no"}, "status": 400})
    assert answer.last.type == "message_error"
    assert answer.last.data["code"] == "MODEL_UNAVAILABLE", answer.last.data


def test_throws_not_found_for_missing_chat(ann):
    gone = "00000000-0000-4000-8000-000000000000"
    reply = ann.post(f"/api/data-agent/chats/{gone}/messages", {"content": "hi"})
    assert reply.status == 404


def test_skips_relationships_when_no_relevant_datasets_found(react, aimock):
    react(question="???")
    assert "## Relationships" not in system_of(aimock)


def test_truncates_tool_results_to_2000_characters(react):
    answer = react([("query_database",
                     {"sql": "select * from public.order_items limit 400"})])
    results = [e["result"] for e in answer.of("tool_result")]
    results += [c["result"] for c in answer.metadata["toolCalls"]]
    assert all(len(r) <= 2000 for r in results)
    assert max(map(len, results)) == 2000


def test_handles_multiple_parallel_tool_calls_correctly(react, aimock):
    """Their answers go back in the order of the calls."""
    answer = react([QUERY, ("get_sample_data", {"datasetName": "stores", "limit": 2}),
                    ("list_datasets", {})])
    said = [m for m in body_of(aimock, 1)["messages"] if m["role"] == "tool"]
    asked = [c for m in body_of(aimock, 1)["messages"]
             for c in m.get("tool_calls") or []]
    assert [m["tool_call_id"] for m in said] == [c["id"] for c in asked]
    assert "Dallas" in str(said[0]["content"])
    assert "datasets available" in str(said[2]["content"])
    assert [e["toolCallId"] for e in answer.of("tool_result")] == \
        [c["id"] for c in asked]


def test_provides_default_response_when_agent_produces_no_content(react):
    answer = react(answer=" \n")
    assert answer.complete, answer.last.data
    assert answer.content == "I have no answer to that."


# ---- prompts -------------------------------------------------------------------


def test_includes_dataset_yaml_in_prompt(react, aimock):
    react()
    system = system_of(aimock)
    assert "name: order_items" in system and "line_total" in system


def test_includes_relationship_join_hints_when_relationships_provided(react, aimock):
    react()
    assert "orders.store_id -> stores.store_id" in system_of(aimock)


def test_omits_relationships_section_when_empty(react, aimock):
    react(question="???")
    assert "join hints)" not in system_of(aimock)


def test_shows_discovery_guidance_when_no_datasets_match(react, aimock):
    react(question="???")
    assert "No dataset matched the question." in system_of(aimock)


def test_includes_enhanced_instructions(react, aimock):
    react()
    system = system_of(aimock)
    for text in ("COALESCE", "DATE_TRUNC", "Recover from errors", "get_sample_data",
                 "500 rows", "schema-qualified"):
        assert text in system, text


def test_includes_conversation_context(react, ann, retail, aimock):
    chat = ann.new_chat(retail, "openai", agent="react")
    react(chat=chat)
    react(chat=chat, question="And then?")
    assert f"User: {QUESTION}" in system_of(aimock)


def test_shows_default_when_no_conversation_history(react, aimock):
    react()
    assert "No previous conversation." in system_of(aimock)


# ---- what its runs promise beyond the seed -----------------------------------


def test_an_answer_has_results_checks_and_lineage(react):
    metadata = react([QUERY]).metadata
    step, = metadata["stepResults"]
    assert step["sqlResult"]["rowCount"] == 12
    assert metadata["verificationReport"]["status"] == "passed"
    assert {"orders", "order_items", "stores"} == set(metadata["datasetsUsed"])
    lineage = metadata["dataLineage"]
    assert len(lineage["joins"]) == 2 and lineage["rowCount"] == 12


def test_talk_has_no_report(react):
    metadata = react(answer="Hello!").metadata
    assert "verificationReport" not in metadata and "stepResults" not in metadata


def test_python_has_the_rows_and_its_charts_reach_the_message(react):
    answer = react([QUERY], [("run_python", {"code":
        "import matplotlib.pyplot as plt\n"
        "plt.bar(step_1_data.city, step_1_data.revenue.astype(float))\n"
        "print(len(step_1_data), 'cities')"})])
    assert "12 cities" in answer.of("tool_result")[1]["result"]
    chart, = answer.metadata["explainerOutput"]["charts"]
    assert base64.b64decode(chart).startswith(b"\x89PNG")


def test_a_model_reads_what_is_wrong_with_a_query(react, aimock):
    """Employees are summed once for each order of their store: the query runs, its
    check fails, and the model can still correct it."""
    doubled = ("SELECT SUM(s.employees) AS employees FROM public.stores s JOIN "
               "public.orders o ON o.store_id = s.store_id")
    answer = react([("query_database", {"sql": doubled})], [QUERY])
    first, second = [[str(m["content"]) for m in body_of(aimock, n)["messages"]
                      if m["role"] == "tool"] for n in (1, 2)]
    assert "A check of this query failed" in first[0], first
    assert "employees" in first[0].split("A check of this query failed")[1]
    assert "A check of this query failed" not in second[1], second
    assert answer.complete
    assert answer.metadata["verificationReport"]["status"] == "passed"


def attacks():
    """The texts of the guard's list that it must refuse, in rounds of 16 calls, 15
    rounds a question."""
    listed = (fixtures.ROOT / "test/data/guard/attacks.sql").read_text()
    texts = [text.strip() for text in listed.split("\n\n")]
    texts = [text for text in texts if text and not text.startswith("-- expect:")]
    rounds = [texts[i:i + 16] for i in range(0, len(texts), 16)]
    return [rounds[i:i + 14] for i in range(0, len(rounds), 14)]


@pytest.mark.parametrize("rounds", attacks(), ids=lambda r: f"{len(r)}-rounds")
def test_no_attack_passes_query_database(react, rounds):
    answer = react(*[[("query_database", {"sql": sql}) for sql in texts]
                     for texts in rounds])
    assert answer.complete, answer.last.data
    passed = [call["args"]["sql"] for call in answer.metadata["toolCalls"]
              if not call.get("error")]
    assert passed == []
    assert len(answer.of("tool_result")) == sum(map(len, rounds))
    assert "stepResults" not in answer.metadata


@pytest.mark.parametrize("calls, said", [
    ([("drop_everything", {})], "There is no such tool here."),
    ([("query_database", {})], "Give sql"),
    ([("query_database", {"sql": "delete from public.orders"})], "queries only read"),
    ([("get_relationships", {})], "There is no such tool here."),
    ([("run_python", {"code": "1/0"})], "ZeroDivisionError"),
    ([("get_dataset_details", {"datasetNames": ["nope"]})], "There is no dataset"),
])
def test_what_a_model_does_wrong_is_an_error_that_it_reads(react, calls, said):
    answer = react(calls)
    assert answer.complete
    result = answer.of("tool_result")[0]
    assert said in result["error"], result
    assert said in answer.metadata["toolCalls"][0]["error"]


def test_too_many_calls_at_once_are_refused_one_by_one(react):
    answer = react([("list_datasets", {})] * 20)
    refused = [e for e in answer.of("tool_result") if e.get("error")]
    assert len(refused) == 4 and "Too many" in refused[0]["error"]


def test_every_text_of_the_model_is_an_event(react, play, ann, retail):
    play("retail", [players.acts(QUESTION, QUERY, words="Let me look."),
                   players.reacts(QUESTION, ANSWER)])
    answer = ann.ask(ann.new_chat(retail, "openai", agent="react"), QUESTION)
    assert [e["content"] for e in answer.of("text")] == ["Let me look.", ANSWER]
    assert answer.content == ANSWER


def test_the_agent_of_a_chat_is_known_and_stays(ann, retail):
    made = ann.post("/api/data-agent/chats", {"ontologyId": retail, "agent": "react"})
    assert made.data["agent"] == "react"
    path = f"/api/data-agent/chats/{made.data['id']}"
    refused = ann.request("PATCH", path, {"agent": "pipeline"})
    assert refused.status == 400 and refused.fields() == {"agent"}
    assert ann.get(path).data["agent"] == "react"
    unknown = ann.post("/api/data-agent/chats",
                       {"ontologyId": retail, "agent": "wizard"})
    assert unknown.status == 400 and unknown.fields() == {"agent"}


def test_the_built_in_analyst_answers_it_too(ann, retail):
    answer = ann.ask(ann.new_chat(retail, "builtin", agent="react"),
                     "revenue by city in 2025 as a bar chart")
    assert answer.complete and "Dallas" in answer.content
    assert answer.metadata["verificationReport"]["status"] == "passed"
    assert len(answer.metadata["explainerOutput"]["charts"]) == 1
    assert [c["name"] for c in answer.of("tool_call")][-1] == "run_python"

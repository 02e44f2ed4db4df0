"""The replies of a language model to each phase, as fixtures for aimock.

A fixture recognizes a phase by the beginning of its system text, and a question by the
section "## Question" of the user's text. For structured output it has both dialects:
content, or a call of the tool with the schema's name."""
import json

PLANNER = "You are the Planner of a data agent"
NAVIGATOR = "You are the Navigator of a data agent"
SQL_BUILDER = "You are the SQL Builder of a data agent"
EXECUTOR = "You are the Executor of a data agent"
PYTHON = "You are the Python analyst of a data agent"
VERIFIER = "You are the Verifier of a data agent"
EXPLAINER = "You are the Explainer of a data agent"

USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
         "input_tokens": 100, "output_tokens": 50}

# Characters of one, two, three and four bytes, for stories that cut streams.
LETTERS = "naïve café — 数据 📈"


def says(marker, question, response, **match):
    """One fixture; `question` None matches every question."""
    if question is not None:
        # The Planner's prompt ends with the question.
        match["userMessage"] = f"## Question\n{question}" + (
            "" if marker == PLANNER else "\n")
    if isinstance(response, str):
        response = {"content": response}
    return {"match": {"systemMessage": marker, **match},
            "response": {**response, "usage": USAGE}}


def structured(marker, question, name, value, **match):
    """The two dialects of a structured answer."""
    text = json.dumps(value, ensure_ascii=False)
    call = {"toolCalls": [{"name": name, "arguments": text}]}
    return [says(marker, question, call, toolName=name, **match),
            says(marker, question, text, **match)]


def plan(question, steps, **more):
    value = {"complexity": "simple" if len(steps) == 1 else "analytical",
             "intent": question, "metrics": [], "dimensions": [],
             "timeWindow": None, "filters": [], "grain": "one row a group",
             "ambiguities": [], "acceptanceChecks": ["no duplicates"],
             "shouldClarify": False, "clarificationQuestions": [], "answers": [],
             "steps": steps}
    value.update(more)
    return value


def step(number, datasets, strategy="sql", depends_on=(), description=None):
    return {"id": number, "description": description or f"Step {number}",
            "strategy": strategy, "dependsOn": list(depends_on),
            "datasets": list(datasets), "expectedOutput": "rows"}


def queries(*specs):
    """Of (step, sql, columns)."""
    return {"queries": [
        {"stepId": number, "description": f"Query of step {number}",
         "pilotSql": f"select * from ({sql.rstrip()}) pilot limit 10",
         "fullSql": sql, "expectedColumns": list(columns), "notes": ""}
        for number, sql, columns in specs]}


def python(code):
    return f"Here it is:\n\n```python\n{code}\n```\n"


def verifier_code(row_count, columns, step_number=1):
    """A script as the Verifier requests it, with the known result."""
    return python(f"""\
import json
checks = []
def check(name, passed, message, severity="fail"):
    checks.append({{"name": name, "passed": bool(passed),
                   "severity": severity, "message": message}})
rows = step_{step_number}_data
try:
    check("row count", len(rows) == {row_count}, f"{{len(rows)}} rows")
    check("columns", len(rows) == 0 or len(rows.columns) == {len(columns)},
          ", ".join(map(str, rows.columns)))
    check("no duplicates", not rows.duplicated().any(), "whole rows")
    check("has rows", len(rows) > 0, "an empty result", "warn")
except Exception as e:
    check("ran", False, repr(e))
print("checked", len(checks))
print(json.dumps({{"checks": checks, "diagnosis": "",
                  "recommendedTarget": None}}))""")


CHART = python("""\
import pandas as pd
import matplotlib.pyplot as plt
rows = current_data if "current_data" in globals() else step_1_data
value = pd.to_numeric(rows.iloc[:, 1])
plt.figure(figsize=(4, 3))
plt.bar(rows.iloc[:, 0].astype(str), value)
plt.title("By " + str(rows.columns[0]))
plt.xticks(rotation=90)
print(f"{len(rows)} bars, the largest is {value.max():.2f}")""")


def narrative(question, rows):
    """Quotes a value of the result, so that the answer depends on it."""
    if not rows:
        return f"There are no rows for that: the data has nothing ({LETTERS})."
    first = ["(none)" if value is None else value for value in rows[0]]
    return (f"**{first[0]}** stands first in “{question}”.\n\n"
            f"| {' | '.join(first)} |\n|{'---|' * len(first)}\n\n{LETTERS}\n")


def notes():
    return "Join along the relationships; nothing multiplies rows."


def explores(question, datasets):
    """Two rounds: tools, then notes."""
    calls = [{"name": "get_dataset_details",
              "arguments": json.dumps({"datasetNames": list(datasets)})},
             {"name": "get_relationships", "arguments": "{}"}]
    return [says(NAVIGATOR, question, {"toolCalls": calls}, hasToolResult=False),
            says(NAVIGATOR, question, notes(), hasToolResult=True)]


def answers(question, datasets, sql, columns, rows, with_chart=False, most=1000):
    """All fixtures for one question with one SQL step."""
    strategy = "sql_then_python" if with_chart else "sql"
    found = []
    found += structured(PLANNER, question, "generate_plan",
                        plan(question, [step(1, datasets, strategy)]))
    found += explores(question, datasets)
    found += structured(SQL_BUILDER, question, "generate_queries",
                        queries((1, sql, columns)))
    found.append(says(PYTHON, question, CHART))
    found.append(says(VERIFIER, question,
                      verifier_code(min(len(rows), most), columns)))
    found.append(says(EXPLAINER, question, narrative(question, rows)))
    return found


def refuses(question, why):
    """A plan that names a dataset which does not exist."""
    return [
        *structured(PLANNER, question, "generate_plan",
                    plan(question, [step(1, ["no_such_dataset"])])),
        says(NAVIGATOR, question,
             {"toolCalls": [{"name": "list_datasets", "arguments": "{}"}]},
             hasToolResult=False),
        says(NAVIGATOR, question, "No dataset holds that.", hasToolResult=True),
        says(EXPLAINER, question, f"I cannot answer that from this data. {why}")]


def of_questions(questions):
    """Fixtures of gold questions; longer ones first, since the Planner's prompt
    may end with the beginning of another."""
    found = []
    for q in sorted(questions, key=lambda q: -len(q.text)):
        if q.refusal:
            found += refuses(q.text, q.refusal)
        else:
            found += answers(q.text, q.tables, q.sql, q.columns, q.rows,
                             with_chart=q.chart or q.python)
    return found


# ---- the CSV analyst --------------------------------------------------------

CSV = "You are a data analyst. You help people explore one dataset"


def analyses(question, reply, turn=None):
    """The model's n-th reply to the CSV analyst; a list: tool calls."""
    if isinstance(reply, list):
        reply = {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}
                               for name, arguments in reply]}
    fixture = reacts(question, reply, turn)
    fixture["match"]["systemMessage"] = CSV
    return fixture


# ---- the ReAct agent --------------------------------------------------------

REACT = "You are an expert data analyst"


def acts(question, *calls, turn=0, words=""):
    """Tool calls in one reply of the ReAct agent: (name, arguments) each."""
    reply = {"toolCalls": [{"name": name, "arguments": arguments
                            if isinstance(arguments, str) else json.dumps(arguments)}
                           for name, arguments in calls]}
    if words:
        reply["content"] = words
    return reacts(question, reply, turn)


def reacts(question, reply, turn=None):
    """The model's n-th reply to the ReAct agent; `turn` None: any reply."""
    if isinstance(reply, str):
        reply = {"content": reply}
    match = {"systemMessage": REACT, "userMessage": question}
    if turn is not None:
        match["turnIndex"] = turn
    return {"match": match, "response": {**reply, "usage": USAGE}}

"""What the ways in and out cost: the CPU of the workers for the same questions through the
API, the façade of the OpenAI API and the MCP server, and the time that Sextant adds to a
query of Trino. Rounds alternate, because the cores are shared."""
import concurrent.futures
import http.client
import json
import pathlib
import statistics
import sys
import time
import urllib.request

STORY = pathlib.Path(__file__).resolve().parent.parent / "test" / "story"
QUESTION = "Why is Houston underperforming?"
AT_ONCE = 8
META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
TRINO_SQL = "select name, regionkey from tpch.tiny.nation order by name limit 10"


def cpu_ms(pids):
    """Of all threads, as the scheduler counts it: in nanoseconds, not in ticks."""
    total = 0
    for pid in pids:
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
            total += int(task.read_text().split()[0])
    return total / 1e6


class Caller:
    def __init__(self, bench):
        self.port, self.token = bench.port, bench.token

    def post(self, path, body, **headers):
        """The whole answer, as text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request("POST", path, json.dumps(body), {
                "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream", **headers})
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status >= 300:
                sys.exit(f"bench: {path}: {answer.status} {text[:400]}")
            return text
        finally:
            connection.close()

    def chat(self, ontology):
        body = {"name": "Bench", "ontologyId": ontology, "llmProvider": "openai"}
        return json.loads(self.post("/api/data-agent/chats", body))["data"]["id"]

    def api(self, chat):
        asked = json.loads(self.post(f"/api/data-agent/chats/{chat}/messages",
                                     {"content": QUESTION}))["data"]
        message = asked["assistantMessage"]["id"]
        return "message_complete" in self.post(
            f"/api/data-agent/chats/{chat}/messages/{message}/stream", {})

    def openai(self, _):
        return '"finish_reason":"stop"' in self.post("/v1/chat/completions", {
            "model": "bench", "stream": True,
            "messages": [{"role": "user", "content": QUESTION}]})

    def mcp(self, _):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "ask", "arguments": {"question": QUESTION, "ontology": "bench"},
            "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {},
                      "progressToken": "p"}}}
        return '"structuredContent"' in self.post(
            "/mcp", body, **{"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call",
                             "Mcp-Name": "ask"})


def protocol_cost(bench, rounds, runs):
    """The chats of the API are made before, those of the others are part of their run."""
    caller = Caller(bench)
    ontology = bench.postgres.rows(
        "sextant", "select id from ontologies where status = 'ready'")[0][0]
    ways = ["api", "openai", "mcp"]
    cost = {way: [] for way in ways}
    pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
    for n in range(-1, rounds):  # the first one only warms up
        for way in ways[n % 3:] + ways[:n % 3]:
            chats = list(pool.map(caller.chat, [ontology] * runs)) if way == "api" else \
                [None] * runs
            time.sleep(0.5)  # what was begun before is over
            before = cpu_ms(bench.workers())
            done = sum(pool.map(getattr(caller, way), chats))
            time.sleep(0.2)
            used = (cpu_ms(bench.workers()) - before) / runs
            if done != runs:
                sys.exit(f"bench: {way}: {runs - done} of {runs} runs failed")
            if n >= 0:
                cost[way].append(used)
    bench.row("CPU of the worker for a run through the API",
              f"{statistics.median(cost['api']):.2f} ms", "",
              f"medians of {rounds} rounds of {runs} questions, {AT_ONCE} at a time, with the "
              "request that asks")
    for way, name in (("openai", "the façade of the OpenAI API, streamed"),
                      ("mcp", "MCP's ask, with progress")):
        added = [theirs - ours for theirs, ours in zip(cost[way], cost["api"])]
        bench.row(f"… added by {name}", f"{statistics.median(added):+.2f} ms", "< 1 ms",
                  " ".join(f"{x:+.2f}" for x in added))
    bench.check_model()


# ---- Trino ----------------------------------------------------------------------------

def plain(port):
    """A plain client of Trino's protocol: the rows."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/statement", TRINO_SQL.encode(),
        {"X-Trino-User": "ann", "X-Trino-Catalog": "tpch", "X-Trino-Schema": "tiny"})
    rows = []
    while request:
        with urllib.request.urlopen(request, timeout=60) as answer:
            page = json.load(answer)
        rows += page.get("data", [])
        request = page.get("nextUri")
    return rows


def trino_cost(bench, times):
    sys.path.insert(0, str(STORY))
    from trino import Trino, missing
    if missing():
        print(f"  Trino is not measured: {missing()}")
        return
    cluster = Trino({"tpch": "connector.name=tpch\n"}).start()
    try:
        bench.sextant("connection", "add", "lake", "--owner", "bench@example.com",
                      f"trino://ann@127.0.0.1:{cluster.port}/tpch/tiny?sslmode=disable")
        bench.sextant("import", "--from-database", "lake", "--name", "lake", "--owner",
                      "bench@example.com")
        ontology = bench.postgres.rows(
            "sextant", "select id from ontologies where name = 'lake'")[0][0]
        caller = Caller(bench)

        def through_us():
            answer = json.loads(caller.post("/api/sql/run", {
                "ontologyId": ontology, "sql": TRINO_SQL}))["data"]
            return answer["rows"]

        took = {"plain": [], "ours": []}
        for n in range(times + 5):
            for way, ask in (("plain", lambda: plain(cluster.port)), ("ours", through_us)):
                began = time.monotonic()
                if len(ask()) != 10:
                    sys.exit("bench: Trino's rows are missing")
                if n >= 5:
                    took[way].append((time.monotonic() - began) * 1000)
        added = [b - a for a, b in zip(took["plain"], took["ours"])]
        bench.row("added to the time of a Trino query",
                  f"{statistics.median(added):+.1f} ms", "< 20 ms",
                  f"medians of {times} pairs: a plain client of Trino's protocol "
                  f"{statistics.median(took['plain']):.0f} ms, the SQL console "
                  f"{statistics.median(took['ours']):.0f} ms")
    finally:
        cluster.remove()

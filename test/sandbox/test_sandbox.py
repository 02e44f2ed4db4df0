"""The HTTP interface of the sandbox."""

import ast
import base64
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

import pytest
from conftest import PYTHON, SERVER, Server, descendants

COLORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "web", "src", "theme", "chartColors.ts")
FIELDS = {"stdout", "stderr", "returnCode", "charts", "files",
          "executionTimeMs", "error"}

# For tests of the server's life, which need no packages.
COLD = {"SANDBOX_WARM": "0"}


# The cases of the client's specification, by name.

def test_executes_python_code(server):
    status, answer = server.execute("print(6 * 7)")
    assert status == 200 and set(answer) == FIELDS
    assert answer["stdout"] == "42\n" and answer["returnCode"] == 0
    assert answer["error"] is None and answer["executionTimeMs"] >= 0


def test_returns_stdout_and_stderr(server):
    _, answer = server.execute(
        "import sys\nprint('out')\nprint('err', file=sys.stderr)")
    assert (answer["stdout"], answer["stderr"]) == ("out\n", "err\n")


def test_returns_base64_charts(server):
    _, answer = server.execute(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
        "plt.savefig('/tmp/b.png')\nplt.savefig('/tmp/a.jpg')")
    assert [f["filename"] for f in answer["files"]] == ["a.jpg", "b.png"]
    assert len(answer["charts"]) == 1
    assert base64.b64decode(answer["charts"][0])[:4] == b"\x89PNG"


def test_handles_execution_timeout(server):
    for timeout in (0.3, 3, 30):  # a busy machine may not get that far
        status, answer = server.execute(
            "print('so far')\nwhile True: pass", timeout=timeout)
        if answer["stdout"]:
            break
    assert status == 408 and set(answer) == FIELDS
    assert answer["stdout"] == "so far\n" and answer["returnCode"] == -1
    assert "timed out" in answer["error"]


def test_handles_code_errors(server):
    status, answer = server.execute("x = 1\nprint(x / 0)")
    assert status == 200 and answer["returnCode"] == 1
    assert answer["error"] == "ZeroDivisionError: division by zero"
    assert 'line 2, in <module>\n    print(x / 0)' in answer["stderr"]
    assert "sextant" not in answer["stderr"]


def test_health_check_passes(server):
    status, health = server.health()
    assert status == 200 and health["status"] == "ok"
    assert set(health) == {"status", "layers", "packages", "parallel",
                           "running", "queued", "zygoteRssKb"}
    assert health["layers"]["rlimits"] and health["layers"]["uid"]
    assert {"pandas", "numpy", "scipy", "scikit-learn", "matplotlib",
            "seaborn", "openpyxl"} <= set(health["packages"])
    assert health["zygoteRssKb"] > 50_000


def test_health_check_fails_when_sandbox_down():
    server = Server(environment=COLD).drain()
    assert server.stop() == 0
    with pytest.raises(OSError):
        server.health()


# Data.

def test_an_array_of_objects_is_a_dataframe(server):
    data = {"sales": [{"k": "a", "v": 1}, {"k": "b", "v": 2}],
            "plain": [1, 2], "none": None, "not a name": 1, "class": 2}
    _, answer = server.execute(
        "print(type(sales).__name__, sales['v'].sum(), plain, none, "
        "sorted(data), data['class'], type(data['sales']).__name__)",
        data=data)
    assert answer["stdout"] == ("DataFrame 3 [1, 2] None ['class', 'none', "
                                "'not a name', 'plain', 'sales'] 2 list\n")


def test_column_types_are_converted_where_that_is_sound(server):
    rows = [{"n": "1.5", "i": "9007199254740993", "d": "2024-02-29",
             "t": "2024-02-29T12:00:00.5Z", "bad": "x", "s": "1"},
            {"n": None, "i": None, "d": None, "t": None, "bad": "2",
             "s": "2"}]
    types = {"n": "numeric", "i": "int8", "d": "date", "t": "timestamptz",
             "bad": "int8", "missing": "date"}
    _, answer = server.execute(
        "print([str(t).split('[')[0] for t in df.dtypes], df['i'][0])",
        data={"df": rows}, columnTypes={"df": types})
    assert answer["stdout"] == (
        "['float64', 'Int64', 'datetime64', 'datetime64', 'str', 'str'] "
        "9007199254740993\n"), answer


def test_no_rows_are_an_empty_dataframe(server):
    _, answer = server.execute("print(len(df), list(df.columns))",
                               data={"df": []},
                               columnTypes={"df": {"a": "text"}})
    assert answer["stdout"] == "0 ['a']\n"


def test_charts_have_the_colors_of_the_page(server):
    page = re.search(r"LIGHT_CHART.*?series: \[(.*?)\]", open(COLORS).read(),
                     re.S)
    _, answer = server.execute(
        "import matplotlib as m\n"
        "print(m.rcParams['axes.prop_cycle'].by_key()['color'])")
    assert ast.literal_eval(answer["stdout"]) == re.findall("#[0-9a-f]{6}",
                                                            page[1])


def test_tick_labels_do_not_collide(server):
    _, answer = server.execute(
        "import matplotlib.pyplot as plt\n"
        "names = [f'a long name, number {i}' for i in range(12)]\n"
        "plt.bar(names, range(12))\nplt.show()\n"
        "figure, axes = plt.subplots()\naxes.plot([1, 2], [3, 4])\n"
        "from sextant_sandbox import chart_theme\n"
        "for n in plt.get_fignums():\n"
        "    chart_theme.part_labels(plt.figure(n))\n"
        "    labels = plt.gca().get_xticklabels()\n"
        "    print({l.get_rotation() for l in labels})")
    assert answer["stdout"] == "{45.0}\n{0.0}\n", answer["stderr"]
    assert len(answer["charts"]) == 2


def test_open_figures_are_charts_and_saved_ones_are_not_doubled(server):
    _, answer = server.execute(
        "import matplotlib.pyplot as plt\nimport seaborn as sns\n"
        "plt.plot([1]); plt.savefig('/tmp/a.png')\n"
        "plt.figure(); sns.barplot(x=['a'], y=[1]); plt.show()\n"
        "plt.figure(); plt.plot([2]); plt.savefig('/tmp/not-a-chart.pdf')\n"
        "plt.figure()")
    assert [f["filename"] for f in answer["files"]] == [
        "a.png", "figure_2.png", "figure_3.png"], answer["stderr"]
    assert answer["stderr"] == ""


NOISE = """
import numpy as np
from PIL import Image
for n in range({count}):
    pixels = np.random.randint(0, 256, ({height}, 1000, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(f"/tmp/{{n:02}}.{kind}")
"""


def encoded(answer):
    return sum(len(f["data"]) for f in answer["files"])


def test_an_image_is_in_the_answer_once_where_that_is_asked_for(server):
    code = (NOISE.format(count=2, height=10, kind="png") +
            "Image.fromarray(pixels).save('/tmp/00.jpg')")
    _, answer = server.execute(code)
    assert [f["data"] for f in answer["files"][1:]] == answer["charts"]
    _, answer, _ = server.request("POST", "/execute", json.dumps({"code": code}),
                                  headers={"X-Sandbox-Images": "once"})
    assert len(answer["charts"]) == 2
    photograph, *charts = answer["files"]
    assert base64.b64decode(photograph["data"])[:3] == b"\xff\xd8\xff"
    assert charts == [{"filename": "00.png", "chart": 0},
                      {"filename": "01.png", "chart": 1}]


def test_images_of_a_run_have_a_limit_in_sum(server):
    """Each has some 3.9 MiB in base64."""
    _, answer = server.execute(NOISE.format(count=6, height=1000, kind="png"))
    assert answer["error"] is None and answer["returnCode"] == 0
    assert [f["filename"] for f in answer["files"]] == ["00.png", "01.png"]
    assert encoded(answer) <= 10 << 20
    assert answer["stderr"].endswith(
        "were left out: 02.png, 03.png, 04.png, 05.png\n")


def peak_kb(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(next(x for x in file if x.startswith("VmHWM:")).split()[1])


def test_four_runs_full_of_images_are_little_for_the_front():
    server = Server().drain()
    try:
        server.execute("print(1)")
        before = peak_kb(server.process.pid)
        threads = [threading.Thread(target=server.execute, args=(NOISE.format(
            count=10, height=1200, kind="png"),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert peak_kb(server.process.pid) - before < 200 * 1024
    finally:
        server.stop()


# ---- isolation of executions -------------------------------------------------

SEARCH = """
import gc, sys
frame, code = sys._getframe(), set()
while frame:
    code.add(frame.f_code.co_name)
    frame = frame.f_back
texts = {repr(v) for o in gc.get_objects() if type(o) in (list, tuple, dict)
         for v in (o.values() if isinstance(o, dict) else o)
         if type(v) in (str, int, bytes)}
print(any("-".join(["a", "name", "of", "another"]) in t for t in texts))
print(sorted(code & {"_bury", "_reap"}))
print([type(o).__name__ for o in gc.get_objects()
       if type(o).__name__ == "Child" and o.slot is not None
       and getattr(o, "pid", None)])
"""


def test_an_execution_knows_nothing_of_those_before_it(server):
    for _ in range(6):  # more than there are slots
        server.execute(NOISE.format(count=1, height=10, kind="png") +
                       "import os, sys\nos.rename('/tmp/00.png',"
                       " '/tmp/a-name-of-another.png')\nsys.exit(57)")
    for _ in range(6):
        _, answer = server.execute(SEARCH)
        assert answer["stdout"] == "False\n[]\n[]\n", answer


def test_charts_drawn_before_a_timeout_are_returned(server):
    for timeout in (3, 30):  # a busy machine has not drawn it by then
        status, answer = server.execute(
            "import matplotlib.pyplot as plt\nplt.plot([1])\n"
            "plt.savefig('/tmp/a.png')\nprint('drawn')\nwhile True: pass",
            timeout=timeout)
        if answer["stdout"]:
            break
    assert status == 408 and len(answer["charts"]) == 1


PACKAGES = """
import pandas as pd, numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
df = pd.DataFrame({'a': np.arange(60) % 2, 'b': np.arange(60)})
df.to_excel('/tmp/x.xlsx', index=False)
print(len(pd.read_excel('/tmp/x.xlsx')))
df.to_csv('/tmp/x.csv')
model = RandomForestClassifier(5, n_jobs=-1)
print(len(cross_val_score(model, df[['b']], df['a'], n_jobs=2, cv=3)))
print(round(stats.ttest_ind([1, 2, 3], [1, 2, 3]).pvalue, 2))
import sqlite3; print(sqlite3.connect(':memory:').execute('select 7').fetchone())
from concurrent.futures import ThreadPoolExecutor
print(list(ThreadPoolExecutor(4).map(abs, [-1, 2])))
from multiprocessing.pool import ThreadPool
print(ThreadPool(2).map(abs, [-3]))
import multiprocessing
with multiprocessing.Lock(): print('locked')
"""


def the_packages_work(server):
    _, answer = server.execute(PACKAGES)
    assert answer["stdout"] == (
        "60\n3\n1.0\n(7,)\n[1, 2]\n[3]\nlocked\n"), answer


def test_the_packages_work(server):
    the_packages_work(server)


# Limits.

def test_memory_has_a_limit(server):
    _, answer = server.execute("x = bytearray(400_000_000); print(len(x))")
    assert answer["stdout"] == "400000000\n"
    _, answer = server.execute("x = bytearray(600_000_000)")
    assert answer["error"] == "memory limit of 512 MB reached"


def test_output_is_cut(server):
    _, answer = server.execute("print('x' * 3_000_000)")
    assert answer["stdout"].endswith("\n... output cut")
    assert len(answer["stdout"]) < (1 << 20) + 20
    assert answer["returnCode"] == 0


def test_the_environment_is_empty_and_tmp_is_fresh(server):
    for _ in range(6):
        _, answer = server.execute(
            "import os\nprint(dict(os.environ), os.listdir('/tmp'))\n"
            "open('/tmp/left', 'w').write('x')")
        assert answer["stdout"] == "{} []\n"


def test_a_signal_is_named(server):
    _, answer = server.execute("import os\nos.kill(os.getpid(), 9)")
    assert answer["returnCode"] == -9
    assert answer["error"] == "killed by signal 9 (SIGKILL)"


def test_exit_codes_are_those_of_python(server):
    codes = {"exit()": 0, "raise SystemExit(7)": 7, "1/0": 1,
             "import sys; sys.exit('why')": 1, "import sys;sys.exit(256+3)": 3}
    for code, expected in codes.items():
        _, answer = server.execute("import sys\n" + code.replace(
            "exit()", "sys.exit()", 1) if code == "exit()" else code)
        assert answer["returnCode"] == expected, code


# Requests that are refused.

@pytest.mark.parametrize("body", [
    "", "{", "[]", "{}", '{"code": 1}', '{"code": null}',
    '{"code": "1", "timeout": "x"}', '{"code": "1", "timeout": 0}',
    '{"code": "1", "timeout": -1}', '{"code": "1", "timeout": true}',
    '{"code": "1", "data": []}', '{"code": "1", "data": "x"}',
    '{"code": "1", "columnTypes": []}', '{"code":"1","data":' + "[" * 100000,
    b"\xff\xfe\x00"])
def test_a_malformed_request_is_400(server, body):
    status, answer, _ = server.request("POST", "/execute", body)
    assert status == 400 and answer["statusCode"] == 400
    assert answer["code"] == "VALIDATION_ERROR" and answer["message"]


def test_unknown_paths_and_methods(server):
    assert server.request("GET", "/nothing")[0] == 404
    assert server.request("GET", "/execute")[0] == 405
    assert server.request("POST", "/health", "")[0] == 405


def test_a_large_body_is_413(server):
    status, answer, _ = server.request(
        "POST", "/execute", None, {"Content-Length": str(33 << 20)})
    assert status == 413 and answer["code"] == "PAYLOAD_TOO_LARGE"


def raw(server, text, until_closed=True):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(60)
        sock.connect(server.socket)
        sock.sendall(text)
        answer = b""
        while more := sock.recv(65536):
            answer += more
        return answer


@pytest.mark.parametrize("request_, status", [
    (b"nonsense\r\n\r\n", b"400"),
    (b"GET /health HTTP/2.0\r\n\r\n", b"505"),
    (b"POST /execute HTTP/1.1\r\n\r\n", b"411"),
    (b"POST /execute HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
    (b"POST /execute HTTP/1.1\r\nContent-Length: 1\r\n"
     b"Content-Length: 2\r\n\r\n", b"400"),
    (b"POST /execute HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"501"),
    (b"GET /health HTTP/1.1\r\nx: " + b"y" * 70000 + b"\r\n\r\n", b"431"),
])
def test_malformed_http_is_refused(server, request_, status):
    try:
        answer = raw(server, request_)
    except ConnectionError:
        answer = status  # refused before the body was read to its end
    assert status in answer[:40]


def test_a_connection_serves_several_requests(server):
    from conftest import UnixConnection
    connection = UnixConnection(server.socket)
    for path in ("/health", "/nothing", "/health"):
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert response.status in (200, 404)
    for _ in range(2):
        connection.request("POST", "/execute", '{"code": "print(1)"}')
        assert json.loads(connection.getresponse().read())["stdout"] == "1\n"
    connection.close()


def test_a_body_may_be_announced_with_100_continue(server):
    body = b'{"code": "print(1)"}'
    answer = raw(server, b"POST /execute HTTP/1.1\r\nExpect: 100-continue\r\n"
                 b"Connection: close\r\nContent-Length: %d\r\n\r\n%s"
                 % (len(body), body))
    assert answer.startswith(b"HTTP/1.1 100 ") and b'"1\\n"' in answer


# Concurrency and shutdown.

def wait_until(condition, seconds=60):
    """Polls the server's own figures; there is no event to wait for."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.005)


def work(server):
    health = server.health()[1]
    return health["running"], health["queued"]


def test_health_answers_while_all_places_are_taken(server):
    with server.endless(6):
        wait_until(lambda: work(server) == (4, 2))


def test_an_execution_ends_when_its_client_goes(server):
    with server.endless(1):
        wait_until(lambda: work(server) == (1, 0))
    wait_until(lambda: work(server) == (0, 0))


def test_the_queue_is_bounded():
    server = Server(environment={**COLD, "SANDBOX_PARALLEL": "1",
                                 "SANDBOX_QUEUE": "1"}).drain()
    try:
        with server.endless(2):
            wait_until(lambda: work(server) == (1, 1))
            status, answer, response = server.request(
                "POST", "/execute", '{"code": "1"}')
            assert status == 503 and answer["code"] == "UNAVAILABLE"
            assert int(response.headers["Retry-After"]) >= 1
        wait_until(lambda: work(server) == (0, 0))
        assert server.execute("print(1)")[1]["stdout"] == "1\n"
    finally:
        server.stop()


# ---- shares --------------------------------------------------------------

class Waiting:
    """A requested execution; `close` ends it."""

    def __init__(self, server, user, code="while True: pass"):
        body = json.dumps({"code": code, "timeout": 120}).encode()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(server.socket)
        self.socket.sendall(b"POST /execute HTTP/1.1\r\nConnection: close\r\n"
                            b"X-Sandbox-User: %s\r\nContent-Length: %d\r\n\r\n"
                            % (user.encode(), len(body)) + body)

    def status(self):
        answer = b"".join(iter(lambda: self.socket.recv(65536), b""))
        return int(answer.split()[1])

    def close(self):
        self.socket.close()


@pytest.fixture
def shared():
    server = Server(environment={**COLD, "SANDBOX_QUEUE": "8"}).drain()
    begun = []

    def ask(user, number=1, code="while True: pass"):
        begun.extend(Waiting(server, user, code) for _ in range(number))
        return begun[-number:]
    yield server, ask
    for each in begun:
        each.close()
    server.stop()


def test_a_user_has_half_of_the_places_at_most(shared):
    server, ask = shared
    ask("eve", 4)
    wait_until(lambda: work(server) == (2, 2))
    (other,) = ask("ann", code="print(1)")
    assert other.status() == 200
    assert work(server) == (2, 2), "hers still wait"


def test_a_user_has_half_of_the_queue_at_most(shared):
    server, ask = shared
    ask("eve", 2)
    wait_until(lambda: work(server) == (2, 0))
    ask("eve", 4)
    wait_until(lambda: work(server) == (2, 4))
    assert ask("eve")[0].status() == 503
    ask("ann", 2)
    wait_until(lambda: work(server) == (4, 4))
    ask("bob", 1)
    wait_until(lambda: work(server) == (4, 5))


def test_who_has_the_fewest_running_is_next(shared):
    server, ask = shared
    first, _, *_ = ask("eve", 4)
    wait_until(lambda: work(server) == (2, 2))
    ask("ann", 2)
    wait_until(lambda: work(server) == (4, 2))
    (bobs,) = ask("bob", code="print(1)")
    wait_until(lambda: work(server) == (4, 3))
    first.close()  # a slot of eve, whose other requests have waited longer
    assert bobs.status() == 200


def test_who_leaves_the_queue_has_left_it(shared):
    server, ask = shared
    eves = ask("eve", 2)
    wait_until(lambda: work(server) == (2, 0))
    eves += ask("eve", 4)
    wait_until(lambda: work(server) == (2, 4))
    for each in eves[2:]:
        each.close()
    wait_until(lambda: work(server) == (2, 0))
    for each in eves[:2]:
        each.close()
    wait_until(lambda: work(server) == (0, 0))
    assert ask("eve", code="print(1)")[0].status() == 200


def test_tcp_needs_the_token():
    import http.client
    server = Server(tcp=True, environment={**COLD, "SANDBOX_TOKEN": "right"}).drain()
    try:
        port = server.ready["address"][1]
        for header, status in (({}, 401), ({"Authorization": "Bearer no"}, 401),
                               ({"Authorization": "Bearer right"}, 200)):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/execute", '{"code": "1"}', header)
            assert connection.getresponse().status == status
            connection.close()
    finally:
        server.stop()


def test_tcp_without_a_token_does_not_start():
    run = subprocess.run([PYTHON, SERVER, "--port", "0"], env={},
                         capture_output=True, text=True)
    assert run.returncode != 0 and "SANDBOX_TOKEN" in run.stderr


def test_help_explains():
    run = subprocess.run([PYTHON, SERVER, "--help"], capture_output=True,
                         text=True)
    assert run.returncode == 0
    assert "--socket" in run.stdout and "SANDBOX_PARALLEL" in run.stdout


def test_below_the_floor_nothing_runs():
    server = Server(environment={
        **COLD, "SANDBOX_DISABLE_LAYERS": "seccomp,landlock"}).drain()
    try:
        assert server.ready["msg"] == "sandbox unsafe"
        status, health = server.health()
        assert status == 503
        assert health["reason"] == "neither seccomp nor Landlock"
        assert server.execute("print(1)")[0] == 503
    finally:
        server.stop()


def test_a_missing_package_is_named_in_one_line(tmp_path):
    bare = tmp_path / "bare"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", bare], check=True)
    server = Server(python=bare / "bin" / "python3", awaited=("no zygote",))
    why = "the packages cannot be loaded: No module named 'numpy'"
    assert server.ready["reason"] == why
    assert server.ready["restartInSeconds"] >= 30
    assert not any("Traceback" in line for line in server.lines)
    server.drain()
    try:
        status, answer = server.execute("print(1)")
        assert (status, answer["message"]) == (503, why)
        for path in ("/tables", "/query"):
            status, answer, response = server.request("POST", path, "{}")
            assert (status, answer["message"]) == (503, why)
            assert int(response.headers["Retry-After"]) >= 1
        assert server.health()[1]["reason"] == why
    finally:
        server.stop()


# Folders nested deeper than a path may be long, and deeper than Python can recurse.
NESTED = """import os
for n in range(2500):
    os.mkdir("a" * 9)
    os.chdir("a" * 9)
os.mkdir("/tmp/b")
os.mkdir("/tmp/b/c")
os.chmod("/tmp/b", 0)
"""


def empty_tmp(server):
    _, answer = server.execute("import os; print(os.listdir('/tmp'))")
    return answer.get("stdout") == "[]\n"


@pytest.mark.parametrize("missing", [
    "userNamespace,mountNamespace,pidNamespace,networkNamespace",
    "userNamespace", "landlock"])
def test_with_fewer_layers_it_still_confines(missing):
    server = Server(environment={"SANDBOX_DISABLE_LAYERS": missing}).drain()
    try:
        for name in missing.split(","):
            assert server.health()[1]["layers"][name] is False
        _, answer = server.execute(
            "import matplotlib.pyplot as plt, os\nplt.plot([1])\n"
            "plt.savefig('/tmp/a.png')\nprint(os.listdir('/tmp'))")
        assert answer["stdout"] == "['a.png']\n", answer
        assert len(answer["charts"]) == 1
        the_packages_work(server)
        layers = server.health()[1]["layers"]
        refused = ["import os; os.fork()",
                   "import os; os.kill(os.getppid() or 1, 9)",
                   "import socket; socket.socket()"]
        if layers["mountNamespace"] or layers["landlock"]:
            refused.append("open('/etc/passwd')")
        for code in refused:
            assert server.execute(code)[1]["returnCode"] == 1, code
        _, answer = server.execute(
            "for n in range(100): open(f'/tmp/{n}', 'wb').write("
            "b'x' * 5_000_000)\nimport time; time.sleep(60)", timeout=90)
        assert answer["error"] and "imed" not in answer["error"]
        assert empty_tmp(server)
        server.execute(NESTED)
        assert empty_tmp(server)
    finally:
        assert server.stop() == 0


def test_a_dead_zygote_is_replaced_and_requests_wait_for_it():
    server = Server(environment=COLD).drain()
    try:
        outer = next(iter(descendants(server.process.pid)))
        os.kill(outer, signal.SIGKILL)
        status, answer = server.execute("print(1)")
        for _ in range(8):  # it was assigned to a child that died with the zygote
            if status == 503:
                status, answer = server.execute("print(1)")
        assert (status, answer.get("stdout")) == (200, "1\n")
    finally:
        server.stop()


def test_the_zygote_is_renewed_after_its_share_of_executions():
    server = Server(environment={**COLD, "SANDBOX_RECYCLE": "5"}).drain()
    try:
        first = next(iter(descendants(server.process.pid)))
        wait_until(lambda: server.execute("print(1)")[1]["stdout"] == "1\n"
                   and first not in descendants(server.process.pid))
    finally:
        server.stop()


def test_sigterm_ends_it_and_all_its_processes():
    server = Server(environment=COLD).drain()
    run = threading.Thread(target=lambda: _ignoring(
        server.execute, "while True: pass"))
    run.start()
    wait_until(lambda: server.health()[1]["running"] == 1)
    below = descendants(server.process.pid)
    assert len(below) >= 4
    assert server.stop() == 0
    run.join()
    wait_until(lambda: not any(_alive(p) for p in below))
    assert not os.path.exists(server.socket)


def test_sigkill_leaves_no_process_behind():
    server = Server(environment=COLD).drain()
    below = descendants(server.process.pid)
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not any(_alive(p) for p in below))
    server.stop()


def test_it_ends_with_its_parent():
    code = ("import subprocess, sys, time\n"
            "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)\n"
            "print(p.pid, flush=True)\ntime.sleep(100)")
    folder = tempfile.mkdtemp()
    parent = subprocess.Popen(
        [PYTHON, "-c", code, PYTHON, SERVER, "--die-with-parent", "--socket",
         folder + "/s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=COLD)
    pid = int(parent.stdout.readline())
    for line in parent.stderr:
        if "sandbox ready" in line:
            break
    parent.kill()
    parent.wait()
    wait_until(lambda: not _alive(pid))
    parent.stdout.close()
    parent.stderr.close()


def test_it_ends_when_its_stdin_closes():
    folder = tempfile.mkdtemp()
    process = subprocess.Popen(
        [PYTHON, SERVER, "--die-with-parent", "--socket", folder + "/s"],
        stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=COLD)
    process.stdin.close()
    assert process.wait(60) == 0


def test_a_warm_execution_has_its_packages_already(server):
    """The reason why an execution starts in 10 to 15 ms on a quiet machine."""
    _, answer = server.execute("""
import sys
names = ["pandas", "numpy", "scipy", "sklearn", "matplotlib", "seaborn",
         "openpyxl"]
print([name for name in names if name not in sys.modules])""")
    assert answer["stdout"] == "[]\n", answer


def _ignoring(action, *arguments):
    try:
        action(*arguments)
    except OSError:
        pass


def _alive(pid):
    """A zombie that was not reaped yet counts as dead."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

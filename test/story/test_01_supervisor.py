"""The life of a server: it starts, recovers, and leaves nothing behind."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

import pytest

from kit.relay import Relay
from postgres import PASSWORD, free_port
from sextant import (PROGRAM, alive, command_line, descendants, environment,
                     wait_until)


def kill(pid, number=signal.SIGKILL):
    os.kill(pid, number)


def healthy(server):
    try:
        return server.call("GET", "/healthz")[0] == 200
    except OSError:
        return False


def ready(server):
    try:
        return server.call("GET", "/readyz")[0] == 200
    except OSError:
        return False


# ---- up and down -----------------------------------------------------------


def test_a_server_comes_up_and_ends_with_status_0(home):
    home.start()
    wait_until(lambda: ready(home), what="readiness")
    assert home.run("health").stdout == "ready\n"
    assert home.run("health", "--live").stdout == "up\n"
    left = descendants(home.process.pid)
    assert home.stop() == 0
    assert not [pid for pid in left if alive(pid)]
    done = home.run("health", check=False, PORT=1)
    assert done.returncode == 1 and "no answer from" in done.stderr


def test_an_installed_server_finds_its_parts(home, tmp_path):
    """Those of the prefix, wherever it is started."""
    subprocess.run(["meson", "install", "-C", pathlib.Path(PROGRAM).parent,
                    "--no-rebuild", "--quiet", "--destdir", tmp_path],
                   check=True, timeout=60)
    home.program = next(tmp_path.rglob("bin/sextant"))
    prefix = home.program.parent.parent
    page = prefix / "share" / "sextant" / "static" / "index.html"
    page.write_text("installed")
    shutil.rmtree(page.parent / "app", ignore_errors=True)
    home.start()
    told = home.request("GET", "/", headers={"Accept": "text/html"})
    assert (told[0], told[2]) == (200, b"installed")
    own = [pathlib.Path(os.readlink(f"/proc/{pid}/exe")) for pid in
           (home.process.pid, home.worker())]
    assert own == [prefix / "libexec/sextant/sextant-supervisor", home.program]
    assert home.run("health").stdout == "ready\n"


def test_it_comes_up_again_with_what_it_knew(home):
    home.start()
    token = home.token()
    home.stop()
    home.start()
    assert home.call("GET", "/api/ontologies", token)[0] == 200


def test_ctrl_c_ends_it_too(home):
    home.start()
    assert home.stop(signal.SIGINT) == 0


def test_sigusr1_logs_the_live_flows(server):
    kill(server.process.pid, signal.SIGUSR1)
    wait_until(lambda: '"live flow"' in server.log_text(),
               what="the dump of flows")
    assert healthy(server)


def test_several_workers_serve_one_port(home):
    home.start(WORKERS=3)
    wait_until(lambda: len(home.workers()) == 3, what="three workers")
    for _ in range(20):
        assert healthy(home)


# ---- deaths ----------------------------------------------------------------


def test_a_dead_worker_comes_back_and_no_connection_is_refused(server):
    before = server.worker()
    kill(before)
    wait_until(lambda: not alive(before), what="its end")
    answers = []

    def ask():
        answers.append(server.call("GET", "/healthz")[0])

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 20
    assert server.worker() != before


def test_a_worker_that_stands_still_is_replaced(home):
    home.start(WORKER_SILENCE_MS=2000)
    stopped = home.worker()
    os.kill(stopped, signal.SIGSTOP)
    wait_until(lambda: not alive(stopped), what="the end of the stopped worker")
    wait_until(lambda: ready(home), what="a worker that serves")
    assert home.worker() != stopped
    assert "worker hangs" in home.log_text()


def test_a_dead_postgres_comes_back_and_the_server_heals(server):
    token = server.token()
    before = server.postgres()
    kill(before)
    wait_until(lambda: not alive(before))
    assert healthy(server), "a server is alive without its database"
    # Until then its orphans may still answer.
    assert server.postgres() != before
    wait_until(lambda: ready(server), what="readiness")
    assert server.call("GET", "/api/ontologies", token)[0] == 200


def test_nothing_outlives_a_killed_supervisor(home):
    home.start()
    left = descendants(home.process.pid)
    assert len(left) > 3
    kill(home.process.pid)
    wait_until(lambda: not [pid for pid in left if alive(pid)],
               what="the end of all processes")
    home.process.wait()
    home.stop()
    home.start()  # and the next one comes up
    wait_until(lambda: ready(home), what="readiness")


def test_a_second_signal_ends_it_at_once(home):
    home.start(DRAIN_MS=600000)
    kill(home.worker(), signal.SIGSTOP)  # a worker that does not drain
    kill(home.process.pid, signal.SIGTERM)
    wait_until(lambda: home.process.poll() is not None or
               kill(home.process.pid, signal.SIGTERM), what="its end")


def test_nobody_waits_for_a_stopped_worker(home):
    """Clients wait neither in its socket's queue nor for its end."""
    home.start(WORKERS=2)
    wait_until(lambda: len(home.workers()) == 2, what="two workers")
    stopped = home.workers()[0]
    kill(stopped, signal.SIGSTOP)
    try:
        answers = []
        for _ in range(40):
            connection = home.connection(timeout=20)
            connection.request("GET", "/healthz")
            answers.append(connection.getresponse().status)
            connection.close()
        assert answers == [200] * 40
        assert alive(stopped) and "worker hangs" not in home.log_text()
    finally:
        kill(stopped, signal.SIGCONT)


# ---- access ------------------------------------------------------------------


def files_of(home):
    """All but PostgreSQL's own."""
    for folder, folders, names in os.walk(home):
        folders[:] = [name for name in folders if name != "data"]
        yield from (pathlib.Path(folder) / name for name in folders + names)


def test_files_are_closed_to_others(server):
    for path in files_of(server.home):
        try:
            mode = path.lstat().st_mode & 0o777
        except FileNotFoundError:
            continue  # it appeared and disappeared
        closed = 0o077 if path.name in ("key", "jwt_secret", "lock",
                                        "server.json") else 0o007
        if path.is_socket() and path.parent.lstat().st_mode & 0o077 == 0:
            continue  # the folder closes it
        if path.name == "story.log":
            continue
        assert mode & closed == 0, f"{path} {oct(mode)}"
    assert server.home.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to be another user")
def test_another_user_cannot_enter_the_database(server):
    def nobody(user):
        return subprocess.run(
            ["psql", "-X", "-h", server.home / "run" / "postgres", "-U", user,
             "-d", "sextant", "-c", "select 1"], user=65534, group=65534,
            extra_groups=[], capture_output=True, text=True)
    assert nobody("sextant").returncode != 0
    os.chmod(server.home, 0o755)
    os.chmod(server.home / "run", 0o755)
    os.chmod(server.home / "run" / "postgres", 0o755)
    refused = nobody("sextant")
    assert "Peer authentication failed" in refused.stderr


def test_postgres_listens_on_no_port(server):
    rows = server.psql("show listen_addresses")
    assert rows == [[""]]
    assert server.psql("select rolsuper from pg_roles"
                       " where rolname = current_user") == [["f"]]


def test_no_secret_is_on_a_command_line(home):
    home.start(OPENAI_API_KEY="sk-canary-1", JWT_SECRET="canary-2" * 5)
    for pid in [home.process.pid] + descendants(home.process.pid):
        assert "canary" not in str(command_line(pid))
    assert "canary" not in home.log_text()


def test_a_backend_has_an_address_space_limit(server):
    limits = pathlib.Path(f"/proc/{server.postgres()}/limits").read_text()
    line = next(row for row in limits.splitlines()
                if row.startswith("Max address space"))
    assert line.split()[3] == str(1024 << 20)


# ---- what is refused -------------------------------------------------------


def test_a_second_server_in_one_home_is_refused(server):
    done = server.run("serve", check=False)
    assert done.returncode == 1
    assert "already" in done.stderr and server.url in done.stderr
    assert healthy(server)


def test_a_taken_port_is_refused_by_name(home):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = home.run("serve", check=False, PORT=taken.getsockname()[1])
    assert done.returncode == 1
    assert "another program uses it (set PORT)" in done.stderr


def test_wrong_settings_are_refused_before_anything_starts(home):
    done = home.run("serve", check=False, SQL_MAX_ROWS="many", WORKERS=0)
    assert done.returncode == 2
    assert "SQL_MAX_ROWS" in done.stderr and "WORKERS" in done.stderr
    assert not (home.home / "postgres").exists()


def test_data_of_another_postgres_are_refused_with_what_helps(home):
    home.start()
    home.stop()
    version = home.home / "postgres" / "data" / "PG_VERSION"
    kept = version.read_text()
    version.write_text("9\n")
    done = home.run("serve", check=False)
    assert done.returncode == 1
    assert "PostgreSQL 9" in done.stderr and "pg_upgrade" in done.stderr
    version.write_text(kept)
    home.start()


def test_a_cut_initdb_is_made_anew(home):
    half = home.home / "postgres" / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("15\n")
    home.start()
    assert not half.exists()


def test_settings_come_from_a_file_and_are_told_with_their_line(home):
    (home.home / "config.yaml").write_text("# ours\nsql_max_rows: 77\n")
    done = home.run("config")
    row = next(line for line in done.stdout.splitlines()
               if line.startswith("SQL_MAX_ROWS"))
    assert "77" in row and "config.yaml:2" in row


# ---- commands --------------------------------------------------------------


def test_a_command_runs_the_database_for_its_own_time(home):
    done = home.run("migrate", "status")
    assert "001_core.sql" in done.stdout
    assert not (home.home / "run" / "postgres" / ".s.PGSQL.5432").exists()


def test_commands_at_the_same_time_wait_for_each_other(home):
    both = [subprocess.Popen([PROGRAM, "connection", "list"],
                             stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True,
                             env=environment(**home.settings))
            for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said


def test_an_interrupted_command_leaves_nothing_behind(home):
    home.run("migrate", "status")
    process = subprocess.Popen([PROGRAM, "connection", "list"],
                               stdin=subprocess.DEVNULL,
                               env=environment(**home.settings))
    left = wait_until(lambda: descendants(process.pid), what="its cluster")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert not [pid for pid in left if alive(pid)]


def test_a_killed_command_takes_its_cluster_along(home):
    process = subprocess.Popen([PROGRAM, "connection", "list"],
                               stdin=subprocess.DEVNULL,
                               env=environment(**home.settings))
    left = wait_until(lambda: descendants(process.pid), what="its cluster")
    kill(process.pid)
    process.wait()
    wait_until(lambda: not [pid for pid in left if alive(pid)],
               what="the end of the cluster")


def test_a_server_in_the_background_is_started_and_stopped(home):
    done = home.run("serve", "--background")
    assert done.stdout.startswith("Sextant is up: http://127.0.0.1:")
    again = home.run("serve", "--background")
    assert again.stdout == done.stdout.splitlines(keepends=True)[0]
    assert "down" in home.run("stop").stdout
    assert "not running" in home.run("stop").stdout


def test_one_that_does_not_come_up_tells_this_start_alone(home):
    home.run("serve", "--background")
    home.run("stop")
    before = (home.home / "log" / "server.log").read_text()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = home.run("serve", "--background", "--port", port, check=False)
    assert done.returncode == 1 and "another program uses it" in done.stderr
    assert not [line for line in before.splitlines() if line in done.stderr]


def test_unknown_words_are_refused_with_the_nearest(home):
    done = home.run("conection", check=False)
    assert done.returncode == 2 and "did you mean connection?" in done.stderr
    done = home.run("serve", "--prot", "1", check=False)
    assert done.returncode == 2 and "--port" in done.stderr


# ---- an external database ----------------------------------------------------


def test_a_database_url_is_used_in_place_of_our_own(source, home):
    source.psql("postgres",
                f"create role keeper login password '{PASSWORD}'")
    source.psql("postgres", "create database keeper owner keeper")
    home.start(DATABASE_URL=source.url("keeper", "keeper"))
    wait_until(lambda: ready(home), what="readiness")
    assert not (home.home / "postgres").exists()
    assert source.psql("keeper", "select version from schema_migrations")


def check_it_waits(home):
    """Alive, not ready, and each answer says so."""
    wait_until(lambda: healthy(home), what="an answer")
    assert home.process.poll() is None
    for method, path in [("GET", "/readyz"), ("GET", "/api/ontologies"),
                         ("POST", "/api/auth/login"), ("GET", "/")]:
        status, headers, body = home.request(method, path)
        assert status == 503 and b"its database does not answer" in body
        assert int(headers["Retry-After"]) >= 1
        assert headers["Connection"] == "close"
    done = home.run("health", check=False)
    assert done.returncode == 1 and "not ready (status 503)" in done.stderr
    assert home.run("health", "--live").stdout == "up\n"
    wait_until(lambda: "waiting for the database" in home.log_text(),
               what="the reason in the log")


@pytest.mark.parametrize("hangs", [False, True])
def test_it_answers_while_its_database_is_away(home, hangs):
    home.settings["PORT"] = free_port()
    home.url = f"http://127.0.0.1:{home.settings['PORT']}"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        at = silent.getsockname()[1] if hangs else 1
        home.begin(DATABASE_URL=f"postgresql://u:p@127.0.0.1:{at}/d")
        check_it_waits(home)
        assert home.stop() == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_it_serves_when_its_database_has_come(source, home, workers):
    home.settings.update(PORT=free_port(), WORKERS=workers)
    home.url = f"http://127.0.0.1:{home.settings['PORT']}"
    line = Relay(source.url("retail"))
    line.shut()
    late = f"late{workers}"
    try:
        source.make_role(late)
        process = home.begin(DATABASE_URL=line.through(
            source.url(late, late)))
        check_it_waits(home)
        source.psql("postgres", f"create database {late} owner {late}")
        line.reopen()
        assert process.stdout.readline().startswith(b"Sextant is up: ")
        assert ready(home)
        assert source.psql(late, "select version from schema_migrations")
    finally:
        line.close()


# ---- the command line --------------------------------------------------------


@pytest.mark.parametrize("words, said", [
    ("frob", "sextant: unknown command frob\n`sextant help` lists"),
    ("serv", "did you mean serve?"),
    ("serve --prot", "--prot: unknown option; did you mean --port?"),
    ("serve --port", "--port needs a value"),
    ("ask q --chart", "unknown option --chart; did you mean --charts?"),
    ("connection lst", 'unknown action "lst"; did you mean list?'),
    ("connection list --json", "--json: unknown option\n"),
    ("eval x --report /nowhere/x.html", "/nowhere/x.html: No such file"),
    ("config PORT", 'unexpected argument "PORT"'),
    ("guard --jsonn", "sextant guard: unrecognized option"),
    ("ask", 'usage: sextant ask "QUESTION"'),
    ("ask q --charts /nowhere", "/nowhere: No such file or directory"),
    ("ask q --ontology o --chat 00000000-0000-4000-8000-000000000000",
     "the ontology of a chat cannot change"),
    ("health now", "usage: sextant health"),
    ("ask two words", "put the question in quotes"),
    ("import model.yaml", "--connection is required"),
    ("import model.yaml --connection c --print", "require --from-database"),
    ("import model.yaml --connection c --table t", "require --from-database"),
    ("import model.yaml --connection c --shared --private", "exclude each other"),
    ("connection add c postgresql://h/d --shared --private", "exclude each other"),
    ("import --from-database", "--from-database needs a value"),
    ("connection add", "--share-rows all|aggregates|none"),
    ("token --user ann@example.com", "--role takes viewer, contributor or admin"),
    ("guard", "usage: sextant guard"),
    ("stop now", "usage: sextant stop"),
])
def test_wrong_use_is_told_what_is_right(words, said):
    done = subprocess.run([PROGRAM, *words.split()], capture_output=True, text=True,
                          env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_each_command_has_help():
    def told(*words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True,
                              env=environment(), check=True, timeout=60).stdout
    lines = told("help").splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert "serve" in names and "worker" not in names
    for name in names:
        assert told(name, "--help") == told("help", name)
        assert told(name, "--help").startswith(f"usage: sextant {name}")

"""Back up, wipe, restore, ask again: nothing is lost, and the passwords of connections
can be decrypted."""
import json
import pathlib
import shutil
import stat
import subprocess

from kit import fixtures
from kit.client import check_stream
from kit.server import Server

QUESTION = "revenue by city in 2025"


def ask(server, email="ann@example.org"):
    client = server.client(email)
    chat = client.new_chat(server.ontologies["retail"], "builtin")
    answer = client.ask(chat, QUESTION)
    check_stream(answer.events)
    assert answer.complete
    return chat, answer


def check_answers(server, chat, answer, email="ann@example.org"):
    """Earlier questions are restored, and further questions work."""
    stored = server.client(email).message(chat, answer.message_id)
    assert stored["content"] == answer.content
    again = ask(server, email)[1]
    assert again.metadata["stepResults"][0]["sqlResult"]["data"] == \
        answer.metadata["stepResults"][0]["sqlResult"]["data"]


def test_a_server_goes_on_from_its_backup(source, tmp_path):
    folder = tmp_path / "backup"
    first = fixtures.open_service(source, SANDBOX_URL="off")
    second = Server(SANDBOX_URL="off")
    second.ontologies = first.ontologies
    try:
        chat, answer = ask(first)
        token = first.token_of("ann@example.org")
        done = first.run("backup", folder)  # while it serves
        assert "contains keys" in done.stderr
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for path in folder.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        assert json.loads((folder / "backup.json").read_text())["schema"] >= 1
        again = first.run("backup", folder, check=False)
        assert again.returncode == 1 and "not an empty folder" in again.stderr
        # restore refuses a running server.
        refused = first.run("restore", folder, check=False)
        assert refused.returncode == 1 and "a server is running" in refused.stderr
        first.stop()
        shutil.rmtree(first.home / "postgres")
        assert "demo" not in second.run("restore", folder).stdout
        for name in ("key", "jwt_secret"):
            assert (second.home / name).read_bytes() == \
                (first.home / name).read_bytes()
        second.start()
        second.tokens["ann@example.org", "contributor"] = token
        check_answers(second, chat, answer)
        # It is in use now.
        second.stop()
        refused = second.run("restore", folder, check=False)
        assert refused.returncode == 1 and "--force" in refused.stderr
        second.run("restore", folder, "--force")
        second.start()
        check_answers(second, chat, answer)
    finally:
        first.remove()
        second.remove()


def test_a_database_of_somebody_elses_is_saved_too(source, tmp_path):
    folder = tmp_path / "backup"
    source.make_role("saver")
    for name in ("saved", "fresh"):
        source.psql("postgres", f"create database {name} owner saver")
    first = fixtures.open_service(source, SANDBOX_URL="off",
                                  DATABASE_URL=source.url("saved", "saver"))
    second = Server(SANDBOX_URL="off",
                    DATABASE_URL=source.url("fresh", "saver"))
    second.ontologies = first.ontologies
    try:
        chat, answer = ask(first)
        source.psql("saved", "insert into connections (owner_id, name, host,"
                    " port, database_name, username) select owner_id, 'demo',"
                    " host, port, 'sextant_demo', username from connections")
        first.run("backup", folder)
        told = second.run("restore", folder).stdout
        assert "`sextant demo load` loads it" in told
        second.start()
        second.tokens["ann@example.org", "contributor"] = \
            first.token_of("ann@example.org")
        check_answers(second, chat, answer)
        held = second.run("restore", folder, "--force", check=False)
        assert held.returncode == 1 and "a server is running" in held.stderr
    finally:
        first.remove()
        second.remove()


def spoil_dump(folder, spoil):
    path = folder / "database.dump"
    path.write_bytes(spoil(bytearray(path.read_bytes())))


def forget_checksum(folder):
    """As in a backup of a version without one: the dump itself must show it."""
    path = folder / "backup.json"
    manifest = json.loads(path.read_text())
    assert len(manifest.pop("sha256")) == 64
    path.write_text(json.dumps(manifest))


def flip(raw):
    """Spoils a statement: it can still be read, but not executed."""
    raw[len(raw) // 4] ^= 0x55
    return raw


def test_a_broken_backup_drops_nothing(home, source, tmp_path):
    """Not even with --force: the dump is read to its end before anything changes."""
    whole = tmp_path / "backup"
    home.run("connection", "add", "mine", source.url("retail"))
    home.run("backup", whole)
    others = tmp_path / "others.dump"
    subprocess.run([f"{source.programs}/pg_dump", "--format=custom", "-h",
                    source.folder, "-p", str(source.port), "-U", "owner", "-f",
                    others, "retail"], check=True)
    for n, spoil in enumerate([
            lambda raw: b"", lambda raw: b"no dump",
            lambda raw: raw[:len(raw) // 2], lambda raw: raw[:-200],
            lambda raw: others.read_bytes(), flip]):
        folder = tmp_path / f"spoilt{n}"
        shutil.copytree(whole, folder)
        spoil_dump(folder, spoil)
        if spoil is not flip:
            forget_checksum(folder)
        done = home.run("restore", folder, "--force", check=False)
        assert done.returncode == 1, (n, done.stdout)
        assert "nothing was changed" in done.stderr, done.stderr
        assert "mine" in home.run("connection", "list").stdout, n
    home.run("restore", whole, "--force")
    assert "mine" in home.run("connection", "list").stdout


def test_what_is_no_backup_is_refused(home, tmp_path):
    whole = tmp_path / "backup"
    home.run("backup", whole)
    for n, (spoil, told) in enumerate([
            (lambda folder: (folder / "backup.json").unlink(), "backup.json"),
            (lambda folder: (folder / "database.dump").unlink(),
             "not a complete backup"),
            (lambda folder: (folder / "backup.json").write_text(
                '{"schema": 9000}'), "newer version")]):
        folder = tmp_path / f"spoilt{n}"
        shutil.copytree(whole, folder)
        spoil(folder)
        done = home.run("restore", folder, check=False)
        assert done.returncode == 1 and told in done.stderr


def test_a_restore_that_fails_changes_nothing(home, source, tmp_path):
    """The old data is dropped in the same transaction: when the last statements
    of the dump fail, everything is as it was."""
    whole, folder = tmp_path / "backup", tmp_path / "spoilt"
    home.run("connection", "add", "mine", source.url("retail"))
    home.run("backup", whole)
    home.run("connection", "add", "later", source.url("retail"))
    shutil.copytree(whole, folder)
    forget_checksum(folder)

    def break_last_foreign_key(raw):
        end = raw.rindex(b"FOREIGN KEY")
        raw[end:end + 7] = b"FOREIGM"
        return raw
    spoil_dump(folder, break_last_foreign_key)
    done = home.run("restore", folder, "--force", check=False)
    assert done.returncode == 1
    assert "FOREIGM" in done.stderr and "nothing was changed" in done.stderr
    assert "later" in home.run("connection", "list").stdout
    home.run("restore", whole, "--force")
    told = home.run("connection", "list").stdout
    assert "mine" in told and "later" not in told


def test_a_restore_whose_sender_dies_changes_nothing(source, tmp_path):
    """A script that ends early is no reason to commit what came before its end."""
    programs, folder = tmp_path / "programs", tmp_path / "backup"
    server = Server(SANDBOX_URL="off",
                    DATABASE_URL=source.make_database("sender"))
    programs.mkdir()
    for name in ("pg_restore", "psql"):
        (programs / name).write_text(f"""#!/bin/sh
{source.programs}/{name} "$@"
case "$*" in *--file=-*) kill -KILL $$;; esac
""")
        (programs / name).chmod(0o755)
    try:
        server.run("migrate", "up")
        server.run("connection", "add", "mine", source.url("retail"))
        server.run("backup", folder)
        server.run("connection", "add", "later", source.url("retail"))
        done = server.run("restore", folder, "--force", check=False,
                          PG_BINDIR=programs)
        assert done.returncode == 1 and "pg_restore failed" in done.stderr
        assert "nothing was changed" in done.stderr
        assert "later" in server.run("connection", "list").stdout
    finally:
        server.remove()

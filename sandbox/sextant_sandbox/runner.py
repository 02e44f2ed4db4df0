"""One execution, inside its confined child.

The child can report a result only by its exit status, its two output pipes and its
files: there is no result channel to forge. Descriptor 3 carries the request and the
answer, "running" or an error in the request. It is closed before the first line of
untrusted code runs.
"""

import atexit
import json
import linecache
import os
import random
import sys
import tempfile
import threading
import traceback
import types

from . import build, charts, data_frames, engine, frames, limits, query

FILE = "<analysis>"
REQUEST_FD = 3
_LENGTH_BYTES = 8


def serve_one(plan, directory):
    """Never returns. First it saves references to what it needs afterwards, because
    the code may replace anything in any module."""
    leave = os._exit
    code = 1
    try:
        engine.wake()
        task, body = json.loads(_receive()), _receive()
        if task["kind"] != "execute":
            _serve_tables(plan, directory, task, body)
            return
        program = _accept(plan, task, body)
        os.close(REQUEST_FD)
        if program is not None:
            _settle(directory)
            code = _run(*program, directory)
    except BaseException as error:
        _write(sys.stderr, f"{type(error).__name__}: {error}\n")
    finally:
        leave(code)


def _serve_tables(plan, directory, task, body):
    """A query or a build: only this package and the engine run. Closes standard output
    before the process ends, which takes a while when it is large."""
    request = json.loads(body)
    timeout = request.get("timeout") or plan.settings["maxTimeout"]
    limits.tighten_cpu(int(timeout + 2) * (os.cpu_count() or 1))
    os.write(REQUEST_FD, json.dumps({"timeout": timeout}).encode())
    os.close(REQUEST_FD)
    if task["kind"] == "query":
        answer = query.answer(plan, request)
    else:
        answer = json.dumps(build.answer(plan, directory, task["file"],
                                         request), ensure_ascii=False)
    with open(1, "wb") as out:
        out.write(answer.encode("utf-8", "replace") + b"\n")


def _receive():
    """Reads the body with read(), because seccomp already refuses socket calls."""
    length = int.from_bytes(_exactly(_LENGTH_BYTES), "big")
    return _exactly(length)


def _exactly(count):
    buffer = bytearray(count)
    view, got = memoryview(buffer), 0
    while got < count:
        more = os.readv(REQUEST_FD, [view[got:]])
        if not more:
            os._exit(0)  # the front has closed
        got += more
    return buffer


def _accept(plan, task, body):
    try:
        program, names, timeout = _read(body, plan.settings)
        tables, cut = data_frames.load(plan, task.get("tables", []))
        names.update(frames.from_tables(tables))
    except frames.BadRequest as error:
        reply = {"bad": str(error)}
        program = None
    except (MemoryError, RecursionError):
        reply = {"bad": "the data does not fit into the memory limit"}
        program = None
    else:
        reply = {"timeout": timeout, "cut": cut}
        limits.tighten_cpu(int(timeout + 2) * (os.cpu_count() or 1))
    os.write(REQUEST_FD, json.dumps(reply).encode())
    return None if program is None else (program, names)


def _read(body, settings):
    try:
        fields = json.loads(body)
    except (ValueError, UnicodeDecodeError):
        raise frames.BadRequest("the body is not JSON") from None
    if not isinstance(fields, dict):
        raise frames.BadRequest("the body must be an object")
    program = {name: fields.get(name) for name in ("before", "code", "after")}
    for name, text in program.items():
        if not isinstance(text, str) and (name == "code" or text is not None):
            raise frames.BadRequest(f"{name} must be a string")
    timeout = fields.get("timeout")
    if timeout is None:
        timeout = settings["timeout"]
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) \
            or not timeout > 0:
        raise frames.BadRequest("timeout must be a positive number")
    names = frames.names_from(fields.get("data"), fields.get("columnTypes"))
    return program, names, min(timeout, settings["maxTimeout"])


def _settle(directory):
    """Gives the process its own random seeds and streams, and no environment."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(
            int.from_bytes(os.urandom(4), "big"))
    tempfile.tempdir = directory
    os.environ.clear()
    atexit._clear()
    sys.argv = [FILE]
    sys.stdin = open(0, "r", closefd=False)
    for fd, name in ((1, "stdout"), (2, "stderr")):
        stream = open(fd, "w", encoding="utf-8", errors="backslashreplace",
                      buffering=1, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run(program, names, directory):
    """`before` prepares and `after` collects: the code runs only if `before` succeeds,
    and `after` runs in every case."""
    stdout, stderr = sys.stdout, sys.stderr
    main = types.ModuleType("__main__")
    main.__dict__.update(names)
    sys.modules["__main__"] = main
    status = _step(stderr, main, program["before"], "<before>")
    status = status or _step(stderr, main, program["code"], FILE)
    status = _step(stderr, main, program["after"], "<after>") or status
    for sentence in charts.save_open_figures(directory):
        _write(stderr, sentence + "\n")
    status = _guarded(stderr, threading._shutdown) or status
    status = _guarded(stderr, atexit._run_exitfuncs) or status
    for stream in (sys.stdout, stdout, sys.stderr, stderr):
        _quietly(getattr(stream, "flush", None))
    return status


def _step(stderr, main, source, file):
    """Runs one part of the program under a file name of its own."""
    if not source:
        return 0
    lines = source.splitlines(True)
    linecache.cache[file] = (len(source), None, lines, file)
    return _guarded(
        stderr, lambda: exec(compile(source, file, "exec"), main.__dict__))


def _guarded(stderr, action):
    """The exit status that `python file.py` would return."""
    try:
        action()
        return 0
    except SystemExit as leaving:
        return _exit_status(stderr, leaving.code)
    except BaseException as error:
        _print_error(stderr, error)
        return 1


def _exit_status(stderr, code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xff
    _write(stderr, f"{code}\n")
    return 1


def _print_error(stderr, error):
    """The traceback without the two frames of this package."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    try:
        lines = traceback.format_exception(type(error), error, trace)
        _write(stderr, "".join(lines))
    except BaseException:
        _write(stderr, type(error).__name__ + "\n")


def _write(stderr, text):
    try:
        stderr.write(text)
        stderr.flush()
    except BaseException:
        pass


def _quietly(action):
    try:
        if action:
            action()
    except BaseException:
        pass

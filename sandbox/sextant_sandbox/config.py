"""Settings: command line over environment over defaults."""

import argparse
import os
import tempfile

MIB = 1 << 20

EPILOG = """\
environment (command line options go first):
  SANDBOX_TOKEN            what `Authorization: Bearer` must carry over TCP;
                           SANDBOX_TOKEN_FILE names a file that holds it
  SANDBOX_PARALLEL         executions at a time (4)
  SANDBOX_QUEUE            executions that may wait; more get 503 (64)
  SANDBOX_QUEUE_TIMEOUT    seconds one may wait (60)
  SANDBOX_TIMEOUT          seconds of an execution that names none (30)
  SANDBOX_MAX_TIMEOUT      the most it may name (120)
  SANDBOX_MAX_BODY         bytes of a request (33554432)
  SANDBOX_MAX_OUTPUT       bytes kept of stdout and of stderr (1048576)
  PYTHON_MEMORY_LIMIT_MB   address space above the warm packages (512)
  SANDBOX_TMP_MB           size of an execution's /tmp (64)
  SANDBOX_THREADS          threads of an execution (64)
  SANDBOX_MAX_FILE         bytes of a file that is kept for queries (268435456)
  SANDBOX_CACHE_MB         size of all files and of the tables made of them (4096)
  SANDBOX_BUILD_MB         size of the tables of one file while they are made, in
                           memory, and the memory to make them (1024)
  SANDBOX_RECYCLE          executions after which the packages are loaded
                           again in a fresh process (1000)
  SANDBOX_WARM             0 loads no packages ahead: starts at once and is
                           small, but each execution imports the packages itself,
                           and figures that it saved appear twice (1)
  SANDBOX_WORK             folder for scratch files where the system allows
                           no mounts (the system's temporary folder)
  SANDBOX_DISABLE_LAYERS   comma-separated names of layers to do without,
                           to see how that is (none)
"""


def parse(arguments=None, environ=os.environ):
    options = _parser().parse_args(arguments)
    if options.socket is None and not _token(environ):
        raise SystemExit("server.py: TCP needs SANDBOX_TOKEN; "
                         "or use --socket PATH")
    options.token = _token(environ)
    number = _Numbers(environ)
    options.parallel = number("SANDBOX_PARALLEL", 4)
    options.queue = number("SANDBOX_QUEUE", 64, lowest=0)
    options.queue_timeout = number("SANDBOX_QUEUE_TIMEOUT", 60)
    options.max_body = number("SANDBOX_MAX_BODY", 32 * MIB)
    options.max_output = number("SANDBOX_MAX_OUTPUT", MIB)
    options.recycle = number("SANDBOX_RECYCLE", 1000)
    options.max_file = number("SANDBOX_MAX_FILE", 256 * MIB)
    options.cache = number("SANDBOX_CACHE_MB", 4096) * MIB
    options.work = environ.get("SANDBOX_WORK") or tempfile.gettempdir()
    options.zygote = _zygote_settings(options, number, environ)
    return options


def _zygote_settings(options, number, environ):
    """The first message to the zygote."""
    disabled = environ.get("SANDBOX_DISABLE_LAYERS", "")
    longest = number("SANDBOX_MAX_TIMEOUT", 120)
    return {
        "uid": options.uid if os.geteuid() == 0 else os.geteuid(),
        "slots": options.parallel + 2,  # the last one makes tables
        "timeout": min(number("SANDBOX_TIMEOUT", 30), longest),
        "maxTimeout": longest,
        "memoryMb": number("PYTHON_MEMORY_LIMIT_MB", 512),
        "memory": number("PYTHON_MEMORY_LIMIT_MB", 512) * MIB,
        "tmpSize": number("SANDBOX_TMP_MB", 64) * MIB,
        "fileSize": number("SANDBOX_TMP_MB", 64) * MIB,
        "buildSize": number("SANDBOX_BUILD_MB", 1024) * MIB,
        "buildMemory": number("SANDBOX_BUILD_MB", 1024) * MIB,
        "threads": number("SANDBOX_THREADS", 64),
        "warm": environ.get("SANDBOX_WARM") != "0",
        "disabled": [n.strip() for n in disabled.split(",") if n.strip()],
    }


class _Numbers:
    def __init__(self, environ):
        self.environ = environ

    def __call__(self, name, default, lowest=1):
        text = self.environ.get(name, "")
        try:
            value = int(text) if text else default
        except ValueError:
            value = lowest - 1
        if value < lowest:
            raise SystemExit(f"server.py: {name} must be a whole number "
                             f"of at least {lowest}")
        return value


def _token(environ):
    path = environ.get("SANDBOX_TOKEN_FILE")
    if path:
        try:
            with open(path) as file:
                return file.read().strip()
        except OSError as error:
            raise SystemExit(f"server.py: SANDBOX_TOKEN_FILE: {error}")
    return environ.get("SANDBOX_TOKEN", "").strip()


def _parser():
    parser = argparse.ArgumentParser(
        prog="server.py", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs Python code, one confined process per request. "
        "POST /execute, /query and /tables, PUT /files/:sha256, GET /health. Logs are JSON lines on stderr.")
    parser.add_argument("--socket", metavar="PATH",
                        help="listen on this unix socket instead of TCP")
    parser.add_argument("--socket-mode", metavar="OCTAL", default=0o660,
                        type=lambda text: int(text, 8),
                        help="its permissions (660)")
    parser.add_argument("--socket-owner", metavar="UID:GID",
                        help="its owner, as numbers (needs root)")
    parser.add_argument("--host", default="127.0.0.1",
                        help="TCP address (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000,
                        help="TCP port; 0 takes a free one (8000)")
    parser.add_argument("--uid", type=int, default=64110,
                        help="started by root: uid and gid the packages are "
                        "loaded under; executions use those after it (64110)")
    parser.add_argument("--die-with-parent", action="store_true",
                        help="end when the parent process ends, or when "
                        "stdin, if it is a pipe or socket, is closed")
    return parser

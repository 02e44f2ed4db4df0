"""The HTTP side: routes, access, start and shutdown of the process."""

import asyncio
import contextlib
import hmac
import os
import signal
import socket
import stat
import re
import time

from . import syscalls as sys_
from . import cache, routes, scratch, wire
from .engine_run import Ended
from .execution import BadProgram, ClientGone, Execution
from .log import tell
from .pool import NoZygote, Pool, QueueFull, QueueTimeout, ZygoteGone
from .tables import Tables, Unreadable

MAX_CONNECTIONS = 512
BODIES_AT_ONCE = 8
USER_MOST = 64


class Front:
    def __init__(self, options):
        self.options = options
        self.cache = cache.Cache(os.path.join(options.work, "cache"),
                                 options.cache)
        self.pool = Pool(options, self.cache.open)
        self.tables = Tables(options, self.pool, self.cache)
        self.connections = set()
        self.body_bytes = 0

    async def serve(self, reader, writer, gone):
        """Handles one connection, one request after the other."""
        task = asyncio.current_task()
        self.connections.add(task)
        try:
            first = True
            while await self._one(reader, writer, gone, first):
                first = False
        except (ConnectionError, asyncio.TimeoutError, OSError):
            pass
        except asyncio.CancelledError:
            pass  # the server shuts down
        finally:
            self.connections.discard(task)
            writer.close()

    async def _one(self, reader, writer, gone, first):
        """Returns True if another request may follow."""
        keep = False
        try:
            if len(self.connections) > MAX_CONNECTIONS:
                raise wire.busy("too many connections", final=True)
            head = await wire.read_head(reader, first)
            if head is None:
                return False
            keep = head.keep_alive
            status, body = await self._route(reader, writer, gone, head)
            keep = head.keep_alive
            await wire.answer(writer, status, body, keep)
        except wire.Refusal as refusal:
            keep = keep and not refusal.final
            await wire.answer(writer, refusal.status, refusal.body(), keep,
                              refusal.headers)
        return keep

    async def _route(self, reader, writer, gone, head):
        methods = {"/execute": "POST", "/query": "POST", "/tables": "POST",
                   "/health": "GET"}
        folder, _, key = head.path.rpartition("/")
        wanted = "PUT" if folder == "/files" else methods.get(head.path)
        if wanted is None:
            raise wire.Refusal(404, "there is /execute, /query, /tables, "
                               "/files and /health", final=_has_body(head))
        if head.method != wanted:
            raise wire.Refusal(405, f"{head.path} takes {wanted}", final=True,
                               headers=[("Allow", wanted)])
        if wanted == "GET":
            if _has_body(head):
                raise wire.Refusal(400, "GET takes no body", final=True)
            return self.health()
        self._check_token(head)
        if wanted == "PUT":
            return await routes.receive_file(self.cache, self.options, reader,
                                             writer, head, key)
        return await self._receive(reader, writer, gone, head)

    def _check_token(self, head):
        """The permissions of a unix socket are its access control."""
        if self.options.socket is not None:
            return
        scheme, _, given = head.headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode(),
                                    self.options.token.encode())
        if scheme.lower() != "bearer" or not right:
            raise wire.Refusal(401, "a valid bearer token is required",
                               final=True,
                               headers=[("WWW-Authenticate", "Bearer")])

    async def _receive(self, reader, writer, gone, head):
        length = wire.body_length(head, self.options.max_body)
        if self.body_bytes + length > BODIES_AT_ONCE * self.options.max_body:
            raise wire.busy("too many bytes under way", final=True)
        self.body_bytes += length
        try:
            body = await wire.read_body(reader, writer, head, length)
            self._check_zygote()
            if head.path == "/execute":
                return await self._execute_with_tables(body, gone, head)
            return 200, await self._answer(body, gone, head)
        finally:
            self.body_bytes -= length

    def _check_zygote(self):
        """Refuses at once what no waiting would help."""
        zygote = self.pool.current
        if zygote and zygote.problem:
            raise wire.busy("not safe here: " + zygote.problem)
        if self.pool.broken():
            raise wire.busy(self.pool.why_broken())

    async def _answer(self, body, gone, head):
        """A request about files."""
        with _recorded(head.path[1:], head) as record:
            if head.path == "/query":
                request = routes.QueryRequest(body, self.options.zygote)
                answer = await routes.answer_query(self, request, gone, head)
            else:
                answer = await routes.answer_tables(self, body)
            record["outcome"] = "answered"
            return answer

    async def _execute_with_tables(self, body, gone, head):
        """Only what names tables or texts is parsed here; data may be large."""
        if b'"tables"' not in body and b'"take"' not in body:
            return await self._execute(body, gone, head, {"kind": "execute"})
        fields = routes.fields_of(body)
        take = routes.take_of(fields)
        wanted = routes.references_of(fields)
        try:
            entries = await routes.entries_of(self.tables, wanted)
        except Unreadable as error:
            raise wire.Refusal(400, str(error)) from None
        except Ended:
            raise wire.Refusal(400, "a file could not be read within the "
                               "limits") from None
        with self.cache.offered(entries) as paths:
            task = {"kind": "execute", "tables": routes.offered(wanted, paths)}
            return await self._execute(body, gone, head, task, take)

    async def _execute(self, body, gone, head, task, take=()):
        arrived = time.monotonic()
        spare = await self.acquire(gone, head)
        with _recorded("execution", head) as record:
            record["waitedMs"] = _milliseconds_since(arrived)
            try:
                run = Execution(spare, self.options, task, take)
                status, answer = await run.run(body, gone)
            finally:
                self.pool.release(spare)
            if head.headers.get("x-sandbox-images") != "once":
                _repeat_charts(answer)
            record["outcome"] = answer["error"] and "error" or "ok"
            if status == 408:
                record["outcome"] = "timeout"
            return status, answer

    async def acquire(self, gone, head):
        """Waits for a spare; leaves the queue when the client disconnects."""
        place = asyncio.ensure_future(self.pool.acquire(_user(head)))
        client = asyncio.ensure_future(gone.wait())
        try:
            await asyncio.wait([place, client],
                               return_when=asyncio.FIRST_COMPLETED)
            if not place.done():
                raise ConnectionResetError
            taken, place = place, None
            return taken.result()
        except QueueFull:
            raise wire.busy("all places are taken") from None
        except NoZygote:
            raise wire.busy(self.pool.why_broken()) from None
        except QueueTimeout:
            raise wire.busy("no place became free in time") from None
        finally:
            client.cancel()
            if place is not None:
                place.add_done_callback(self._give_back)
                place.cancel()

    def _give_back(self, place):
        """Returns a spare that was assigned at the moment its client disconnected."""
        if not place.cancelled() and place.exception() is None:
            self.pool.abandon(place.result())

    def health(self):
        pool, zygote = self.pool, self.pool.current
        body = {
            "status": "ok",
            "layers": zygote.layers if zygote else {},
            "packages": zygote.packages if zygote else {},
            "parallel": self.options.parallel,
            "running": pool.running, "queued": len(pool.waiting),
            "zygoteRssKb": zygote.resident_kb() if zygote else None,
        }
        problem = zygote.problem if zygote else "the packages are loading"
        if pool.broken():
            problem = pool.why_broken()
        if problem is None:
            return 200, body
        body["status"] = "unsafe" if zygote else "starting"
        return 503, {**body, "statusCode": 503, "code": "UNAVAILABLE",
                     "message": problem, "reason": problem}


TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")


def _trace(head):
    """The caller's span (W3C Trace Context), for the log."""
    match = TRACEPARENT.fullmatch(head.headers.get("traceparent", ""))
    return {"traceId": match[1], "spanId": match[2]} if match else {}


def _milliseconds_since(began):
    return round((time.monotonic() - began) * 1000)


@contextlib.contextmanager
def _recorded(what, head):
    """Logs what comes of a request's child, and turns what it raises into refusals."""
    began, record = time.monotonic(), {"outcome": "failed"}
    try:
        yield record
    except BadProgram as error:
        record["outcome"] = "refused"
        raise wire.Refusal(400, str(error)) from None
    except ZygoteGone:
        raise wire.busy("the sandbox is being restarted") from None
    except ClientGone:
        record["outcome"] = "cancelled"
        raise ConnectionResetError from None
    finally:
        tell("info", what, **record, durationMs=_milliseconds_since(began),
             **_trace(head))


def _repeat_charts(answer):
    """Gives each file its bytes, for clients that do not read `charts`."""
    for file in answer["files"]:
        if "chart" in file:
            file["data"] = answer["charts"][file.pop("chart")]


def _user(head):
    """The user of the execution, as an opaque word of the caller."""
    return head.headers.get("x-sandbox-user", "")[:USER_MOST]


def _has_body(head):
    return (head.headers.get("content-length", "0") != "0"
            or "transfer-encoding" in head.headers)


def run(options):
    """Serves until a signal or the end of the parent; returns the exit status."""
    try:
        return asyncio.run(_run(options))
    except OSError as error:
        tell("error", "cannot start", reason=str(error))
        return 1


async def _run(options):
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    if options.die_with_parent:
        _tie_to_parent(loop, stop)
    listener = _listener(options)
    options.work = _own_folder(options.work)
    try:
        front = Front(options)
        server = await _listen(loop, front, listener)
        await _ready(front, stop, listener)
        await stop.wait()
        await _end(front, server, options)
    finally:
        scratch.remove_tree(options.work)
    return 0


def _own_folder(parent):
    """Creates a folder below `parent`, and removes those of crashed servers."""
    prefix = "sextant-sandbox-"
    for name in os.listdir(parent):
        pid = name.removeprefix(prefix)
        path = os.path.join(parent, name)
        if name != pid and pid.isdigit() and not os.path.islink(path) \
                and os.lstat(path).st_uid == os.getuid() \
                and not os.path.exists(f"/proc/{pid}"):
            scratch.remove_tree(path)
    path = os.path.join(parent, f"{prefix}{os.getpid()}")
    scratch.remove_tree(path)
    os.mkdir(path, 0o711)
    return path


async def _listen(loop, front, listener):
    def connection():
        return wire.Connection(front.serve)
    if listener.family == socket.AF_UNIX:
        return await loop.create_unix_server(connection, sock=listener,
                                             backlog=256)
    return await loop.create_server(connection, sock=listener, backlog=256)


async def _ready(front, stop, listener):
    """Logs one line, once: the supervisor waits for it."""
    while not stop.is_set():
        zygote = front.pool.current
        if zygote is not None and (zygote.problem or front.pool.free):
            address = listener.getsockname()
            tell("info" if not zygote.problem else "error",
                 "sandbox ready" if not zygote.problem else "sandbox unsafe",
                 address=address, pid=os.getpid(), layers=zygote.layers,
                 reason=zygote.problem, parallel=front.options.parallel)
            return
        await asyncio.sleep(0.02)


def _listener(options):
    if options.socket is None:
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((options.host, options.port))
        return sock
    _remove_stale(options.socket)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        sock.bind(options.socket)
    finally:
        os.umask(before)
    if options.socket_owner:
        uid, _, gid = options.socket_owner.partition(":")
        os.chown(options.socket, int(uid), int(gid or -1))
    os.chmod(options.socket, options.socket_mode)
    return sock


def _remove_stale(path):
    """Removes a socket without a listener: a crash left it."""
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise OSError(17, "exists and is not a socket", path)
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(path)
        except OSError:
            os.unlink(path)
            return
    raise OSError(98, "another server listens there", path)


def _tie_to_parent(loop, stop):
    parent = os.getppid()
    sys_.prctl(sys_.PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent or parent == 1 and os.getpid() != 1 \
            and not os.path.exists(f"/proc/{parent}"):
        stop.set()
    mode = os.fstat(0).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        def hear():
            try:
                if not os.read(0, 4096):
                    loop.remove_reader(0)
                    stop.set()
            except BlockingIOError:
                pass
        os.set_blocking(0, False)
        loop.add_reader(0, hear)


async def _end(front, server, options):
    tell("info", "sandbox stopping", running=front.pool.running)
    server.close()
    front.pool.end()
    for task in list(front.connections):
        task.cancel()
    if front.connections:
        await asyncio.wait(front.connections, timeout=1)
    if options.socket:
        try:
            os.unlink(options.socket)
        except OSError:
            pass

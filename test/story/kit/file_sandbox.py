"""A sandbox that only knows files: it answers PUT /files/:sha256 and POST /tables as
docs/notes/2026-11-23-files.md says, for CSV. Stories of uploads need no DuckDB then, and
can make it slow, full or silent."""
import csv
import hashlib
import http.server
import io
import json
import re
import threading


class FileSandbox:
    def __init__(self):
        self.files = {}  # by hash; b"" when only the size matters
        self.requests = []  # (method, path)
        self.reply = None  # (status, object) instead of an answer to /tables
        self.busy = 0  # how often it says so when asked for tables
        self.forgets = 0  # how often it has lost all files when asked for tables
        self.keeps_bytes = True
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def do_GET(self):
                self.answer(200, {"status": "ok"})

            def do_PUT(self):
                left, hashed, kept = int(self.headers["Content-Length"]), hashlib.sha256(), []
                while left:
                    piece = self.rfile.read(min(left, 1 << 16))
                    if not piece:
                        return
                    hashed.update(piece)
                    left -= len(piece)
                    if owner.keeps_bytes:
                        kept.append(piece)
                name = self.path.rpartition("/")[2]
                owner.requests.append(("PUT", self.path))
                if hashed.hexdigest() != name:
                    self.answer(400, {"error": "another hash"})
                    return
                owner.files[name] = b"".join(kept)
                self.answer(201, {})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.requests.append(("POST", self.path))
                if self.path == "/query":  # models are made without its answers
                    self.answer(200, {
                        "columns": [], "rows": [], "moreRows": False,
                        "cutValues": False, "executionTimeMs": 0, "error": {
                            "kind": "sql", "message": "No SQL.", "position": None}})
                    return
                self.answer(*owner.tables(body))

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def tables(self, body):
        if self.reply:
            return self.reply
        if self.busy:
            self.busy -= 1
            return 503, {"statusCode": 503, "message": "the sandbox is being restarted"}
        if self.forgets:
            self.forgets -= 1
            self.files.clear()
        missing = [f["sha256"] for f in body["files"] if f["sha256"] not in self.files]
        if missing:
            return 404, {"missing": sorted(set(missing))}
        tables, problems = [], []
        for file in body["files"]:
            try:
                tables.append(self.table(file))
            except (ValueError, csv.Error) as problem:
                problems.append({"filename": file["filename"], "message": str(problem)})
        return 200, {"tables": tables, "problems": problems}

    def table(self, file):
        data = self.files[file["sha256"]]
        if data[:2] == b"PK":
            raise ValueError("The file is a ZIP archive.")
        rows = list(csv.reader(io.StringIO(data[:1 << 20].decode("utf-8-sig"))))
        if len(rows) < 2:
            raise ValueError("It has a header, but no rows.")
        header, rows = rows[0], rows[1:]
        columns = []
        for i, name in enumerate(header):
            cells = [row[i] for row in rows if i < len(row)]
            columns.append({
                "name": re.sub(r"\W", "_", name.lower()), "type": "text",
                "nulls": sum(not cell for cell in cells), "distinct": len(set(cells)),
                "min": min(cells), "max": max(cells), "samples": cells[:3]})
        stem = re.sub(r"\W", "_", file["filename"].split(".")[0].lower())
        return {"name": stem, "sha256": file["sha256"], "filename": file["filename"],
                "sheet": None, "format": "csv", "read": {"delim": ","}, "rows": len(rows),
                "columns": columns, "sample": rows[:10], "notes": []}

"""Log lines: one JSON object a line on stderr. Never code, never data."""

import datetime
import json
import sys


def tell(level, msg, **fields):
    now = datetime.datetime.now(datetime.timezone.utc)
    line = {"time": now.isoformat(timespec="milliseconds"),
            "level": level, "msg": msg, **fields}
    try:
        sys.stderr.write(json.dumps(line) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # a log nobody reads must not stop an execution

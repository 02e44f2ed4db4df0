"""Log lines: one JSON object per line on stderr, without code or data."""

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
        pass  # a log without a reader must not stop an execution

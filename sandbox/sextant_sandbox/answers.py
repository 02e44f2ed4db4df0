"""The answers to /query that more than one process gives."""


def failed(kind, message, position=None, elapsed=0):
    return {"columns": [], "rows": [], "moreRows": False, "cutValues": 0,
            "executionTimeMs": elapsed,
            "error": {"kind": kind, "message": message, "position": position}}

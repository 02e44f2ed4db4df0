"""Three readers of event streams: that of the WHATWG's standard, and those of
the two specifications, which cut corners in their own ways."""
import json


def read_whatwg(pieces):
    """(type, data, id) of each event, from pieces of any size."""
    events, buffer, pending = [], b"", {"data": []}
    last_id = ""
    text = b"".join(pieces)
    buffer = text.decode("utf-8")  # strictly: a cut character is an error
    if buffer.startswith("\ufeff"):
        buffer = buffer[1:]
    lines = buffer.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines.pop()  # what follows the last line end is no line yet
    for line in lines:
        if line == "":
            if pending["data"]:
                events.append((pending.get("event", "message"),
                               "\n".join(pending["data"]), last_id))
            pending = {"data": []}
            continue
        if line.startswith(":"):
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            pending["data"].append(value)
        elif field == "event":
            pending["event"] = value
        elif field == "id" and "\0" not in value:
            last_id = value
    return events


class Reader000:
    """Takes each line that begins with `data: ` of each piece by itself."""

    def __init__(self):
        self.events = []

    def feed(self, piece):
        for line in piece.decode("utf-8").split("\n"):
            if line.startswith("data: "):
                self.events.append(json.loads(line[6:]))


class Reader001:
    """The first line of a block is the type, the second the data."""

    def __init__(self):
        self.events, self.buffer = [], b""

    def feed(self, piece):
        self.buffer += piece
        *blocks, self.buffer = self.buffer.split(b"\n\n")
        for block in blocks:
            text = block.decode("utf-8")
            if not text.strip() or text.startswith(":"):
                continue
            event_line, data_line = text.split("\n")[:2]
            self.events.append((event_line.replace("event: ", "", 1),
                                json.loads(data_line.replace("data: ", "", 1))))

"""A client of the CSV analyst, in the forms that it speaks."""
import json


def chat(user, dataset, message, **more):
    """The reply to POST /chat."""
    return user.post("/chat", {"dataset_id": dataset, "message": message, **more})


def parse(raw):
    """The events of a stream: (type, data) each."""
    found = []
    for block in raw.split(b"\n\n"):
        lines = [line for line in block.decode().split("\n")
                 if line and not line.startswith(":")]
        if lines:
            kind, data = lines
            assert kind.startswith("event: ") and data.startswith("data: "), lines
            found.append((kind[7:], json.loads(data[6:])))
    return found

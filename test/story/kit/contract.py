"""The output of `sextant openapi` for tests: its operations, valid requests, and a
validator of answers.

A new route is tested automatically, except for two things: a valid body (BODIES) and,
if the default does not fit, the objects in its path (WORLD in test_contract.py)."""
import copy
import json
import re
import subprocess
import uuid
from dataclasses import dataclass, field
from functools import cache

import jsonschema

from sextant import PROGRAM

METHODS = ("get", "post", "put", "patch", "delete")

# The permissions of each role, as docs/api.md lists them. An operation names one.
ROLES = ("viewer", "contributor", "admin")
MATRIX = {
    "data_agent:read": set(ROLES),
    "data_agent:write": {"contributor", "admin"},
    "data_agent:delete": {"contributor", "admin"},
    "ontologies:read": set(ROLES),
    "ontologies:write": {"contributor", "admin"},
    "ontologies:delete": {"contributor", "admin"},
    "semantic_models:read": set(ROLES),
    "semantic_models:write": {"contributor", "admin"},
    "semantic_models:delete": {"contributor", "admin"},
    "connections:read": set(ROLES),
    "connections:write": {"contributor", "admin"},
    "connections:delete": {"contributor", "admin"},
    "user_settings:read": set(ROLES),
    "user_settings:write": set(ROLES),
    "system_settings:read": {"admin"},
    "system_settings:write": {"admin"},
    "users:read": {"admin"},
    "users:write": {"admin"},
    "admin:all": {"admin"},
    "signed_in": set(ROLES),
}
CODES = {400: {"VALIDATION_ERROR", "SQL_REFUSED", "SQL_FAILED"}, 401: {"UNAUTHORIZED"}, 403: {"FORBIDDEN"},
         404: {"NOT_FOUND"}, 405: {"METHOD_NOT_ALLOWED"},
         409: {"CONFLICT", "CHAT_BUSY"}, 413: {"PAYLOAD_TOO_LARGE"},
         415: {"UNSUPPORTED_MEDIA_TYPE"}, 429: {"RATE_LIMITED"}}

FORMATS = jsonschema.FormatChecker(formats=())
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@FORMATS.checks("date-time")
def is_time(value):
    return not isinstance(value, str) or bool(TIME.fullmatch(value))


@FORMATS.checks("uuid")
def is_uuid(value):
    return not isinstance(value, str) or bool(UUID.fullmatch(value))


@dataclass
class Operation:
    id: str
    method: str
    path: str
    permission: str
    told: dict = field(repr=False)

    def __str__(self):
        return f"{self.method}-{self.path}"

    def parameters(self, place):
        return {p["name"]: p["schema"] for p in self.told["parameters"]
                if p["in"] == place}

    @property
    def names(self):
        """Path parameters that are UUIDs."""
        return [name for name, schema in self.parameters("path").items()
                if schema.get("format") == "uuid"]

    @property
    def body_schema(self):
        body = self.told.get("requestBody")
        told = body and body["content"].get("application/json")
        return told and resolve(told["schema"])

    @property
    def status(self):
        """Of the good case."""
        return int(next(s for s in self.told["responses"] if s.startswith("2")))

    @property
    def content(self):
        """(media type, schema) of the good case; None: no body."""
        content = self.told["responses"][str(self.status)].get("content")
        if not content:
            return None
        media, about = next(iter(content.items()))
        return media, about["schema"]

    def at(self, ids):
        """The path with these names in it; a UUID for those not given."""
        return re.sub(r"{(\w+)}", lambda m: str(ids.get(m[1], uuid.uuid4())),
                      self.path)


@cache
def document():
    done = subprocess.run([PROGRAM, "openapi"], capture_output=True, check=True)
    return json.loads(done.stdout)


@cache
def strict_schemas():
    """Objects hold what is described and nothing else."""
    def close(v):
        if isinstance(v, dict):
            if "properties" in v:
                v.setdefault("additionalProperties", False)
            for child in v.values():
                close(child)
        elif isinstance(v, list):
            for child in v:
                close(child)
        return v
    return close(copy.deepcopy(document()["components"]["schemas"]))


def operations():
    return [Operation(told["operationId"], method.upper(), path,
                      told.get("x-permission"), told)
            for path, methods in document()["paths"].items()
            for method, told in methods.items()]


def resolve(schema):
    if "$ref" not in schema:
        return schema
    return document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]


def judge(value, schema):
    """Fails with the path of the mismatch."""
    whole = {**copy.deepcopy(schema),
             "components": {"schemas": strict_schemas()}}
    if "properties" in whole:
        whole.setdefault("additionalProperties", False)
    validator = jsonschema.Draft202012Validator(whole, format_checker=FORMATS)
    problem = jsonschema.exceptions.best_match(validator.iter_errors(value))
    assert problem is None, \
        f"{problem.json_path}: {problem.message[:600]}\n{str(problem.instance)[:600]}"


def judge_refusal(reply, status, code=None):
    assert reply.status == status, (reply.status, reply.body[:600])
    judge(reply.json, {"$ref": "#/components/schemas/Error"})
    assert reply.json["statusCode"] == status
    assert reply.code == code or reply.code in CODES[status]
    assert reply.json["requestId"] == reply.headers["x-request-id"]


def judge_answer(operation, reply):
    """The good case."""
    assert reply.status == operation.status, (reply.status, reply.body[:600])
    assert reply.headers["x-request-id"]
    if operation.content is None:
        assert reply.body == b""
        return
    media, schema = operation.content
    assert reply.headers["content-type"].split(";")[0] in (media, "text/plain")
    if media == "application/json" and schema != {"type": "object"}:
        judge(reply.json, schema)


def wrong_value(schema):
    """A value of a type that the schema does not allow; None if it allows all."""
    schema = resolve(schema)
    kinds = set()
    for one in schema.get("anyOf", [schema]):
        kind = resolve(one).get("type", ())
        kinds |= {kind} if isinstance(kind, str) else set(kind)
    if not kinds:
        return None
    for kind, value in (("integer", 7), ("string", "neither"), ("array", [7]),
                        ("object", {"a": 7})):
        if kind not in kinds and not (kind == "integer" and "number" in kinds):
            return value
    return None

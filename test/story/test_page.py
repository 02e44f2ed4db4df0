"""The URLs for which a browser gets the page, and those for which it does not."""
import pytest

from kit.client import Client

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def anyone(service):
    return Client(service.url)


@pytest.mark.parametrize("path", [
    "/", "/agent", "/agent/0b8e0c55-9d5c-4d8e-8f8b-0f6b8f1f7a11", "/settings",
    "/admin/users", "/share/some-token", "/apiary"])
def test_the_page_has_its_own_paths(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in reply.headers["content-security-policy"]
    assert reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", [
    "/api", "/api/nothing", "/app/assets/none-1234abcd.js",
    "/favicon.ico"])
def test_what_is_not_a_page_is_not_found(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert (reply.status, reply.code) == (404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["/v1", "/v1/models-of-nobody"])
def test_below_v1_errors_are_those_of_the_openai_api(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert reply.status == 404
    assert reply.json["error"]["type"] == "invalid_request_error"


def test_a_program_that_asks_for_no_page_gets_none(anyone):
    reply = anyone.request("GET", "/agent", headers={"Accept": "application/json"})
    assert (reply.status, reply.code) == (404, "NOT_FOUND")


def test_what_is_under_a_page_takes_no_other_method(anyone):
    reply = anyone.request("POST", "/agent", headers=BROWSER)
    assert reply.status in (404, 405)

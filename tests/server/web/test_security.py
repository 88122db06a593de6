"""The guard and the pages of errors in front of the whole application."""

from dataclasses import replace

from meeple.rate_limit import Rate
from meeple.server.limits import LIMITS
from tests.server.tables import NIM, refused_code, serving


def test_every_response_has_security_headers(client):
    for path in ("/api/games", "/api/tables/nothing", "/static/none"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_browser_at_an_unknown_address_gets_a_page(client):
    page = client.get("/nothing", headers={"accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'href="/"' in page.text
    assert client.get("/nothing").json() == {"error": "Not Found"}


def test_other_names_sites_lengths_and_rates_are_refused(tmp_path, pool):
    limits = replace(LIMITS, requests=Rate(0.0, 100.0))
    with serving(tmp_path, limits) as client:
        assert client.get("/api/games", headers={"host": "evil.example"}).status_code == 400
        there = {"origin": "http://evil.example"}
        assert client.post("/api/levels", json=NIM, headers=there).status_code == 403
        assert refused_code(client, headers=there) == 4403
        long = {"content-length": str(46 * limits.request_bytes)}
        answers = [client.post("/api/levels", content=b"{}", headers=long) for _ in range(3)]
        assert [one.status_code for one in answers] == [413, 413, 429]  # charged, then refused

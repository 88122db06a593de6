"""Access to the server: names, origins and rates."""

from meeple.server.web import guard as security
from tests.server.tables import NIM, refused_code, serving


def test_every_response_has_security_headers(client):
    for path in ("/api/games", "/api/tables/nothing", "/static/none"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_server_is_unreachable_by_another_name_or_from_another_site(client):
    assert client.get("/api/games", headers={"host": "evil.example"}).status_code == 400
    there = {"origin": "http://evil.example"}
    assert client.post("/api/levels", json=NIM, headers=there).status_code == 403
    assert refused_code(client, headers=there) == 4403


def test_a_request_over_the_length_limit_is_refused(client):
    answer = client.post("/api/tables", content=b"x" * 2_000_000)
    assert answer.status_code == 413


def test_long_requests_count_as_several(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(security, "REQUESTS_PER_SECOND", 0.0)
    monkeypatch.setattr(security, "REQUEST_BURST", 100.0)
    with serving(tmp_path) as client:

        def status(length):
            headers = {"content-length": str(length)}
            return client.post("/api/levels", content=b"{}", headers=headers).status_code

        long = 49 * security.BYTES_OF_A_REQUEST
        assert [status(long), status(long), status(0)] == [413, 413, 429]  # charged, then refused

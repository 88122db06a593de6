"""What a caller may store in a while is limited, and other callers are not affected."""

import pytest

from meeple.rate_limit import Rate
from meeple.server.limits import ServerLimits
from tests.server.tables import ME, NIM, serving

ONCE = Rate(1e-9, 2.0)
CUP = {**NIM, "format": "swiss"}
STUDY = {"title": "Mine", "source": NIM}
TABLE = {**NIM, "seats": [ME, ME]}


@pytest.fixture
def client(tmp_path, pool):
    limits = ServerLimits(new_games=ONCE, new_cups=ONCE, new_studies=ONCE)
    with serving(tmp_path, limits) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "body"),
    [("tables", TABLE), ("cups", CUP), ("studies", STUDY), ("records", {"text": ""})],
)
def test_a_caller_who_stores_too_much_is_refused_and_another_is_not(client, path, body):
    statuses = [client.post(f"/api/{path}", json=body).status_code for _ in range(3)]
    assert 429 not in statuses[:2]
    assert statuses[2] == 429
    refused = client.post(f"/api/{path}", json=body).json()
    assert refused["code"] == "new_too_fast"
    assert "wait a few minutes" in refused["error"]
    client._transport.client = ("10.0.0.1", 1)
    assert client.post(f"/api/{path}", json=body).status_code != 429


def test_a_long_upload_counts_as_several(client):
    answer = client.post("/api/records", json={"text": "x" * 50_000})
    assert answer.status_code == 429

"""Attacks on the login: captured, forged and old cookies; guesses; the file of the secret."""

import asyncio
import hashlib
import os
import string
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from itsdangerous import TimestampSigner

from meeple.errors import MeepleError
from meeple.rate_limit import Rate
from meeple.server import app as application
from meeple.server.errors import Busy, Forbidden, TooMany
from meeple.server.limits import LIMITS
from meeple.server.settings import ServerSettings
from meeple.server.web import guard as security
from meeple.server.web import sessions
from meeple.server.web.guard import Password
from meeple.server.web.sessions import (
    COOKIE,
    FILE,
    Secret,
    new_secret,
    secret_of,
)
from tests.server.tables import refused_code, serving

NOW = 1_800_000_000  # a Unix time in seconds
WORD, WRONG = "open sesame", "open barley"
OTHERS = {"host": "0.0.0.0", "password": WORD}  # settings of a public server
SESSION_SECONDS = LIMITS.session_seconds
NO_REFILL = replace(LIMITS, wrong_passwords=Rate(0.0, LIMITS.wrong_passwords.burst))
LETTERS = string.ascii_letters + string.digits + "-_"  # the Base64 alphabet of cookies
LEAST_PASSES = {2**17: 1, 2**16: 2, 2**15: 3, 2**14: 5, 2**13: 10}  # OWASP, for blocks of 8


@pytest.fixture(autouse=True)
def hashed(monkeypatch):
    """Replace scrypt by a fast function; record its arguments and thread."""
    calls = []

    def scrypt(word, **terms):
        calls.append(SimpleNamespace(word=word, thread=threading.current_thread(), **terms))
        return hashlib.scrypt(word, **{**terms, "n": 2, "p": 1})

    monkeypatch.setattr(security, "hashlib", SimpleNamespace(scrypt=scrypt))
    return calls


@pytest.fixture(autouse=True)
def nothing_compiles(monkeypatch):
    """Disable compilation: its thread changes the warning filters, as a starting server does."""
    monkeypatch.setattr(application, "precompile_all", lambda: None)


@pytest.fixture
def today(monkeypatch):
    """The current time, which a test can change."""
    today = SimpleNamespace(now=NOW)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: today.now)
    return today


def sessions_of(word=WORD, secret=None):
    return Password(word, secret or new_secret()).sessions


# ------------------------------------------------------------ captured, forged and old cookies


def test_cookies_of_two_servers_with_one_password_share_only_the_time(today):
    one, other = (sessions_of().cookie().split(".") for _ in range(2))
    assert [mine == its for mine, its in zip(one, other, strict=True)] == [False, True, False]


def test_a_cookie_of_another_password_is_refused_and_has_another_fingerprint(today):
    secret = new_secret()
    one, other = (sessions_of(word, secret) for word in (WORD, WRONG))
    assert one.cookie().partition(".")[0] != other.cookie().partition(".")[0]
    assert [known.knows(one.cookie()) for known in (one, other, sessions_of(WORD, secret))] == [
        True, False, True,
    ]  # fmt: skip


def test_a_cookie_cannot_be_changed_prolonged_or_forged(today):
    known = sessions_of()
    cookie = known.cookie()
    assert known.knows(cookie)
    for place, letter in enumerate(cookie):
        for other in LETTERS if place == len(cookie) - 1 else "A0":
            if other != letter:
                assert not known.knows(cookie[:place] + other + cookie[place + 1 :])
    fingerprint, _, signature = cookie.split(".")
    today.now += 5
    _, later, _ = known.cookie().split(".")
    assert not known.knows(f"{fingerprint}.{later}.{signature}")
    for made_up in ("", ".", "..", "...", fingerprint, f"{fingerprint}.{later}", "é.é.é", "\xff"):
        assert not known.knows(made_up)
    mine, theirs = new_secret(), new_secret()
    for forged in (theirs, Secret(mine.key, theirs.salt), Secret(theirs.key, mine.salt)):
        assert not sessions_of(WORD, mine).knows(sessions_of(WORD, forged).cookie())


def test_other_data_signed_with_the_key_is_not_a_session(today):
    secret = new_secret()
    known = sessions_of(WORD, secret)
    signer = TimestampSigner(
        secret.key, "meeple session", key_derivation="hmac", digest_method=hashlib.sha384
    )
    assert not known.knows(signer.sign("somebody").decode())
    signer.salt = b"another purpose"
    assert not known.knows(signer.sign(known.cookie().partition(".")[0]).decode())


@pytest.mark.parametrize(
    ("age", "known"),
    [
        (0, True),
        (SESSION_SECONDS, True),
        (SESSION_SECONDS + 1, False),
        (10 * SESSION_SECONDS, False),
        (-1, True),  # the clock was set back
        (-1_000_000_000, True),
    ],
)
def test_a_cookie_is_valid_until_its_session_expires(age, known, today):
    here = sessions_of()
    cookie = here.cookie()
    today.now += age
    assert here.knows(cookie) == known


def status(client, cookie):
    return client.get("/api/games", headers={"cookie": f"{COOKIE}={cookie}"}).status_code


def test_a_session_survives_a_restart_but_no_new_password_and_no_expiry(tmp_path, pool, today):
    with serving(tmp_path, **OTHERS) as client:
        client.post("/api/login", json={"password": WORD})
        cookie = client.cookies[COOKIE]
        assert status(client, cookie) == 200
    with serving(tmp_path, **OTHERS) as again:
        assert status(again, cookie) == 200
        today.now += SESSION_SECONDS + 1
        assert status(again, cookie) == 401
    today.now = NOW
    with serving(tmp_path, **{**OTHERS, "password": WRONG}) as changed:
        assert status(changed, cookie) == 401
    with serving(tmp_path / "elsewhere", **OTHERS) as other:
        assert status(other, cookie) == 401


# ------------------------------------------------------------ the file of the secret


def test_a_secret_is_random_and_readable_only_by_its_owner(tmp_path):
    folders = tmp_path / "one", tmp_path / "deep" / "other"
    before = os.umask(0)
    try:
        one, other = (secret_of(folder) for folder in folders)
    finally:
        os.umask(before)
    assert one != other
    assert (len(one.key), len(one.salt), one.key[:16] == one.salt) == (32, 16, False)
    for folder, secret in zip(folders, (one, other), strict=True):
        assert os.listdir(folder) == [FILE]
        assert (folder / FILE).stat().st_mode & 0o777 == 0o600
        assert secret_of(folder) == secret


def test_two_servers_that_start_at_once_use_the_stored_secret(tmp_path, monkeypatch):
    first = []

    def made_meanwhile():
        monkeypatch.setattr(sessions, "new_secret", new_secret)
        first.append(secret_of(tmp_path))
        return new_secret()

    monkeypatch.setattr(sessions, "new_secret", made_meanwhile)
    assert [secret_of(tmp_path)] == first
    assert os.listdir(tmp_path) == [FILE]


def refusal(folder):
    """Return the error of a failing start; it names the file and nothing of its content."""
    with pytest.raises(MeepleError) as caught:
        security.password_of(ServerSettings(data=folder, host="0.0.0.0", password=WORD))
    assert str(folder / FILE) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o610, 0o666])
def test_a_secret_that_others_can_read_is_refused(mode, tmp_path):
    secret = secret_of(tmp_path)
    (tmp_path / FILE).chmod(mode)
    words = refusal(tmp_path)
    assert "others may read" in words
    assert "delete it" in words
    (tmp_path / FILE).chmod(0o600)
    assert secret_of(tmp_path) == secret


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"my diary", b"\xff" * 96, b"ab" * 47, b"ab" * 49, b"a" * 95]
)
def test_a_damaged_secret_is_refused_and_not_replaced(content, tmp_path):
    file = tmp_path / FILE
    file.touch(0o600)
    file.write_bytes(content)
    words = refusal(tmp_path)
    assert "damaged" in words
    assert "delete it" in words
    assert file.read_bytes() == content


def test_an_error_names_a_secret_that_cannot_be_read_or_written(tmp_path):
    (tmp_path / FILE).mkdir(mode=0o700)
    assert "Is a directory" in refusal(tmp_path)
    (tmp_path / "file").touch()
    assert "File exists" in refusal(tmp_path / "file")


def test_a_server_without_a_password_stores_no_secret(tmp_path, pool):
    with serving(tmp_path):
        assert FILE not in os.listdir(tmp_path)
    assert security.password_of(ServerSettings(data=tmp_path / "none")) is None
    assert not (tmp_path / "none").exists()


# ------------------------------------------------------------ guesses


def outcome(password, word, who="Ann"):
    """Return the cookie, or the error of a login attempt."""
    try:
        return asyncio.run(password.log_in(word, who))
    except MeepleError as error:
        return type(error)


def test_only_the_right_password_gives_a_cookie():
    password = Password(WORD, new_secret())
    assert password.sessions.knows(outcome(password, WORD))
    for word in ("open", "", WRONG, WORD + " "):
        assert outcome(password, word) is Forbidden


def test_each_attempt_has_the_cost_recommended_by_owasp_and_the_servers_salt(hashed):
    secrets = new_secret(), new_secret()
    for secret in secrets:
        password = Password(WORD, secret)
        outcome(password, WRONG)
    assert {call.salt for call in hashed} == {secret.salt for secret in secrets}
    assert [call.word for call in hashed] == 2 * [WORD.encode(), WRONG.encode()]
    for call in hashed:
        assert call.r == 8
        assert call.p >= LEAST_PASSES[call.n]
        assert call.dklen >= 32


def test_the_production_parameters_are_within_the_limits_of_the_library():
    assert len(hashlib.scrypt(b"x", salt=bytes(16), n=security.COST, r=security.BLOCK, p=1)) == 64


def test_a_password_can_be_tried_five_times_and_then_five_times_a_minute(clock, hashed):
    password = Password(WORD, new_secret())
    assert [outcome(password, WRONG) for _ in range(4)] == [Forbidden] * 4
    assert password.sessions.knows(outcome(password, WORD)), "a right one does not count"
    assert [outcome(password, WRONG) for _ in range(2)] == [Forbidden, TooMany]
    assert outcome(password, WORD) is TooMany, "not even the right word is checked"
    assert len(hashed) == 1 + 6, "a refused try costs the server nothing"
    assert outcome(password, WRONG, "Bob") is Forbidden
    clock.now += 11.9
    assert outcome(password, WRONG) is TooMany
    clock.now += 0.2
    assert [outcome(password, WRONG) for _ in range(2)] == [Forbidden, TooMany]


def outcomes_of(password, *rounds):
    """Return the outcomes of attempts from one address, those of each round concurrently."""

    async def all_rounds():
        found = []
        for words in rounds:
            tries = [password.log_in(word, "Ann") for word in words]
            found += await asyncio.gather(*tries, return_exceptions=True)
        return found

    return [type(found) for found in asyncio.run(all_rounds())]


def test_concurrent_attempts_are_limited_and_many_users_of_one_address_are_not(clock, hashed):
    password = Password(WORD, new_secret())
    found = outcomes_of(password, [WORD] * 30 + [WRONG] * 20)
    assert found == [str] * 30 + [Forbidden] * 5 + [TooMany] * 15
    assert len(hashed) == 1 + 35


def test_hashing_does_not_block_the_event_loop_and_uses_one_processor(monkeypatch):
    password, at_once, most = Password(WORD, new_secret()), [], []
    go_on = threading.Event()

    def slow(word):
        assert threading.current_thread() is not threading.main_thread()
        at_once.append(word)
        most.append(len(at_once))
        assert go_on.wait(60)
        at_once.pop()
        return b""

    monkeypatch.setattr(password, "_hashed", slow)

    async def scenario():
        tries = [asyncio.create_task(password.log_in(WRONG, str(who))) for who in range(3)]
        while not at_once and not tries[0].done():
            await asyncio.sleep(0.001)
        go_on.set()  # reached only if the event loop is not blocked
        return await asyncio.gather(*tries, return_exceptions=True)

    assert [type(found) for found in asyncio.run(scenario())] == [Forbidden] * 3
    assert most == [1, 1, 1]


def test_attempts_over_the_length_of_the_queue_are_asked_to_retry():
    password = Password(WORD, new_secret(), replace(LIMITS, max_waiting_logins=3))
    right, mixed, last = [WORD] * 5, [WRONG, WORD, WRONG, WORD], [WORD] * 3
    found = outcomes_of(password, right, mixed, last)  # those whose turn came continue
    assert found[:5] == [str] * 3 + [Busy] * 2
    assert found[5:9] == [Forbidden, str, Forbidden, Busy]
    assert found[9:] == [str] * 3


# ------------------------------------------------------------ routes


def test_a_server_admits_users_who_know_its_password(tmp_path, pool):
    with serving(tmp_path, **OTHERS) as client:
        assert client.get("/api/games").status_code == 401
        page = client.get("/", headers={"accept": "text/html"}, follow_redirects=False)
        assert page.headers["location"] == "/login"
        assert refused_code(client) == 4401
        assert client.post("/api/login", json={"password": "guess"}).status_code == 403
        answer = client.post("/api/login", json={"password": WORD})
        assert answer.status_code == 200
        said = answer.headers["set-cookie"].lower()
        assert all(
            word in said for word in ("httponly", "samesite=strict", f"max-age={SESSION_SECONDS}")
        )
        assert client.get("/api/games").status_code == 200
        assert status(client, "9999999999.00") == 401


def test_wrong_attempts_at_a_password_are_limited_by_address(tmp_path, pool):
    with serving(tmp_path, NO_REFILL, **OTHERS) as client:
        words = [WORD, *["guess"] * 8]
        answers = [client.post("/api/login", json={"password": word}) for word in words]
        assert [one.status_code for one in answers] == [200] + [403] * 5 + [429] * 3

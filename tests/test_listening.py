"""Listening sockets: ports in use, and every address of a host."""

import socket

import pytest

from meeple.errors import MeepleError
from meeple.listening import listen, port_of, url_of


def close(sockets):
    for one in sockets:
        one.close()


def test_a_port_in_use_is_refused_or_the_next_one_taken():
    first = listen("127.0.0.1", 0)
    port = port_of(first)
    words = rf"^the page cannot listen at 127\.0\.0\.1, port {port}: .*in use"
    with pytest.raises(MeepleError, match=words):
        listen("127.0.0.1", port, what="the page ")
    second = listen("127.0.0.1", port, tries=20)
    assert port < port_of(second) < port + 20
    close([*first, *second])


def test_all_addresses_of_a_host_have_one_port(monkeypatch):
    sockets = listen("localhost", 0)
    assert {one.getsockname()[1] for one in sockets} == {port_of(sockets)}
    close(sockets)


def test_an_address_that_this_machine_lacks_is_left_out(monkeypatch):
    known = socket.getaddrinfo

    def also_elsewhere(host, port, **options):
        return known("192.0.2.1", port, **options) + known("127.0.0.1", port, **options)

    monkeypatch.setattr(socket, "getaddrinfo", also_elsewhere)
    (only,) = listen("here", 0)
    assert only.getsockname()[0] == "127.0.0.1"
    close([only])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **more: known("192.0.2.1", 0, **more))
    with pytest.raises(MeepleError, match=r"^cannot listen at there, port 0: "):
        listen("there", 0)


def test_the_address_of_a_page_names_host_and_port():
    assert url_of("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert url_of("::1", 8000) == "http://[::1]:8000/"

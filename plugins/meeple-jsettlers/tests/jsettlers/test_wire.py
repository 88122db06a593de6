"""Messages and the connection that carries them."""

import socket
import threading

import pytest

from meeple.errors import MeepleError
from meeple_jsettlers.wire import MAX_FIELDS, Connection, Kind, Message, parse, text_of


def test_messages_are_read_as_they_are_written():
    text = text_of(Kind.MAKE_OFFER, "a game", 2, True, False)
    assert text == "1041|a game,2,true,false"
    assert parse(text) == Message(Kind.MAKE_OFFER, ("a game", "2", "true", "false"))
    assert parse("1092|g|1|0|5").numbers == [1, 0, 5]
    assert parse("1083") == Message(1083, ())


@pytest.mark.parametrize("text", ["", "hello", "-1|a", "1234567|a", "1|" + "a," * (MAX_FIELDS + 1)])
def test_what_is_no_message_is_refused(text):
    with pytest.raises(MeepleError, match="the server sent"):
        parse(text)


def test_a_message_of_words_has_no_numbers():
    with pytest.raises(MeepleError, match=r"malformed message: PUT_PIECE 1009\|g,x"):
        _ = parse("1009|g,x").numbers


@pytest.fixture
def line():
    """A connection, and the server's end of it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        connection = Connection("127.0.0.1", listening.getsockname()[1])
        end, _ = listening.accept()
        with end:
            yield connection, end
        connection.close()


def test_a_message_that_comes_in_pieces_is_put_together(line):
    connection, end = line
    data = b"\x00\x06111|ab\x00\x05222|c"
    writing = threading.Thread(target=lambda: [end.sendall(bytes([one])) for one in data])
    writing.start()
    assert [connection.receive(5), connection.receive(5)] == ["111|ab", "222|c"]
    writing.join()
    assert connection.receive(0.01) is None


def test_what_is_sent_has_its_length_before_it(line):
    connection, end = line
    connection.send("1032|ä")
    assert end.recv(100) == b"\x00\x071032|\xc3\xa4"


def test_bytes_that_are_no_text_and_a_closed_connection_are_named(line):
    connection, end = line
    end.sendall(b"\x00\x01\xff")
    with pytest.raises(MeepleError, match="no UTF-8"):
        connection.receive(5)
    end.close()
    with pytest.raises(ConnectionError, match="closed"):
        connection.receive(5)


def test_a_server_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(MeepleError, match=f"no server answers at 127.0.0.1:{port}"):
        Connection("127.0.0.1", port)

"""Clients written only from the protocol's documentation, without imports of Meeple."""

import ast
import json
import socket
import ssl
import struct


class PlainClient:
    """The dialect of frames. `move(state)` gives (row, column)."""

    def __init__(self, port, token, move, qualify=True, tls=True):
        self.port, self.token, self.move = port, token, move
        self.qualify, self.tls = qualify, tls
        self.heard, self.moves = [], 0

    def connect(self):
        self.wire = socket.create_connection(("127.0.0.1", self.port))
        if self.tls:
            self.wire = self.secured(self.wire)

    def secured(self, wire):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(wire)

    def receive(self, count):
        data = b""
        while len(data) < count:
            more = self.wire.recv(count - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data

    def send(self, value):
        content = json.dumps(value).encode("utf-8")
        self.wire.sendall(struct.pack("<i", len(content)) + content)

    def next(self):
        (length,) = struct.unpack("<i", self.receive(4))
        return json.loads(self.receive(length).decode("utf-8"))

    def serve(self):
        """Answer until the end; return the score, or None after an error."""
        score = None
        while True:
            message = self.next()
            self.heard.append(message)
            if message["topic"] == "authentication":
                self.send(self.token)
            elif message["topic"] == "question":
                self.send(self.qualify)
            elif message["topic"] == "request_action":
                self.moves += 1
                self.send(self.move(message["state"]))
            elif message["topic"] == "tournament_over":
                score = message["score"]
            elif message["topic"] in ("finish", "error"):
                return score

    def run(self):
        self.connect()
        with self.wire:
            return self.serve()


class OldClient(PlainClient):
    """The dialect of 2020: over TLS, one read is one text."""

    def text(self):
        data = self.wire.recv(4096).decode("utf-8")
        if not data:
            raise ConnectionError("closed")
        return data

    def values(self, count):
        return [ast.literal_eval(self.text()) for _ in range(count)]

    def serve(self):
        announced = {"Series start": 4, "Game start": 1, "Game end": 2, "Series end": 1}
        while True:
            text = self.text()
            if "username" in text:
                self.wire.sendall(b"somebody")
            elif "password" in text:
                self.wire.sendall(self.token.encode())
            elif "qualify" in text:
                self.wire.sendall(b"y" if self.qualify else b"n")
            elif text == "Tournament end":
                return self.values(1)[0]
            elif text == "Illegal action":
                self.heard.append((text, *self.values(2)))
            elif text in announced:
                self.heard.append((text, *self.values(announced[text])))
            elif text[0] == "(":
                self.moves += 1
                self.wire.sendall(str(tuple(self.move(ast.literal_eval(text)))).encode())
            else:
                self.heard.append((text,))
                if "Sorry" in text:
                    return None

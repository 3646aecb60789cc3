"""A mail server for tests: it takes letters, and refuses some addresses."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from waiting import wait_until

NOBODY = "nobody@example.org"


class Postbox(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.letters: list[EmailMessage] = []
        self.gone = {NOBODY}
        """The addresses at which there is no mailbox."""

    def settings(self, folder: Path, address: str) -> None:
        """Have a house send its letters here."""
        port = self.server_address[1]
        (folder / "house.toml").write_text(
            f'[mail]\nserver = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
            f'sender = "house@example.org"\naddress = "{address}"\n'
        )

    def letter(self, count: int) -> EmailMessage:
        """The letter of a number, from 1 on, when it has come."""
        wait_until(lambda: len(self.letters) >= count)
        return self.letters[count - 1]


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: Any = self.server
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            word = line.upper()
            if word.startswith("EHLO"):
                self.say("250 here")
            elif word.startswith("RCPT") and any(one.upper() in word for one in server.gone):
                self.say("550 5.1.1 nobody")
            elif word == "DATA":
                self.say("354 go on")
                self.take(server)
                self.say("250 taken")
            elif word == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 well")

    def take(self, server: Postbox) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        letter = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        server.letters.append(letter)

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def a_postbox() -> Iterator[Postbox]:
    with Postbox() as postbox:
        thread = threading.Thread(target=postbox.serve_forever, args=(0.05,))
        thread.start()
        yield postbox
        postbox.shutdown()
        thread.join()

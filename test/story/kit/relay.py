"""A relay to a server that can be closed: it forwards no bytes, as when a network is
down, and neither end notices. It can also be cut: both ends then see the disconnect."""
import socket
import threading
from urllib.parse import urlsplit


class Relay:
    """Forwards bytes in both directions while it is open."""

    def __init__(self, url, listen="127.0.0.1"):
        """To the server of that address."""
        at = urlsplit(url)
        self.upstream, self.listen = (at.hostname, at.port), listen
        self.listener = socket.create_server((listen, 0), backlog=200)
        self.port = self.listener.getsockname()[1]
        self.open = threading.Event()
        self.open.set()
        self.live = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def through(self, url):
        """The same address by way of us."""
        at = urlsplit(url)
        assert (at.hostname, at.port) == self.upstream
        who, _, _ = at.netloc.rpartition("@")
        return at._replace(netloc=f"{who}@{self.listen}:{self.port}").geturl()

    def shut(self):
        self.open.clear()

    def cut(self):
        """Cuts the current connections."""
        for sock in list(self.live):
            end(sock)

    def strand(self):
        """What is connected now carries nothing any more, without a word to either
        end, as after a lost route; new connections work."""
        self.open.clear()
        self.open = threading.Event()
        self.open.set()

    def reopen(self):
        self.open.set()

    def close(self):
        self.open.set()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near,),
                             daemon=True).start()

    def _serve(self, near):
        opened = self.open
        opened.wait()
        try:
            far = socket.create_connection(self.upstream)
        except OSError:
            near.close()
            return
        self.live |= {near, far}
        threading.Thread(target=self._hand_on, args=(near, far, opened),
                         daemon=True).start()
        self._hand_on(far, near, opened)
        self.live -= {near, far}

    def _hand_on(self, source, target, opened):
        """Until one of them ends; then both do."""
        try:
            while True:
                piece = source.recv(65536)
                opened.wait()
                if not piece:
                    break
                target.sendall(piece)
        except OSError:
            pass
        end(source)
        end(target)


def end(sock):
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
